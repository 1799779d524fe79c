"""The groundedness report of a project: from people, from one judge as it reads, and from that judge corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import BoolArray, IntArray
from calibration.corrected_share import CorrectedShare, corrected_shares
from calibration.groundedness import Groundedness, GroundednessInput, groundedness, whole_answers
from calibration.grouped import GroupScore, worst_groups
from calibration.results import Figure, Result
from calibration.verdicts import ABSENT, CONTRADICTED, MISSING, NO_JUDGEMENT, STATED, unsupported_classes
from judges.models import JudgeVersion
from labelling.models import Project, Source, Split
from reports.answer_rows import AnswerRows, read_answer_rows
from reports.bridge import Rows, read_judgements, read_rows, selected_ids
from reports.selection import BOTH_SPLITS, Selection, stored_value
from reports.services.certificates import certificate_of
from reports.stamps import data_stamp, remembered, remembered_beside, report_stamp

PEOPLE, JUDGE = "people", "judge"
ONLY_CITED = "the filter by collection leaves out claims without a citation"


@dataclass(frozen=True, slots=True)
class JudgedFigures(Result):
    """What one judge version says.

    Attributes
    ----------
    worst, left_out : Groundedness
        Outcomes without a verdict counted as unsupported, and left out.
    corrected : mapping of str to CorrectedShare
        By the name of the figure; those of people on the same selection correct it.
    n_judged : int
        Cited claims that it was asked about.
    """

    worst: Groundedness
    left_out: Groundedness
    corrected: Mapping[str, CorrectedShare]
    n_judged: int


@dataclass(frozen=True, slots=True)
class PairRow(Result):
    """One system on one task type."""

    system: str
    task_type: str
    figures: Groundedness


@dataclass(frozen=True, slots=True)
class PlaceRow(Result):
    """One collection or source, and how its claims fare."""

    name: str
    title: str
    collection: str
    score: GroupScore


@dataclass(frozen=True, slots=True, eq=False)
class Failing(Result):
    """Claims that fail, by their ids, the worst first.

    Attributes
    ----------
    miscited, unresolvable, uncited : int array
        Cite a source that is there and does not support them; cite nothing that is there, and are not supported; cite
        nothing. Targeted ones too: they are in no rate, but a find is a find.
    n_targeted_miscited : int
    """

    miscited: IntArray
    unresolvable: IntArray
    uncited: IntArray
    n_targeted_miscited: int

    def in_order(self) -> IntArray:
        return np.concatenate([self.miscited, self.unresolvable, self.uncited])


@dataclass(frozen=True, slots=True)
class GroundednessFigures(Result):
    """All that is computed for one selection and one judge; made once for the same data and then kept.

    Attributes
    ----------
    origin : "people" or "judge"
        Whose verdicts the rows, places and failing claims are from.
    n_collections, n_sources : int
        How many there are, of which the worst are listed.
    """

    people: Groundedness
    judged: JudgedFigures | None
    origin: str
    by_system: tuple[PairRow, ...]
    by_collection: tuple[PlaceRow, ...]
    by_source: tuple[PlaceRow, ...]
    n_collections: int
    n_sources: int
    failing: Failing
    n_other_split: int

    @property
    def shown(self) -> Groundedness:
        """The figures of the origin, failures of a judge counted as unsupported."""
        return self.people if self.origin == PEOPLE or self.judged is None else self.judged.worst


@dataclass(frozen=True, slots=True)
class GroundednessReport:
    """A report on one selection of one project, ready to be shown in any form."""

    project: Project
    selection: Selection
    version: JudgeVersion | None
    certificate: str
    figures: GroundednessFigures


def report_groundedness(
    project: Project, selection: Selection, *, version: JudgeVersion | None = None, origin: str = ""
) -> GroundednessReport:
    """Report how grounded the selected answers are.

    Parameters
    ----------
    project, selection
        Whose answers, and which; the filters by kind and severity narrow the claims.
    version : JudgeVersion, optional
        The judge to read and to correct beside people.
    origin : {"", "people", "judge"}
        Whose verdicts the tables and examples are from; where empty, people's if they gave any, else the judge's.
    """
    data = data_stamp(project)
    stamp = report_stamp(project, data)
    asked = version.pk if version is not None else None
    figures = remembered(
        stamp,
        f"groundedness {selection!r} {asked} {origin}",
        partial(_make_figures, project, selection, version, origin, stamps=(data, stamp)),
        may_lag=True,
    )
    return GroundednessReport(project, selection, version, certificate_words(version), figures)


def certificate_words(version: JudgeVersion | None) -> str:
    """Whether the judge's figures may be relied on. The one place that asks for its certificate."""
    return "" if version is None else certificate_of(version).words


