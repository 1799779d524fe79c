import json
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries

from labelling.models import (
    Adjudication,
    Answer,
    AnswerLabel,
    Citation,
    Claim,
    Evidence,
    Label,
    Membership,
    Role,
    Slot,
    Source,
)
from tests.factories import make_claim, make_label, make_member, make_project
from tests.labelling.importing.files import ANSWER, CLAIM, LABEL, SOURCE, bring, native, said

pytestmark = pytest.mark.django_db


def test_same_file_twice_changes_nothing(tmp_path: Path) -> None:
    project = make_project()
    path = native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, LABEL)
    bring(project, path)
    again = bring(project, path)
    assert again.counts == {kind: {"unchanged": 1} for kind in ("source", "answer", "claim", "label")}
    assert (Source.objects.count(), Answer.objects.count(), Claim.objects.count(), Label.objects.count()) == (
        1,
        1,
        1,
        1,
    )
    assert Citation.objects.count() == 1


def test_changed_text_within_a_file_names_both_lines(tmp_path: Path) -> None:
    path = native(tmp_path / "x.jsonl", SOURCE, ANSWER, SOURCE | {"text": "Another text."})
    report = bring(make_project(), path)
    assert "x.jsonl, line 3, text: found 'Another text.'" in said(report)
    assert "on line 1" in said(report)
    assert not Source.objects.exists()


def test_changed_text_of_a_known_id_needs_update(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM))
    changed = native(tmp_path / "y.jsonl", CLAIM | {"text": "You have 30 days."})
    assert "already in the project" in said(bring(project, changed))
    assert Claim.objects.get().text == "You have 14 days."
    assert bring(project, changed, update=True).counts == {"claim": {"updated": 1}}
    assert Claim.objects.get().text == "You have 30 days."


def test_changed_citation_is_a_conflict_and_update_takes_it(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM))
    changed = native(tmp_path / "y.jsonl", CLAIM | {"citation": {"source": "s1", "start": 0, "end": 7}})
    assert "citation: found 's1 0–7'" in said(bring(project, changed))
    bring(project, changed, update=True)
    assert list(Citation.objects.values_list("start", "end")) == [(0, 7)]


def test_another_title_under_the_same_text_is_kept_and_counted(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", SOURCE | {"title": "One"}))
    report = bring(project, native(tmp_path / "y.jsonl", SOURCE | {"title": "Two"}))
    assert report.counts == {"source": {"kept": 1}}
    assert Source.objects.get().title == "One"


def test_lines_may_come_in_any_order(tmp_path: Path) -> None:
    report = bring(make_project(), native(tmp_path / "x.jsonl", LABEL, CLAIM, ANSWER, SOURCE))
    assert report.problems == ()
    assert Label.objects.get().claim.citations.get().source.external_id == "s1"


def test_a_reference_to_nothing_says_what_is_missing(tmp_path: Path) -> None:
    report = bring(make_project(), native(tmp_path / "x.jsonl", ANSWER, CLAIM, LABEL | {"claim": "zzz"}))
    assert "line 2, citation: found 's1'" in said(report)
    assert "line 3, claim: found 'zzz'" in said(report)
    assert not Answer.objects.exists()


def test_a_reference_into_another_project_is_none(tmp_path: Path) -> None:
    bring(make_project(), native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM))
    report = bring(make_project(), native(tmp_path / "y.jsonl", LABEL))
    assert "claim: found 'a1.1'" in said(report)


