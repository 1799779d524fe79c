"""Two judges on the same claims: paired differences and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import BoolArray, FloatArray, IntArray
from calibration.bootstrap import Resampled, percentile_figure
from calibration.ceiling import NO_UNSUPPORTED, Measures
from calibration.results import Figure, Result
from calibration.significance import McNemar, holm, mcnemar
from calibration.verdicts import COLUMNS, VERDICTS


@dataclass(frozen=True, slots=True)
class Difference(Result):
    """Two judges on the claims that both have: first minus second, with paired intervals.

    Attributes
    ----------
    n_claims, n_answers : int
        Claims with gold that both judges have in a run, and their answers.
    gap : Measures
        Against gold; claims without a verdict counted as wrong.
    mcnemar : McNemar
        On being right over the four verdicts.
    p_holm : float or None
        The exact p value, corrected over all pairs of judges compared.
    """

    first: str
    second: str
    n_claims: int
    n_answers: int
    gap: Measures
    mcnemar: McNemar
    p_holm: float | None

    def turned(self) -> Difference:
        """Return the same with the second judge first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            gap=Measures(_turned(self.gap.kappa_four), _turned(self.gap.kappa_two), _turned(self.gap.recall)),
            mcnemar=replace(self.mcnemar, only_first=self.mcnemar.only_second, only_second=self.mcnemar.only_first),
        )


def _turned(figure: Figure) -> Figure:
    def minus(value: float | None) -> float | None:
        return None if value is None else 0.0 - value

    return replace(figure, value=minus(figure.value), low=minus(figure.high), high=minus(figure.low))


def mcnemar_of(gold: IntArray, first: IntArray, second: IntArray) -> McNemar:
    """Test whether two judges are right equally often, on the claims that have gold and are in both runs."""
    both = (first >= 0) & (second >= 0) & (gold >= 0)
    right_first, right_second = (first == gold)[both], (second == gold)[both]
    return mcnemar(int((right_first & ~right_second).sum()), int((~right_first & right_second).sum()))


def holm_of(tests: Sequence[McNemar]) -> list[float | None]:
    """Return the p values corrected over all tests that have one, None for the others."""
    adjusted = iter(holm([test.exact_p for test in tests if test.exact_p is not None]).tolist())
    return [None if test.exact_p is None else next(adjusted) for test in tests]


def answers_of(drawn: Resampled, table: str) -> int:
    """Return how many answers stand behind a (4, 5) table."""
    return drawn.cells.answers_with(table, np.ones((len(VERDICTS), len(COLUMNS)), dtype=np.bool_))


def read_gap(drawn: Resampled, first: str, second: str, *, unsupported: BoolArray, level: float) -> Measures:
    """Read first minus second off two tables of gold by judge, shape (4, 5), over the same claims."""

    def difference(statistic: stats.Statistic, *, n: int, answers: int, reason: str) -> Figure:
        one, one_drawn = drawn.values(first, statistic)
        two, two_drawn = drawn.values(second, statistic)
        return percentile_figure(one - two, one_drawn - two_drawn, n=n, answers=answers, reason=reason, level=level)

    def kappa_two(tables: FloatArray) -> FloatArray:
        return stats.kappa(stats.collapse(tables, unsupported))

    def recall(tables: FloatArray) -> FloatArray:
        return stats.recall(stats.collapse(tables, unsupported))

    counts = drawn.observed(first)
    n, n_bad = int(counts.sum()), int(counts[unsupported].sum())
    answers = answers_of(drawn, first)
    mask = np.ones((len(VERDICTS), len(COLUMNS)), dtype=np.bool_)
    mask[~unsupported] = False
    bad_answers = drawn.cells.answers_with(first, mask)
    undefined = ONE_CLASS if n else NO_PAIRS
    return Measures(
        kappa_four=difference(stats.kappa, n=n, answers=answers, reason=undefined),
        kappa_two=difference(kappa_two, n=n, answers=answers, reason=undefined),
        recall=difference(recall, n=n_bad, answers=bad_answers, reason=NO_UNSUPPORTED),
    )
