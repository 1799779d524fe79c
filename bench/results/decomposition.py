"""What taking an answer apart gains: the same model over the whole answer and over its claims, both scored by answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.results.judging import DEVELOPMENT, TEST, SetResult
from calibration.answers import AnswerRows, gather_answers
from calibration.comparison import Comparison, ComparisonInput, JudgeColumns, compare
from calibration.thresholds import threshold_at_max_kappa, threshold_curve, verdicts_at
from judges.models import JudgeVersion
from reports.selection import Selection
from reports.services.comparison import selected_rows
from reports.stamps import data_stamp

UNITS = {"claims": "entailment", "whole answer": "whole answer"}
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Answers of the test split with an unsupported claim, found by one model in two ways.

    Attributes
    ----------
    result : Comparison
        Judges named by unit and threshold ("claims at 0.5"), on one row an answer.
    thresholds : dict of str to float
        By the name of the judge.
    several : Comparison
        The same on the answers with two claims or more alone: where the two ways can differ.
    """

    result: Comparison
    thresholds: dict[str, float]
    several: Comparison


def decompose(found: SetResult) -> Decomposition | None:
    """Score both ways on test, each at one half and at its own best threshold on the answers of development.

    None where the model did not judge whole answers.
    """
    thresholds: dict[str, float] = {}
    said: dict[str, NDArray[np.int64]] = {}
    rows: AnswerRows | None = None
    for unit, name in UNITS.items():
        row = found.row(name)
        if row is None or row.version is None:
            return None
        rows = _answers(found, row.version, TEST)
        chosen = _chosen(_answers(found, row.version, DEVELOPMENT))
        for policy, threshold in (("at 0.5", HALF), ("chosen", chosen)):
            if threshold is not None:
                thresholds[f"{unit} {policy}"] = threshold
                said[f"{unit} {policy}"] = verdicts_at(rows.score, threshold)
    assert rows is not None
    everything = np.ones(len(rows.answer), dtype=np.bool_)
    return Decomposition(_compared(rows, said, everything), thresholds, several=_compared(rows, said, rows.claims > 1))


def _compared(rows: AnswerRows, said: dict[str, NDArray[np.int64]], kept: NDArray[np.bool_]) -> Comparison:
    nobody = np.zeros((0, int(kept.sum())), dtype=np.int64)
    judges = {name: JudgeColumns(verdict[kept]) for name, verdict in said.items()}
    return compare(ComparisonInput(rows.answer[kept], rows.gold[kept], nobody, judges))


def _answers(found: SetResult, version: JudgeVersion, selection: Selection) -> AnswerRows:
    project = found.project
    rows = selected_rows(project, selection, [version], data_stamp(project))
    column = rows.judge(version.pk)
    return gather_answers(
        rows.answer,
        rows.gold,
        column.verdict,
        column.score,
        partial_is_unsupported=project.partial_is_unsupported,
    )


def _chosen(rows: AnswerRows) -> float | None:
    return threshold_at_max_kappa(threshold_curve(rows.gold, rows.score)).threshold