def test_missing_source_is_made_without_text_and_filled_later(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", ANSWER, CLAIM), missing_sources=True)
    assert Source.objects.get().text == ""
    assert not Slot.objects.exists()
    report = bring(project, native(tmp_path / "y.jsonl", SOURCE))
    assert report.counts == {"source": {"updated": 1}}
    assert Slot.objects.count() == project.overlap


def test_labels_on_a_source_without_text_open_no_place(tmp_path: Path) -> None:
    bring(make_project(), native(tmp_path / "x.jsonl", ANSWER, CLAIM, LABEL), missing_sources=True)
    assert Label.objects.count() == 1
    assert not Slot.objects.exists()


def test_nested_claims_and_inline_sources_are_taken_apart(tmp_path: Path) -> None:
    text = "The shop is open."
    answer = ANSWER | {
        "claims": [{"text": "It is open.", "source_text": text}, {"text": "It opens.", "source_text": text}]
    }
    bring(make_project(), native(tmp_path / "x.jsonl", answer))
    assert list(Claim.objects.values_list("external_id", flat=True)) == ["a1.1", "a1.2"]
    assert Source.objects.get().text == text


def test_answer_without_claims_is_accepted(tmp_path: Path) -> None:
    assert bring(make_project(), native(tmp_path / "x.jsonl", ANSWER)).counts == {"answer": {"added": 1}}


def test_uncited_claim_gets_no_place(tmp_path: Path) -> None:
    bring(
        make_project(),
        native(tmp_path / "x.jsonl", ANSWER, {"type": "claim", "id": "c", "answer": "a1", "text": "Hm."}),
    )
    assert Claim.objects.count() == 1
    assert not Slot.objects.exists()


def test_label_of_an_uncited_claim_is_refused(tmp_path: Path) -> None:
    claim = {"type": "claim", "id": "a1.1", "answer": "a1", "text": "Hm."}
    assert "expected a claim that cites a source" in said(
        bring(make_project(), native(tmp_path / "x.jsonl", ANSWER, claim, LABEL))
    )


def test_each_imported_label_takes_away_an_open_place(tmp_path: Path) -> None:
    project = make_project(overlap=3)
    bring(project, native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, LABEL))
    assert Slot.objects.filter(state="open").count() == 2
    bring(project, native(tmp_path / "y.jsonl", LABEL | {"annotator": "w2"}))
    assert Slot.objects.filter(state="open").count() == 1


def test_another_verdict_of_the_same_person_is_a_new_revision(tmp_path: Path) -> None:
    project = make_project()
    path = native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, LABEL, LABEL | {"verdict": "absent"})
    bring(project, path)
    bring(project, path)
    assert list(Label.objects.order_by("revision").values_list("revision", "verdict")) == [(1, "stated"), (2, "absent")]
    assert Label.objects.counted().get().verdict == "absent"


def test_a_label_made_here_is_never_overwritten(tmp_path: Path) -> None:
    project = make_project()
    person = make_member(project, pseudonym="w1")
    claim = make_claim(project, external_id="c1")
    make_label(claim, person, "partial")
    bring(project, native(tmp_path / "x.jsonl", LABEL | {"claim": "c1"}))
    assert list(Label.objects.order_by("revision").values_list("revision", "verdict")) == [
        (1, "partial"),
        (2, "stated"),
    ]


def test_annotators_come_as_people_without_an_account(tmp_path: Path) -> None:
    bring(make_project(), native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, LABEL))
    member = Membership.objects.get(pseudonym="w1")
    assert (member.user, member.role) == (None, Role.ANNOTATOR)


def test_evidence_is_cut_from_the_source_in_code_points(tmp_path: Path) -> None:
    source = SOURCE | {"text": "A 👍🏽 cafe\u0301\r\nopens at ten."}
    start = source["text"].index("opens")
    label = LABEL | {"evidence": [{"start": start, "end": start + 12}]}
    bring(make_project(), native(tmp_path / "x.jsonl", source, ANSWER, CLAIM, label))
    assert Evidence.objects.get().quote == "opens at ten"


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ({"start": 0, "end": 999}, "an end within the source, at most 38"),
        ({"start": 5, "end": 5}, "an end beyond the start, 5"),
        ({"start": -1, "end": 5}, "a whole number from 0"),
        ({"start": 0.5, "end": 5}, "a whole number from 0"),
        ({"start": 0, "end": 7, "quote": "returns"}, "the text at 0–7, 'Returns'"),
        ({"source": "s2", "start": 0, "end": 7}, "one of s1"),
        ({"end": 7}, "an offset in code points"),
    ],
)
def test_evidence_that_does_not_lie_in_the_source_is_refused(
    tmp_path: Path, span: dict[str, object], expected: str
) -> None:
    report = bring(make_project(), native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, LABEL | {"evidence": [span]}))
    assert expected in said(report)
    assert not Label.objects.exists()


def test_citation_beyond_its_source_is_taken_as_the_answer_gave_it(tmp_path: Path) -> None:
    claim = CLAIM | {"citation": {"source": "s1", "start": 900, "end": 950}}
    assert bring(make_project(), native(tmp_path / "x.jsonl", SOURCE, ANSWER, claim)).problems == ()


