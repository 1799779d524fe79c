"""Agreement of each two people, where they share claims enough."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, IntArray, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure, share_figure
from calibration.intervals import LEVEL
from calibration.results import Figure, Result
from calibration.verdicts import MISSING, VERDICTS, unsupported_classes

LEAST_SHARED = 20
"""Claims that two people share before their agreement is called a figure."""
_CLASSES = len(VERDICTS)


@dataclass(frozen=True, slots=True)
class PairOfPeople(Result):
    """Two people on the claims that both labelled.

    Attributes
    ----------
    first, second : int
        Rows of the labels.
    n_claims : int
    kappa_four, kappa_two, raw_four : Figure
    apart : tuple of (verdict of the first, verdict of the second, claims)
        Codes of the verdicts on which they differ, the most frequent first.
    """

    first: int
    second: int
    n_claims: int
    kappa_four: Figure
    kappa_two: Figure
    raw_four: Figure
    apart: tuple[tuple[int, int, int], ...]


def apart_in(table: FloatArray | IntArray) -> tuple[tuple[int, int, int], ...]:
    """Return what is off the diagonal of a table of verdicts: row, column, count, the most frequent first.

    Examples
    --------
    >>> apart_in(np.array([[5, 0, 3], [0, 4, 0], [1, 0, 2]]))
    ((0, 2, 3), (2, 0, 1))
    """
    found = [(one, two, round(float(table[one, two]))) for one, two in np.argwhere(table).tolist() if one != two]
    return tuple(sorted(found, key=lambda cell: (-cell[2], cell)))


def pairs_of_people(
    answer: ArrayLike,
    labels: ArrayLike,
    *,
    least: int = LEAST_SHARED,
    most: int = 45,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> tuple[PairOfPeople, ...]:
    """Return the agreement of every two people who share claims enough.

    The ceiling is not the mean of these: in a crowd whose pairs share a few claims each, that mean
    is far off.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    labels : array_like of int, shape (people, n)
        Codes 0 to 3, -1 where a person gave no label.
    least : int
        Pairs that share fewer claims are left out.
    most : int
        At most so many pairs, those that share most first.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> pair, = pairs_of_people([1, 2, 3, 4], [[0, 2, 0, 2], [0, 2, 2, 2]], least=2, resamples=50)
    >>> pair.n_claims, pair.kappa_four.value
    (4, 0.5)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    given = codes(labels, name="labels", low=MISSING, high=_CLASSES - 1, ndim=2)
    same_length(answer=clusters, labels=given)
    classes = unsupported_classes(partial_is_unsupported)
    present = (given >= 0).astype(np.float32)
    shared = (present @ present.T).astype(np.int64)
    wanted = [(one, two) for one, two in combinations(range(len(given)), 2) if shared[one, two] >= max(least, 1)]
    wanted = sorted(sorted(wanted, key=lambda pair: -int(shared[pair]))[:most])
    counted = Cells(clusters)
    for one, two in wanted:
        rows = np.flatnonzero((given[one] >= 0) & (given[two] >= 0))
        cell = given[one, rows] * _CLASSES + given[two, rows]
        counted.add(f"{one} {two}", cell, shape=(_CLASSES, _CLASSES), rows=rows)
    drawn = counted.resample(resamples=resamples, seed=seed)
    everything = np.ones((_CLASSES, _CLASSES), dtype=np.bool_)
    made = []
    for one, two in wanted:
        name, n = f"{one} {two}", int(shared[one, two])
        answers = counted.answers_with(name, everything)
        four, four_drawn = drawn.values(name, stats.kappa)
        folded, folded_drawn = drawn.values(name, lambda tables: stats.kappa(stats.collapse(tables, classes)))
        raw, raw_drawn = drawn.values(name, stats.raw_agreement)
        made.append(
            PairOfPeople(
                one,
                two,
                n,
                kappa_four=percentile_figure(four, four_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                kappa_two=percentile_figure(folded, folded_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                raw_four=share_figure(raw, raw_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                apart=apart_in(drawn.observed(name)),
            )
        )
    return tuple(made)
