"""Everything that is said of one judge against gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import BoolArray, FloatArray
from calibration.bootstrap import Resampled, percentile_figure, share_figure
from calibration.ceiling import LikeWithLike, Reference
from calibration.results import Confusion, Figure, Result
from calibration.unsupported import UnsupportedScore
from calibration.verdicts import COLUMNS, VERDICTS


@dataclass(frozen=True, slots=True)
class Agreement(Result):
    """Agreement with gold over the four verdicts, and over supported against unsupported."""

    kappa_four: Figure
    kappa_two: Figure
    raw_four: Figure
    raw_two: Figure


@dataclass(frozen=True, slots=True)
class BesideKappa(Result):
    """What to read beside kappa where one class is rare; over judged claims only.

    ``prevalence_index`` is positive where supported claims are the larger class, ``bias_index``
    where the judge flags more than gold has.
    """

    pabak_four: Figure
    pabak_two: Figure
    ac1_four: Figure
    ac1_two: Figure
    prevalence_index: Figure
    bias_index: Figure
    kappa_max_four: Figure
    kappa_max_two: Figure


@dataclass(frozen=True, slots=True)
class JudgeScore(Result):
    """One judge against gold, and beside people.

    Attributes
    ----------
    name : str
    n_claims : int
        Claims that have gold and are in the run: what every figure against gold rests on.
    n_answers : int
        Answers that those claims come from.
    n_unsupported : int
        Those of the claims that gold calls unsupported.
    n_without_verdict : int
        Those that the judge gave no verdict on.
    n_outside_run : int
        Claims with gold that the run did not hold.
    coverage : Figure
        Share of the claims that got a verdict.
    outcomes : mapping of str to int
        How the claims ended, by outcome; empty if the caller gave none.
    agreement : Agreement
        A claim without a verdict counts as disagreement (the headline).
    agreement_judged : Agreement
        Claims without a verdict left out.
    unsupported, unsupported_judged : UnsupportedScore
        Claims; without a verdict counted as misses, and left out.
    answers, answers_judged : UnsupportedScore
        The same for answers with at least one unsupported claim.
    individual, consensus : LikeWithLike
        The judge beside people on the same references.
    """

    name: str
    n_claims: int
    n_answers: int
    n_unsupported: int
    n_without_verdict: int
    n_outside_run: int
    coverage: Figure
    outcomes: Mapping[str, int]
    confusion: Confusion
    agreement: Agreement
    agreement_judged: Agreement
    beside_kappa: BesideKappa
    unsupported: UnsupportedScore
    unsupported_judged: UnsupportedScore
    answers: UnsupportedScore
    answers_judged: UnsupportedScore
    individual: LikeWithLike
    consensus: LikeWithLike

    def like_with_like(self, reference: Reference) -> LikeWithLike:
        """Return the judge beside people on one of the two references."""
        return self.individual if reference == "individual" else self.consensus


def read_agreement(
    drawn: Resampled, table: str, *, unsupported: BoolArray, judged_only: bool, level: float
) -> Agreement:
    """Read agreement off a (4, 5) table of gold by judge."""
    four, four_drawn = drawn.observed(table), drawn.replicates(table)
    if judged_only:
        four, four_drawn = stats.judged_only(four), stats.judged_only(four_drawn)
    two, two_drawn = stats.collapse(four, unsupported), stats.collapse(four_drawn, unsupported)
    n = int(four.sum())
    answers = _answers(drawn, table, judged_only=judged_only)

    def kappa(sample: FloatArray, replicates: FloatArray) -> Figure:
        return percentile_figure(
            float(stats.kappa(sample)),
            stats.kappa(replicates),
            n=n,
            answers=answers,
            reason=ONE_CLASS if n else NO_PAIRS,
            level=level,
        )

    def raw(sample: FloatArray, replicates: FloatArray) -> Figure:
        return share_figure(
            float(stats.raw_agreement(sample)),
            stats.raw_agreement(replicates),
            k=int(np.trace(sample)),
            n=n,
            answers=answers,
            reason=NO_PAIRS,
            level=level,
        )

    return Agreement(kappa(four, four_drawn), kappa(two, two_drawn), raw(four, four_drawn), raw(two, two_drawn))


def _answers(drawn: Resampled, table: str, *, judged_only: bool) -> int:
    mask = np.ones((len(VERDICTS), len(COLUMNS)), dtype=np.bool_)
    mask[:, len(VERDICTS) :] = not judged_only
    return drawn.cells.answers_with(table, mask)


def read_beside_kappa(drawn: Resampled, table: str, *, unsupported: BoolArray, level: float) -> BesideKappa:
    """Read the companions of kappa off a (4, 5) table, over judged claims."""
    four, four_drawn = stats.judged_only(drawn.observed(table)), stats.judged_only(drawn.replicates(table))
    answers = _answers(drawn, table, judged_only=True)
    return beside_kappa(four, four_drawn, n=int(four.sum()), answers=answers, unsupported=unsupported, level=level)


def beside_kappa(
    four: FloatArray, four_drawn: FloatArray, *, n: int, answers: int, unsupported: BoolArray, level: float
) -> BesideKappa:
    """Return the companions of kappa from a (4, 4) table and its resamples; `n` claims of `answers` are behind them."""
    two, two_drawn = stats.collapse(four, unsupported), stats.collapse(four_drawn, unsupported)

    def made(sample: FloatArray, replicates: FloatArray, statistic: stats.Statistic) -> Figure:
        return percentile_figure(
            float(statistic(sample)),
            statistic(replicates),
            n=n,
            answers=answers,
            reason=ONE_CLASS if n else NO_PAIRS,
            level=level,
        )

    return BesideKappa(
        pabak_four=made(four, four_drawn, stats.pabak),
        pabak_two=made(two, two_drawn, stats.pabak),
        ac1_four=made(four, four_drawn, stats.gwet_ac1),
        ac1_two=made(two, two_drawn, stats.gwet_ac1),
        prevalence_index=made(two, two_drawn, stats.prevalence_index),
        bias_index=made(two, two_drawn, stats.bias_index),
        kappa_max_four=made(four, four_drawn, stats.kappa_max),
        kappa_max_two=made(two, two_drawn, stats.kappa_max),
    )


def read_coverage(drawn: Resampled, table: str, *, level: float) -> Figure:
    """Read the share of claims with a verdict off a (4, 5) table."""

    def statistic(tables: FloatArray) -> FloatArray:
        return stats.ratio(stats.total(stats.judged_only(tables)), stats.total(tables))

    counts, replicates = drawn.observed(table), drawn.replicates(table)
    return share_figure(
        float(statistic(counts)),
        statistic(replicates),
        k=int(stats.judged_only(counts).sum()),
        n=int(counts.sum()),
        answers=_answers(drawn, table, judged_only=False),
        reason="no claims",
        level=level,
    )
