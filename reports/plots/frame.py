"""What every plot has: a title, a description, a drawing, and the table behind it, on the page and as files.

To add a plot:

1. Lay it out in a module of this folder: a frozen dataclass of places made by `Axis`, and a function that returns a
   `Plot` with it as `layout`. `curve.py` and `forest.py` are examples.
2. Draw it in `templates/reports/plots/NAME.svg`: what stands inside the `svg` element, from `plot.layout`. Its classes
   are those of `static/css/plots.css`, which the page links and the file carries inside; no style or script of its own.
3. Fill `columns` and `rows` with every figure that is drawn: a `Figure` cell brings its interval, n and reason along.
   The description says in words which claims these are and how many, since the file stands alone.
4. In the page's template: `{% load plots %}{% plot shown %}`, or `{% plot_files shown %}` for the two links alone.
5. In the view, after access, form and `looks_beside`: `if asks_for_plot(request): return plot_file(request, [shown])`
   (`reports/plots/files.py`). The file then has the permissions, the selection and the looks of its page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from calibration.results import Figure
from reports.shown.wording import count_words, decimal, percent, threshold_words

Unit = Literal["text", "count", "decimal", "percent", "threshold"]
Cell = str | int | float | Figure | None
FIGURE_PARTS = ("low", "high", "k", "n", "reason")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table: `key` heads it in the CSV, `title` on the page."""

    key: str
    title: str
    unit: Unit = "text"


@dataclass(frozen=True, slots=True)
class Key:
    """A line of the legend; `kind` is the class that it is drawn with."""

    kind: str
    words: str
    shape: Literal["line", "band", "dot"] = "line"


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell ready for the page: a figure with its unit, or text."""

    title: str
    figure: Figure | None
    text: str
    unit: Unit


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, and everything it shows as words and numbers.

    Attributes
    ----------
    name : str
        Its name in addresses, ids and file names: letters, digits, hyphens and underscores.
    title, description : str
        What is drawn; and of which claims and how many, with what there is to see.
    drawing : str
        The template that draws `layout`, in units of `width` and `height`.
    columns, rows : tuple
        The table. Each row has a cell a column; the first names the row.
    """

    name: str
    title: str
    description: str
    drawing: str
    layout: object
    width: int
    height: int
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    legend: tuple[Key, ...] = field(default=())

    def __post_init__(self) -> None:
        if re.fullmatch(r"[\w-]+", self.name, re.ASCII) is None:
            raise ValueError(f"name: letters, digits, hyphens and underscores expected, got {self.name!r}")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"rows: {len(self.columns)} cells expected, got {len(row)}")

    def shown_rows(self) -> list[list[ShownCell]]:
        """The rows as the page writes them."""
        return [[_shown(column, cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]

    def csv_header(self) -> list[str]:
        """The heads of the CSV: a column of figures is followed by its interval, numerator, denominator and reason."""
        header: list[str] = []
        for place, column in enumerate(self.columns):
            header.append(column.key)
            if self._has_figures(place):
                header += [f"{column.key}_{part}" for part in FIGURE_PARTS]
        return header

    def csv_rows(self) -> list[list[str | int | float | None]]:
        """The same rows in full precision, in the order of the header."""
        return [
            [part for place, cell in enumerate(row) for part in _parts(cell, wide=self._has_figures(place))]
            for row in self.rows
        ]

    def _has_figures(self, place: int) -> bool:
        return any(isinstance(row[place], Figure) for row in self.rows)


def _shown(column: Column, cell: Cell) -> ShownCell:
    if isinstance(cell, Figure):
        return ShownCell(column.title, cell, "", column.unit)
    return ShownCell(column.title, None, "–" if cell is None else _text(cell, column.unit), column.unit)


def _text(cell: str | float, unit: Unit) -> str:
    if isinstance(cell, str):
        return cell
    if unit == "percent":
        return percent(cell)
    if unit == "decimal":
        return decimal(cell)
    return count_words(cell) if isinstance(cell, int) else threshold_words(cell)


def _parts(cell: Cell, *, wide: bool) -> Sequence[str | int | float | None]:
    if isinstance(cell, Figure):
        return (cell.value, cell.low, cell.high, cell.k, cell.n, cell.reason)
    return (cell, *[None] * len(FIGURE_PARTS)) if wide else (cell,)
