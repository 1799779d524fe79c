"""The reliability diagram: of the claims with a score about so high, which share is stated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.scores import Bin
from reports.plots.axis import Axis
from reports.plots.frame import Cell, Column, Key, Plot
from reports.services.reliability import Reading
from reports.shown.wording import decimal

WIDTH, HEIGHT = 640, 350
LEFT, RIGHT, TOP, BOTTOM = 44, 620, 16, 290
KINDS = ("point", "person", "kappa")
"""The classes that the score as it is and as the curves read it are drawn with: a full dot, a ring, a coloured dot."""
SMALLEST, LARGEST = 3.0, 9.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One bin; its area goes with the number of its claims, and only the score as it is has its interval drawn."""

    kind: str
    x: float
    y: float
    radius: float
    low: float | None
    high: float | None
    said: str


@dataclass(frozen=True, slots=True)
class ReliabilityLayout:
    dots: tuple[Dot, ...]
    ticks: tuple[tuple[float, float, str], ...]
    corners: tuple[float, float, float, float]


def reliability_plot(readings: Sequence[Reading], *, judge: str, basis: str) -> Plot:
    """Draw the score as it is as points with intervals, and the curves as lines."""
    across, up = Axis(0.0, 1.0, LEFT, RIGHT), Axis(0.0, 1.0, BOTTOM, TOP)
    shown = [(kind, one) for kind, one in zip(KINDS, readings, strict=False) if one.reliability.bins]
    most = max((one.n for _, reading in shown for one in reading.reliability.bins), default=1)
    rows: list[tuple[Cell, ...]] = [
        (f"{reading.name}, {one.low:.1f} to {one.high:.1f}", one.mean_score, one.figure)
        for reading in readings
        for one in reading.reliability.bins
    ]
    return Plot(
        name=f"reliability-{judge.replace(' ', '-')}",
        title=f"{judge}: score against the share of claims that are stated",
        description="Claims in ten bins by their score; a score that is a probability lies on the line from corner to "
        f"corner. {basis}",
        drawing="reports/plots/reliability.svg",
        layout=ReliabilityLayout(
            tuple(
                _dot(kind, reading.name, one, most, across, up)
                for kind, reading in shown
                for one in reading.reliability.bins
            ),
            tuple((across.at(tick / 4), up.at(tick / 4), f"{tick / 4:g}") for tick in range(5)),
            (across.at(0), up.at(0), across.at(1), up.at(1)),
        ),
        width=WIDTH,
        height=HEIGHT,
        columns=(
            Column("bin", "Score, and its bin"),
            Column("mean_score", "Mean in the bin", "decimal"),
            Column("stated", "Share stated", "percent"),
        ),
        rows=tuple(rows),
        legend=(
            Key("point", "the score as it is, with the interval of the share; larger for more claims", "dot"),
            *(Key(kind, f"recalibrated {one.name}", "dot") for kind, one in shown[1:]),
            Key("ceiling", "a score that is a probability"),
        ),
    )


def _dot(kind: str, name: str, one: Bin, most: int, across: Axis, up: Axis) -> Dot:
    figure, plain = one.figure, kind == KINDS[0]
    said = f"The score {name}: {one.n} claims with a mean of {decimal(one.mean_score)}, {decimal(one.share)} of them stated"
    return Dot(
        kind,
        across.at(one.mean_score),
        up.at(one.share),
        round(SMALLEST + (LARGEST - SMALLEST) * math.sqrt(one.n / most), 1),
        up.at(figure.low) if plain and figure.low is not None else None,
        up.at(figure.high) if plain and figure.high is not None else None,
        said,
    )
