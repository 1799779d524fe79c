"""From the rate that a judge shows to the rate that people would find.

A rate read off a judge carries the judge's errors. Two corrections: Rogan and Gladen's, from the
judge's sensitivity and specificity; and prediction-powered inference, from the judge's mean error on
labelled items. Their intervals carry the uncertainty of the labelled *and* of the judged sample.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from calibration.arrays import ArrayLike, FloatArray, floats, probability, same_length
from calibration.intervals import LEVEL
from calibration.results import Figure

LEAST_YOUDEN = 0.1
"""A judge whose sensitivity + specificity - 1 is below this says too little to be corrected."""
NO_BETTER_THAN_CHANCE = "sensitivity + specificity is near 1: the judge says too little about the verdict"


def _z(level: float) -> float:
    return float(stats.norm.ppf((1.0 + probability(level, name="level")) / 2.0))


def rogan_gladen(apparent: float, *, sensitivity: float, specificity: float) -> Figure:
    """Return a rate corrected for known sensitivity and specificity, kept within 0 and 1.

    Parameters
    ----------
    apparent : float
        Share that the judge flags.
    sensitivity, specificity : float
        Share of unsupported items flagged; share of supported items not flagged.

    Notes
    -----
    Rogan and Gladen (1978), American Journal of Epidemiology 107.

    Examples
    --------
    >>> round(rogan_gladen(0.8, sensitivity=0.92, specificity=0.88).value, 4)
    0.85
    """
    rate = probability(apparent, name="apparent")
    youden = probability(sensitivity, name="sensitivity") + probability(specificity, name="specificity") - 1.0
    if youden < LEAST_YOUDEN:
        return Figure.undefined(NO_BETTER_THAN_CHANCE)
    value = (rate + specificity - 1.0) / youden
    return Figure.point(min(max(value, 0.0), 1.0), n=0, method="Rogan-Gladen")


def _shares(flagged: tuple[int, int], caught: tuple[int, int], passed: tuple[int, int]) -> str:
    for name, (k, n) in {"flagged": flagged, "caught": caught, "passed": passed}.items():
        if not 0 <= k <= n:
            raise ValueError(f"{name}: counts do not fit: {k} of {n}")
    if flagged[1] == 0:
        return "no judged items"
    if caught[1] == 0:
        return "no unsupported items among the labelled"
    if passed[1] == 0:
        return "no supported items among the labelled"
    if caught[0] / caught[1] + passed[0] / passed[1] - 1.0 < LEAST_YOUDEN:
        return NO_BETTER_THAN_CHANCE
    return ""


def _clipped(value: float, half: float, centre: float, *, n: int, method: str) -> Figure:
    low, high = (min(max(end, 0.0), 1.0) for end in (centre - half, centre + half))
    return Figure(min(max(value, 0.0), 1.0), low, high, n=n, method=method)


def rogan_gladen_delta(
    flagged: tuple[int, int], *, caught: tuple[int, int], passed: tuple[int, int], level: float = LEVEL
) -> Figure:
    """Return the corrected rate with the delta-method interval.

    Parameters
    ----------
    flagged : (int, int)
        Flagged items and all items of the large judged sample.
    caught : (int, int)
        Flagged and all among the labelled unsupported items.
    passed : (int, int)
        Not flagged and all among the labelled supported items.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> figure = rogan_gladen_delta((320, 400), caught=(78, 80), passed=(30, 40))
    >>> round(figure.low, 4), round(figure.high, 4)
    (0.6799, 0.8374)
    """
    reason = _shares(flagged, caught, passed)
    if reason:
        return Figure.undefined(reason, n=flagged[1])
    rate, found, let = flagged[0] / flagged[1], caught[0] / caught[1], passed[0] / passed[1]
    youden = found + let - 1.0
    value = (rate + let - 1.0) / youden
    variance = rate * (1 - rate) / flagged[1]
    variance += value**2 * found * (1 - found) / caught[1] + (1 - value) ** 2 * let * (1 - let) / passed[1]
    half = _z(level) * math.sqrt(variance) / youden
    return _clipped(value, half, value, n=flagged[1], method="Rogan-Gladen, delta method")


def rogan_gladen_lang_reiczigel(
    flagged: tuple[int, int], *, caught: tuple[int, int], passed: tuple[int, int], level: float = LEVEL
) -> Figure:
    """Return the corrected rate with Lang and Reiczigel's interval, which holds up in small samples.

    Parameters
    ----------
    flagged, caught, passed : (int, int)
        As for `rogan_gladen_delta`.
    level : float
        Two-sided confidence.

    Notes
    -----
    Lang and Reiczigel (2014), Preventive Veterinary Medicine 113.

    Examples
    --------
    >>> figure = rogan_gladen_lang_reiczigel((320, 400), caught=(78, 80), passed=(30, 40))
    >>> round(figure.low, 4), round(figure.high, 4)
    (0.6729, 0.8414)
    """
    reason = _shares(flagged, caught, passed)
    if reason:
        return Figure.undefined(reason, n=flagged[1])
    z = _z(level)
    value = (flagged[0] / flagged[1] + passed[0] / passed[1] - 1.0) / (
        caught[0] / caught[1] + passed[0] / passed[1] - 1.0
    )
    n = flagged[1] + z * z
    rate = (flagged[0] + z * z / 2.0) / n
    found, let = (caught[0] + 1.0) / (caught[1] + 2.0), (passed[0] + 1.0) / (passed[1] + 2.0)
    found_spread = found * (1 - found) / (caught[1] + 2.0)
    let_spread = let * (1 - let) / (passed[1] + 2.0)
    youden = found + let - 1.0
    adjusted = (rate + let - 1.0) / youden
    shift = 2.0 * z * z * (adjusted * found_spread - (1.0 - adjusted) * let_spread)
    variance = rate * (1 - rate) / n + adjusted**2 * found_spread + (1 - adjusted) ** 2 * let_spread
    half = z * math.sqrt(variance) / youden
    return _clipped(value, half, adjusted + shift, n=flagged[1], method="Rogan-Gladen, Lang-Reiczigel")


def _powered(
    human: ArrayLike, judged: ArrayLike, unlabelled: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, str]:
    truth, beside = floats(human, name="human"), floats(judged, name="judged")
    rest = floats(unlabelled, name="unlabelled")
    same_length(human=truth, judged=beside)
    for name, values in {"human": truth, "judged": beside, "unlabelled": rest}.items():
        if np.isnan(values).any():
            raise ValueError(f"{name}: expected numbers throughout, found NaN")
    reason = ""
    if len(truth) < 2:
        reason = "fewer than two labelled items"
    elif len(rest) < 2:
        reason = "fewer than two judged items without a label"
    return truth, beside, rest, reason


def classical_mean(human: ArrayLike, *, level: float = LEVEL) -> Figure:
    """Return the mean of the labelled items alone, with its large-sample interval.

    Examples
    --------
    >>> round(classical_mean([1] * 30 + [0] * 70).low, 3)
    0.21
    """
    truth = floats(human, name="human")
    if len(truth) < 2:
        return Figure.undefined("fewer than two labelled items", n=len(truth))
    half = _z(level) * math.sqrt(float(truth.var()) / len(truth))
    value = float(truth.mean())
    return Figure(value, value - half, value + half, n=len(truth), method="labelled items alone")


def prediction_powered_mean(
    human: ArrayLike, judged: ArrayLike, unlabelled: ArrayLike, *, weight: float = 1.0, level: float = LEVEL
) -> Figure:
    """Return the prediction-powered mean: the judge's mean plus its mean error on labelled items.

    Parameters
    ----------
    human, judged : array_like of float, shape (labelled,)
        People's and judge's value of each labelled item (1 for unsupported, 0 for not).
    unlabelled : array_like of float, shape (rest,)
        Judge's value of each item without a label.
    weight : float
        How far the judge is used: 0 not at all, 1 in full.
    level : float
        Two-sided confidence.

    Notes
    -----
    Angelopoulos et al. (2023), Science 382. Items are taken as independent and the labelled ones as
    a random sample of all.

    Examples
    --------
    >>> prediction_powered_mean([1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0]).value
    0.5
    """
    truth, beside, rest, reason = _powered(human, judged, unlabelled)
    if reason:
        return Figure.undefined(reason, n=len(truth))
    error = truth - weight * beside
    value = weight * float(rest.mean()) + float(error.mean())
    variance = weight**2 * float(rest.var()) / len(rest) + float(error.var()) / len(truth)
    half = _z(level) * math.sqrt(variance)
    return Figure(value, value - half, value + half, n=len(truth), method="prediction-powered")


def prediction_powered_mean_tuned(
    human: ArrayLike, judged: ArrayLike, unlabelled: ArrayLike, *, level: float = LEVEL
) -> Figure:
    """Return the prediction-powered mean with the weight of the judge that narrows it most.

    Parameters
    ----------
    human, judged, unlabelled : array_like of float
        As for `prediction_powered_mean`.
    level : float
        Two-sided confidence.

    Notes
    -----
    Angelopoulos, Duchi and Zrnic (2023), "PPI++".

    Examples
    --------
    >>> figure = prediction_powered_mean_tuned([1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0])
    >>> figure.method
    'prediction-powered, tuned'
    """
    truth, beside, rest, reason = _powered(human, judged, unlabelled)
    if reason:
        return Figure.undefined(reason, n=len(truth))
    everything = np.concatenate([beside, rest])
    spread = float(everything.var(ddof=1)) * (1.0 + len(truth) / len(rest))
    together = float(np.cov(truth, beside, ddof=0)[0, 1])
    weight = min(max(together / spread, 0.0), 1.0) if spread > 0 else 0.0
    plain = prediction_powered_mean(truth, beside, rest, weight=weight, level=level)
    return Figure(plain.value, plain.low, plain.high, n=plain.n, method="prediction-powered, tuned")
