"""One figure over periods: points with their intervals, a ring where one left the interval before, lines for releases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.results import Figure
from reports.plots.axis import Axis
from reports.plots.frame import Cell, Column, Key, Plot
from reports.shown.wording import count_words, percent

WIDTH, HEIGHT = 360, 176
LEFT, RIGHT, TOP, BOTTOM = 40, 350, 24, 146
MOST_TICKS = 4
_LETTERS = 14
_LETTER = 6.5
"""Width of a letter, generously."""
_APART = 70
"""Units that the name of a release takes; closer ones are lines without a name."""


@dataclass(frozen=True, slots=True)
class Step:
    """One period of one figure, as words and as what is to be drawn.

    Attributes
    ----------
    name, short : str
        The period in the table, and under the plot.
    so_far, left : bool
        Not over yet; outside the interval of the period before.
    change : str
        The change in words, for the table.
    """

    name: str
    short: str
    figure: Figure
    so_far: bool = False
    left: bool = False
    change: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A release: its place counted in periods, and its name."""

    at: float
    name: str


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    low: float | None
    high: float | None
    so_far: bool
    left: bool
    said: str


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across for a release; `text` is empty where it would run into the one before."""

    x: float
    text: str
    anchor: str
    name: str


@dataclass(frozen=True, slots=True)
class TrendLayout:
    points: tuple[Point, ...]
    way: str
    gaps: tuple[float, ...]
    up: tuple[Tick, ...]
    across: tuple[Tick, ...]
    marks: tuple[Mark, ...]


def trend_plot(
    name: str, title: str, description: str, steps: Sequence[Step], lines: Sequence[Line], *, first: str
) -> Plot:
    """Lay out one figure over its periods.

    Parameters
    ----------
    name, title, description : str
        As the frame wants them.
    steps : sequence of Step
        At least one, in the order of time.
    lines : sequence of Line
        Releases, in the order of time.
    first : str
        What a period is: the head of the first column.
    """
    across, up = _across(len(steps)), _up([step.figure for step in steps])
    points = [_point(step, across.at(place), up) for place, step in enumerate(steps)]
    return Plot(
        name=name,
        title=title,
        description=description,
        drawing="reports/plots/trend.svg",
        layout=TrendLayout(
            points=tuple(point for point in points if point is not None),
            way=_way(points),
            gaps=tuple(across.at(place) for place, point in enumerate(points) if point is None),
            up=_ticks_up(up),
            across=_ticks_across(steps, across),
            marks=_marks(lines, across),
        ),
        width=WIDTH,
        height=HEIGHT,
        columns=(Column("period", first), Column("share", title, "percent"), Column("change", "Beside the one before")),
        rows=tuple(_row(step) for step in steps),
    )


def legend(*, releases: bool, so_far: bool) -> tuple[Key, ...]:
    """What the signs of the plots mean, once for all of them."""
    keys = [Key("point", "a period with its interval", "dot"), Key("left", "outside the interval before", "dot")]
    keys += [Key("so-far", "not over yet", "dot")] if so_far else []
    keys += [Key("release", "a release")] if releases else []
    return tuple(keys)


def _row(step: Step) -> tuple[Cell, ...]:
    return (f"{step.name}, so far" if step.so_far else step.name, step.figure, step.change)


def _across(periods: int) -> Axis:
    """Half a period is left free on both sides, where releases at the ends have their lines."""
    return Axis(-0.5, periods - 0.5, LEFT, RIGHT)


def _up(figures: Sequence[Figure]) -> Axis:
    """From a round share below the lowest end to one above the highest: changes are what is to be seen, not size."""
    ends = [
        end for figure in figures for end in (figure.low, figure.value, figure.high) if end is not None
    ]  # a figure without an interval has its value alone
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    step = 0.1 if high - low > 0.2 else 0.02 if high - low < 0.05 else 0.05
    bottom, top = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    if top - bottom < 2 * step:
        bottom, top = (bottom, bottom + 2 * step) if bottom + 2 * step <= 1 else (1 - 2 * step, 1.0)
    return Axis(max(bottom, 0.0), min(top, 1.0), BOTTOM, TOP)


def _point(step: Step, x: float, up: Axis) -> Point | None:
    figure = step.figure
    if figure.value is None:
        return None
    low, high, between = None, None, ""
    if figure.low is not None and figure.high is not None:
        low, high = up.at(figure.low), up.at(figure.high)
        between = f", {percent(figure.low)} to {percent(figure.high)}"
    so_far = ", so far" if step.so_far else ""
    said = f"{step.name}{so_far}: {percent(figure.value)}{between}, n = {count_words(figure.n)}"
    return Point(x, up.at(figure.value), low, high, step.so_far, step.left, said)


def _way(points: Sequence[Point | None]) -> str:
    """A thin line from each period to the next; broken where one has no data."""
    path, pen_down = [], False
    for point in points:
        if point is not None:
            path.append(f"{'L' if pen_down else 'M'}{point.x} {point.y}")
        pen_down = point is not None
    return "".join(path)


def _ticks_up(up: Axis) -> tuple[Tick, ...]:
    values = (up.low, (up.low + up.high) / 2, up.high)
    return tuple(Tick(up.at(value), f"{round(value * 100, 1):g}%") for value in values)


def _ticks_across(steps: Sequence[Step], across: Axis) -> tuple[Tick, ...]:
    last = len(steps) - 1
    places = sorted({round(last * part / (MOST_TICKS - 1)) for part in range(MOST_TICKS)}) if last else [0]
    if last >= MOST_TICKS:
        places = sorted({0, round(last / 2), last})
    return tuple(_tick(across.at(place), _cut(steps[place].short)) for place in places)


def _tick(at: float, text: str) -> Tick:
    """A text under its place, or ending at the edge where it would run over it."""
    over = at + len(text) * _LETTER / 2 > WIDTH
    return Tick(float(WIDTH), text, "end") if over else Tick(at, text)


def _marks(lines: Sequence[Line], across: Axis) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    free = -math.inf
    for line in lines:
        x = across.at(line.at)
        anchor = "start" if x < LEFT + _APART / 2 else "end" if x > RIGHT - _APART / 2 else "middle"
        text = _cut(line.name) if x >= free else ""
        if text:
            free = x + _APART
        marks.append(Mark(x, text, anchor, line.name))
    return tuple(marks)


def _cut(text: str) -> str:
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
