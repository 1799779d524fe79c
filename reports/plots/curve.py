"""The threshold curve: recall, precision, kappa and share flagged by threshold, with people on the same axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.curve_intervals import ThresholdFigures
from calibration.results import Figure
from calibration.thresholds import Curve, PersonPoint
from reports.plots.axis import Axis
from reports.plots.frame import Cell, Column, Key, Plot
from reports.shown.wording import threshold_words

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 44, 620, 16, 276
MOST_POINTS = 400
LINES = {"recall": "recall", "precision": "precision", "kappa_two": "kappa", "share_flagged": "flagged"}
"""Columns of the curve, and the class that each is drawn with."""
COLUMNS = (
    Column("threshold", "Threshold"),
    Column("recall", "Recall"),
    Column("precision", "Precision"),
    Column("kappa_two", "Kappa, supported or not"),
    Column("kappa_four", "Kappa, four verdicts"),
    Column("share_flagged", "Share flagged", "percent"),
)


@dataclass(frozen=True, slots=True)
class Line:
    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Person:
    """One person: their recall up, and across the threshold at which the judge flags as large a share as they do."""

    x: float
    y: float
    said: str


@dataclass(frozen=True, slots=True)
class Strip:
    """The human ceiling on recall as a strip across the plot."""

    y: float
    height: float
    middle: float
    said: str


@dataclass(frozen=True, slots=True)
class CurvePlot:
    lines: tuple[Line, ...]
    reach: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    strip: Strip | None
    people: tuple[Person, ...]
    marker: float
    dots: tuple[tuple[str, float, float], ...]


def curve_plot(
    curve: Curve,
    steps: Sequence[ThresholdFigures],
    people: Sequence[PersonPoint],
    *,
    ceiling: Figure,
    at: ThresholdFigures,
) -> CurvePlot:
    """Lay the plot out; the marker stands at the threshold of `at`."""
    across, up = Axis(0.0, 1.0, LEFT, RIGHT), Axis(0.0, 1.0, BOTTOM, TOP)
    columns = curve.columns(most=MOST_POINTS)
    # The last point lies just above the largest score; where that is 1, no threshold that can be set reaches it.
    thresholds = [value for value in columns["threshold"] if value is not None and value <= 1.0]
    marker = across.at(at.threshold)
    dots = (("recall", at.recall), ("precision", at.precision), ("kappa", at.kappa_two), ("flagged", at.share_flagged))
    return CurvePlot(
        lines=tuple(
            Line(kind, _steps_path(thresholds, columns[name], across, up)) for name, kind in reversed(LINES.items())
        ),
        reach=_reach(steps, across, up),
        across=tuple(Tick(across.at(tenth / 10), f"{tenth / 10:.1f}") for tenth in range(0, 11, 2)),
        up=tuple(Tick(up.at(quarter / 4), f"{quarter / 4:g}") for quarter in range(5)),
        strip=_strip(ceiling, up),
        people=tuple(_person(point, curve, across, up) for point in people if point.score.recall.value is not None),
        marker=marker,
        dots=tuple((kind, marker, up.at(figure.value)) for kind, figure in dots if figure.value is not None),
    )


def threshold_plot(
    layout: CurvePlot,
    steps: Sequence[ThresholdFigures],
    people: Sequence[PersonPoint],
    *,
    ceiling: Figure,
    judge: str,
    basis: str,
) -> Plot:
    """The curve in its frame: behind it a row for each of the steps, and for each person at what they flag."""
    rows: list[tuple[Cell, ...]] = [
        (
            threshold_words(step.threshold),
            step.recall,
            step.precision,
            step.kappa_two,
            step.kappa_four,
            step.share_flagged,
        )
        for step in steps
    ]
    rows += [
        (
            f"Person {place}",
            point.score.recall,
            point.score.precision,
            point.kappa_two,
            point.kappa_four,
            point.score.share_flagged,
        )
        for place, point in enumerate(people, start=1)
    ]
    rows.append(("People together", ceiling, None, None, None, None))
    legend = [
        Key("recall", "recall, with its interval"),
        Key("precision", "precision"),
        Key("kappa", "kappa, supported or not"),
        Key("flagged", "share flagged"),
    ]
    if layout.strip:
        legend.append(Key("band", "people’s recall, with its interval", "band"))
    if layout.people:
        legend.append(Key("person", "a person, where the judge flags as much as they do", "dot"))
    return Plot(
        name=f"threshold-{judge.replace(' ', '-')}",
        title=f"{judge}: what each threshold would do",
        description=f"Recall on unsupported claims, precision, kappa and share flagged, by threshold from 0 to 1. {basis}",
        drawing="reports/plots/curve.svg",
        layout=layout,
        width=WIDTH,
        height=HEIGHT,
        columns=COLUMNS,
        rows=tuple(rows),
        legend=tuple(legend),
    )


def _steps_path(thresholds: Sequence[float], values: Sequence[float | None], across: Axis, up: Axis) -> str:
    """A line in steps: between two scores nothing changes, so the value holds from just above one up to the next."""
    path, pen_down, before = [], False, 0.0
    for threshold, value in zip(thresholds, values, strict=False):
        if value is None:
            pen_down, before = False, threshold
            continue
        y = up.at(value)
        if pen_down:
            path.append(f"V{y}")
        else:
            path.append(f"M{across.at(before)} {y}")
            pen_down = True
        path.append(f"H{across.at(threshold)}")
        before = threshold
    if pen_down:
        path.append(f"H{across.at(1.0)}")
    return "".join(path)


def _reach(steps: Sequence[ThresholdFigures], across: Axis, up: Axis) -> str:
    """The interval of recall as an area."""
    ends = [
        (across.at(step.threshold), up.at(step.recall.low), up.at(step.recall.high))
        for step in steps
        if step.recall.low is not None and step.recall.high is not None
    ]
    if len(ends) < 2:
        return ""
    there = "L".join(f"{x} {high}" for x, _, high in ends)
    back = "L".join(f"{x} {low}" for x, low, _ in reversed(ends))
    return f"M{there}L{back}Z"


def _strip(ceiling: Figure, up: Axis) -> Strip | None:
    if ceiling.value is None:
        return None
    low = ceiling.value if ceiling.low is None else ceiling.low
    high = ceiling.value if ceiling.high is None else ceiling.high
    return Strip(
        up.at(high),
        max(round(up.at(low) - up.at(high), 1), 1.5),
        up.at(ceiling.value),
        f"people’s recall {ceiling.value:.2f}",
    )


def _person(point: PersonPoint, curve: Curve, across: Axis, up: Axis) -> Person:
    flagged, recall = point.score.share_flagged.value or 0.0, point.score.recall.value or 0.0
    place = min(int(np.searchsorted(curve.statistic("share_flagged"), flagged)), len(curve) - 1)
    said = f"A person: recall {recall:.2f} of {point.score.n_unsupported} unsupported, flags {flagged:.0%}"
    return Person(across.at(float(curve.thresholds[place])), up.at(recall), said)
