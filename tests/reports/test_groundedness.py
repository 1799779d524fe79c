"""The groundedness report from stored rows: what is counted, from whom, and that it is made anew when it should be."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from calibration.corrected_share import ALL_LABELLED, NOT_LABELLED
from calibration.results import Figure
from labelling.models import Answer, AnswerLabel, Claim, Label, Project, Source, Split
from reports.selection import Selection
from reports.services.failing_claims import MISCITED, UNCITED, UNRESOLVABLE, failing_claims
from reports.services.groundedness import GroundednessReport, report_groundedness
from reports.stamps import data_stamp, report_stamp
from tests.factories import make_adjudication, make_claim, make_claims, make_label, make_member, make_project
from tests.reports.groundedness_rows import grounded_project, judged_by, label_answer
from tests.reports.rows import labelled_claims, make_run, make_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def shares(figure: Figure) -> tuple[int | None, int]:
    return figure.k, figure.n


def names(report: GroundednessReport, ids: object) -> list[str]:
    wanted = list(ids)  # type: ignore[call-overload]  # an array of ids
    found = dict(Claim.objects.filter(project=report.project).values_list("pk", "external_id"))
    return [found[claim_id] for claim_id in wanted]


def test_people_give_every_figure_of_the_report() -> None:
    people = report_groundedness(grounded_project(), Selection()).figures.people
    assert shares(people.claim_level) == (3, 6)
    assert shares(people.answer_level) == (1, 3)
    assert shares(people.invention_rate) == (1, 3)
    assert shares(people.coverage) == (5, 6)
    assert shares(people.entailment) == (3, 5)
    assert shares(people.miscitation) == (1, 4)
    assert shares(people.unresolvable) == (1, 5)
    assert people.grounding_score.value == pytest.approx(2 * (5 / 6) * 0.6 / (5 / 6 + 0.6))
    assert shares(people.unsupported_critical) == (1, 1)
    assert people.unsupported_weighted.value == pytest.approx((3 + 1) / (3 + 3 + 1))
    assert shares(people.inventions["plausible-specific"]) == (2, 2)
    assert {name: figure.k for name, figure in people.quadrants.items()} == {
        "goal": 1,
        "source is wrong": 0,
        "right by luck": 0,
        "invention": 2,
    }
    assert shares(people.abstention) == (1, 1)
    assert people.over_abstention.value is None
    assert shares(people.retrieval_failure) == (1, 2)
    assert shares(people.generation_failure) == (1, 2)
    assert shares(people.superseded) == (1, 3)


def test_systems_and_task_types_have_rows_of_their_own_and_filters_narrow_to_them() -> None:
    project = grounded_project()
    rows = report_groundedness(project, Selection()).figures.by_system
    assert [(row.system, row.task_type, shares(row.figures.claim_level)) for row in rows] == [
        ("bot", "returns", (0, 2)),
        ("desk", "refunds", (1, 2)),
        ("desk", "returns", (2, 2)),
    ]
    narrowed = report_groundedness(project, Selection(system="desk", task_type="refunds")).figures
    assert shares(narrowed.people.miscitation) == (1, 2)
    assert narrowed.people.n_answers == 1


def test_a_collection_leaves_no_coverage_to_speak_of() -> None:
    figures = report_groundedness(grounded_project(), Selection(collection="archive")).figures
    assert shares(figures.people.entailment) == (1, 2)
    assert figures.people.coverage.value is None
    assert "filter by collection" in figures.people.grounding_score.reason
    assert figures.people.n_answers == 2


def test_a_bad_archive_comes_first_with_its_verdicts() -> None:
    project = make_project()
    people = [make_member(project)]
    for verdict, collection in (("stated", "help"), ("absent", "archive")):
        claims = labelled_claims(project, [verdict] * 12, people=people)
        Source.objects.filter(citations__claim__in=claims).update(collection=collection)
    figures = report_groundedness(project, Selection()).figures
    assert [(row.name, shares(row.score.unsupported)) for row in figures.by_collection] == [
        ("archive", (12, 12)),
        ("help", (0, 12)),
    ]
    assert figures.by_collection[0].score.verdicts == (0, 0, 12, 0, 0)
    assert figures.n_sources == 2
    assert figures.by_source[0].collection == "archive"


def test_miscitations_come_first_then_citations_of_nothing_then_claims_without_one() -> None:
    report = report_groundedness(grounded_project(), Selection())
    failing = report.figures.failing
    assert names(report, failing.in_order()) == ["c4", "c5", "c6"]
    found = failing_claims(report, failing.in_order().tolist())
    assert [claim.kind for claim in found] == [MISCITED, UNRESOLVABLE, UNCITED]
    first = found[0]
    assert (first.verdict, first.basis) == ("contradicted", "1 of 1 labels")
    assert first.quotes == ("Returns are accepted within 14 days.",)
    assert first.shown.excerpts[0].cited == "Returns are accepted within 14 days."
    assert "Sale items" in first.shown.excerpts[0].after


def test_critical_and_contradicted_miscitations_are_in_front() -> None:
    project = make_project()
    labelled_claims(project, ["absent", "contradicted", "partial"], severity="minor")
    labelled_claims(project, ["absent"], people=[make_member(project)], severity="critical")
    report = report_groundedness(project, Selection())
    claims = Claim.objects.in_bulk()
    read = [claims[claim_id] for claim_id in report.figures.failing.miscited.tolist()]
    verdicts = [claim.labels.first().verdict for claim in read]  # type: ignore[union-attr]  # each has labels
    assert [(claim.severity, verdict) for claim, verdict in zip(read, verdicts, strict=True)] == [
        ("critical", "absent"),
        ("minor", "contradicted"),
        ("minor", "absent"),
        ("minor", "partial"),
    ]


def test_an_adjudication_outranks_the_labels_and_gives_its_note() -> None:
    project = grounded_project()
    owner = make_member(project, pseudonym="lead")
    make_adjudication(project.claims.get(external_id="c3"), owner, "partial", note="Only in part.")
    report = report_groundedness(project, Selection())
    found = {
        claim.shown.claim.external_id: claim
        for claim in failing_claims(report, report.figures.failing.miscited.tolist())
    }
    assert (found["c3"].verdict, found["c3"].basis, found["c3"].reason) == ("partial", "adjudicated", "Only in part.")


def test_targeted_claims_are_found_but_in_no_rate() -> None:
    project = grounded_project()
    project.claims.filter(external_id="c4").update(targeted=True)
    figures = report_groundedness(project, Selection()).figures
    assert shares(figures.people.miscitation) == (0, 3)
    assert figures.people.n_targeted == 1
    assert len(figures.failing.miscited) == figures.failing.n_targeted_miscited == 1
    assert shares(figures.people.answer_level) == (1, 2)


def test_a_judge_is_read_raw_with_failures_both_ways_and_marked_as_uncertified() -> None:
    project = grounded_project()
    said = {"c1": "stated", "c2": "failed", "c3": "stated", "c4": "stated", "c5": "absent"}
    version = judged_by(project, said, quote="within 14 days", reason="It says so.")
    report = report_groundedness(project, Selection(), version=version)
    judged = report.figures.judged
    assert judged is not None
    assert shares(judged.worst.entailment) == (3, 5)
    assert shares(judged.left_out.entailment) == (3, 4)
    assert judged.worst.n_without_verdict == 1
    assert report.certificate == "no certificate"
    assert report.figures.origin == "people"
    assert judged.corrected["entailment"].rogan_gladen.reason == ALL_LABELLED


def test_tables_and_claims_are_from_the_judge_where_that_is_asked_or_people_said_nothing() -> None:
    project = grounded_project()
    version = judged_by(project, {"c1": "absent", "c3": "stated"}, quote="within 14 days", reason="Not there.")
    asked = report_groundedness(project, Selection(), version=version, origin="judge")
    assert names(asked, asked.figures.failing.miscited) == ["c1"]
    (found,) = failing_claims(asked, asked.figures.failing.miscited.tolist())
    assert (found.verdict, found.basis, found.quotes, found.reason) == (
        "absent",
        "oracle v1",
        ("within 14 days",),
        "Not there.",
    )
    bare = make_project()
    claims = make_claims(bare, 4)
    version = make_version(bare)
    make_run(version, dict.fromkeys(claims, "absent"))
    report = report_groundedness(bare, Selection(), version=version)
    assert report.figures.origin == "judge"
    assert len(report.figures.failing.miscited) == 4
    assert report.figures.judged is not None
    assert report.figures.judged.corrected["entailment"].rogan_gladen.reason == NOT_LABELLED


def test_a_judge_is_corrected_by_what_people_said_of_the_same_claims() -> None:
    """A judge that misses every fifth unsupported claim, on traffic of which a third is labelled."""
    project = make_project()
    people = [make_member(project)]
    labelled_claims(project, (["stated"] * 3 + ["absent"]) * 15, people=people)
    make_claims(project, 120)
    claims = list(Claim.objects.order_by("pk"))
    said = {claim: "absent" if place % 4 == 3 and place % 20 != 3 else "stated" for place, claim in enumerate(claims)}
    version = make_version(project)
    make_run(version, said)
    report = report_groundedness(project, Selection(), version=version)
    judged = report.figures.judged
    assert judged is not None
    assert shares(judged.worst.entailment) == (144, 180)
    for name in ("entailment", "claim_level", "answer_level"):
        corrected = judged.corrected[name]
        assert (corrected.n_labelled, corrected.n_judged) == (60, 180)
        assert corrected.rogan_gladen.value == pytest.approx(0.75)
        assert corrected.rogan_gladen.low is not None
        assert corrected.prediction_powered.value == pytest.approx(0.75, abs=0.01)
    assert judged.corrected["miscitation"].rogan_gladen.value == pytest.approx(0.25)


def test_what_most_people_say_of_an_answer_counts_and_a_tie_is_not_known() -> None:
    project = grounded_project()
    others = [make_member(project, pseudonym=f"q{n}") for n in range(2)]
    for who in others:
        label_answer(project, "a1", who, correct=False)
    label_answer(project, "a2", others[0], correct=True)
    quadrants = report_groundedness(project, Selection()).figures.people.quadrants
    assert {name: figure.k for name, figure in quadrants.items()} == {
        "goal": 0,
        "source is wrong": 1,
        "right by luck": 0,
        "invention": 1,
    }


def test_the_newest_word_of_a_person_on_an_answer_counts() -> None:
    project = grounded_project()
    old = AnswerLabel.objects.get(answer__external_id="a1")
    AnswerLabel.objects.create(
        answer=old.answer, annotator=old.annotator, revision=2, correct=False, created=timezone.now()
    )
    quadrants = report_groundedness(project, Selection()).figures.people.quadrants
    assert quadrants["source is wrong"].k == 1


@pytest.mark.parametrize(
    ("made", "successor", "expected"),
    [
        (datetime(2026, 4, 1, tzinfo=UTC), "returns#8", (1, 3)),
        (datetime(2026, 2, 1, tzinfo=UTC), "returns#8", (0, 3)),
        (None, "returns#8", (0, 2)),
        (datetime(2026, 4, 1, tzinfo=UTC), "unknown", (0, 2)),
        (datetime(2026, 4, 1, tzinfo=UTC), "", (0, 3)),
    ],
)
def test_superseded_is_by_the_day_on_which_the_successor_took_over(
    made: datetime | None, successor: str, expected: tuple[int, int]
) -> None:
    project = grounded_project()
    project.answers.filter(external_id="a1").update(created=made)
    Source.objects.filter(external_id="returns#7").update(superseded_by=successor)
    assert shares(report_groundedness(project, Selection()).figures.people.superseded) == expected


def test_a_span_beyond_its_source_resolves_to_nothing() -> None:
    project = grounded_project()
    project.claims.get(external_id="c4").citations.update(start=0, end=5000)
    people = report_groundedness(project, Selection()).figures.people
    assert shares(people.miscitation) == (0, 3)
    assert shares(people.unresolvable) == (2, 5)


def test_severity_is_the_claims_own_else_what_most_labels_say() -> None:
    project = grounded_project()
    claim = project.claims.get(external_id="c5")
    Label.objects.filter(claim=claim).update(severity="critical")
    assert shares(report_groundedness(project, Selection()).figures.people.unsupported_critical) == (2, 2)


def test_the_other_split_is_left_out_and_that_is_said() -> None:
    project = grounded_project()
    project.answers.filter(external_id="a2").update(split=Split.TEST)
    development = report_groundedness(project, Selection()).figures
    assert (development.people.n_answers, development.n_other_split) == (3, 1)
    assert report_groundedness(project, Selection(split="both")).figures.people.n_answers == 4


def test_nothing_at_all_is_no_data_throughout() -> None:
    figures = report_groundedness(make_project(), Selection()).figures
    assert figures.people.claim_level.reason == "no claims"
    assert (len(figures.by_collection), len(figures.by_source), len(figures.by_system)) == (0, 0, 0)
    assert len(figures.failing.in_order()) == 0


def _a_label_of_an_answer(project: Project) -> None:
    label_answer(project, "a4", make_member(project), correct=True)


def _another_task_type(project: Project) -> None:
    project.answers.filter(external_id="a1").update(task_type="other")


def _another_day(project: Project) -> None:
    project.answers.filter(external_id="a1").update(created=datetime(2026, 1, 1, tzinfo=UTC))


def _should_abstain(project: Project) -> None:
    project.answers.filter(external_id="a1").update(should_abstain=False)


def _a_successor(project: Project) -> None:
    Source.objects.filter(external_id="returns#8").update(superseded_by="returns#9")


def _another_start(project: Project) -> None:
    Source.objects.filter(external_id="returns#8").update(effective_from=None)


def _a_source_that_arrived(project: Project) -> None:
    Source.objects.filter(external_id="gone").update(text=TEXT_THAT_ARRIVED)


TEXT_THAT_ARRIVED = "Here it is."


def _a_kind_of_invention(project: Project) -> None:
    Label.objects.filter(claim__external_id="c5").update(invention="fabricated-provenance")


def _a_label(project: Project) -> None:
    make_label(project.claims.get(external_id="c1"), make_member(project), "absent")


def _a_citation_less(project: Project) -> None:
    project.claims.get(external_id="c1").citations.all().delete()


@pytest.mark.parametrize(
    "change",
    [
        _a_label_of_an_answer,
        _another_task_type,
        _another_day,
        _should_abstain,
        _a_successor,
        _another_start,
        _a_source_that_arrived,
        _a_kind_of_invention,
        _a_label,
        _a_citation_less,
    ],
)
def test_whatever_can_change_the_report_changes_its_stamp(change: Callable[[Project], None]) -> None:
    project = grounded_project()
    before = report_stamp(project, data_stamp(project))
    assert report_stamp(project, data_stamp(project)) == before
    change(project)
    assert report_stamp(project, data_stamp(project)) != before


def test_one_changed_label_changes_the_remembered_report() -> None:
    project = grounded_project()
    assert shares(report_groundedness(project, Selection()).figures.people.entailment) == (3, 5)
    old = Label.objects.get(claim__external_id="c1")
    make_label(old.claim, old.annotator, "absent", revision=2)
    assert shares(report_groundedness(project, Selection()).figures.people.entailment) == (2, 5)


def test_more_claims_take_no_more_queries() -> None:
    counts = []
    for size in (4, 40):
        project = make_project()
        labelled_claims(project, ["stated", "absent"] * size, people=[make_member(project)])
        with CaptureQueriesContext(connection) as queries:
            report_groundedness(project, Selection())
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_remembered_report_reads_only_what_its_stamp_needs() -> None:
    project = grounded_project()
    report_groundedness(project, Selection())
    with CaptureQueriesContext(connection) as queries:
        report_groundedness(project, Selection())
    assert all("labelling_change" in query["sql"] or "COUNT(" in query["sql"] for query in queries), [
        query["sql"][:80] for query in queries
    ]


def test_an_answer_without_claims_is_an_answer() -> None:
    project = grounded_project()
    assert Answer.objects.filter(project=project, claims=None).count() == 1
    assert report_groundedness(project, Selection()).figures.people.n_answers == 4


def test_a_claim_in_two_collections_counts_in_each() -> None:
    project = grounded_project()
    claim = project.claims.get(external_id="c4")
    second = project.sources.get(external_id="returns#8")
    claim.citations.create(order=2, source=second)
    rows = report_groundedness(project, Selection()).figures.by_collection
    assert {row.name: shares(row.score.unsupported) for row in rows} == {"archive": (1, 2), "help": (2, 4)}


def test_a_claim_with_one_source_that_is_there_is_resolvable() -> None:
    project = grounded_project()
    claim = make_claim(project, "x", source=project.sources.get(external_id="gone"), slots=False)
    claim.citations.create(order=2, source=project.sources.get(external_id="returns#8"))
    make_label(claim, make_member(project), "absent")
    assert shares(report_groundedness(project, Selection()).figures.people.miscitation) == (2, 5)
