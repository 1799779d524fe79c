"""Agreement of two raters, from pairs of codes or from a table of counts."""

from __future__ import annotations

from typing import Literal

import numpy as np

from calibration import cells
from calibration.arrays import ArrayLike, FloatArray, codes, same_length
from calibration.results import Confusion, Figure
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, VERDICTS

Disagreement = Literal["nominal", "linear", "quadratic"]
ONE_CLASS = "one class only"
NO_PAIRS = "no pairs"


def confusion(reference: ArrayLike, judged: ArrayLike) -> Confusion:
    """Count reference verdicts against a judge's, over claims that have a reference and are in the run.

    Parameters
    ----------
    reference : array_like of int, shape (n,)
        Verdict codes 0 to 3, -1 where there is none.
    judged : array_like of int, shape (n,)
        Verdict codes 0 to 3, 4 for an outcome without a verdict, -1 for a claim outside the run.

    Examples
    --------
    >>> confusion([0, 0, 2, -1], [0, 4, 2, 1]).counts.sum()
    np.int64(3)
    """
    first = codes(reference, name="reference", low=MISSING, high=len(VERDICTS) - 1)
    second = codes(judged, name="judged", low=MISSING, high=NO_JUDGEMENT)
    same_length(reference=first, judged=second)
    kept = (first >= 0) & (second >= 0)
    flat = np.bincount(first[kept] * len(COLUMNS) + second[kept], minlength=len(VERDICTS) * len(COLUMNS))
    return Confusion(flat.reshape(len(VERDICTS), len(COLUMNS)))


