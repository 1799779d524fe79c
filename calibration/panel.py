"""Weighing what several judges say: a logistic model for "unsupported", and the threshold that goes with it."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold

from calibration.arrays import ArrayLike, codes, floats, same_length
from calibration.results import Result
from calibration.thresholds import threshold_at_max_kappa, threshold_curve
from calibration.verdicts import VERDICTS, unsupported

FOLDS = 5
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class PanelFit(Result):
    """A logistic model and its threshold, fitted on the rows given; report it on other rows.

    Attributes
    ----------
    coefficients : tuple of float
        One a feature; above 0 it speaks for unsupported.
    intercept : float
    threshold : float
        On the support score, 1 - P(unsupported): from here on a claim is supported.
    kappa : float
        Reached at the threshold by predictions for answers that the model was not fitted on; the threshold was chosen
        by it, so it is a little too good.
    n, n_unsupported, answers : int
    """

    coefficients: tuple[float, ...]
    intercept: float
    threshold: float
    kappa: float
    n: int
    n_unsupported: int
    answers: int


def fit_panel(
    features: ArrayLike, gold: ArrayLike, answer: ArrayLike, *, partial_is_unsupported: bool = True
) -> PanelFit:
    """Fit P(unsupported) by logistic regression (L2, C = 1), and choose the threshold at maximum kappa.

    The threshold is chosen on predictions for held-out answers (five folds that keep the claims of an answer together),
    since a model is too sure of the rows that it was fitted on. The same rows always give the same fit.

    Parameters
    ----------
    features : array_like of float, shape (n, k)
        What the judges say of each claim, as numbers.
    gold : array_like of int, shape (n,)
        Codes 0 to 3.
    answer : array_like of int, shape (n,)
        The answer of each claim.
    partial_is_unsupported : bool
        The project's rule for `partial`.

    Raises
    ------
    ValueError
        Where supported or unsupported claims come from fewer than five answers.

    Examples
    --------
    >>> says = np.array([[1.0], [-1.0]] * 10)
    >>> fit = fit_panel(says, [0, 2] * 10, np.arange(20))
    >>> fit.coefficients[0] < 0, fit.kappa, fit.n_unsupported
    (True, 1.0, 10)
    """
    rows: NDArray[np.float64] = np.asarray(features, dtype=np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError(f"features: expected finite numbers of shape (n, k), got shape {rows.shape}")
    reference = codes(gold, name="gold", low=0, high=len(VERDICTS) - 1)
    groups = codes(answer, name="answer", low=-(2**62), high=2**62)
    same_length(features=floats(rows[:, 0], name="features"), gold=reference, answer=groups)
    bad = unsupported(reference, partial_is_unsupported)
    for name, some in (("unsupported", bad), ("supported", ~bad)):
        held = len(np.unique(groups[some]))
        if held < FOLDS:
            raise ValueError(f"{name} claims come from {held} answers; expected at least {FOLDS}")
    held_out = np.empty(len(rows))
    for fitted, left in StratifiedGroupKFold(n_splits=FOLDS).split(rows, bad, groups):
        held_out[left] = _model(rows[fitted], bad[fitted]).predict_proba(rows[left])[:, 1]
    choice = threshold_at_max_kappa(
        threshold_curve(reference, 1 - held_out, partial_is_unsupported=partial_is_unsupported)
    )
    assert choice.threshold is not None  # there are two classes, and every claim has a score
    assert choice.value is not None
    whole = _model(rows, bad)
    return PanelFit(
        coefficients=tuple(round(float(one), _DIGITS) for one in whole.coef_[0]),
        intercept=round(float(whole.intercept_[0]), _DIGITS),
        threshold=min(1.0, floor(choice.threshold * 10**_DIGITS) / 10**_DIGITS),
        kappa=choice.value,
        n=len(rows),
        n_unsupported=int(bad.sum()),
        answers=len(np.unique(groups)),
    )


def _model(rows: NDArray[np.float64], bad: NDArray[np.bool_]) -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=1_000).fit(rows, bad)
