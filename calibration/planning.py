"""How many more claims to label for an interval of a wanted width."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats

from calibration.arrays import ArrayLike, codes, probability
from calibration.intervals import LEVEL, effective_number, wilson, zero_miss_sample_size
from calibration.learn_then_test import effective_binomial_p
from calibration.results import Figure, Result

MOST_ITEMS = 10_000_000
FEWEST = 10
"""Items that a figure rests on at least before anything is reckoned from it on a page."""


@dataclass(frozen=True, slots=True)
class MoreLabels(Result):
    """How many further random claims an interval of a wanted width takes.

    Attributes
    ----------
    more : int or None
        Further random claims; 0 where the interval is narrow enough already, None with a ``reason``.
    half_width : float
        Half of the width that is wanted.
    now : float or None
        Half of the width so far.
    items : int or None
        Items that the figure then rests on: for a recall, unsupported claims.
    design_effect : float
        How many times as many items it takes because those of an answer go together.
    """

    more: int | None
    half_width: float
    now: float | None
    items: int | None
    design_effect: float
    reason: str = ""


def _half_wilson(share: float, n: float, level: float) -> float:
    """Return half of the width of the Wilson interval of a share of any number of items."""
    # The width at a share between two counts is read between them.
    low = math.floor(share * n)
    part = share * n - low
    whole = max(math.floor(n), 1)
    ends = [wilson(min(max(k, 0), whole), whole, level=level) for k in (low, low + 1)]
    widths = [(end.width or 0.0) / 2.0 for end in ends]
    return widths[0] * (1.0 - part) + widths[1] * part


def more_for_share(
    figure: Figure, *, half_width: float, per_claim: float = 1.0, fewest: int = 0, level: float = LEVEL
) -> MoreLabels:
    """Return how many further random claims a share takes.

    The interval so far is compared with that of as many independent items; what it is wider by is put
    down to items of an answer going together, and is taken to stay. The share itself is taken to stay
    too.

    Parameters
    ----------
    figure : Figure
        The share so far, with its interval.
    half_width : float
        Half of the width that is wanted: .05 for ±5 points.
    per_claim : float
        Items that a random claim brings: 1 for a rate, the share of unsupported claims for a recall on
        them, the share flagged for a precision.
    fewest : int
        Nothing is reckoned from fewer items than this.
    level : float
        Two-sided confidence, that of the figure.

    Examples
    --------
    >>> more_for_share(wilson(50, 100), half_width=0.05).more
    281
    >>> more_for_share(wilson(50, 100), half_width=0.05, per_claim=0.25).more
    1124
    """
    _checked(half_width, per_claim)
    if figure.value is None or figure.low is None or figure.high is None or figure.n < fewest:
        return _untold(figure, half_width, fewest)
    now = (figure.high - figure.low) / 2.0
    alone = _half_wilson(figure.value, figure.n, level)
    # Rounded, so that the last binary place of an effect of 1 asks for no further item.
    effect = max(round((now / alone) ** 2, 9), 1.0) if alone else 1.0
    share, n = figure.value, figure.n

    def narrow(items: int) -> bool:
        return _half_wilson(share, items / effect, level) <= half_width

    if now <= half_width:
        return MoreLabels(0, half_width, now, n, effect)
    low, high = n, max(2 * n, 2)
    while not narrow(high):
        low, high = high, 2 * high
        if high > MOST_ITEMS:
            return MoreLabels(None, half_width, now, None, effect, reason=f"more than {MOST_ITEMS:,} claims")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if narrow(middle) else (middle, high)
    return MoreLabels(math.ceil((high - n) / per_claim - 1e-9), half_width, now, high, effect)


def more_for_figure(figure: Figure, *, half_width: float, per_claim: float = 1.0, fewest: int = 0) -> MoreLabels:
    """Return how many further random claims a kappa, or any figure that is no share, takes.

    Its interval narrows with the root of the number of items: half as wide with four times as many.

    Parameters
    ----------
    figure : Figure
        The figure so far, with its interval.
    half_width : float
        Half of the width that is wanted.
    per_claim : float
        Items that a random claim brings.
    fewest : int
        Nothing is reckoned from fewer items than this.

    Examples
    --------
    >>> more_for_figure(Figure(0.6, 0.5, 0.7, n=200), half_width=0.05).more
    600
    """
    _checked(half_width, per_claim)
    if figure.low is None or figure.high is None or figure.n < fewest:
        return _untold(figure, half_width, fewest)
    now = (figure.high - figure.low) / 2.0
    items = max(math.ceil(figure.n * (now / half_width) ** 2 - 1e-6), figure.n)
    if items > MOST_ITEMS:
        return MoreLabels(None, half_width, now, None, 1.0, reason=f"more than {MOST_ITEMS:,} claims")
    return MoreLabels(math.ceil((items - figure.n) / per_claim - 1e-9), half_width, now, items, 1.0)


def _untold(figure: Figure, half_width: float, fewest: int) -> MoreLabels:
    reason = figure.reason or "no interval so far"
    if 0 < figure.n < fewest:
        reason = f"it rests on {figure.n}, and less than {fewest} is too little to reckon from"
    return MoreLabels(None, half_width, None, None, 1.0, reason=reason)


def _checked(half_width: float, per_claim: float) -> None:
    if not 0.0 < half_width < 1.0:
        raise ValueError(f"half_width: expected a number between 0 and 1, got {half_width}")
    if probability(per_claim, name="per_claim") == 0.0:
        raise ValueError("per_claim: expected a number above 0, got 0")


def labels_for_share(half_width: float, *, share: float = 0.5, design_effect: float = 1.0, level: float = LEVEL) -> int:
    """Return how many items a share takes where nothing is labelled yet, at worst if not told better.

    Notes
    -----
    Cochran (1977), Sampling Techniques: z² p (1 - p) / h².

    Examples
    --------
    >>> labels_for_share(0.05)
    385
    """
    _checked(half_width, 1.0)
    z = float(stats.norm.ppf((1.0 + probability(level, name="level")) / 2.0))
    spread = probability(share, name="share") * (1.0 - share)
    return math.ceil(max(design_effect, 1.0) * z * z * spread / half_width**2 - 1e-9)


@dataclass(frozen=True, slots=True)
class PromiseNeed(Result):
    """How many unsupported claims it takes to promise a recall of a judge that misses none of them.

    Attributes
    ----------
    target, level : float
        The recall, and the one-sided confidence.
    needed : int
        Independent unsupported claims that it takes where none is missed.
    have : int
        Unsupported claims labelled so far.
    effective : float
        As how many independent ones they count.
    short : int
        How many more it takes, each from an answer of its own; 0 where there are enough.
    more : int or None
        Further random claims that bring as many; None where no unsupported claim is labelled yet.
    misses : int
        How many of those labelled so far a judge may miss and still be promised; 0 too where there are too few.
    """

    target: float
    level: float
    needed: int
    have: int
    effective: float
    short: int
    more: int | None
    misses: int


def claims_for_promise(
    per_answer: ArrayLike, *, target: float, per_claim: float | None, level: float = LEVEL
) -> PromiseNeed:
    """Return how many more claims it takes before any judge can be promised to reach a recall.

    Parameters
    ----------
    per_answer : array_like of int, shape (answers,)
        Unsupported claims labelled so far in each answer that has some.
    target : float
        Recall on unsupported claims.
    per_claim : float or None
        Share of random claims that are unsupported; None or 0 where that is not known.
    level : float
        One-sided confidence.

    Notes
    -----
    Claims are counted as in `choosing.threshold_with_promise`: those of one answer as if they went together.

    Examples
    --------
    >>> need = claims_for_promise([1] * 12, target=0.9, per_claim=0.25)
    >>> need.needed, need.short, need.more
    (29, 17, 68)
    >>> claims_for_promise([1] * 46, target=0.9, per_claim=0.25).misses
    1
    """
    counts = codes(per_answer, name="per_answer", low=1, high=2**31)
    needed = zero_miss_sample_size(target, level=level)
    effective = effective_number(counts)
    short = max(math.ceil(needed - effective - 1e-9), 0)
    misses = 0
    while not short and effective_binomial_p(misses + 1.0, n=effective, limit=1.0 - target) <= 1.0 - level:
        misses += 1
    more = math.ceil(short / probability(per_claim, name="per_claim") - 1e-9) if per_claim else None
    return PromiseNeed(target, level, needed, int(counts.sum()), effective, short, more if short else 0, misses)