def table_of_pairs(first: ArrayLike, second: ArrayLike, *, categories: int) -> FloatArray:
    """Count pairs of codes; a pair with a missing code (-1) is left out.

    Returns
    -------
    float array of shape (categories, categories)

    Examples
    --------
    >>> table_of_pairs([0, 1, -1], [0, 0, 1], categories=2).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    one = codes(first, name="first", low=MISSING, high=categories - 1)
    two = codes(second, name="second", low=MISSING, high=categories - 1)
    same_length(first=one, second=two)
    kept = (one >= 0) & (two >= 0)
    flat = np.bincount(one[kept] * categories + two[kept], minlength=categories * categories)
    return flat.reshape(categories, categories).astype(np.float64)


def disagreement_weights(kind: Disagreement | ArrayLike, *, categories: int) -> FloatArray:
    """Return a matrix of disagreement weights: zero on the diagonal, larger for worse.

    Examples
    --------
    >>> disagreement_weights("linear", categories=3)[0].tolist()
    [0.0, 1.0, 2.0]
    """
    if isinstance(kind, str):
        apart = np.abs(np.subtract.outer(np.arange(categories), np.arange(categories))).astype(float)
        if kind == "nominal":
            return (apart > 0).astype(float)
        if kind == "linear":
            return apart
        if kind == "quadratic":
            return apart**2
        raise ValueError(f"weights: expected nominal, linear, quadratic or a matrix, got {kind!r}")
    weights = np.asarray(kind, dtype=np.float64)
    if weights.shape != (categories, categories):
        raise ValueError(f"weights: expected shape ({categories}, {categories}), got {weights.shape}")
    if np.any(~np.isfinite(weights)) or np.any(weights < 0) or np.any(np.diag(weights) != 0):
        raise ValueError("weights: expected disagreement, finite, not negative, zero on the diagonal")
    return weights


def _table(table: ArrayLike) -> FloatArray:
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] < 2 or counts.shape[1] < counts.shape[0]:
        raise ValueError(f"table: expected a square table of at least two classes, got shape {counts.shape}")
    if np.any(~np.isfinite(counts)) or np.any(counts < 0):
        raise ValueError("table: expected counts that are finite and not negative")
    return counts


def _figure(statistic: cells.Statistic, counts: FloatArray, *, method: str) -> Figure:
    pairs = round(float(counts.sum()))
    if counts.sum() == 0:
        return Figure.undefined(NO_PAIRS)
    value = float(statistic(counts))
    if np.isnan(value):
        return Figure.undefined(ONE_CLASS, n=pairs)
    return Figure.point(value, n=pairs, method=method)


def kappa_from_table(table: ArrayLike, *, weights: Disagreement | ArrayLike = "nominal") -> Figure:
    """Return Cohen's kappa, plain or weighted, from a table of counts.

    Parameters
    ----------
    table : array_like of shape (c, c), or (c, c + 1) with a column that agrees with nothing
        First rater in rows, second in columns.
    weights : {"nominal", "linear", "quadratic"} or array_like of shape (c, c)
        Weights of *disagreement*. Weights other than nominal need a square table.

    Returns
    -------
    Figure
        ``value`` is None with the reason "no pairs" or "one class only" where kappa is undefined.

    Notes
    -----
    Cohen (1960), Educational and Psychological Measurement 20; Cohen (1968), Psychological
    Bulletin 70.

    Examples
    --------
    >>> round(kappa_from_table([[30, 10], [2, 78]]).value, 4)
    0.7632
    >>> kappa_from_table([[5, 0], [0, 0]]).reason
    'one class only'
    """
    counts = _table(table)
    if isinstance(weights, str) and weights == "nominal":
        return _figure(cells.kappa, counts, method="Cohen's kappa")
    if counts.shape[0] != counts.shape[1]:
        raise ValueError(f"weighted kappa needs a square table, got shape {counts.shape}")
    matrix = disagreement_weights(weights, categories=counts.shape[0])
    return _figure(lambda tables: cells.weighted_kappa(tables, matrix), counts, method="weighted kappa")


def cohen_kappa(
    first: ArrayLike, second: ArrayLike, *, categories: int = 4, weights: Disagreement | ArrayLike = "nominal"
) -> Figure:
    """Return Cohen's kappa of two raters from their codes; pairs with a missing code are left out.

    Examples
    --------
    >>> cohen_kappa([0, 0, 0], [0, 0, 0], categories=2).reason
    'one class only'
    >>> cohen_kappa([], [], categories=2).reason
    'no pairs'
    """
    return kappa_from_table(table_of_pairs(first, second, categories=categories), weights=weights)


def raw_agreement(table: ArrayLike) -> Figure:
    """Return the share of pairs that agree.

    Examples
    --------
    >>> raw_agreement([[40, 9], [6, 45]]).value
    0.85
    """
    return _figure(cells.raw_agreement, _table(table), method="share that agrees")


def scott_pi(table: ArrayLike) -> Figure:
    """Return Scott's pi (Scott 1955, Public Opinion Quarterly 19).

    Examples
    --------
    >>> round(scott_pi([[13, 0, 0], [0, 20, 7], [0, 4, 56]]).value, 4)
    0.7962
    """
    return _figure(cells.scott_pi, _table(table), method="Scott's pi")


def pabak(table: ArrayLike) -> Figure:
    """Return prevalence- and bias-adjusted kappa (Byrt et al. 1993, J. Clin. Epidemiology 46).

    Examples
    --------
    >>> round(pabak([[80, 10], [5, 5]]).value, 4)
    0.7
    """
    return _figure(cells.pabak, _table(table), method="PABAK")


def gwet_ac1(table: ArrayLike) -> Figure:
    """Return Gwet's AC1; the number of classes is that of the table, empty ones included.

    Notes
    -----
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61.

    Examples
    --------
    >>> round(gwet_ac1([[80, 10], [5, 5]]).value, 3)
    0.808
    """
    return _figure(cells.gwet_ac1, _table(table), method="Gwet's AC1")


def kappa_max(table: ArrayLike) -> Figure:
    """Return the largest kappa that two raters with these margins could reach.

    Examples
    --------
    >>> round(kappa_max([[25, 35], [5, 35]]).value, 4)
    0.4444
    """
    return _figure(cells.kappa_max, _table(table), method="largest kappa for the margins")


def prevalence_index(table: ArrayLike) -> Figure:
    """Return (a - d) / n of a 2 by 2 table: far from 0 where one class is rare.

    Examples
    --------
    >>> prevalence_index([[80, 10], [5, 5]]).value
    0.75
    """
    return _figure(cells.prevalence_index, _two_by_two(table), method="prevalence index")


def bias_index(table: ArrayLike) -> Figure:
    """Return (b - c) / n of a 2 by 2 table: far from 0 where one rater uses a class more.

    Examples
    --------
    >>> bias_index([[80, 10], [5, 5]]).value
    0.05
    """
    return _figure(cells.bias_index, _two_by_two(table), method="bias index")


def _two_by_two(table: ArrayLike) -> FloatArray:
    counts = _table(table)
    if counts.shape != (2, 2):
        raise ValueError(f"table: expected 2 by 2, got shape {counts.shape}")
    return counts


def kappa_standard_error(
    table: ArrayLike, *, weights: Disagreement | ArrayLike = "nominal", null: bool = False
) -> Figure:
    """Return the large-sample standard error of kappa, pairs taken as independent.

    Claims of one answer are not independent, so pages show the cluster bootstrap instead; this is
    for checking against other programs.

    Parameters
    ----------
    table : array_like of shape (c, c)
        Counts: first rater in rows, second in columns.
    weights : {"nominal", "linear", "quadratic"} or array_like of shape (c, c)
        As for `kappa_from_table`.
    null : bool
        The error if true kappa were zero, for a test of that hypothesis.

    Notes
    -----
    Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72.

    Examples
    --------
    >>> round(kappa_standard_error([[0, 4, 1], [0, 8, 0], [0, 1, 5]]).value, 3)
    0.138
    """
    counts = _table(table)
    if counts.shape[0] != counts.shape[1]:
        raise ValueError(f"the standard error needs a square table, got shape {counts.shape}")
    kappa = kappa_from_table(counts, weights=weights)
    if kappa.value is None:
        return kappa
    n = counts.sum()
    share = counts / n
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    apart = disagreement_weights(weights, categories=counts.shape[0])
    agree = 1.0 - apart / apart.max()
    mean_weight = (agree @ columns)[:, None] + (rows @ agree)[None, :]
    chance = float(rows @ agree @ columns)
    if null:
        spread = float((np.outer(rows, columns) * (agree - mean_weight) ** 2).sum()) - chance**2
        variance = spread / (n * (1.0 - chance) ** 2)
    else:
        inner = agree * (1.0 - chance) - mean_weight * (1.0 - float((share * agree).sum()))
        observed = float((share * agree).sum())
        spread = float((share * inner**2).sum()) - (observed * chance - 2.0 * chance + observed) ** 2
        variance = spread / (n * (1.0 - chance) ** 4)
    # A perfect table leaves a variance of zero, which rounding can push just below.
    return Figure.point(float(np.sqrt(max(variance, 0.0))), n=kappa.n, method="large-sample standard error")
