"""An interval drawn against the band of the human ceiling: how far from people, at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.results import Figure
from reports.plots.axis import Axis, kappa_axis

WIDTH, HEIGHT, MARGIN = 180, 26, 8
SHARE_WIDTH = 120


@dataclass(frozen=True, slots=True)
class Band:
    """The human ceiling: a strip from the low to the high end, and the value itself."""

    x: float
    width: float
    middle: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its interval; `start` and `end` are None where there is no interval."""

    at: float
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """What the template needs to draw one row."""

    mark: Mark | None
    band: Band | None
    zero: float
    one: float
    said: str


def interval_plots(
    figures: Sequence[Figure], ceilings: Sequence[Figure], *, names: Sequence[str]
) -> list[IntervalPlot]:
    """Draw several figures on one scale, each against its own ceiling."""
    axis = kappa_axis([*figures, *ceilings], start=MARGIN, end=WIDTH - MARGIN)
    return [
        IntervalPlot(
            mark_of(figure, axis), band_of(ceiling, axis), axis.at(0.0), axis.at(1.0), _said(name, figure, ceiling)
        )
        for figure, ceiling, name in zip(figures, ceilings, names, strict=True)
    ]


def mark_of(figure: Figure, axis: Axis) -> Mark | None:
    if figure.value is None:
        return None
    if figure.low is None or figure.high is None:
        return Mark(axis.at(figure.value), None, None)
    return Mark(axis.at(figure.value), axis.at(figure.low), axis.at(figure.high))


def band_of(ceiling: Figure, axis: Axis) -> Band | None:
    if ceiling.value is None:
        return None
    low = ceiling.value if ceiling.low is None else ceiling.low
    high = ceiling.value if ceiling.high is None else ceiling.high
    start, end = axis.at(low), axis.at(high)
    return Band(start, max(round(end - start, 1), 1.5), axis.at(ceiling.value))


def _said(name: str, figure: Figure, ceiling: Figure) -> str:
    return f"{name}: kappa {spoken(figure)}; people {spoken(ceiling)}"


def spoken(figure: Figure) -> str:
    """A figure in words, for those who cannot see the drawing."""
    if figure.value is None:
        return f"no data, {figure.reason}"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f}, from {figure.low:.2f} to {figure.high:.2f}"


@dataclass(frozen=True, slots=True)
class SharePlot:
    """A share from 0 to 1 with its interval, or nothing to draw."""

    mark: Mark | None
    said: str


def share_plot(name: str, figure: Figure) -> SharePlot:
    """Draw one share on the whole scale."""
    return SharePlot(mark_of(figure, Axis(0.0, 1.0, MARGIN, SHARE_WIDTH - MARGIN)), f"{name}: {spoken(figure)}")
