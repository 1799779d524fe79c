"""The shares of the groundedness report as a drawing to be saved: the page's table is the table behind it."""

from __future__ import annotations

from reports.plots.basis import filter_words
from reports.plots.forest import Row, forest_plot
from reports.plots.frame import Plot
from reports.services.groundedness import JUDGE, GroundednessReport
from reports.shown.groundedness_table import shown_sections


def groundedness_plots(report: GroundednessReport, *, looks: str) -> list[Plot]:
    """Every share that has a value or a reason, from people and, where there is one, from the judge as it reads."""
    figures = report.figures
    shown = [row for section in shown_sections(figures) for row in section.rows]
    columns = {"people": [Row(row.title, row.people.figure, people=True) for row in shown]}
    if figures.judged is not None:
        columns[JUDGE] = [Row(row.title, row.judge.figure) for row in shown if row.judge is not None]
    said = {"people": "From people.", JUDGE: f"From {report.version}, raw: with the judge’s errors in it."}
    split = "development and test" if report.selection.split == "both" else report.selection.split
    about = (
        f"Faithfulness to the cited source, not truth about the world. {figures.shown.n_claims:,} claims in "
        f"{figures.people.n_answers:,} answers; {split} split (test was {looks}).{filter_words(report.selection)} "
        "Intervals: 95%."
    )
    return [
        forest_plot(
            rows,
            name=f"groundedness-{origin}",
            title=f"Groundedness, from {'people' if origin == 'people' else report.version}",
            description=f"{said[origin]} {about}",
            column="Share",
            unit="percent",
        )
        for origin, rows in columns.items()
    ]
