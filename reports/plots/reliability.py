"""The reliability diagram: of the claims with a score about so high, which share is stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.scores import Bin
from reports.plots.axis import Axis
from reports.plots.frame import Cell, Column, Key, Plot
from reports.services.reliability import Reading
from reports.wording import decimal

WIDTH, HEIGHT = 640, 350
LEFT, RIGHT, TOP, BOTTOM = 44, 620, 16, 290
KINDS = ("raw", "precision", "kappa")
"""The classes that the score as it is and the curves are drawn with."""


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    low: float | None
    high: float | None
    said: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Where the bins of one curve lie, from left to right."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class ReliabilityLayout:
    dots: tuple[Dot, ...]
    traces: tuple[Trace, ...]
    ticks: tuple[tuple[float, float, str], ...]
    corners: tuple[float, float, float, float]


def reliability_plot(readings: Sequence[Reading], *, judge: str, basis: str) -> Plot:
    """Draw the score as it is as points with intervals, and the curves as lines."""
    across, up = Axis(0.0, 1.0, LEFT, RIGHT), Axis(0.0, 1.0, BOTTOM, TOP)
    raw, *curves = readings
    shown = [(kind, curve) for kind, curve in zip(KINDS[1:], curves, strict=False) if curve.reliability.bins]
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
            tuple(_dot(one, across, up) for one in raw.reliability.bins),
            tuple(Trace(kind, _path(curve.reliability.bins, across, up)) for kind, curve in shown),
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
            Key("point", "the score as it is, with the interval of the share", "dot"),
            *(Key(kind, f"recalibrated {curve.name}") for kind, curve in shown),
            Key("ceiling", "a score that is a probability"),
        ),
    )


def _dot(one: Bin, across: Axis, up: Axis) -> Dot:
    figure = one.figure
    said = f"{one.n} claims with a mean score of {decimal(one.mean_score)}: {decimal(one.share)} stated"
    return Dot(
        across.at(one.mean_score),
        up.at(one.share),
        None if figure.low is None else up.at(figure.low),
        None if figure.high is None else up.at(figure.high),
        said,
    )


def _path(bins: Sequence[Bin], across: Axis, up: Axis) -> str:
    return "M" + "L".join(f"{across.at(one.mean_score)} {up.at(one.share)}" for one in bins)
