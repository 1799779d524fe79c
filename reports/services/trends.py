"""The figures of the groundedness report by period, and which of their changes are more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import BoolArray
from calibration.results import Figure, Result
from calibration.trend import Change, changes
from calibration.verdicts import MISSING, NO_JUDGEMENT
from judges.models import JudgeVersion
from labelling.models import Answer, Project
from reports.bridge import read_judgements
from reports.models import Release
from reports.selection import BOTH_SPLITS, Selection, stored_value
from reports.services.groundedness import (
    JUDGE,
    PEOPLE,
    ChosenRows,
    certificate_words,
    chosen_rows,
    selected_answers,
)
from reports.services.pair_trends import PairTrend, pair_trends
from reports.services.periods import By, Period, calendar_periods, places_in, release_periods, stamp_of
from reports.services.releases import releases_of
from reports.stamps import data_stamp, remembered, report_stamp

PREDICTION_POWERED, ROGAN_GLADEN = "prediction_powered", "rogan_gladen"
CORRECTED = (PREDICTION_POWERED, ROGAN_GLADEN)
"""Origins besides those of the report: the judge's shares, corrected by what people said in the same period."""
FIGURES_OF_PEOPLE = "inventions."
"""Figures of which a judge says nothing, by how their names begin."""
NO_ANSWERS = "no answers in this period"


@dataclass(frozen=True, slots=True)
class PeriodCounts(Result):
    """What the figures of one period rest on.

    Attributes
    ----------
    n_answers, n_claims, n_cited : int
        Answers made in it; their claims, targeted ones left out; those of them with a citation.
    n_settled, n_settled_answers, n_without_verdict : int
        Cited claims with a verdict or an outcome without one; answers that have one; and these outcomes.
    """

    n_answers: int
    n_claims: int
    n_cited: int
    n_settled: int
    n_settled_answers: int
    n_without_verdict: int


@dataclass(frozen=True, slots=True)
class TrendFigures(Result):
    """Figures of one origin by period; made once for the same data and then kept.

    Attributes
    ----------
    origin : "people", "judge", "prediction_powered" or "rogan_gladen"
    figures : mapping of str to tuple of Figure
        By the name of the figure, one a period.
    n_untimed, n_earlier, n_other_split : int
        Answers without a time, those before the first period shown, and those of the other split: they are in no figure.
    pairs : tuple of PairTrend
        Each system and task type by itself, where there are several.
    """

    origin: str
    periods: tuple[Period, ...]
    counts: tuple[PeriodCounts, ...]
    figures: Mapping[str, tuple[Figure, ...]]
    n_answers: int
    n_untimed: int
    n_earlier: int
    n_other_split: int
    pairs: tuple[PairTrend, ...]


@dataclass(frozen=True)
class TrendReport:
    """The trend of one selection of one project, ready to be shown in any form."""

    project: Project
    selection: Selection
    by: By
    version: JudgeVersion | None
    certificate: str
    figures: TrendFigures
    releases: tuple[Release, ...]
    now: datetime

    @cached_property
    def changes(self) -> dict[str, tuple[Change, ...]]:
        """Each figure's periods beside the ones before them."""
        return {name: changes(figures) for name, figures in self.figures.figures.items()}

    @property
    def compared(self) -> list[Change]:
        return [change for found in self.changes.values() for change in found]

    @property
    def compared_pairs(self) -> list[Change]:
        return [change for pair in self.figures.pairs for change in pair.changes.values() if change is not None]

    @property
    def n_flagged(self) -> int:
        return sum(change.flagged for change in self.compared)

    @property
    def n_clear(self) -> int:
        return sum(change.flagged and change.clear for change in self.compared)

    def is_so_far(self, period: Period) -> bool:
        """Whether the period is not over yet."""
        return period.holds(self.now)


def report_trends(
    project: Project,
    selection: Selection,
    *,
    by: By = "week",
    version: JudgeVersion | None = None,
    origin: str = "",
    now: datetime,
) -> TrendReport:
    """Report how the figures of the selected answers moved over time.

    Parameters
    ----------
    project, selection
        Whose answers, and which. By release, the selection names one system.
    by : {"week", "month", "release"}
        An answer is in the period in which it was made.
    version : JudgeVersion, optional
        The judge to read.
    origin : {"", "people", "judge", "prediction_powered", "rogan_gladen"}
        Whose verdicts, or which correction; where empty, people's if they gave any, else the judge's.
    now : datetime
        Decides only which period is not over yet.
    """
    system = stored_value(selection.system) if selection.system else None
    releases = tuple(releases_of(project, system))
    edges = tuple((release.name, release.at) for release in releases) if by == "release" else ()
    data = data_stamp(project)
    stamp = report_stamp(project, data)
    asked = version.pk if version is not None else None
    figures = remembered(
        stamp,
        f"trends {selection!r} {by} {edges!r} {asked} {origin}",
        partial(_make_figures, project, selection, by, edges, version, origin, stamps=(data, stamp)),
        may_lag=True,
    )
    return TrendReport(project, selection, by, version, certificate_words(version), figures, releases, now)


