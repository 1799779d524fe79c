"""Figures under each other on one scale, each with its interval and, where there is one, the band it is measured by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.results import Figure
from reports.plots.axis import Axis, kappa_axis
from reports.plots.frame import Column, Key, Plot, Unit
from reports.plots.interval import Band, Mark, band_of, mark_of
from reports.shown.wording import decimal, interval_words, percent

WIDTH, NAMES, RIGHT, ROW, FOOT = 720, 236, 496, 30, 26
LONGEST = 40
"""Letters of a name, or of what stands beside the drawing; the table has all of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure by name; `band` is what it is compared with; `people` marks a row of people."""

    name: str
    figure: Figure
    band: Figure | None = None
    people: bool = False


@dataclass(frozen=True, slots=True)
class ForestRow:
    y: int
    name: str
    mark: Mark | None
    band: Band | None
    said: str
    people: bool


@dataclass(frozen=True, slots=True)
class ForestPlot:
    rows: tuple[ForestRow, ...]
    ticks: tuple[tuple[float, str], ...]
    foot: int


def forest_plot(
    rows: Sequence[Row], *, name: str, title: str, description: str, column: str, unit: Unit = "decimal", band: str = ""
) -> Plot:
    """Draw the rows on one scale: a share's from 0 to 1, a kappa's as far down as an interval reaches.

    `column` names the figure and `band` what the bands are, for the legend and the table.
    """
    bands = [row.band for row in rows if row.band is not None]
    axis = kappa_axis([*(row.figure for row in rows), *bands], start=NAMES, end=RIGHT)
    write = percent if unit == "percent" else decimal
    ticks = [(axis.at(value), write(value)) for value in _ticks(axis)]
    layout = ForestPlot(
        tuple(_row(place, row, axis, unit) for place, row in enumerate(rows)), tuple(ticks), ROW * len(rows)
    )
    columns = [Column("name", "Name"), Column("figure", column, unit)]
    if bands:
        columns.append(Column("band", band, unit))
    return Plot(
        name=name,
        title=title,
        description=description,
        drawing="reports/plots/forest.svg",
        layout=layout,
        width=WIDTH,
        height=ROW * len(rows) + FOOT,
        columns=tuple(columns),
        rows=tuple((row.name, row.figure, row.band) if bands else (row.name, row.figure) for row in rows),
        legend=(Key("band", band, "band"),) if bands else (),
    )


def _row(place: int, row: Row, axis: Axis, unit: Unit) -> ForestRow:
    shown = row.figure
    write = percent if unit == "percent" else decimal
    between = interval_words(shown, unit) if shown.value is not None else shown.reason
    return ForestRow(
        ROW * place + ROW // 2,
        _short(row.name),
        mark_of(shown, axis),
        None if row.band is None else band_of(row.band, axis),
        _short(f"{write(shown.value)} ({between}) n = {shown.n}" if between else f"{write(shown.value)} n = {shown.n}"),
        row.people,
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _ticks(axis: Axis) -> list[float]:
    ticks = [0.0, 0.5, 1.0]
    return [axis.low, *ticks] if axis.low < 0 else ticks
