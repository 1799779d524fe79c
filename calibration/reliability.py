"""Agreement of more than two raters, with labels missing or complete."""

from __future__ import annotations

from typing import Literal

import numpy as np

from calibration import cells
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, IntArray, checked, codes
from calibration.results import Figure
from calibration.verdicts import MISSING

Level = Literal["nominal", "ordinal", "interval", "ratio"]


def label_counts(labels: ArrayLike, *, categories: int) -> IntArray:
    """Count, for each item, how many raters used each category.

    Parameters
    ----------
    labels : array_like of int, shape (raters, items)
        Codes 0 to ``categories - 1``, -1 where a rater gave none.
    categories : int
        Number of classes.

    Returns
    -------
    int array of shape (items, categories)

    Examples
    --------
    >>> label_counts([[0, 1], [0, -1]], categories=2).tolist()
    [[2, 0], [0, 1]]
    """
    array = checked(labels, name="labels", low=MISSING, high=categories - 1, ndim=2)
    counts = np.zeros((array.shape[1], categories), dtype=np.int64)
    for category in range(categories):
        counts[:, category] = (array == category).sum(axis=0)
    return counts


def coincidences(counts: ArrayLike) -> FloatArray:
    """Return Krippendorff's coincidence table from counts of shape (items, categories).

    Items with fewer than two labels hold no pair and are left out.

    Examples
    --------
    >>> coincidences([[2, 0], [1, 1], [1, 0]]).tolist()
    [[2.0, 1.0], [1.0, 0.0]]
    """
    array = np.asarray(counts, dtype=np.float64)
    raters = array.sum(axis=1)
    array, raters = array[raters >= 2], raters[raters >= 2]
    scaled = array / (raters - 1.0)[:, None]
    return np.asarray(array.T @ scaled - np.diag(scaled.sum(axis=0)))


def _distances(values: FloatArray, margins: FloatArray, level: Level) -> FloatArray:
    """Return squared distances between categories for a level of measurement."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    if level == "interval":
        return np.asarray(np.subtract.outer(values, values) ** 2)
    if level == "ratio":
        both = np.add.outer(values, values)
        return cells.ratio(np.subtract.outer(values, values), both) ** 2
    if level != "ordinal":
        raise ValueError(f"level: expected nominal, ordinal, interval or ratio, got {level!r}")
    upto = np.cumsum(margins)
    low = np.minimum.outer(np.arange(len(values)), np.arange(len(values)))
    high = np.maximum.outer(np.arange(len(values)), np.arange(len(values)))
    between = upto[high] - upto[low] + margins[low]
    return np.asarray((between - (margins[low] + margins[high]) / 2.0) ** 2)


def krippendorff_alpha(
    labels: ArrayLike, *, categories: int = 4, level: Level = "nominal", values: ArrayLike | None = None
) -> Figure:
    """Return Krippendorff's alpha over raters who each labelled some of the items.

    Parameters
    ----------
    labels : array_like of int, shape (raters, items)
        Codes 0 to ``categories - 1``, -1 where a rater gave none. A category that nobody used
        changes nothing.
    categories : int
        Number of classes.
    level : {"nominal", "ordinal", "interval", "ratio"}
        How far apart two categories are. Ordinal takes the order of the codes.
    values : array_like of float, shape (categories,), optional
        What the codes stand for, for interval and ratio; the codes themselves if not given.

    Returns
    -------
    Figure
        ``n`` is the number of items with at least two labels.

    Notes
    -----
    Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability".

    Examples
    --------
    >>> krippendorff_alpha([[0, 1, 1], [0, 1, 0]], categories=2).n
    3
    >>> krippendorff_alpha([[0, -1], [-1, 1]], categories=2).reason
    'no pairs'
    """
    counts = label_counts(labels, categories=categories)
    shared = int((counts.sum(axis=1) >= 2).sum())
    if shared == 0:
        return Figure.undefined(NO_PAIRS)
    table = coincidences(counts)
    margins = table.sum(axis=1)
    standing_for = np.arange(categories, dtype=float) if values is None else np.asarray(values, dtype=float)
    if standing_for.shape != (categories,):
        raise ValueError(f"values: expected {categories} of them, got shape {standing_for.shape}")
    if level == "ratio" and np.any(standing_for < 0):
        raise ValueError("values: a ratio scale has no negative values")
    apart = np.nan_to_num(_distances(standing_for, margins, level))
    observed = float((table * apart).sum()) * (margins.sum() - 1.0)
    expected = float((np.outer(margins, margins) * apart).sum())
    if expected == 0:
        return Figure.undefined(ONE_CLASS, n=shared)
    return Figure.point(1.0 - observed / expected, n=shared, method=f"Krippendorff's alpha, {level}")


def fleiss_kappa(counts: ArrayLike) -> Figure:
    """Return Fleiss' kappa from counts per item; every item needs the same number of labels.

    Parameters
    ----------
    counts : array_like of int, shape (items, categories)
        How many raters put the item into each category: counts, not raw ratings.

    Raises
    ------
    ValueError
        If items differ in their number of labels.

    Notes
    -----
    Fleiss (1971), Psychological Bulletin 76.

    Examples
    --------
    >>> round(fleiss_kappa([[2, 0], [0, 2], [1, 1]]).value, 4)
    0.3333
    """
    array = codes(counts, name="counts", low=0, high=2**31, ndim=2).astype(np.float64)
    if array.shape[0] == 0:
        return Figure.undefined(NO_PAIRS)
    raters = array.sum(axis=1)
    if np.any(raters != raters[0]):
        raise ValueError(f"items have from {raters.min():.0f} to {raters.max():.0f} labels; expected the same number")
    if raters[0] < 2:
        return Figure.undefined(NO_PAIRS, n=array.shape[0])
    pairs = raters[0] * (raters[0] - 1.0)
    observed = float((array * (array - 1.0)).sum(axis=1).mean() / pairs)
    share = array.sum(axis=0) / array.sum()
    chance = float((share**2).sum())
    if np.count_nonzero(share) == 1:
        return Figure.undefined(ONE_CLASS, n=array.shape[0])
    return Figure.point((observed - chance) / (1.0 - chance), n=array.shape[0], method="Fleiss' kappa")


def gwet_ac1_of_raters(labels: ArrayLike, *, categories: int = 4) -> Figure:
    """Return Gwet's AC1 over several raters with labels missing.

    Parameters
    ----------
    labels : array_like of int, shape (raters, items)
        Codes 0 to ``categories - 1``, -1 where a rater gave none.
    categories : int
        The declared number of classes; unlike kappa's, the figure depends on it.

    Notes
    -----
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition.

    Examples
    --------
    >>> round(gwet_ac1_of_raters([[0, 1, 1], [0, 1, 0]], categories=2).value, 4)
    0.3333
    """
    if categories < 2:
        raise ValueError(f"categories: expected at least 2, got {categories}")
    counts = label_counts(labels, categories=categories).astype(np.float64)
    raters = counts.sum(axis=1)
    paired = raters >= 2
    if not paired.any():
        return Figure.undefined(NO_PAIRS)
    within = (counts * (counts - 1.0)).sum(axis=1)[paired] / (raters * (raters - 1.0))[paired]
    share = (counts[raters > 0] / raters[raters > 0, None]).mean(axis=0)
    chance = float((share * (1.0 - share)).sum()) / (categories - 1.0)
    value = (float(within.mean()) - chance) / (1.0 - chance)
    return Figure.point(value, n=int(paired.sum()), method="Gwet's AC1")
