"""One judge version in depth: its confusion matrix, what every threshold would do, and a threshold made a version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.curve_intervals import ThresholdFigures, figures_at_thresholds
from calibration.results import Confusion
from calibration.thresholds import (
    Curve,
    PersonPoint,
    ThresholdChoice,
    people_points,
    threshold_at_max_kappa,
    threshold_curve,
)
from calibration.verdicts import ABSENT, COLUMNS, MISSING, NO_JUDGEMENT, VERDICTS
from judges.models import JudgeVersion, Run
from judges.services.runs import RunRefusedError, start_run
from judges.services.selection import Selection as RunSelection
from judges.services.versions import with_threshold
from labelling.models import Membership, Project, Split
from reports.bridge import Rows
from reports.selection import Selection
from reports.services.comparison import (
    RULES,
    ComparisonReport,
    JudgeRow,
    compare_versions,
    is_external,
    selected_rows,
)
from reports.services.four_way import NO_BAND, has_four_way, verdicts_below
from reports.stamps import data_stamp, remembered

GRID: NDArray[np.float64] = np.arange(0, 101) / 100
DEFAULT_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What each threshold from 0.00 to 1.00 would do, and people on the same axes.

    Attributes
    ----------
    curve : Curve
        Over every distinct score; empty, with a reason, where the judge has no scores.
    steps : tuple of ThresholdFigures
        A step for every hundredth, with intervals; empty where the curve is.
    people : tuple of PersonPoint
        Each person against the consensus of the others.
    best : ThresholdChoice
        Where kappa between supported and unsupported is largest on these claims.
    """

    curve: Curve
    steps: tuple[ThresholdFigures, ...]
    people: tuple[PersonPoint, ...]
    best: ThresholdChoice


@dataclass(frozen=True, slots=True)
class WorstCell:
    """Claims on which the judge is wrong in the same way."""

    gold: str
    verdict: str
    count: int


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """One judge version over one selection."""

    comparison: ComparisonReport
    row: JudgeRow
    thresholds: Thresholds
    worst: tuple[WorstCell, ...]
    stamp: str

    @property
    def version(self) -> JudgeVersion:
        return self.row.version

    @property
    def threshold(self) -> float:
        return threshold_of(self.version)

    @property
    def keeps_probabilities(self) -> bool:
        """Whether a version with another threshold is judged from what this one kept."""
        return has_four_way(self.version)

    @property
    def may_save(self) -> bool:
        """Thresholds are chosen on development alone, by judges that have one to set."""
        return (
            "threshold" in self.version.config
            and len(self.thresholds.curve) > 0
            and self.comparison.selection.split == Split.DEVELOPMENT
        )


def threshold_of(version: JudgeVersion) -> float:
    """The threshold that the version was made with, or the middle where it has none."""
    given = version.config.get("threshold")
    return float(given) if isinstance(given, int | float) else DEFAULT_THRESHOLD


def report_judge(project: Project, version: JudgeVersion, selection: Selection, *, reference: str = "") -> JudgeReport:
    """Everything that the page of one judge version shows."""
    stamp = data_stamp(project)
    compared = compare_versions(project, selection, versions=[version], reference=reference, stamp=stamp)
    thresholds = remembered(
        stamp,
        f"thresholds {selection!r} {version.pk}",
        partial(_make_thresholds, project, version, selection, stamp),
        may_lag=True,
    )
    (row,) = compared.rows
    return JudgeReport(compared, row, thresholds, worst_cells(row.score.confusion), stamp)


def figures_at(report: JudgeReport, threshold: float) -> ThresholdFigures | None:
    """The figures at one threshold: a step where it is one, else made for it; None where there are no scores."""
    for step in report.thresholds.steps:
        if abs(step.threshold - threshold) < 1e-9:
            return step
    if not report.thresholds.steps:
        return None
    project, selection, version = report.comparison.project, report.comparison.selection, report.version
    make = partial(_figures_at, project, version, selection, report.stamp, threshold)
    return remembered(report.stamp, f"threshold {selection!r} {version.pk} {threshold!r}", make, may_lag=True)


def _figures_at(
    project: Project, version: JudgeVersion, selection: Selection, stamp: str, threshold: float
) -> ThresholdFigures:
    rows = selected_rows(project, selection, [version], stamp)
    return figures_of_rows(rows, version, project, np.array([threshold]))[0]


