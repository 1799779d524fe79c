"""Which groups of claims (collections, sources) hold the most unsupported ones, the worst first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from calibration.arrays import ArrayLike, FloatArray, IntArray, checked, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, share_figure
from calibration.cells import ratio
from calibration.intervals import LEVEL, wilson
from calibration.results import Figure, Result
from calibration.verdicts import COLUMNS, NO_JUDGEMENT, unsupported_classes

MOST_GROUPS = 20
"""Groups that get an interval by resampling; of more than these, those whose Wilson bound is worst."""


@dataclass(frozen=True, slots=True)
class GroupScore(Result):
    """One group: its unsupported claims, and how many answers they are from.

    Attributes
    ----------
    group : int
        The code that it came under.
    unsupported : Figure
        Share of its claims.
    verdicts : tuple of int
        Its claims by verdict, and last those without one.
    n_answers : int
    """

    group: int
    unsupported: Figure
    verdicts: tuple[int, ...]
    n_answers: int


def worst_groups(
    answer: ArrayLike,
    verdict: ArrayLike,
    group: ArrayLike,
    *,
    partial_is_unsupported: bool = True,
    most: int = MOST_GROUPS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[GroupScore, ...]:
    """Return the share of unsupported claims of each group, the highest lower bound first.

    A lower bound puts a group first that is surely bad, not one that had bad luck with two claims. Groups without an
    interval come last.

    Parameters
    ----------
    answer, verdict, group : array_like of int, shape (rows,)
        One row for each claim and group that it is in: the claim's answer, its verdict (0 to 3, or 4 for an outcome
        without one, which counts as unsupported), and the group.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    most : int
        How many groups to return.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.

    Examples
    --------
    >>> answer, verdict = [*range(20), *range(20)], [0] * 20 + [2] * 20
    >>> [(score.group, score.unsupported.value) for score in worst_groups(answer, verdict, [5] * 20 + [7] * 20)]
    [(7, 1.0), (5, 0.0)]
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    said = codes(verdict, name="verdict", low=0, high=NO_JUDGEMENT)
    groups = checked(group, name="group", low=0, high=2**31)
    same_length(answer=clusters, verdict=said, group=groups)
    bad = np.append(unsupported_classes(partial_is_unsupported), True)[said]
    found, place = np.unique(groups, return_inverse=True)
    n, k = np.bincount(place, minlength=len(found)), np.bincount(place[bad], minlength=len(found))
    chosen = np.lexsort((-n, -_wilson_low(k, n)))[:most]
    new = np.full(len(found), -1, dtype=np.int64)
    new[chosen] = np.arange(len(chosen))
    rows = new[place] >= 0
    scores = _scores(clusters[rows], said[rows], new[place[rows]], bad[rows], resamples=resamples, seed=seed)
    named = [GroupScore(int(found[old]), *score) for old, score in zip(chosen, scores, strict=True)]
    return tuple(sorted(named, key=_worst_first))


def _scores(
    answer: IntArray, verdict: IntArray, group: IntArray, bad: IntArray, *, resamples: int, seed: int
) -> list[tuple[Figure, tuple[int, ...], int]]:
    cells = Cells(answer)
    count = int(group.max(initial=-1)) + 1
    for code in range(count):
        rows = np.flatnonzero(group == code)
        cells.add(str(code), bad[rows].astype(np.int64), shape=(2,), rows=rows)
    drawn = cells.resample(resamples=resamples, seed=seed)

    def share(table: FloatArray) -> FloatArray:
        return ratio(table[..., 1], table.sum(axis=-1))

    scores = []
    for code in range(count):
        table, answers = drawn.observed(str(code)), len(np.unique(answer[group == code]))
        n, k = int(table.sum()), int(table[1])
        figure = (
            wilson(k, n)
            if n == answers > 1
            else share_figure(
                float(share(table)), share(drawn.replicates(str(code))), n=n, k=k, answers=answers, reason="no claims"
            )
        )
        counted = np.bincount(verdict[group == code], minlength=len(COLUMNS))
        scores.append((figure, tuple(counted.tolist()), answers))
    return scores


def _worst_first(score: GroupScore) -> tuple[float, float, int]:
    figure = score.unsupported
    low = -1.0 if figure.low is None else figure.low
    return -low, -(figure.value or 0.0), -figure.n


def _wilson_low(k: IntArray, n: IntArray) -> FloatArray:
    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    share = k / n
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.asarray((share + z * z / (2 * n) - half) / (1 + z * z / n))
