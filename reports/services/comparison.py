"""Judges beside people: the figures that the page, the command and the demo share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from calibration.ceiling import Ceiling, LikeWithLike, Reference
from calibration.comparison import Comparison, ComparisonInput, JudgeColumns, compare
from calibration.consensus import Rule
from calibration.judge_score import JudgeScore
from calibration.results import Figure
from calibration.verdicts import MISSING
from judges.models import Judgement, JudgeVersion, Run
from labelling.models import ConsensusRule, Project
from labelling.services.splits import SplitSummary, summarise_splits
from reports.bridge import JudgeColumn, Rows, read_judgements, read_rows, selected_ids
from reports.selection import Selection
from reports.services.certificates import CertificateState, certificates_of
from reports.stamps import data_stamp, remembered, remembered_each

RULES: dict[str, Rule] = {ConsensusRule.MAJORITY: "plurality", ConsensusRule.UNANIMOUS: "unanimous"}
EXTERNAL = "external"
NOT_GIVEN = "not given with the import"


@dataclass(frozen=True, slots=True)
class Expense:
    """What a thousand claims cost, over the judged claims of the selection; `n` is their number."""

    usd: Figure
    seconds: Figure


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is computed for one selection; made once for the same data and then kept."""

    result: Comparison
    expenses: dict[int, Expense]
    targeted_left_out: int
    splits: SplitSummary


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge version with its figures."""

    version: JudgeVersion
    score: JudgeScore
    expense: Expense
    like: LikeWithLike
    certificate: CertificateState
    other_policy: bool
    running: bool

    @property
    def name(self) -> str:
        return str(self.version)


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """Judges beside people for one selection of one project.

    Attributes
    ----------
    reference : "individual" or "consensus"
        What people and judges are scored against in the columns that stand beside the ceiling.
    ceiling : Ceiling
        People on that reference, over all claims of the selection.
    """

    project: Project
    selection: Selection
    figures: Figures
    reference: Reference
    rows: tuple[JudgeRow, ...]

    @property
    def result(self) -> Comparison:
        return self.figures.result

    @property
    def ceiling(self) -> Ceiling:
        return self.result.consensus if self.reference == "consensus" else self.result.individual

    def row(self, version_id: int) -> JudgeRow | None:
        return next((row for row in self.rows if row.version.pk == version_id), None)


def judged_versions(project: Project) -> QuerySet[JudgeVersion]:
    """Versions of the project's judges that have at least one judgement, by name and number."""
    judged = Judgement.objects.counted().filter(run__judge_version=OuterRef("pk"))
    return (
        JudgeVersion.objects.filter(Exists(judged), judge__project=project)
        .select_related("judge")
        .order_by("judge__name", "number")
    )


def newest_of_each(versions: Sequence[JudgeVersion]) -> list[JudgeVersion]:
    """Keep the highest number of each judge."""
    return list({version.judge_id: version for version in versions}.values())


def compare_project(project: Project, selection: Selection, *, reference: str = "") -> ComparisonReport:
    """Compare the judges of a project with its people over the selected claims.

    The reference is `consensus` (each person against the consensus of the others) or `individual` (each against each
    other); where empty, it is consensus if any claim has labels enough for it.
    """
    versions = list(judged_versions(project))
    shown = versions if selection.versions == "all" else newest_of_each(versions)
    return compare_versions(project, selection, versions=shown, reference=reference)


def compare_versions(
    project: Project, selection: Selection, *, versions: Sequence[JudgeVersion], reference: str = "", stamp: str = ""
) -> ComparisonReport:
    """Compare the named versions with the people of the project; a version without judgements has empty figures."""
    stamp = stamp or data_stamp(project)
    # With their names: the figures of a judge are found by its name.
    asked = [(version.pk, str(version)) for version in versions]
    figures = remembered(
        stamp,
        f"comparison {selection!r} {asked}",
        partial(_make_figures, project, selection, list(versions), stamp),
        may_lag=True,
    )
    return _report(project, selection, figures, versions, reference)


def selected_rows(project: Project, selection: Selection, versions: Sequence[JudgeVersion], stamp: str) -> Rows:
    """The claims of a selection that may enter a figure, with the named versions' judgements."""
    rows = remembered(stamp, "rows", lambda: read_rows(project))

    def read(missing: list[int]) -> dict[int, JudgeColumn]:
        return {column.version_id: column for column in read_judgements(rows.claim, missing)}

    # A column each, so that the page of one judge has what the comparison read of all.
    columns = remembered_each(stamp, {version.pk: f"column {version.pk}" for version in versions}, read)
    return replace(rows, judges=tuple(columns.values())).comparable(selected_ids(project, selection))


def comparison_input(rows: Rows, names: dict[int, str]) -> ComparisonInput:
    """Arrays as the statistics take them; judges under the given names, in that order."""
    return ComparisonInput(
        answer=rows.answer,
        gold=rows.gold,
        labels=rows.labels,
        judges={name: _columns(rows.judge(version_id)) for version_id, name in names.items()},
    )


def _columns(column: JudgeColumn) -> JudgeColumns:
    return JudgeColumns(verdict=column.verdict, score=column.score, outcome=column.outcome)


def _make_figures(
    project: Project,
    selection: Selection,
    versions: Sequence[JudgeVersion],
    stamp: str,
) -> Figures:
    rows = selected_rows(project, selection, versions, stamp)
    data = comparison_input(rows, {version.pk: str(version) for version in versions})
    return Figures(
        result=compare(data, partial_is_unsupported=project.partial_is_unsupported, rule=RULES[project.consensus_rule]),
        expenses={version.pk: expense(rows.judge(version.pk), external=is_external(version)) for version in versions},
        targeted_left_out=rows.targeted_left_out,
        splits=summarise_splits(project),
    )


def is_external(version: JudgeVersion) -> bool:
    return version.judge.type == EXTERNAL


def expense(column: JudgeColumn, *, external: bool = False) -> Expense:
    """Cost and wall time of a thousand claims, from those that the judge was asked about."""
    asked = column.verdict != MISSING
    return Expense(
        _per_thousand(column.cost[asked], external=external), _per_thousand(column.seconds[asked], external=external)
    )


def _per_thousand(spent: NDArray[np.float64], *, external: bool) -> Figure:
    if len(spent) == 0:
        return Figure.undefined("no claims")
    if external and not spent.any():
        return Figure.undefined(NOT_GIVEN, n=len(spent))
    return Figure.point(float(spent.mean()) * 1000, n=len(spent), method="mean over claims × 1,000")


def _report(
    project: Project, selection: Selection, figures: Figures, shown: Sequence[JudgeVersion], wanted: str
) -> ComparisonReport:
    result = figures.result
    enough = result.consensus.people.kappa_four.value is not None or result.individual.n_claims == 0
    reference: Reference = "consensus" if wanted == "consensus" or (not wanted and enough) else "individual"
    guide = project.current_guide
    running = set(
        Run.objects.plain().filter(project=project, state=Run.State.ACTIVE).values_list("judge_version_id", flat=True)
    )
    certificates = certificates_of(project, shown)
    rows = []
    for version in shown:
        score = result.judge(str(version))
        rows.append(
            JudgeRow(
                version=version,
                score=score,
                expense=figures.expenses[version.pk],
                like=score.like_with_like(reference),
                certificate=certificates[version.pk],
                other_policy=guide is not None and guide.policy != version.policy,
                running=version.pk in running,
            )
        )
    return ComparisonReport(project, selection, figures, reference, tuple(rows))