def _make_figures(
    project: Project, selection: Selection, version: JudgeVersion | None, origin: str, *, stamps: tuple[str, str]
) -> GroundednessFigures:
    chosen = chosen_rows(project, selection, stamps=stamps)
    rows, more = chosen.rows, chosen.more
    people = chosen.figures(rows.gold)
    verdict = rows.gold
    judged = None
    if version is not None:
        (column,) = read_judgements(rows.claim, [version.pk])
        judged = chosen.judged(column.verdict)
    if judged is not None and (origin == JUDGE or (not origin and people.n_settled == 0)):
        origin, verdict = JUDGE, column.verdict
    else:
        origin = PEOPLE
    if selection.collection:
        people, judged = _without_coverage(people), _judged_without_coverage(judged)
    by_collection, n_collections = chosen.places(verdict, more.collection)
    by_source, n_sources = chosen.places(verdict, more.source)
    return GroundednessFigures(
        people=people,
        judged=judged,
        origin=origin,
        by_system=chosen.pairs(verdict),
        by_collection=_named_collections(by_collection, more),
        by_source=_named_sources(by_source),
        n_collections=n_collections,
        n_sources=n_sources,
        failing=chosen.failing(verdict),
        n_other_split=int(
            selected_answers(project, more, replace(selection, split=BOTH_SPLITS)).sum() - chosen.answers.sum()
        ),
    )


def selected_answers(project: Project, more: AnswerRows, selection: Selection) -> BoolArray:
    """Which answers a selection picks, those without claims too."""
    kept = np.ones(len(more.answer), dtype=np.bool_)
    if selection.split != BOTH_SPLITS:
        kept &= more.test == (selection.split == Split.TEST)
    for place, wanted in enumerate((selection.system, selection.task_type)):
        if wanted:
            codes = [code for code, pair in enumerate(more.pairs) if pair[place] == stored_value(wanted)]
            kept &= np.isin(more.pair, codes)
    if selection.since or selection.until:
        made = selection.made_between(project).order_by().values_list("pk", flat=True)
        kept &= np.isin(more.answer, np.fromiter(made.iterator(10_000), dtype=np.int64))
    return kept


def chosen_rows(project: Project, selection: Selection, *, stamps: tuple[str, str]) -> ChosenRows:
    """Read what a selection picks; `stamps` are the data stamp and the report stamp that rows are kept under."""
    rows = remembered(stamps[0], "rows", lambda: read_rows(project))
    more = remembered_beside(
        rows.claim, stamps[1], "answer rows", lambda: read_answer_rows(project, rows.claim, rows.answer)
    )
    kept = np.isin(rows.claim, selected_ids(project, selection), assume_unique=True)
    answers = selected_answers(project, more, selection)
    if selection.collection:
        answers &= np.isin(more.answer, rows.answer[kept])
    return ChosenRows(rows, more, kept, answers, partial=project.partial_is_unsupported)


