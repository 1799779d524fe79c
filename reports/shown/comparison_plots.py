"""The drawings of the comparison as plots of their own, to be saved: the page's table is the table behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calibration.results import Figure
from reports.plots.forest import Row, forest_plot
from reports.plots.frame import Plot
from reports.services.comparison import ComparisonReport, JudgeRow
from reports.shown.comparison_table import PEOPLE

_Read = Callable[[JudgeRow], Figure]


def comparison_plots(report: ComparisonReport, rows: Sequence[JudgeRow], *, basis: str) -> list[Plot]:
    """Both kappas beside people, and recall on unsupported; the rows in the order of the page."""
    people = report.ceiling.people

    def drawn(name: str, words: str, said: str, ceiling: Figure, figure: _Read, own: _Read | None) -> Plot:
        judges = [Row(row.name, figure(row), own(row) if own else None) for row in rows]
        band = "human ceiling on the same claims" if own else ""
        return forest_plot(
            [Row(PEOPLE, ceiling, people=True), *judges],
            name=name,
            title=words,
            description=f"{said} {basis}",
            column=words,
            band=band,
        )

    beside = "Each judge and the people, measured on what people are measured on."
    return [
        drawn(
            "kappa-four",
            "Kappa, four verdicts",
            beside,
            people.kappa_four,
            lambda row: row.like.judge.kappa_four,
            lambda row: row.like.people.kappa_four,
        ),
        drawn(
            "kappa-two",
            "Kappa, supported or not",
            beside,
            people.kappa_two,
            lambda row: row.like.judge.kappa_two,
            lambda row: row.like.people.kappa_two,
        ),
        drawn(
            "recall",
            "Recall on unsupported",
            "Each judge against gold, with no verdict counted as a miss; people against their own reference.",
            people.recall,
            lambda row: row.score.unsupported.recall,
            None,
        ),
    ]