def test_adjudications_and_answer_labels_come_once(tmp_path: Path) -> None:
    adjudication = {"type": "adjudication", "claim": "a1.1", "by": "lead", "verdict": "absent", "note": "No."}
    of_answer = {"type": "answer_label", "answer": "a1", "annotator": "w1", "correct": True, "abstained": False}
    project = make_project()
    path = native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, adjudication, of_answer)
    bring(project, path)
    bring(project, path)
    assert Adjudication.objects.get().by.role == Role.OWNER
    assert AnswerLabel.objects.get().correct is True
    assert AnswerLabel.objects.get().answer_in_retrieved is None


def test_every_fault_of_a_file_comes_at_once(tmp_path: Path) -> None:
    path = native(
        tmp_path / "x.jsonl",
        SOURCE,
        "{not json",
        "[1]",
        {"type": "sauce", "id": "x"},
        {"id": "x", "claim": ""},
        ANSWER | {"created": "soon", "retrieved": [1]},
        ANSWER | {"created": "0001-01-01T00:00:00+14:00"},
        CLAIM | {"kind": "dates", "severity": "bad"},
        LABEL | {"verdict": "yes", "seconds": "long"},
        LABEL | {"invention": "plausible-specific"},
        '{"type":"source","id":"n","text":"a\\u0000b"}',
        '{"type":"source","id":"n","text":"a\\ud800b"}',
        '{"type":"source","id":"n","text":"x","fields":{"a":NaN}}',
        '{"type":"source","id":"n","text":"x","fields":{"a":1e999}}',
    )
    report = bring(make_project(), path)
    assert {problem.line for problem in report.problems} == set(range(2, 15))
    keys = {(problem.line, problem.key) for problem in report.problems}
    assert {
        (6, "created"),
        (6, "retrieved"),
        (7, "created"),
        (8, "kind"),
        (8, "severity"),
        (9, "verdict"),
        (9, "seconds"),
    } <= keys
    assert "line 11, text: expected text without a NUL" in said(report)
    assert "line 12, text: expected text without an unpaired surrogate" in said(report)
    assert not Source.objects.exists()


def test_a_file_full_of_faults_stops_at_the_limit(tmp_path: Path) -> None:
    report = bring(make_project(), native(tmp_path / "x.jsonl", *(["{"] * 1000)))
    assert len(report.problems) == 200


def test_skip_bad_takes_the_good_lines_and_writes_the_others(tmp_path: Path) -> None:
    bad = LABEL | {"verdict": "yes"}
    path = native(
        tmp_path / "x.jsonl",
        SOURCE,
        ANSWER,
        CLAIM,
        "{",
        bad,
        LABEL | {"annotator": "w2"},
        CLAIM | {"id": "z", "answer": "?"},
    )
    rejects = tmp_path / "rejects.jsonl"
    report = bring(make_project(), path, skip_bad=True, rejects=rejects)
    assert report.saved
    assert Label.objects.get().annotator.pseudonym == "w2"
    written = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert [entry["line"] for entry in written] == [4, 5, 7]
    assert written[1]["content"] == bad
    assert "expected one of stated" in written[1]["errors"][0]
    assert report.rejected == 3


def test_a_line_with_a_bad_part_is_left_out_whole(tmp_path: Path) -> None:
    answer = ANSWER | {"claims": [{"text": "Fine.", "source_text": "Fine."}, {"text": ""}]}
    bring(make_project(), native(tmp_path / "x.jsonl", answer), skip_bad=True)
    assert not Answer.objects.exists()


def test_dry_run_counts_and_keeps_nothing(tmp_path: Path) -> None:
    report = bring(make_project(), native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM, LABEL), dry_run=True)
    assert report.counts["claim"] == {"added": 1}
    assert not report.saved
    assert not report.failed
    assert not Source.objects.exists()
    assert not Membership.objects.filter(pseudonym="w1").exists()


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    bring(make_project(), native(tmp_path / "x.jsonl", SOURCE | {"url": "u", "meta": {"page": 3}}))
    assert Source.objects.get().meta == {"url": "u", "page": 3}


def test_many_lines_are_saved_in_few_queries(
    tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    project = make_project()
    claims = [CLAIM | {"id": f"c{number}"} for number in range(500)]
    path = native(tmp_path / "x.jsonl", SOURCE, ANSWER, *claims)
    with django_assert_max_num_queries(40):
        bring(project, path)
    assert Slot.objects.count() == 500 * project.overlap
