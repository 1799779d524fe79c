"""A figure over periods, and which of its changes are more than chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.intervals import LEVEL
from calibration.results import Figure, Result

_NORMAL = 1.959963984540054
"""Half-widths of a 95% interval in standard errors."""


@dataclass(frozen=True, slots=True)
class Change(Result):
    """One period beside the last one before it that has a value.

    Attributes
    ----------
    period, before : int
        Places in the sequence.
    figure, figure_before : Figure
    difference : Figure
        This period minus the one before, with an interval from both of theirs.
    flagged : bool
        Whether the value left the interval of the period before. Where nothing has changed that happens
        in about one period of six, since this period's value has an error of its own; in more where it is the
        smaller one (`chance_outside`).
    clear : bool
        Whether the interval of the difference leaves out zero as well; about one in twenty by chance.
    """

    period: int
    before: int
    figure: Figure
    figure_before: Figure
    difference: Figure
    flagged: bool
    clear: bool


def difference_of(first: Figure, second: Figure) -> Figure:
    """Return second minus first of two independent figures, with an interval from both of theirs.

    Notes
    -----
    Newcombe (1998), Statistics in Medicine 17, method 10, which takes Wilson's intervals; the same
    squares of the distances to the ends serve for any two intervals (Zou and Donner 2008).

    Examples
    --------
    >>> from calibration.intervals import wilson
    >>> made = difference_of(wilson(48, 80), wilson(56, 70))
    >>> round(made.value, 4), round(made.low, 4), round(made.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    n = min(first.n, second.n)
    for figure in (first, second):
        if figure.value is None:
            return Figure.undefined(figure.reason, n=n)
    assert first.value is not None  # narrowed by the loop
    assert second.value is not None
    apart = second.value - first.value
    for figure in (first, second):
        if figure.low is None or figure.high is None:
            return Figure.point(apart, n=n, reason=figure.reason or "no interval")
    assert first.low is not None
    assert first.high is not None
    assert second.low is not None
    assert second.high is not None
    down = math.hypot(second.value - second.low, first.high - first.value)
    up = math.hypot(second.high - second.value, first.value - first.low)
    return Figure(apart, apart - down, apart + up, n=n, method="from both intervals")


def changes(figures: Sequence[Figure]) -> tuple[Change, ...]:
    """Return every period that has a value beside the last one before it that has a value and an interval.

    Parameters
    ----------
    figures : sequence of Figure
        One a period, in the order of time, over claims that are not shared between periods. A period
        without data is passed over.

    Examples
    --------
    >>> from calibration.intervals import wilson
    >>> [change.flagged for change in changes([wilson(10, 100), wilson(12, 100), wilson(40, 100)])]
    [False, True]
    """
    made: list[Change] = []
    before: int | None = None
    for period, figure in enumerate(figures):
        if figure.value is None:
            continue
        if before is not None:
            last = figures[before]
            difference = difference_of(last, figure)
            made.append(
                Change(
                    period,
                    before,
                    figure,
                    last,
                    difference,
                    flagged=not _within(figure.value, last),
                    clear=difference.low is not None and not _within(0.0, difference),
                )
            )
        if figure.low is not None:
            before = period
    return tuple(made)


def chance_outside(change: Change) -> float:
    """Return how probable it is that a period is flagged where nothing changed.

    Notes
    -----
    The new value and the middle of the old interval err independently, by what their widths say, so their distance is
    compared with the old half-width alone. For intervals of one width that is one in six, and more where the new
    period is the smaller one. A period without an interval is taken to spread as the one before, for its size.

    Examples
    --------
    >>> (same,) = changes([Figure(0.5, 0.4, 0.6, n=100), Figure(0.5, 0.4, 0.6, n=100)])
    >>> (smaller,) = changes([Figure(0.5, 0.4, 0.6, n=100), Figure(0.5, 0.2, 0.8, n=11)])
    >>> round(chance_outside(same), 3), round(chance_outside(smaller), 3)
    (0.166, 0.535)
    """
    old, new = change.figure_before.width, change.figure.width
    assert old is not None  # only a period with an interval is one that others are beside
    if new is None:
        ratio = change.figure_before.n / change.figure.n if change.figure.n else math.inf
    else:
        ratio = (new / old) ** 2 if old else math.inf
    return math.erfc(_NORMAL / math.sqrt(1 + ratio) / math.sqrt(2))


def by_chance(found: Sequence[Change]) -> tuple[float, float]:
    """Return how many of some changes would be flagged, and how many be clear, where nothing had changed."""
    compared = sum(change.difference.low is not None for change in found)
    return sum(map(chance_outside, found)), compared * (1 - LEVEL)


def _within(value: float, figure: Figure) -> bool:
    return figure.low is not None and figure.high is not None and figure.low <= value <= figure.high
