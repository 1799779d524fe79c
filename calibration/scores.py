"""How far a score can be read as a probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.arrays import ArrayLike, BoolArray, FloatArray, IntArray, codes, floats, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure, share_figure
from calibration.intervals import LEVEL
from calibration.results import Figure, Result

NO_SCORES = "no scores"


CHANCE_DRAWS = 500
"""Draws of every outcome by chance: enough for the range, and a hundred thousand claims take half a second."""
NO_INTERVAL = "no interval: it cannot fall below 0, so none holds where the score is nearly right"


def _checked(
    outcome: ArrayLike, score: ArrayLike, answer: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, IntArray]:
    truth = codes(outcome, name="outcome", low=0, high=1).astype(np.float64)
    support = floats(score, name="score")
    # Without answers each claim stands for itself.
    given = np.arange(len(truth)) if answer is None else np.asarray(answer)
    clusters = codes(given, name="answer", low=-(2**62), high=2**62)
    same_length(outcome=truth, score=support, answer=clusters)
    kept: BoolArray = ~np.isnan(support)
    truth, support, clusters = truth[kept], support[kept], clusters[kept]
    if support.size and (support.min() < 0 or support.max() > 1):
        raise ValueError(f"score: expected probabilities, found {support.min():g} to {support.max():g}")
    return truth, support, clusters


def brier_score(
    outcome: ArrayLike,
    score: ArrayLike,
    *,
    answer: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Figure:
    """Return the mean squared distance of a probability from what happened.

    Parameters
    ----------
    outcome : array_like of 0 and 1, shape (n,)
        1 where the claim is stated.
    score : array_like of float, shape (n,)
        The probability given for that; NaN is left out.
    answer : array_like of int, shape (n,), optional
        The answer of each claim, which are what is resampled; without them each claim is one.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Notes
    -----
    Brier (1950), Monthly Weather Review 78.

    Examples
    --------
    >>> round(brier_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]).value, 4)
    0.0375
    """
    truth, support, clusters = _checked(outcome, score, answer)
    if not len(truth):
        return Figure.undefined(NO_SCORES)
    counted = Cells(clusters)
    counted.add("claims", np.zeros(len(truth), dtype=np.int64), shape=(1,))
    counted.add("errors", np.zeros(len(truth), dtype=np.int64), shape=(1,), weights=(support - truth) ** 2)
    drawn = counted.resample(resamples=resamples, seed=seed)
    mean = stats.ratio(drawn.replicates("errors")[:, 0], drawn.replicates("claims")[:, 0])
    value = float(((support - truth) ** 2).mean())
    return percentile_figure(value, mean, n=len(truth), answers=counted.answers, reason=NO_SCORES, level=level)


@dataclass(frozen=True, slots=True)
class Bin(Result):
    """One bin of a reliability diagram: mean score beside the share that came true.

    Attributes
    ----------
    low, high : float
        Edges of the bin.
    figure : Figure
        The share with its interval.
    """

    low: float
    high: float
    n: int
    mean_score: float
    share: float
    figure: Figure


@dataclass(frozen=True, slots=True)
class Reliability(Result):
    """Expected and largest distance of score from share over the bins that hold anything.

    Attributes
    ----------
    by_chance : Figure
        The expected distance that a score would show on these claims if it were right: its mean and the range that
        holds it at the level of confidence. An expected distance beyond it is not by chance.
    """

    expected: Figure
    largest: Figure
    bins: tuple[Bin, ...]
    by_chance: Figure


def reliability(
    outcome: ArrayLike,
    score: ArrayLike,
    *,
    answer: ArrayLike | None = None,
    bins: int = 10,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Reliability:
    """Return the reliability diagram with the expected and the largest calibration error.

    Parameters
    ----------
    outcome : array_like of 0 and 1, shape (n,)
        1 where the claim is stated.
    score : array_like of float, shape (n,)
        The probability given for that; NaN is left out.
    answer : array_like of int, shape (n,), optional
        The answer of each claim, which are what is resampled; without them each claim is one.
    bins : int
        Number of bins of equal width; a score on an inner edge belongs to the bin above.
    resamples, seed : int
        How many draws of answers, and of outcomes by chance (of these at most `CHANCE_DRAWS`), and the seed of the
        random numbers.
    level : float
        Two-sided confidence.

    Notes
    -----
    Naeini, Cooper and Hauskrecht (2015), AAAI. The figure depends on the bins and is biased
    upwards in small samples, so that no interval around it holds where the score is nearly right;
    what chance alone gives stands beside it instead (Bröcker and Smith 2007, Weather and Forecasting
    22), drawn claim by claim.

    Examples
    --------
    >>> made = reliability([0, 0, 1, 1, 1], [0.25, 0.25, 0.55, 0.75, 0.75], bins=2)
    >>> round(made.expected.value, 4), round(made.largest.value, 4)
    (0.29, 0.3167)
    """
    if bins < 1:
        raise ValueError(f"bins: expected at least 1, got {bins}")
    truth, support, clusters = _checked(outcome, score, answer)
    if not len(truth):
        nothing = Figure.undefined(NO_SCORES)
        return Reliability(nothing, nothing, (), nothing)
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.clip(np.searchsorted(edges, support, side="right") - 1, 0, bins - 1)
    counted = Cells(clusters)
    counted.add("bins", place * 2 + truth.astype(np.int64), shape=(bins, 2))
    tables = counted.resample(resamples=resamples, seed=seed).replicates("bins")
    made = []
    for number in np.unique(place).tolist():
        here = place == number
        low, high = float(edges[number]), float(edges[number + 1])
        n, share = int(here.sum()), float(truth[here].mean())
        figure = share_figure(
            share,
            stats.ratio(tables[:, number, 1], tables[:, number].sum(axis=1)),
            k=int(truth[here].sum()),
            n=n,
            answers=len(np.unique(clusters[here])),
            reason=NO_SCORES,
            level=level,
        )
        made.append(Bin(low, high, n, float(support[here].mean()), share, figure))
    gaps = np.array([abs(one.mean_score - one.share) for one in made])
    sizes = np.array([one.n for one in made])
    n, method = len(truth), f"{bins} bins of equal width"
    return Reliability(
        Figure.point(float((gaps * sizes).sum() / n), n=n, method=method, reason=NO_INTERVAL),
        Figure.point(float(gaps.max()), n=n, method=method, reason=NO_INTERVAL),
        tuple(made),
        _by_chance(support, place, bins=bins, draws=min(resamples, CHANCE_DRAWS), seed=seed, level=level),
    )


def _by_chance(support: FloatArray, place: IntArray, *, bins: int, draws: int, seed: int, level: float) -> Figure:
    """The expected distance where outcomes are drawn from the scores themselves."""
    random, n = np.random.default_rng(seed), len(support)
    scores = np.bincount(place, weights=support, minlength=bins)
    found = np.empty(draws)
    for draw in range(draws):
        came_true = np.bincount(place, weights=random.random(n) < support, minlength=bins)
        found[draw] = np.abs(scores - came_true).sum() / n
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(found, [tail, 1.0 - tail])
    return Figure(float(found.mean()), float(low), float(high), n=n, method="outcomes drawn from the scores")
