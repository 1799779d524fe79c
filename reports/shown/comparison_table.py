"""The comparison as rows ready to be shown: the order, the drawings and the words beside each figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calibration.results import Figure
from reports.plots.interval import IntervalPlot, interval_plots
from reports.services.comparison import ComparisonReport, JudgeRow

PEOPLE = "People"


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One judge with its drawings; `outcomes` lists what did not end in a verdict, with counts."""

    row: JudgeRow
    four: IntervalPlot
    two: IntervalPlot
    outcomes: tuple[str, ...]

    @property
    def silent(self) -> bool:
        """Whether it often gives no opinion by design, so that figures where it spoke belong beside the headline."""
        return self.row.score.outcomes.get("no-opinion", 0) > 0


@dataclass(frozen=True, slots=True)
class ShownTable:
    people_four: IntervalPlot
    people_two: IntervalPlot
    rows: tuple[ShownRow, ...]

    @property
    def any_silent(self) -> bool:
        return any(row.silent for row in self.rows)


def ordered_rows(report: ComparisonReport, *, sort: str = "kappa") -> list[JudgeRow]:
    """The judges by one figure, best first and those without it last; by name and version where it is the same."""
    rows = sorted(report.rows, key=lambda row: (row.version.judge.name, -row.version.number))
    if sort != "name":
        rows.sort(key=_KEYS.get(sort, _KEYS["kappa"]))
    return rows


def shown_table(report: ComparisonReport, *, sort: str = "kappa") -> ShownTable:
    """Order the rows and draw the two kappas of each on one scale a column, against the ceiling it is measured by."""
    rows = ordered_rows(report, sort=sort)
    names = [PEOPLE, *(row.name for row in rows)]
    people = report.ceiling.people
    four = interval_plots(
        [people.kappa_four, *(row.like.judge.kappa_four for row in rows)],
        [people.kappa_four, *(row.like.people.kappa_four for row in rows)],
        names=names,
    )
    two = interval_plots(
        [people.kappa_two, *(row.like.judge.kappa_two for row in rows)],
        [people.kappa_two, *(row.like.people.kappa_two for row in rows)],
        names=names,
    )
    return ShownTable(
        four[0],
        two[0],
        tuple(ShownRow(row, f, t, _outcomes(row)) for row, f, t in zip(rows, four[1:], two[1:], strict=True)),
    )


def _outcomes(row: JudgeRow) -> tuple[str, ...]:
    said = [f"{n} {name.replace('-', ' ')}" for name, n in row.score.outcomes.items() if n and name != "judged"]
    if row.score.n_outside_run:
        said.append(f"{row.score.n_outside_run} not in a run")
    return tuple(said)


def _falling(figure: Figure) -> float:
    return float("inf") if figure.value is None else -figure.value


def _rising(figure: Figure) -> float:
    return float("inf") if figure.value is None else figure.value


_KEYS: dict[str, Callable[[JudgeRow], float]] = {
    "kappa": lambda row: _falling(row.like.judge.kappa_four),
    "recall": lambda row: _falling(row.score.unsupported.recall),
    "precision": lambda row: _falling(row.score.unsupported.precision),
    "cost": lambda row: _rising(row.expense.usd),
}
