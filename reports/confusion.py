"""The confusion matrix as rows of cells that lead to their claims."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.verdicts import COLUMNS, NO_JUDGEMENT, VERDICTS
from reports.forms import NO_VERDICT
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


def _cell(report: JudgeReport, row: int, column: int) -> MatrixCell:
    kind = "none" if column == NO_JUDGEMENT else "right" if row == column else "wrong"
    verdict = NO_VERDICT if column == NO_JUDGEMENT else VERDICTS[column]
    query = report.comparison.selection.query(gold=VERDICTS[row], verdict=verdict)
    return MatrixCell(int(report.row.score.confusion.counts[row, column]), kind, COLUMNS[column], query)
