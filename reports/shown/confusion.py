"""The confusion matrix as rows of cells that lead to their claims."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.results import Confusion
from calibration.verdicts import COLUMNS, NO_JUDGEMENT, VERDICTS
from reports.forms.selection import NO_VERDICT
from reports.services.thresholds import JudgeReport

SHORT = {"contradicted": "contr.", COLUMNS[NO_JUDGEMENT]: "none"}


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One cell: how many claims, whether they are right, and the query that opens them."""

    count: int
    kind: str
    said: str
    query: str


def matrix_context(report: JudgeReport) -> dict[str, object]:
    """What the template of the matrix needs: `columns`, `matrix`, and `outcomes` without a verdict."""
    score = report.row.score
    return {
        "columns": [(name, SHORT.get(name, name)) for name in COLUMNS],
        "matrix": [
            (gold, [_cell(report, row, column) for column in range(len(COLUMNS))]) for row, gold in enumerate(VERDICTS)
        ],
        "outcomes": [(name, n) for name, n in score.outcomes.items() if n and name != "judged"],
        "silent": score.outcomes.get("no-opinion", 0) > 0,
    }


def plain_rows(confusion: Confusion) -> list[tuple[str, list[tuple[int, str]]]]:
    """The rows by gold, where cells lead nowhere: how many claims, and whether they are right."""
    return [
        (gold, [(int(n), _kind(row, column)) for column, n in enumerate(confusion.counts[row])])
        for row, gold in enumerate(VERDICTS)
    ]


def _kind(row: int, column: int) -> str:
    return "none" if column == NO_JUDGEMENT else "right" if row == column else "wrong"


def _cell(report: JudgeReport, row: int, column: int) -> MatrixCell:
    kind = _kind(row, column)
    verdict = NO_VERDICT if column == NO_JUDGEMENT else VERDICTS[column]
    query = report.comparison.selection.query(gold=VERDICTS[row], verdict=verdict)
    return MatrixCell(int(report.row.score.confusion.counts[row, column]), kind, COLUMNS[column], query)