class ChosenRows:
    """The claims and answers of a selection, and figures of them for any column of verdicts."""

    def __init__(self, rows: Rows, more: AnswerRows, kept: BoolArray, answers: BoolArray, *, partial: bool) -> None:
        self.rows, self.more, self.kept, self.answers, self.partial = rows, more, kept, answers, partial

    def of(self, answers: BoolArray) -> ChosenRows:
        """Narrow to some answers, and to their claims."""
        answers = self.answers & answers
        kept = self.kept & np.isin(self.rows.answer, self.more.answer[answers])
        return ChosenRows(self.rows, self.more, kept, answers, partial=self.partial)

    def data(self, verdict: NDArray[np.int8]) -> GroundednessInput:
        rows, more = self.rows, self.more
        claims, whole = self.kept, self.answers
        return GroundednessInput(
            answer=rows.answer[claims],
            verdict=verdict[claims].astype(np.int64),
            cited=more.cited[claims],
            resolvable=more.resolvable[claims],
            targeted=rows.targeted[claims],
            severity=more.severity[claims],
            invention=more.invention[claims],
            superseded=more.superseded[claims],
            answers=more.answer[whole],
            correct=more.correct[whole],
            in_retrieved=more.in_retrieved[whole],
            abstained=more.abstained[whole],
            should_abstain=more.should_abstain[whole],
        )

    def figures(self, verdict: NDArray[np.int8]) -> Groundedness:
        return groundedness(self.data(verdict), partial_is_unsupported=self.partial)

    def judged(self, verdict: NDArray[np.int8]) -> JudgedFigures:
        data = self.data(verdict)
        worst = groundedness(data, partial_is_unsupported=self.partial)
        left_out = (
            groundedness(data, partial_is_unsupported=self.partial, without_verdict="left out")
            if worst.n_without_verdict
            else replace(worst, without_verdict="left out")
        )
        return JudgedFigures(worst, left_out, self.corrected(verdict), worst.n_settled)

    def corrected(self, verdict: NDArray[np.int8]) -> dict[str, CorrectedShare]:
        """Shares of the judge with its errors taken out by what people said of the same claims, by name."""
        data, gold = self.data(verdict), self.data(self.rows.gold)
        bad = np.append(unsupported_classes(self.partial), [True, False])
        cited = data.cited & ~data.targeted

        def column(hit: BoolArray, verdict: NDArray[np.integer], where: BoolArray) -> IntArray:
            return np.where(where & (verdict != MISSING), hit, MISSING).astype(np.int64)

        def both(hit: BoolArray, hit_gold: BoolArray, where: BoolArray) -> tuple[IntArray, IntArray]:
            return column(hit_gold, gold.verdict, where), column(hit, data.verdict, where)

        claims = corrected_shares(
            data.answer,
            {
                "claim_level": both(data.verdict == STATED, gold.verdict == STATED, cited),
                "entailment": both(~bad[data.verdict], ~bad[gold.verdict], cited),
                "miscitation": both(bad[data.verdict], bad[gold.verdict], cited & data.resolvable),
            },
        )
        n = int((~data.targeted).sum())
        claims["claim_level"] = _times(claims["claim_level"], int(cited.sum()) / n if n else 0.0)
        return claims | _corrected_answers(data, gold)

    def pairs(self, verdict: NDArray[np.int8]) -> tuple[PairRow, ...]:
        rows = []
        for code, (system, task_type) in enumerate(self.more.pairs):
            of_pair = self.of(self.more.pair == code)
            if of_pair.answers.any():
                rows.append(PairRow(system, task_type, of_pair.figures(verdict)))
        return tuple(rows)

    def places(self, verdict: NDArray[np.int8], group: NDArray[np.int64]) -> tuple[tuple[GroupScore, ...], int]:
        """The worst collections or sources, and how many there are: a claim counts once in each that it cites."""
        said = self.kept & ~self.rows.targeted & (verdict != MISSING)
        rows = said[self.more.citing]
        each = np.unique(np.stack([self.more.citing[rows], group[rows]]), axis=1)
        claim, where = each[0], each[1]
        scores = worst_groups(
            self.rows.answer[claim], verdict[claim].astype(np.int64), where, partial_is_unsupported=self.partial
        )
        return scores, len(np.unique(where))

    def failing(self, verdict: NDArray[np.int8]) -> Failing:
        rows, more = self.rows, self.more
        bad = np.append(unsupported_classes(self.partial), [False, False])[verdict]
        worst = np.full(NO_JUDGEMENT + 2, 2)
        worst[CONTRADICTED], worst[ABSENT] = 0, 1
        order = np.lexsort((rows.claim, worst[verdict], more.severity != 0))

        def ids(where: BoolArray) -> IntArray:
            return rows.claim[order[(where & self.kept)[order]]]

        miscited = bad & more.cited & more.resolvable
        return Failing(
            miscited=ids(miscited),
            unresolvable=ids(bad & more.cited & ~more.resolvable),
            uncited=ids(~more.cited),
            n_targeted_miscited=int((miscited & self.kept & rows.targeted).sum()),
        )


def _corrected_answers(data: GroundednessInput, gold: GroundednessInput) -> dict[str, CorrectedShare]:
    """Corrected shares of answers: one item an answer, those that are judged as a whole."""
    judged, labelled = whole_answers(data), whole_answers(gold)
    place = np.searchsorted(labelled.answer, judged.answer)
    there = np.isin(judged.answer, labelled.answer)

    def both(hit: BoolArray, hit_gold: BoolArray) -> tuple[IntArray, IntArray]:
        people = np.full(len(hit), MISSING, dtype=np.int64)
        people[there] = hit_gold[place[there]]
        return people, hit.astype(np.int64)

    return corrected_shares(
        judged.answer,
        {
            "answer_level": both(judged.grounded, labelled.grounded),
            "invention_rate": both(judged.invented, labelled.invented),
        },
    )


def _times(shares: CorrectedShare, cited: float) -> CorrectedShare:
    """A share of the cited claims as a share of all: how many are cited is counted, not estimated."""

    def scaled(figure: Figure) -> Figure:
        ends = [None if end is None else end * cited for end in (figure.value, figure.low, figure.high)]
        return replace(figure, value=ends[0], low=ends[1], high=ends[2])

    return replace(
        shares, rogan_gladen=scaled(shares.rogan_gladen), prediction_powered=scaled(shares.prediction_powered)
    )


def _without_coverage(figures: Groundedness) -> Groundedness:
    undefined = Figure.undefined(ONLY_CITED)
    return replace(figures, coverage=undefined, grounding_score=undefined)


def _judged_without_coverage(judged: JudgedFigures | None) -> JudgedFigures | None:
    if judged is None:
        return None
    return replace(judged, worst=_without_coverage(judged.worst), left_out=_without_coverage(judged.left_out))


def _named_collections(scores: tuple[GroupScore, ...], more: AnswerRows) -> tuple[PlaceRow, ...]:
    return tuple(PlaceRow(more.collections[score.group], "", more.collections[score.group], score) for score in scores)


def _named_sources(scores: tuple[GroupScore, ...]) -> tuple[PlaceRow, ...]:
    found = Source.objects.in_bulk([score.group for score in scores])
    return tuple(
        PlaceRow(source.external_id, source.title, source.collection, score)
        for score in scores
        if (source := found.get(score.group)) is not None
    )
