"""What judges spend against what they catch: a point each with its interval, and the frontier that nobody beats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.results import Figure
from reports.plots.axis import Axis
from reports.plots.frame import Column, Key, Plot
from reports.shown.wording import duration, money

WIDTH, HEIGHT = 640, 350
LEFT, RIGHT, TOP, BOTTOM = 44, 620, 16, 290
NOTHING, FIRST = 70, 150
"""Where what costs nothing stands, and where the scale begins beside it: a scale of powers has no zero."""
APART, LONGEST = 14, 22
WORDS: dict[str, tuple[Callable[[float | None], str], str]] = {
    "usd": (money, "US dollars"),
    "seconds": (duration, "seconds"),
}


@dataclass(frozen=True, slots=True)
class Point:
    """One judge to draw."""

    name: str
    spent: Figure
    recall: Figure
    best: bool


@dataclass(frozen=True, slots=True)
class Spot:
    x: float
    y: float
    low: float | None
    high: float | None
    name: str
    name_y: float
    anchor: str
    best: bool
    said: str


@dataclass(frozen=True, slots=True)
class FrontierLayout:
    spots: tuple[Spot, ...]
    path: str
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    under: str


def frontier_plot(points: Sequence[Point], *, spent: str, basis: str) -> Plot:
    """Draw the judges that have both figures; `spent` is `usd` or `seconds`, a thousand claims."""
    words, unit = WORDS[spent]
    drawn = [point for point in points if point.spent.value is not None and point.recall.value is not None]
    place, ticks = _scale([point.spent.value or 0.0 for point in drawn], words)
    up = Axis(0.0, 1.0, BOTTOM, TOP)
    spots = _spread([_spot(point, place, up, words) for point in drawn])
    return Plot(
        name=f"frontier-{spent}",
        title=f"What judges catch for what they spend, in {unit}",
        description=f"Recall on unsupported claims against {unit} spent on a thousand claims; by the points, no other "
        f"judge is as cheap as one on the line and catches as much. {basis}",
        drawing="reports/plots/frontier.svg",
        layout=FrontierLayout(
            tuple(spots),
            _path([spot for spot in spots if spot.best]),
            tuple(ticks),
            tuple((up.at(quarter / 4), f"{quarter / 4:g}") for quarter in range(5)),
            f"{unit} a thousand claims",
        ),
        width=WIDTH,
        height=HEIGHT,
        columns=(
            Column("judge", "Judge"),
            Column("recall", "Recall on unsupported"),
            Column(spent, f"{unit[:1].upper()}{unit[1:]} a thousand claims", "decimal"),
            Column("claims", "Claims that it was asked about", "count"),
            Column("frontier", "On the frontier"),
        ),
        rows=tuple(
            (
                point.name,
                point.recall,
                point.spent.reason if point.spent.value is None else point.spent.value,
                point.spent.n,
                "yes" if point.best else "no",
            )
            for point in points
        ),
        legend=(
            Key("frontier", "the frontier: nobody as cheap catches as much"),
            Key("best", "a judge on it, with its interval", "dot"),
            Key("point", "a judge off it", "dot"),
        ),
    )


def _scale(
    values: Sequence[float], words: Callable[[float | None], str]
) -> tuple[Callable[[float], float], list[tuple[float, str]]]:
    """Powers of ten, with a place before them for what costs nothing."""
    paid = [math.log10(value) for value in values if value > 0]
    nothing = [(float(NOTHING), "nothing")] if any(value <= 0 for value in values) else []
    if not paid:
        return (lambda _: float(NOTHING)), nothing
    low, high = math.floor(min(paid)), math.ceil(max(paid))
    axis = Axis(low, max(high, low + 1), FIRST if nothing else NOTHING, RIGHT - 40)
    step = max(1, math.ceil((axis.high - axis.low) / 6))
    ticks = [(axis.at(power), words(10.0**power)) for power in range(low, int(axis.high) + 1, step)]
    return (lambda value: axis.at(math.log10(value)) if value > 0 else float(NOTHING)), nothing + ticks


def _spot(point: Point, place: Callable[[float], float], up: Axis, words: Callable[[float | None], str]) -> Spot:
    spent, recall = point.spent.value or 0.0, point.recall
    x, y = place(spent), up.at(recall.value or 0.0)
    between = "" if recall.low is None or recall.high is None else f", from {recall.low:.2f} to {recall.high:.2f}"
    return Spot(
        x,
        y,
        None if recall.low is None else up.at(recall.low),
        None if recall.high is None else up.at(recall.high),
        point.name if len(point.name) <= LONGEST else f"{point.name[: LONGEST - 1]}…",
        y - 7,
        "end" if x > RIGHT - 150 else "start",
        point.best,
        f"{point.name}: recall {recall.value:.2f}{between}, {words(spent)} a thousand claims",
    )


def _spread(spots: Sequence[Spot]) -> list[Spot]:
    """Names under each other where their points are close, so that none covers another."""
    placed: list[Spot] = []
    for spot in sorted(spots, key=lambda spot: spot.y):
        near = [other.name_y for other in placed if abs(other.x - spot.x) < LONGEST * 6]
        lowest = spot.name_y
        while any(abs(lowest - taken) < APART for taken in near):
            lowest += 1
        placed.append(Spot(spot.x, spot.y, spot.low, spot.high, spot.name, lowest, spot.anchor, spot.best, spot.said))
    return placed


def _path(best: Sequence[Spot]) -> str:
    """Steps from the cheapest up to the dearest: what is to be had for the money so far."""
    ordered = sorted({(spot.x, spot.y) for spot in best})
    if not ordered:
        return ""
    (x, y), *others = ordered
    steps = "".join(f"H{right}V{higher}" for right, higher in others)
    return f"M{x} {y}{steps}H{RIGHT}"
