"""The figures of a judge in each group of claims: by kind, severity, kind of invention, collection, system, person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure
from calibration.intervals import LEVEL
from calibration.results import Figure, Result
from calibration.unsupported import UnsupportedScore, add_claims, read_unsupported
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, VERDICTS, unsupported_classes


@dataclass(frozen=True, slots=True)
class GroupFigures(Result):
    """A judge against gold on the claims of one group.

    Attributes
    ----------
    group : int
    n, n_answers : int
    kappa_four, kappa_two : Figure
    unsupported : UnsupportedScore
        Recall, precision and the rest; outcomes without a verdict counted as misses.
    """

    group: int
    n: int
    n_answers: int
    kappa_four: Figure
    kappa_two: Figure
    unsupported: UnsupportedScore


def figures_by_group(
    answer: ArrayLike,
    gold: ArrayLike,
    verdict: ArrayLike,
    group: ArrayLike,
    *,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> tuple[GroupFigures, ...]:
    """Return a judge's figures in each group, all on the same resamples of answers, in the order of the codes.

    Whatever claims are grouped by comes as a code for each row. A claim in two groups (a claim that cites
    two collections) comes in two rows.

    Parameters
    ----------
    answer, gold, verdict, group : array_like of int, shape (rows,)
        A row for each claim and group: the answer; gold, 0 to 3 and -1 for none; the judge's verdict,
        0 to 3, 4 for none, -1 outside the run; the group, -1 for none. For figures by person, gold is
        what that person said.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence. Of twenty groups one leaves its interval by chance.

    Examples
    --------
    >>> made = figures_by_group([1, 2, 3, 4], [0, 2, 2, 2], [0, 2, 0, 2], [0, 0, 5, 5], resamples=50)
    >>> [(one.group, one.unsupported.recall.k, one.unsupported.recall.n) for one in made]
    [(0, 1, 1), (5, 1, 2)]
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
    said = codes(verdict, name="verdict", low=MISSING, high=NO_JUDGEMENT)
    groups = codes(group, name="group", low=MISSING, high=2**62)
    same_length(answer=clusters, gold=reference, verdict=said, group=groups)
    kept = (reference >= 0) & (said >= 0) & (groups >= 0)
    reference, said, groups = reference[kept], said[kept], groups[kept]
    counted, found = Cells(clusters[kept]), np.unique(groups).tolist()
    for number in found:
        rows = np.flatnonzero(groups == number)
        add_claims(counted, rows, reference[rows], said[rows], name=str(number))
    drawn = counted.resample(resamples=resamples, seed=seed)
    classes = unsupported_classes(partial_is_unsupported)
    everything = np.ones((len(VERDICTS), len(COLUMNS)), dtype=np.bool_)
    made = []
    for number in found:
        name = str(number)
        n, answers = int(drawn.observed(name).sum()), counted.answers_with(name, everything)
        four, four_drawn = drawn.values(name, stats.kappa)
        two, two_drawn = drawn.values(name, lambda tables: stats.kappa(stats.collapse(tables, classes)))
        made.append(
            GroupFigures(
                number,
                n,
                answers,
                percentile_figure(four, four_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                percentile_figure(two, two_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                read_unsupported(drawn, name, unit="claims", classes=classes, level=level),
            )
        )
    return tuple(made)
