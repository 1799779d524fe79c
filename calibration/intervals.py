"""Intervals for shares, and how many items without a miss a promise needs."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from calibration.arrays import ArrayLike, floats, probability
from calibration.results import Figure

LEVEL = 0.95
NO_ITEMS = "no items"


def _counts(k: int, n: int) -> tuple[int, int]:
    if n < 0 or not 0 <= k <= n:
        raise ValueError(f"counts do not fit: k={k}, n={n}")
    return int(k), int(n)


def wilson(k: int, n: int, *, level: float = LEVEL) -> Figure:
    """Return a share with its Wilson score interval, which takes the items as independent.

    Parameters
    ----------
    k, n : int
        Hits and items.
    level : float
        Two-sided confidence.

    Notes
    -----
    Wilson (1927), Journal of the American Statistical Association 22.

    Examples
    --------
    >>> share = wilson(0, 20)
    >>> share.low, round(share.high, 4)
    (0.0, 0.1611)
    """
    k, n = _counts(k, n)
    if n == 0:
        return Figure.undefined(NO_ITEMS)
    z = float(stats.norm.ppf((1.0 + probability(level, name="level")) / 2.0))
    share = k / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the edges the formula gives 0 and 1 exactly but for rounding.
    low = 0.0 if k == 0 else max(0.0, centre - half)
    high = 1.0 if k == n else min(1.0, centre + half)
    return Figure(share, low, high, n=n, k=k, method="Wilson")


def clopper_pearson(k: int, n: int, *, level: float = LEVEL) -> Figure:
    """Return a share with its exact two-sided binomial interval.

    Notes
    -----
    Clopper and Pearson (1934), Biometrika 26.

    Examples
    --------
    >>> round(clopper_pearson(0, 20).high, 4)
    0.1684
    """
    k, n = _counts(k, n)
    if n == 0:
        return Figure.undefined(NO_ITEMS)
    tail = (1.0 - probability(level, name="level")) / 2.0
    low = 0.0 if k == 0 else float(stats.beta.ppf(tail, k, n - k + 1))
    high = 1.0 if k == n else float(stats.beta.ppf(1.0 - tail, k + 1, n - k))
    return Figure(k / n, low, high, n=n, k=k, method="Clopper-Pearson")


def clopper_pearson_lower(k: int, n: int, *, level: float = LEVEL) -> Figure:
    """Return a share with its exact one-sided lower bound; the upper end is 1.

    Examples
    --------
    >>> round(clopper_pearson_lower(29, 29).low, 4)
    0.9019
    """
    k, n = _counts(k, n)
    if n == 0:
        return Figure.undefined(NO_ITEMS)
    tail = 1.0 - probability(level, name="level")
    low = 0.0 if k == 0 else float(stats.beta.ppf(tail, k, n - k + 1))
    return Figure(k / n, low, 1.0, n=n, k=k, method="Clopper-Pearson, one-sided")


def zero_miss_sample_size(share: float, *, level: float = LEVEL) -> int:
    """Return how many items, all hit, put the exact one-sided lower bound at ``share`` or above.

    Examples
    --------
    >>> zero_miss_sample_size(0.9), zero_miss_sample_size(0.95)
    (29, 59)
    """
    if not 0.0 < share < 1.0:
        raise ValueError(f"share: expected a number between 0 and 1, got {share}")
    if not 0.0 < level < 1.0:
        raise ValueError(f"level: expected a number between 0 and 1, got {level}")
    needed = math.log(1.0 - level) / math.log(share)
    # A whole number that rounding lifted must not cost one item more.
    return int(np.ceil(needed - 1e-9))


def effective_number(weights: ArrayLike) -> float:
    """Return as how many equal and independent items these count: the square of the sum over the sum of squares.

    Parameters
    ----------
    weights : array_like of float
        Weights of single items; or sizes of clusters whose items go entirely together, which is n over
        the design effect at an intra-class correlation of 1. Any smaller correlation would give more.

    Notes
    -----
    Kish (1965), Survey Sampling.

    Examples
    --------
    >>> effective_number([1] * 29), effective_number([5] * 12), round(effective_number([10, 1, 1]), 2)
    (29.0, 12.0, 1.41)
    """
    given = floats(weights, name="weights")
    if np.any(~(given >= 0)):
        raise ValueError("weights: expected numbers of 0 or more")
    squares = float((given**2).sum())
    return float(given.sum()) ** 2 / squares if squares else 0.0
