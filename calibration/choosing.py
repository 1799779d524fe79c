"""Choosing a threshold on development rows: by recall, by a promised recall, or by cost.

`thresholds.threshold_at_max_kappa` is the fourth way. A recall that was reached on the rows a threshold
was chosen on is missed on new ones about half of the time; a promised one is not, at its confidence.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from calibration.arrays import ArrayLike, FloatArray, codes, same_length
from calibration.ceiling import NO_UNSUPPORTED
from calibration.intervals import LEVEL, effective_number
from calibration.learn_then_test import effective_binomial_p
from calibration.thresholds import Curve, ThresholdChoice, Way, threshold_curve
from calibration.verdicts import MISSING, VERDICTS, unsupported

MOST_MISSING = 1_000_000
"""Beyond so many more claims nothing is reckoned any further."""


def threshold_at_recall(curve: Curve, *, target: float) -> ThresholdChoice:
    """Return the threshold that flags least among those with a recall at or above a target on these rows.

    Nothing is promised for new claims: see `threshold_with_promise`.

    Examples
    --------
    >>> threshold_at_recall(threshold_curve([0, 2, 0, 3], [0.9, 0.6, 0.4, 0.1]), target=0.9).threshold
    0.9
    """
    recall, reason = _recall(curve, target)
    reached = np.flatnonzero(recall >= target - 1e-12)
    if reason or not len(reached):
        return ThresholdChoice(
            None, None, curve.n_unsupported, reason=reason or _unreached(curve), way="recall", target=target
        )
    first = int(reached[0])
    return ThresholdChoice(
        float(curve.thresholds[first]), float(recall[first]), curve.n_unsupported, way="recall", target=target
    )


def _recall(curve: Curve, target: float) -> tuple[FloatArray, str]:
    if not 0.0 < target < 1.0:
        raise ValueError(f"target: expected a number between 0 and 1, got {target}")
    if not len(curve):
        return np.zeros(0), curve.reason
    if curve.n_unsupported == 0:
        return np.zeros(0), NO_UNSUPPORTED
    return curve.statistic("recall"), ""


def _unreached(curve: Curve) -> str:
    lost = int(curve.folded()[-1, 1, 2])
    return f"{lost} of {curve.n_unsupported} unsupported claims have no score, which no threshold catches"


def threshold_with_promise(
    answer: ArrayLike,
    gold: ArrayLike,
    score: ArrayLike,
    *,
    target: float,
    level: float = LEVEL,
    verdict: ArrayLike | None = None,
    partial_is_unsupported: bool = True,
) -> ThresholdChoice:
    """Return the threshold that flags least among those whose recall on new claims is promised.

    From the threshold that flags all downwards, each is tested: is the true recall below the target?
    The first that cannot be ruled out ends the search, so no correction for the number of thresholds is
    needed. The test is the exact binomial one on the effective number of unsupported claims: claims of
    one answer count as if they went entirely together, which keeps the promise whatever the true
    correlation is. With one unsupported claim an answer it is the plain exact test.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    gold, score, verdict : array_like, shape (n,)
        As for `thresholds.threshold_curve`. Development rows, a random sample of what is to come.
    target : float
        Recall on unsupported claims that is to be reached.
    level : float
        Confidence, one-sided: at most 1 - level of all samples lead to a threshold that misses the target.
    partial_is_unsupported : bool
        The project's rule for `partial`.

    Returns
    -------
    ThresholdChoice
        Without a threshold where too few unsupported claims allow no promise; ``missing`` then says how
        many more it takes at least.

    Notes
    -----
    Angelopoulos et al. (2021), "Learn then Test", section on fixed-sequence testing.

    Examples
    --------
    >>> gold, score = [2] * 29 + [0] * 20, [0.1] * 29 + [0.8] * 20
    >>> made = threshold_with_promise(range(49), gold, score, target=0.9)
    >>> made.threshold, round(made.low, 3)
    (0.8, 0.902)
    >>> threshold_with_promise(range(48), gold[1:], score[1:], target=0.9).missing
    1
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level: expected a number between 0 and 1, got {level}")
    clusters = codes(np.asarray(answer), name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
    same_length(answer=clusters, gold=reference)
    curve = threshold_curve(reference, score, verdict=verdict, partial_is_unsupported=partial_is_unsupported)
    way: Way = "promise"
    recall, reason = _recall(curve, target)
    if reason:
        missing = None if len(curve) == 0 else _missing(0.0, 0.0, target, level)
        return ThresholdChoice(
            None, None, curve.n_unsupported, reason=reason, way=way, target=target, level=level, missing=missing
        )
    bad = unsupported(reference, partial_is_unsupported)
    if verdict is not None:
        bad &= np.asarray(verdict) != MISSING
    effective = effective_number(np.unique(clusters[bad], return_counts=True)[1])
    lost = effective * (1.0 - recall)
    passed = [effective_binomial_p(float(of), n=effective, limit=1.0 - target) <= 1.0 - level for of in lost[::-1]]
    kept = passed.index(False) if False in passed else len(passed)
    if not kept:
        return ThresholdChoice(
            None,
            None,
            curve.n_unsupported,
            reason=_unreached(curve) if recall[-1] < target else "too few unsupported claims",
            way=way,
            target=target,
            level=level,
            effective=effective,
            missing=_missing(effective, float(lost[-1]), target, level),
        )
    chosen = len(recall) - kept
    return ThresholdChoice(
        float(curve.thresholds[chosen]),
        float(recall[chosen]),
        curve.n_unsupported,
        way=way,
        target=target,
        level=level,
        low=float(stats.beta.ppf(1.0 - level, effective - lost[chosen], lost[chosen] + 1.0)),
        effective=effective,
    )


def _missing(effective: float, lost: float, target: float, level: float) -> int | None:
    """Return how many more items, all caught and each on its own, would allow the promise."""

    def allows(more: int) -> bool:
        if effective + more == 0:
            return False
        return effective_binomial_p(lost, n=effective + more, limit=1.0 - target) <= 1.0 - level

    high = 1
    while not allows(high):
        high *= 2
        if high > MOST_MISSING:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if allows(middle) else (middle, high)
    return high


def threshold_at_least_cost(curve: Curve, *, miss: float, false_flag: float) -> ThresholdChoice:
    """Return the threshold with the least expected cost a claim; among equals the one that flags least.

    Parameters
    ----------
    curve : Curve
        Of the development rows.
    miss, false_flag : float
        What an unsupported claim that is let through costs, and a supported one that is flagged. A claim
        without a verdict costs as a miss would if it is unsupported.

    Examples
    --------
    >>> curve = threshold_curve([0, 2, 0, 3], [0.9, 0.6, 0.4, 0.1])
    >>> threshold_at_least_cost(curve, miss=1, false_flag=5).threshold
    0.4
    >>> threshold_at_least_cost(curve, miss=5, false_flag=1).threshold
    0.9
    """
    for name, price in {"miss": miss, "false_flag": false_flag}.items():
        if not (math.isfinite(price) and price >= 0):
            raise ValueError(f"{name}: expected a cost of 0 or more, got {price}")
    if not len(curve):
        return ThresholdChoice(None, None, curve.n, reason=curve.reason, way="cost")
    cost = curve.expected_cost(miss=miss, false_flag=false_flag)
    best = int(np.argmin(cost))
    return ThresholdChoice(float(curve.thresholds[best]), float(cost[best]), curve.n, way="cost")