def _make_figures(
    project: Project,
    selection: Selection,
    by: By,
    edges: tuple[tuple[str, datetime], ...],
    version: JudgeVersion | None,
    origin: str,
    *,
    stamps: tuple[str, str],
) -> TrendFigures:
    chosen = chosen_rows(project, selection, stamps=stamps)
    verdict = chosen.rows.gold
    if version is not None and (
        origin not in ("", PEOPLE) or (not origin and not _settled_answers(chosen, verdict).any())
    ):
        (column,) = read_judgements(chosen.rows.claim, [version.pk])
        origin, verdict = origin or JUDGE, column.verdict
    else:
        origin = PEOPLE
    made = _moments(project, chosen.more.answer)
    timed = made[chosen.answers & ~np.isnat(made)]
    periods = release_periods(edges) if by == "release" else ()
    if by != "release" and len(timed):
        periods = calendar_periods(by, _as_datetime(timed.min()), _as_datetime(timed.max()))
    place = places_in(periods, made)
    within = [chosen.of(place == code) for code in range(len(periods))]
    found = [_figures_of(part, verdict, origin) for part in within]
    # Where a period has no answers it has no figures to name; another one has.
    names = next((list(figures) for figures in found if figures), [])
    empty = Figure.undefined(NO_ANSWERS)
    everyone = selected_answers(project, chosen.more, replace(selection, split=BOTH_SPLITS))
    return TrendFigures(
        origin=origin,
        periods=periods,
        counts=tuple(_counts_of(part, verdict) for part in within),
        figures={name: tuple(figures.get(name, empty) for figures in found) for name in names},
        n_answers=int(chosen.answers.sum()),
        n_untimed=int((chosen.answers & np.isnat(made)).sum()),
        n_earlier=int((timed < stamp_of(periods[0].start)).sum()) if periods else 0,
        n_other_split=int((everyone & ~chosen.answers).sum()),
        pairs=pair_trends(
            chosen, place, _settled_answers(chosen, verdict), lambda part: _figures_of(part, verdict, origin)
        ),
    )


def _figures_of(part: ChosenRows, verdict: NDArray[np.int8], origin: str) -> dict[str, Figure]:
    if not part.answers.any():
        return {}
    if origin in CORRECTED:
        return {name: getattr(shares, origin) for name, shares in part.corrected(verdict).items()}
    found = part.figures(verdict).named()
    if origin == PEOPLE:
        return found
    return {name: figure for name, figure in found.items() if not name.startswith(FIGURES_OF_PEOPLE)}


def _counts_of(part: ChosenRows, verdict: NDArray[np.int8]) -> PeriodCounts:
    claims = part.kept & ~part.rows.targeted
    said = verdict[claims & part.more.cited]
    return PeriodCounts(
        n_answers=int(part.answers.sum()),
        n_claims=int(claims.sum()),
        n_cited=len(said),
        n_settled=int((said != MISSING).sum()),
        n_settled_answers=int(_settled_answers(part, verdict).sum()),
        n_without_verdict=int((said == NO_JUDGEMENT).sum()),
    )


def _settled_answers(chosen: ChosenRows, verdict: NDArray[np.int8]) -> BoolArray:
    """Answers with a cited claim that has a verdict or an outcome without one."""
    claims = chosen.kept & chosen.more.cited & ~chosen.rows.targeted & (verdict != MISSING)
    return np.isin(chosen.more.answer, chosen.rows.answer[claims])


def _moments(project: Project, answer: NDArray[np.int64]) -> NDArray[np.datetime64]:
    """When each answer was made, UTC; NaT where it is not known."""
    made = np.full(len(answer), np.datetime64("NaT", "us"), dtype="datetime64[us]")
    timed = Answer.objects.filter(project=project, created__isnull=False).order_by()
    for pk, created in timed.values_list("pk", "created").iterator(10_000):
        place = int(np.searchsorted(answer, pk))
        if place < len(answer) and answer[place] == pk:
            made[place] = stamp_of(created)
    return made


def _as_datetime(moment: np.datetime64) -> datetime:
    plain = moment.astype("datetime64[us]").item()
    assert isinstance(plain, datetime)
    return plain.replace(tzinfo=UTC)
