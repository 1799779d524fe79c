"""Statistics of stacks of tables, computed for all tables of a stack at once.

Every function takes tables in the last two axes (reference in rows, judge in columns; columns past
the number of rows are "no verdict" and agree with nothing) and any number of leading axes, and
returns one number a table. Here, and only here, NaN stands for "undefined": `figures` turns it into
a reason before it leaves the package.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.arrays import BoolArray, FloatArray

Statistic = Callable[[FloatArray], FloatArray]


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide, NaN where the denominator is zero."""
    top, bottom = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    return np.asarray(np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0))


def total(tables: FloatArray) -> FloatArray:
    """Return the number counted in each table."""
    return np.asarray(tables.sum(axis=(-2, -1)))


def _hits(tables: FloatArray) -> FloatArray:
    return np.asarray(np.trace(tables, axis1=-2, axis2=-1))


def _margins(tables: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return row sums and the sums of the columns that have a row of the same class."""
    rows = tables.sum(axis=-1)
    return rows, tables.sum(axis=-2)[..., : rows.shape[-1]]


def raw_agreement(tables: FloatArray) -> FloatArray:
    """Return the share on the diagonal."""
    return ratio(_hits(tables), total(tables))


def kappa(tables: FloatArray) -> FloatArray:
    """Return Cohen's kappa; undefined for an empty table and where both use one class only."""
    n = total(tables)
    rows, columns = _margins(tables)
    expected = (rows * columns).sum(axis=-1)
    # Products of counts instead of shares: "one class only" is then an exact zero below.
    return ratio(n * _hits(tables) - expected, n * n - expected)


def weighted_kappa(tables: FloatArray, disagreement: FloatArray) -> FloatArray:
    """Return weighted kappa of square tables for a matrix of disagreement weights."""
    rows, columns = _margins(tables)
    n = total(tables)
    observed = n * (tables * disagreement).sum(axis=(-2, -1))
    expected = (rows[..., :, None] * columns[..., None, :] * disagreement).sum(axis=(-2, -1))
    return 1.0 - ratio(observed, expected)


def kappa_max(tables: FloatArray) -> FloatArray:
    """Return the largest kappa that the margins allow."""
    n = total(tables)
    rows, columns = _margins(tables)
    expected = (rows * columns).sum(axis=-1)
    return ratio(n * np.minimum(rows, columns).sum(axis=-1) - expected, n * n - expected)


def scott_pi(tables: FloatArray) -> FloatArray:
    """Return Scott's pi, whose chance agreement uses the mean of both margins."""
    n = total(tables)
    rows, columns = _margins(tables)
    expected = ((rows + columns) ** 2).sum(axis=-1) / 4.0
    return ratio(n * _hits(tables) - expected, n * n - expected)


def pabak(tables: FloatArray) -> FloatArray:
    """Return kappa with every class taken as equally likely by chance."""
    classes = tables.shape[-2]
    return np.asarray((classes * raw_agreement(tables) - 1.0) / (classes - 1.0))


def gwet_ac1(tables: FloatArray) -> FloatArray:
    """Return Gwet's AC1; the number of classes is the number of rows, empty ones included."""
    n = total(tables)
    rows, columns = _margins(tables)
    mean_share = ratio((rows + columns) / 2.0, n[..., None])
    expected = (mean_share * (1.0 - mean_share)).sum(axis=-1) / (tables.shape[-2] - 1.0)
    return ratio(raw_agreement(tables) - expected, 1.0 - expected)


def prevalence_index(tables: FloatArray) -> FloatArray:
    """Return, for 2 by 2 tables, the difference of the two agreeing cells as a share."""
    return ratio(tables[..., 0, 0] - tables[..., 1, 1], total(tables))


def bias_index(tables: FloatArray) -> FloatArray:
    """Return, for 2 by 2 tables, the difference of the two disagreeing cells as a share."""
    return ratio(tables[..., 0, 1] - tables[..., 1, 0], total(tables))


def judged_only(tables: FloatArray) -> FloatArray:
    """Return the tables without the columns that hold no verdict."""
    return tables[..., : tables.shape[-2]]


def collapse(tables: FloatArray, unsupported: BoolArray) -> FloatArray:
    """Fold verdicts into supported (0) and unsupported (1), keeping a column for "no verdict".

    Parameters
    ----------
    tables : float array of shape (..., r, c)
        Columns are the r classes, and perhaps one more for "no verdict".
    unsupported : bool array of shape (r,)
        Which classes are unsupported.

    Returns
    -------
    float array of shape (..., 2, 2) or (..., 2, 3)
    """
    rows = unsupported.shape[0]
    fold = np.zeros((rows, 2))
    fold[np.arange(rows), unsupported.astype(int)] = 1.0
    across = np.zeros((tables.shape[-1], 2 + tables.shape[-1] - rows))
    across[:rows, :2] = fold
    for extra in range(rows, tables.shape[-1]):
        across[extra, 2 + extra - rows] = 1.0
    return np.asarray(fold.T @ tables @ across)


# Figures on unsupported claims, from tables of shape (..., 2, 3): gold supported or unsupported
# by not flagged, flagged, no verdict. A claim without a verdict is right for neither row.


def recall(tables: FloatArray) -> FloatArray:
    """Return the share of unsupported items that are flagged."""
    return ratio(tables[..., 1, 1], tables[..., 1, :].sum(axis=-1))


def precision(tables: FloatArray) -> FloatArray:
    """Return the share of flagged items that are unsupported."""
    return ratio(tables[..., 1, 1], tables[..., :, 1].sum(axis=-1))


def specificity(tables: FloatArray) -> FloatArray:
    """Return the share of supported items that are let through by a verdict."""
    return ratio(tables[..., 0, 0], tables[..., 0, :].sum(axis=-1))


def f1(tables: FloatArray) -> FloatArray:
    """Return the harmonic mean of precision and recall; undefined where either has no denominator."""
    hits = tables[..., 1, 1]
    flagged, actual = tables[..., :, 1].sum(axis=-1), tables[..., 1, :].sum(axis=-1)
    both = np.where((flagged > 0) & (actual > 0), flagged + actual, 0.0)
    return ratio(2.0 * hits, both)


def balanced_accuracy(tables: FloatArray) -> FloatArray:
    """Return the mean of recall and specificity."""
    return (recall(tables) + specificity(tables)) / 2.0


def share_flagged(tables: FloatArray) -> FloatArray:
    """Return the share of items that are flagged."""
    return ratio(tables[..., :, 1].sum(axis=-1), total(tables))


def share_unsupported(tables: FloatArray) -> FloatArray:
    """Return the share of items that are unsupported by the reference."""
    return ratio(tables[..., 1, :].sum(axis=-1), total(tables))


def krippendorff_nominal(coincidences: FloatArray) -> FloatArray:
    """Return nominal alpha from symmetric coincidence tables (..., c, c)."""
    n = total(coincidences)
    margins = coincidences.sum(axis=-1)
    expected = (n * n - (margins**2).sum(axis=-1)) / np.where(n > 1, n - 1.0, np.nan)
    return 1.0 - ratio(n - _hits(coincidences), np.nan_to_num(expected))
