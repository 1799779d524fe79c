"""The human ceiling of a project: what people reach, in which claims and when, and how far each judge is from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from typing import TypeVar

import numpy as np
from django.db.models import Max

from calibration.alternative import AlternativeAnnotator, alternative_annotators
from calibration.arrays import BoolArray, IntArray
from calibration.ceiling import LikeWithLike
from calibration.noise import NoiseShare, noise_share
from calibration.pairs import LEAST_SHARED
from calibration.people import Against, PeopleAgreement, judges_beside_people, people_again, people_agreement
from calibration.planning import MoreLabels, more_for_figure
from calibration.results import Result
from calibration.trend import Change, changes
from calibration.verdicts import MISSING, NO_JUDGEMENT
from judges.models import Judgement, JudgeVersion, Run
from judges.protocol import ANSWERED
from labelling.models import ClaimKind, Project, Severity
from reports.bridge import VERDICT_CODE, Rows, places_of, read_rows
from reports.ceiling_rows import MIXED, CeilingRows, read_ceiling_rows
from reports.selection import Selection, filter_value, stored_value
from reports.services.comparison import (
    RULES,
    ComparisonReport,
    JudgeRow,
    compare_versions,
    judged_versions,
    newest_of_each,
    selected_rows,
)
from reports.services.periods import MOST_PERIODS, By, calendar_periods, places_in
from reports.services.probes import said_before
from reports.stamps import data_stamp, remembered, remembered_beside, report_stamp

T = TypeVar("T")
HALF_WIDTH = 0.05
"""Half of the interval of kappa that the page says how to reach."""
MOST_COLLECTIONS = 20


@dataclass(frozen=True, slots=True)
class GroupRow(Result):
    """People on the claims of one group, and each judge beside them.

    Attributes
    ----------
    value : str
        What the filter of the group's name takes.
    judges : mapping of str to LikeWithLike
        By the key of the version, against each person.
    """

    value: str
    people: PeopleAgreement
    judges: Mapping[str, LikeWithLike]

    @property
    def words(self) -> str:
        return stored_value(self.value) or "not given"


@dataclass(frozen=True, slots=True)
class Grouping(Result):
    """One way to part the claims: the filter of that name, its groups, and how many groups there are in all."""

    name: str
    rows: tuple[GroupRow, ...]
    n_groups: int


@dataclass(frozen=True, slots=True)
class PeriodRow(Result):
    """People on the claims of one period, or of one guide version.

    Attributes
    ----------
    change : Change or None
        Of four-way kappa against the last one before it that has an interval.
    """

    name: str
    people: PeopleAgreement
    change: Change | None


@dataclass(frozen=True, slots=True)
class JudgeFigures(Result):
    """One judge beside people, apart from its headroom.

    Attributes
    ----------
    noise : NoiseShare or None
        From the newest run that asked it the same again; None where there is none.
    noise_run : int or None
    """

    stand_in: AlternativeAnnotator
    noise: NoiseShare | None
    noise_run: int | None


@dataclass(frozen=True, slots=True)
class CeilingFigures(Result):
    """All that is computed for one selection; made once for the same data and then kept.

    Attributes
    ----------
    itself : Against
        People against what they said before, on claims that they were shown again.
    more : MoreLabels
        How many more claims kappa of people against one another takes.
    groupings : tuple of Grouping
        By kind, severity and collection, where the claims are not all of one.
    periods, guides : tuple of PeriodRow
        A claim counts where its newest label was given; under a guide version if all its labels were.
    n_before, n_mixed, n_without_guide : int
        Labelled claims that are in none of the rows: older than the first period, with labels made under several guide
        versions, or under one that is not known.
    """

    people: PeopleAgreement
    itself: Against
    more: MoreLabels
    groupings: tuple[Grouping, ...]
    periods: tuple[PeriodRow, ...]
    n_before: int
    guides: tuple[PeriodRow, ...]
    n_mixed: int
    n_without_guide: int


@dataclass(frozen=True, slots=True)
class CeilingReport:
    """The ceiling of one selection of one project.

    Attributes
    ----------
    comparison : ComparisonReport
        Judges beside people: their headroom on both references.
    judges : dict of int to JudgeFigures
        By the judge version's key.
    """

    project: Project
    selection: Selection
    by: By
    comparison: ComparisonReport
    figures: CeilingFigures
    judges: dict[int, JudgeFigures]

    @property
    def rows(self) -> tuple[tuple[JudgeRow, JudgeFigures], ...]:
        return tuple((row, self.judges[row.version.pk]) for row in self.comparison.rows)


def report_ceiling(project: Project, selection: Selection, *, by: By = "month") -> CeilingReport:
    """Report how well people agree on the selected claims, and how far the newest version of each judge is from it."""
    stamp = ceiling_stamp(project, selection)
    versions = newest_of_each(list(judged_versions(project)))
    comparison = compare_versions(project, selection, versions=versions, stamp=stamp)

    about = (project, selection, versions, stamp)

    def kept(name: str, make: Callable[[], T]) -> T:
        return remembered(stamp, f"{name} {selection!r}", make, may_lag=True)

    ids = [version.pk for version in versions]
    figures = kept(f"ceiling by {by} {ids}", partial(_make_figures, *about, by))
    stand_ins = kept(f"stand-ins {ids}", partial(_make_stand_ins, *about))
    repeated = _repetitions(versions)
    judges = {}
    for version in versions:
        noise = run = None
        if version.pk in repeated:
            # The data stamp does not look at tests of a judge, so the last word of this one stands in the name.
            run, last = repeated[version.pk]
            noise = kept(f"noise {run.pk} {last}", partial(_make_noise, *about, run))
        judges[version.pk] = JudgeFigures(stand_ins[version.pk], noise, None if run is None else run.pk)
    return CeilingReport(project, selection, by, comparison, figures, judges)


def ceiling_stamp(project: Project, selection: Selection) -> str:
    """The stamp of the comparison; where days narrow the answers, one that knows their days too."""
    data = data_stamp(project)
    return report_stamp(project, data) if selection.since or selection.until else data


def _make_figures(
    project: Project, selection: Selection, versions: Sequence[JudgeVersion], stamp: str, by: By
) -> CeilingFigures:
    everything = remembered(stamp, "rows", lambda: read_rows(project))
    columns = remembered_beside(
        everything.claim, stamp, "ceiling rows", lambda: read_ceiling_rows(project, everything.claim)
    )
    rows = selected_rows(project, selection, versions, stamp)
    more = columns.at(places_of(everything.claim, rows.claim))

    def people(kept: BoolArray, *, least: int = LEAST_SHARED) -> PeopleAgreement:
        if least > 1 and kept.all():
            return everybody
        return people_agreement(
            rows.answer[kept],
            rows.labels[:, kept],
            least=least,
            partial_is_unsupported=project.partial_is_unsupported,
            rule=RULES[project.consensus_rule],
        )

    def judges(kept: BoolArray) -> dict[str, LikeWithLike]:
        return judges_beside_people(
            rows.answer[kept],
            rows.labels[:, kept],
            {str(column.version_id): column.verdict[kept] for column in rows.judges},
            least=LEAST_SHARED,
            partial_is_unsupported=project.partial_is_unsupported,
        )

    everybody = people(np.ones(len(rows.claim), dtype=np.bool_), least=1)
    claim, first, later = more.twice(rows)
    periods, n_before = _periods(more, people, by=by)
    labelled = (rows.labels != MISSING).any(axis=0)
    return CeilingFigures(
        people=everybody,
        itself=people_again(rows.answer[claim], first, later, partial_is_unsupported=project.partial_is_unsupported),
        more=more_for_figure(everybody.individual.ceiling.people.kappa_four, half_width=HALF_WIDTH),
        groupings=_groupings(more, lambda value, kept: GroupRow(filter_value(value), people(kept), judges(kept))),
        periods=periods,
        n_before=n_before,
        guides=_with_changes(
            [(f"guide v{number}", more.guide == number) for number in np.unique(more.guide).tolist() if number > 0],
            people,
        ),
        n_mixed=int((labelled & (more.guide == MIXED)).sum()),
        n_without_guide=int((labelled & (more.guide == MISSING)).sum()),
    )


def _groupings(more: CeilingRows, row: Callable[[str, BoolArray], GroupRow]) -> tuple[Grouping, ...]:
    ways = [
        ("kind", [(value, more.kind == value) for value in (*ClaimKind.values, "")]),
        ("severity", [(value, more.severity == value) for value in (*Severity.values, "")]),
        ("collection", [(name, more.of_collection(code)) for code, name in enumerate(more.collections)]),
    ]
    made = []
    for name, groups in ways:
        found = [(value, kept) for value, kept in groups if kept.any()]
        if len(found) < 2:  # one group is all claims, whose figures stand above
            continue
        if name == "collection":
            found.sort(key=lambda group: (-int(group[1].sum()), group[0]))
        rows = tuple(row(value, kept) for value, kept in found[:MOST_COLLECTIONS])
        made.append(Grouping(name, rows, len(found)))
    return tuple(made)


def _periods(
    more: CeilingRows, people: Callable[[BoolArray], PeopleAgreement], *, by: By
) -> tuple[tuple[PeriodRow, ...], int]:
    """People in each period, and how many claims are older than the first one that is shown."""
    dated = more.moment[~np.isnat(more.moment)]
    if not len(dated):
        return (), 0
    first, last = (moment.astype(object).replace(tzinfo=UTC) for moment in (dated.min(), dated.max()))
    periods = calendar_periods(by, first, last)[-MOST_PERIODS:]
    place = places_in(periods, more.moment)
    groups = [(period.name, place == code) for code, period in enumerate(periods)]
    return _with_changes(groups, people), int((~np.isnat(more.moment) & (place < 0)).sum())


def _with_changes(
    groups: Sequence[tuple[str, BoolArray]], people: Callable[[BoolArray], PeopleAgreement]
) -> tuple[PeriodRow, ...]:
    """People in each group, beside the one before it."""
    made = [(name, people(kept)) for name, kept in groups]
    found = {change.period: change for change in changes([one.individual.ceiling.people.kappa_four for _, one in made])}
    return tuple(PeriodRow(name, one, found.get(place)) for place, (name, one) in enumerate(made))


def _repetitions(versions: Sequence[JudgeVersion]) -> dict[int, tuple[Run, int]]:
    """The newest run that asked each version the same again and got a word, with the key of the last one."""
    said = Judgement.objects.filter(run__judge_version__in=versions, run__probe=Run.Probe.REPETITION)
    last = dict(said.order_by().values_list("run_id").annotate(Max("id")))
    runs = Run.objects.filter(pk__in=last).order_by("id")
    return {run.judge_version_id: (run, last[run.pk]) for run in runs}


def _make_stand_ins(
    project: Project, selection: Selection, versions: Sequence[JudgeVersion], stamp: str
) -> dict[int, AlternativeAnnotator]:
    """The test of every judge, by the key of its version."""
    rows = selected_rows(project, selection, versions, stamp)
    made = alternative_annotators(
        rows.answer, rows.labels, {str(column.version_id): column.verdict for column in rows.judges}
    )
    return {int(key): test for key, test in made.items()}


def _make_noise(
    project: Project, selection: Selection, versions: Sequence[JudgeVersion], stamp: str, run: Run
) -> NoiseShare:
    """The noise of a judge from a run that asked the same again: beside it, what the version said before."""
    rows = selected_rows(project, selection, versions, stamp)
    before = {claim: said for claim, (said, _) in said_before(run).items()}
    again = run.judgements.filter(replaced=False, outcome__in=ANSWERED).values_list("claim_id", "verdict")
    return noise_share(
        rows.answer,
        rows.labels,
        _spread(rows, before),
        _spread(rows, dict(again)),
        partial_is_unsupported=project.partial_is_unsupported,
    )


def _spread(rows: Rows, said: dict[int, str]) -> IntArray:
    """What was said of each claim as codes; no opinion is no verdict, and -1 where nothing was said."""
    codes = {claim: VERDICT_CODE.get(verdict, NO_JUDGEMENT) for claim, verdict in said.items()}
    return np.array([codes.get(claim, MISSING) for claim in rows.claim.tolist()], dtype=np.int64)
