"""Tests: exact McNemar on paired correctness, and Holm's correction for several of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from calibration.arrays import ArrayLike, FloatArray
from calibration.results import Result


@dataclass(frozen=True, slots=True)
class McNemar(Result):
    """Exact McNemar test.

    Attributes
    ----------
    only_first, only_second : int
        Items that only the first, or only the second, got right.
    exact_p : float or None
        Two-sided exact p value; None where the two never differ, and ``reason`` says so.
    chi2, chi2_corrected : float or None
        The large-sample statistic, plain and with the correction for continuity.
    """

    only_first: int
    only_second: int
    exact_p: float | None
    chi2: float | None
    chi2_corrected: float | None
    reason: str = ""


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Test whether two raters are right equally often on the same items.

    Items of one answer are taken as independent; the paired interval of the difference, which does
    not, stands beside it.

    Notes
    -----
    McNemar (1947), Psychometrika 12.

    Examples
    --------
    >>> round(mcnemar(86, 150).chi2, 4)
    17.3559
    """
    if only_first < 0 or only_second < 0:
        raise ValueError(f"counts are not negative, got {only_first} and {only_second}")
    differing = only_first + only_second
    if differing == 0:
        return McNemar(only_first, only_second, None, None, None, reason="never differ")
    exact = float(stats.binomtest(only_first, differing, 0.5).pvalue)
    apart = abs(only_first - only_second)
    corrected = max(apart - 1, 0) ** 2 / differing
    return McNemar(only_first, only_second, exact, apart**2 / differing, corrected)


def holm(p_values: ArrayLike) -> FloatArray:
    """Return p values adjusted by Holm's step-down method, in the order given.

    Notes
    -----
    Holm (1979), Scandinavian Journal of Statistics 6.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    if values.ndim != 1 or np.any(~((values >= 0) & (values <= 1))):
        raise ValueError("p values: expected one axis of numbers from 0 to 1")
    order = np.argsort(values, kind="stable")
    stepped = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted
