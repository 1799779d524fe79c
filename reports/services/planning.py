"""How many more labels: what the figures so far rest on, and how many further random claims would narrow them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.ceiling import Reference
from calibration.planning import (
    FEWEST,
    MoreLabels,
    PromiseNeed,
    claims_for_promise,
    labels_for_share,
    more_for_figure,
    more_for_share,
)
from calibration.results import Figure
from calibration.sentences import more_labels_sentence, promise_need_sentence
from calibration.verdicts import MISSING, unsupported
from judges.models import JudgeVersion
from labelling.models import Project
from labelling.services.sampling import frame_of
from reports.selection import BOTH_SPLITS, Selection
from reports.services.comparison import ComparisonReport, JudgeRow, compare_project, compare_versions, selected_rows
from reports.stamps import data_stamp, remembered

HALF_WIDTH = 0.05
TARGET = 0.9
NO_JUDGE = "no judge has judged any of these claims yet"


@dataclass(frozen=True, slots=True)
class LabelsNeeded:
    """What there is, and what it takes.

    Attributes
    ----------
    version : JudgeVersion or None
        Whose recall it is; where none was asked for, the one that catches most so far.
    recall, ceiling, share : Figure
        The judge's recall on unsupported claims, the human ceiling as a kappa over four verdicts, and the share of
        claims that are unsupported.
    recall_more, ceiling_more : MoreLabels
        Further random claims for the wanted width; for the ceiling each labelled by `people` people.
    worst : int
        Unsupported claims that the width takes at worst, whatever the recall.
    left : int
        Claims that are left to draw from.
    """

    selection: Selection
    half_width: float
    version: JudgeVersion | None
    recall: Figure
    recall_more: MoreLabels
    ceiling: Figure
    ceiling_more: MoreLabels
    reference: Reference
    share: Figure
    worst: int
    promise: PromiseNeed
    left: int

    @property
    def people(self) -> int:
        """How many people have to label a claim before it tells anything of the ceiling."""
        return 3 if self.reference == "consensus" else 2

    @property
    def recall_sentence(self) -> str:
        return more_labels_sentence(self.recall_more, figure="recall")

    @property
    def ceiling_sentence(self) -> str:
        return more_labels_sentence(self.ceiling_more, figure="the ceiling kappa", points=False)

    @property
    def promise_sentence(self) -> str:
        return promise_need_sentence(self.promise)

    @property
    def worst_claims(self) -> int | None:
        """Random claims that bring `worst` unsupported ones; None where their share is not known."""
        return math.ceil(self.worst / self.share.value) if self.share.value else None

    @property
    def suggested(self) -> int:
        """Claims to queue, from all that was found to be missing, at most all that are left."""
        wanted = [self.recall_more.more, self.promise.more, self.ceiling_more.more]
        first = next((number for number in wanted if number), FEWEST * 5)
        return max(min(first, self.left), 1)


def labels_needed(
    project: Project,
    selection: Selection,
    *,
    half_width: float = HALF_WIDTH,
    target: float = TARGET,
    version: JudgeVersion | None = None,
) -> LabelsNeeded:
    """How many more random claims of the selection's split narrow recall and the human ceiling.

    Parameters
    ----------
    project, selection
        Whose claims, and which: the figures are about them.
    half_width : float
        Half of the width of the interval that is wanted: .05 for ±5 points.
    target : float
        Recall that is to be promised.
    version : JudgeVersion, optional
        Whose recall; else that of the judge that catches most so far.
    """
    name = f"labels needed {selection!r} {half_width} {target} {version and version.pk}"
    return remembered(data_stamp(project), name, lambda: _reckoned(project, selection, half_width, target, version))


def _reckoned(
    project: Project, selection: Selection, half_width: float, target: float, version: JudgeVersion | None
) -> LabelsNeeded:
    report = _report(project, selection, version)
    row = _row(report.rows, version)
    result, people = report.result, report.ceiling.people
    share = result.share_unsupported
    recall = Figure.undefined(NO_JUDGE) if row is None else row.score.unsupported.recall
    # Where nothing is unsupported so far there is no recall either, and its reason is given.
    per_claim = share.value or 1.0
    return LabelsNeeded(
        selection=selection,
        half_width=half_width,
        version=None if row is None else row.version,
        recall=recall,
        recall_more=more_for_share(recall, half_width=half_width, per_claim=per_claim, fewest=FEWEST),
        ceiling=people.kappa_four,
        ceiling_more=more_for_figure(people.kappa_four, half_width=half_width, fewest=FEWEST),
        reference=report.reference,
        share=share,
        worst=labels_for_share(half_width),
        promise=claims_for_promise(_unsupported_by_answer(project, selection), target=target, per_claim=share.value),
        left=frame_of(project, split_of(selection)).count(),
    )


def split_of(selection: Selection) -> str:
    """The split to draw from, empty for both."""
    return "" if selection.split == BOTH_SPLITS else selection.split


def _report(project: Project, selection: Selection, version: JudgeVersion | None) -> ComparisonReport:
    report = compare_project(project, selection)
    if version is None or report.row(version.pk) is not None:
        return report
    return compare_versions(project, selection, versions=[version])


def _row(rows: Sequence[JudgeRow], version: JudgeVersion | None) -> JudgeRow | None:
    if version is not None:
        return next(row for row in rows if row.version.pk == version.pk)
    known = [row for row in rows if row.score.unsupported.recall.value is not None]
    return max(known, key=lambda row: row.score.unsupported.recall.value or 0.0, default=None)


def _unsupported_by_answer(project: Project, selection: Selection) -> list[int]:
    rows = selected_rows(project, selection, [], data_stamp(project))
    bad = (rows.gold != MISSING) & unsupported(rows.gold, project.partial_is_unsupported)
    return [int(n) for n in np.unique(rows.answer[bad], return_counts=True)[1]]
