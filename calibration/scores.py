"""How far a score can be read as a probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.arrays import ArrayLike, BoolArray, FloatArray, codes, floats, same_length
from calibration.results import Figure, Result

NO_SCORES = "no scores"


def _checked(outcome: ArrayLike, score: ArrayLike) -> tuple[FloatArray, FloatArray]:
    truth = codes(outcome, name="outcome", low=0, high=1).astype(np.float64)
    support = floats(score, name="score")
    same_length(outcome=truth, score=support)
    kept: BoolArray = ~np.isnan(support)
    truth, support = truth[kept], support[kept]
    if support.size and (support.min() < 0 or support.max() > 1):
        raise ValueError(f"score: expected probabilities, found {support.min():g} to {support.max():g}")
    return truth, support


def brier_score(outcome: ArrayLike, score: ArrayLike) -> Figure:
    """Return the mean squared distance of a probability from what happened.

    Parameters
    ----------
    outcome : array_like of 0 and 1, shape (n,)
        1 where the claim is stated.
    score : array_like of float, shape (n,)
        The probability given for that; NaN is left out.

    Notes
    -----
    Brier (1950), Monthly Weather Review 78.

    Examples
    --------
    >>> round(brier_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]).value, 4)
    0.0375
    """
    truth, support = _checked(outcome, score)
    if not len(truth):
        return Figure.undefined(NO_SCORES)
    return Figure.point(float(((support - truth) ** 2).mean()), n=len(truth), method="Brier score")


@dataclass(frozen=True, slots=True)
class Bin(Result):
    """One bin of a reliability diagram: mean score beside the share that came true."""

    low: float
    high: float
    n: int
    mean_score: float
    share: float


@dataclass(frozen=True, slots=True)
class Reliability(Result):
    """Expected and largest distance of score from share over the bins that hold anything."""

    expected: Figure
    largest: Figure
    bins: tuple[Bin, ...]


def reliability(outcome: ArrayLike, score: ArrayLike, *, bins: int = 10) -> Reliability:
    """Return the reliability diagram with the expected and the largest calibration error.

    Parameters
    ----------
    outcome : array_like of 0 and 1, shape (n,)
        1 where the claim is stated.
    score : array_like of float, shape (n,)
        The probability given for that; NaN is left out.
    bins : int
        Number of bins of equal width; a score on an inner edge belongs to the bin above.

    Notes
    -----
    Naeini, Cooper and Hauskrecht (2015), AAAI. The figure depends on the bins and is biased
    upwards in small samples.

    Examples
    --------
    >>> made = reliability([0, 0, 1, 1, 1], [0.25, 0.25, 0.55, 0.75, 0.75], bins=2)
    >>> round(made.expected.value, 4), round(made.largest.value, 4)
    (0.29, 0.3167)
    """
    if bins < 1:
        raise ValueError(f"bins: expected at least 1, got {bins}")
    truth, support = _checked(outcome, score)
    if not len(truth):
        return Reliability(Figure.undefined(NO_SCORES), Figure.undefined(NO_SCORES), ())
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.clip(np.searchsorted(edges, support, side="right") - 1, 0, bins - 1)
    made = []
    for number in np.unique(place).tolist():
        here = place == number
        low, high = float(edges[number]), float(edges[number + 1])
        made.append(Bin(low, high, int(here.sum()), float(support[here].mean()), float(truth[here].mean())))
    gaps = np.array([abs(one.mean_score - one.share) for one in made])
    sizes = np.array([one.n for one in made])
    n, method = len(truth), f"{bins} bins of equal width"
    return Reliability(
        Figure.point(float((gaps * sizes).sum() / n), n=n, method=method),
        Figure.point(float(gaps.max()), n=n, method=method),
        tuple(made),
    )
