"""Making a score a probability: Platt's and isotonic recalibration, fitted on development, applied elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, codes, floats, same_length
from calibration.bootstrap import SEED
from calibration.results import Result
from calibration.scores import NO_SCORES

Kind = Literal["platt", "isotonic"]


@dataclass(frozen=True, slots=True)
class Recalibration(Result):
    """A map from score to probability that a claim is stated.

    Attributes
    ----------
    kind : {"platt", "isotonic"}
    n : int
        Claims with a score that it was fitted on.
    slope, intercept : float or None
        Of Platt's logistic curve.
    knots, heights : tuple of float
        Of the isotonic line; straight between knots, level beyond them.
    reason : str
        Why nothing was fitted.
    """

    kind: Kind
    n: int
    slope: float | None = None
    intercept: float | None = None
    knots: tuple[float, ...] = ()
    heights: tuple[float, ...] = ()
    reason: str = ""

    def apply(self, score: ArrayLike) -> FloatArray:
        """Return the probabilities of scores, NaN where there is none.

        Raises
        ------
        ValueError
            Where nothing was fitted.
        """
        support = floats(score, name="score")
        if self.reason:
            raise ValueError(f"nothing was fitted: {self.reason}")
        if self.slope is not None and self.intercept is not None:
            return np.asarray(expit(self.slope * support + self.intercept))
        made = np.full(len(support), np.nan)
        given = ~np.isnan(support)
        made[given] = np.interp(support[given], self.knots, self.heights)
        return made


def _fitting(outcome: ArrayLike, score: ArrayLike) -> tuple[FloatArray, FloatArray, str]:
    truth = codes(outcome, name="outcome", low=0, high=1).astype(np.float64)
    support = floats(score, name="score")
    same_length(outcome=truth, score=support)
    kept = ~np.isnan(support)
    truth, support = truth[kept], support[kept]
    if not len(truth):
        return truth, support, NO_SCORES
    return truth, support, ONE_CLASS if truth.min() == truth.max() else ""


def fit_platt(outcome: ArrayLike, score: ArrayLike) -> Recalibration:
    """Fit a logistic curve to scores.

    Targets are pulled in a little from 0 and 1, by the number of claims of each class, so that scores
    that part the classes cleanly do not lead to certainty.

    Parameters
    ----------
    outcome : array_like of 0 and 1, shape (n,)
        1 where the claim is stated. Development rows.
    score : array_like of float, shape (n,)
        Support; NaN is left out.

    Notes
    -----
    Platt (1999), Advances in Large Margin Classifiers.

    Examples
    --------
    >>> fitted = fit_platt([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.8, 0.9])
    >>> bool(np.all(np.diff(fitted.apply([0.0, 0.5, 1.0])) > 0))
    True
    """
    truth, support, reason = _fitting(outcome, score)
    if reason:
        return Recalibration("platt", len(truth), reason=reason)
    ones = float(truth.sum())
    high, low = (ones + 1.0) / (ones + 2.0), 1.0 / (len(truth) - ones + 2.0)
    target = np.where(truth == 1.0, high, low)
    # A target between the classes is a claim of both, each with its part of the weight.
    fitted = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1_000).fit(
        np.concatenate([support, support])[:, None],
        np.repeat([1, 0], len(truth)),
        sample_weight=np.concatenate([target, 1.0 - target]),
    )
    return Recalibration("platt", len(truth), float(fitted.coef_[0, 0]), float(fitted.intercept_[0]))


def fit_isotonic(outcome: ArrayLike, score: ArrayLike) -> Recalibration:
    """Fit the rising line closest to the outcomes; it needs more claims than Platt's, and no curve.

    Parameters
    ----------
    outcome, score : array_like, shape (n,)
        As for `fit_platt`.

    Notes
    -----
    Zadrozny and Elkan (2002), KDD.

    Examples
    --------
    >>> fit_isotonic([0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5]).apply([0.1, 0.2, 0.3, 0.4, 0.5]).tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    truth, support, reason = _fitting(outcome, score)
    if reason:
        return Recalibration("isotonic", len(truth), reason=reason)
    fitted = IsotonicRegression().fit(support, truth)
    knots, heights = fitted.X_thresholds_.tolist(), fitted.y_thresholds_.tolist()
    return Recalibration("isotonic", len(truth), knots=tuple(knots), heights=tuple(heights))


FITS: dict[Kind, Callable[[ArrayLike, ArrayLike], Recalibration]] = {"platt": fit_platt, "isotonic": fit_isotonic}
FOLDS = 5


def cross_fitted(
    answer: ArrayLike, outcome: ArrayLike, score: ArrayLike, *, kind: Kind, folds: int = FOLDS, seed: int = SEED
) -> FloatArray:
    """Return for each claim the probability by a curve that was fitted without its answer.

    On the claims that a curve was fitted on it looks better than it is; this is what it would come to on others.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim; claims of one answer are left out together.
    outcome, score : array_like, shape (n,)
        As for `fit_platt`.
    kind : {"platt", "isotonic"}
        Which curve.
    folds : int
        In how many parts the answers are dealt; fewer where there are fewer answers.
    seed : int
        Of the dealing.

    Returns
    -------
    float array of shape (n,)
        NaN where there is no score, or the other parts allow no fit.

    Examples
    --------
    >>> made = cross_fitted([1, 2, 3, 4], [0, 1, 0, 1], [0.2, 0.8, 0.3, 0.7], kind="platt", folds=2)
    >>> bool(np.isfinite(made).all())
    True
    """
    if folds < 2:
        raise ValueError(f"folds: expected at least 2, got {folds}")
    clusters = codes(np.asarray(answer), name="answer", low=-(2**62), high=2**62)
    truth, support = codes(outcome, name="outcome", low=0, high=1), floats(score, name="score")
    same_length(answer=clusters, outcome=truth, score=support)
    # Answers are dealt, and only those with a score, so that no part comes out empty by chance.
    answers, position = np.unique(np.where(np.isnan(support), -(2**62), clusters), return_inverse=True)
    dealt = np.random.default_rng(seed).permutation(len(answers)) % min(folds, max(len(answers), 1))
    part = dealt[position]
    made = np.full(len(support), np.nan)
    for number in np.unique(part).tolist():
        fitted = FITS[kind](truth[part != number], support[part != number])
        if not fitted.reason:
            made[part == number] = fitted.apply(support[part == number])
    return made