def save_threshold(*, version: JudgeVersion, threshold: float, by: Membership) -> tuple[JudgeVersion, Run | None]:
    """Make the version that has this threshold, and start its run over all cited claims.

    Saved twice, there is one version. Where it has a run already, or none can be started, the run is None: it can be
    started from the judge's page.

    Raises
    ------
    ValueError
        Where the judge has no threshold to set.
    """
    made = version_with(version, threshold, by=by)
    return made, run_everywhere(made, by=by)


def version_with(version: JudgeVersion, threshold: float, *, by: Membership | None) -> JudgeVersion:
    """The version that flags what scores below the threshold, as the curve has it.

    Where `partial` counts as supported, an entailment judge then has no band for it: what lies in the band would pass
    although it scores below the threshold.
    """
    without_band = has_four_way(version) and not version.judge.project.partial_is_unsupported
    return with_threshold(version=version, threshold=threshold, by=by, beside=NO_BAND if without_band else None)


def run_everywhere(made: JudgeVersion, *, by: Membership | None) -> Run | None:
    """Start the version's run over all cited claims; None where it has one already, or none can be started."""
    if Run.objects.plain().filter(judge_version=made).exists():
        return None
    try:
        return start_run(version=made, selection=RunSelection(), by=by)
    except RunRefusedError:
        return None


def cell_claims(
    project: Project, version: JudgeVersion, selection: Selection, *, gold: str, verdict: str
) -> NDArray[np.int64]:
    """Ids of the claims in one cell of the confusion matrix; an empty verdict is the column without one."""
    rows = selected_rows(project, selection, [version], data_stamp(project))
    code = VERDICTS.index(verdict) if verdict else NO_JUDGEMENT
    here = (rows.gold == VERDICTS.index(gold)) & (rows.judge(version.pk).verdict == code)
    found: NDArray[np.int64] = rows.claim[here]
    return found


def worst_cells(confusion: Confusion, *, most: int = 3) -> tuple[WorstCell, ...]:
    """The largest cells off the diagonal, claims that are wrongly let through before others of the same size."""
    cells = [
        WorstCell(gold, verdict, int(confusion.counts[row, column]))
        for row, gold in enumerate(VERDICTS)
        for column, verdict in enumerate(COLUMNS[: len(VERDICTS)])
        if row != column and confusion.counts[row, column]
    ]
    cells.sort(key=lambda cell: (-cell.count, cell.verdict != VERDICTS[0]))
    return tuple(cells[:most])


def _make_thresholds(project: Project, version: JudgeVersion, selection: Selection, stamp: str) -> Thresholds:
    rows = selected_rows(project, selection, [version], stamp)
    partial = project.partial_is_unsupported
    score, verdict = as_saved(rows, version, project)
    curve = threshold_curve(rows.gold, score, verdict=verdict, partial_is_unsupported=partial)
    people = people_points(rows.answer, rows.labels, rule=RULES[project.consensus_rule], partial_is_unsupported=partial)
    steps: Sequence[ThresholdFigures] = figures_of_rows(rows, version, project, GRID) if len(curve) else ()
    return Thresholds(curve, tuple(steps), people, threshold_at_max_kappa(curve))


def figures_of_rows(
    rows: Rows, version: JudgeVersion, project: Project, thresholds: NDArray[np.float64]
) -> tuple[ThresholdFigures, ...]:
    """What each of some ascending thresholds does on rows that hold the version's judgements."""
    score, verdict = as_saved(rows, version, project)
    return figures_at_thresholds(
        rows.answer,
        rows.gold,
        score,
        thresholds=thresholds,
        verdict=verdict,
        partial_is_unsupported=project.partial_is_unsupported,
    )


def as_saved(rows: Rows, version: JudgeVersion, project: Project) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Scores, and the verdicts that a version saved with a threshold gives below it.

    An outcome without a verdict keeps none whatever its score.
    """
    column = rows.judge(version.pk)
    silent = column.verdict == NO_JUDGEMENT
    below: NDArray[np.int_] = column.verdict.astype(np.int64)
    if has_four_way(version):
        below = verdicts_below(rows, version, band=project.partial_is_unsupported)
    elif is_external(version):
        below = np.full(len(silent), ABSENT)  # an imported score tells stated from absent and nothing else
    verdict = np.where((column.verdict == MISSING) | silent, column.verdict, below).astype(np.int8)
    return np.where(silent, np.nan, column.score), verdict
