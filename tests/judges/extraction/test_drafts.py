"""The review of an answer: each step a revision, accepted once, claims with where they came from."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection

from judges.extraction.drafting import DraftRefusedError, Drafts
from judges.models import AnswerDraft, DraftRevision
from judges.services import drafts as service
from judges.services.drafts import StaleDraftError, accept_draft, review_draft, standing_of
from judges.services.extraction_figures import extraction_line, extractor_figures
from labelling.exporting.lines import native_lines
from labelling.models import Claim, Project, Role
from tests.factories import make_claim, make_member, make_project, make_source
from tests.judges.extraction.factories import finish, make_bare_answer, make_draft, start
from tests.labelling.importing.files import bring, native

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(overlap=2)


def claims_of(draft: AnswerDraft) -> Drafts:
    return standing_of(draft).claims


def step(
    draft: AnswerDraft, action: str, key: int = 0, *, have: int | None = None, claims: Drafts | None = None
) -> int:
    now = standing_of(draft)
    return review_draft(
        draft=draft,
        have=now.number if have is None else have,
        claims=now.claims if claims is None else claims,
        action=action,
        key=key,
        by=None,
    ).number


def test_markers_become_the_retrieved_sources_of_their_place(project: Project) -> None:
    draft = make_draft(project)
    assert [claim.citations for claim in claims_of(draft)] == [("s-one",), ("s-two",), ()]


def test_accepting_makes_claims_with_citations_places_and_provenance(project: Project) -> None:
    owner = make_member(project, Role.OWNER)
    draft = make_draft(project)
    step(draft, "drop", 3)
    first, *rest = claims_of(draft)
    number = step(draft, "save", claims=(replace(first, text="Refunds take two weeks."), *rest))
    changes = accept_draft(draft=draft, have=number, by=owner)
    claims = list(Claim.objects.filter(answer=draft.answer))
    assert [claim.external_id for claim in claims] == [f"{draft.answer.external_id}.{n}" for n in (1, 2)]
    assert [claim.text for claim in claims] == ["Refunds take two weeks.", "Gift cards are not refunded."]
    assert [claim.citations.get().source.external_id for claim in claims] == ["s-one", "s-two"]
    assert [claim.slots.count() for claim in claims] == [2, 2]
    assert [claim.meta["extractor"]["change"] for claim in claims] == ["edited", "kept"]
    assert claims[0].meta["extractor"]["fingerprint"] == draft.job.fingerprint
    assert (changes.proposed, changes.kept, changes.edited, changes.dropped, changes.made) == (3, 1, 1, 1, 2)
    draft.refresh_from_db()
    assert (draft.state, draft.accepted_by, draft.dropped) == ("accepted", owner, 1)


def test_accepting_twice_is_once(project: Project) -> None:
    draft = make_draft(project)
    assert accept_draft(draft=draft, have=0, by=None) == accept_draft(draft=draft, have=0, by=None)
    assert Claim.objects.count() == 3


def test_an_answer_that_got_claims_meanwhile_is_refused_in_words(project: Project) -> None:
    draft = make_draft(project)
    make_claim(project, answer=draft.answer)
    with pytest.raises(DraftRefusedError, match="has claims by now"):
        accept_draft(draft=draft, have=0, by=None)
    draft.refresh_from_db()
    assert (draft.state, Claim.objects.count()) == ("drafted", 1)


def test_an_answer_that_asserts_nothing_is_a_result(project: Project) -> None:
    draft = make_draft(project, "Hello! How can I help you?")
    assert accept_draft(draft=draft, have=0, by=None).made == 0
    draft.refresh_from_db()
    assert draft.state == "accepted"
    assert Claim.objects.count() == 0
    with pytest.raises(ValueError, match="nothing to extract"):
        start(project)


def test_a_blank_claim_is_not_accepted(project: Project) -> None:
    draft = make_draft(project)
    first, *rest = claims_of(draft)
    number = step(draft, "save", claims=(replace(first, text=""), *rest))
    with pytest.raises(DraftRefusedError, match="is blank"):
        accept_draft(draft=draft, have=number, by=None)


def test_the_same_step_twice_is_one(project: Project) -> None:
    draft = make_draft(project)
    first = step(draft, "drop", 2, have=0)
    again = review_draft(draft=draft, have=0, claims=service.proposals_of(draft), action="drop", key=2, by=None)
    assert (first, again.number, DraftRevision.objects.count()) == (1, 1, 1)


def test_a_page_that_is_out_of_date_changes_nothing(project: Project) -> None:
    draft = make_draft(project)
    step(draft, "drop", 2)
    with pytest.raises(StaleDraftError):
        step(draft, "drop", 1, have=0, claims=service.proposals_of(draft))
    with pytest.raises(StaleDraftError):
        accept_draft(draft=draft, have=0, by=None)
    assert DraftRevision.objects.count() == 1
    draft.refresh_from_db()
    assert draft.state == "drafted", "what is refused leaves the review open"


def test_every_step_can_be_undone_down_to_what_was_proposed(project: Project) -> None:
    draft = make_draft(project)
    before = claims_of(draft)
    step(draft, "drop", 2)
    step(draft, "merge", 1)
    assert step(draft, "undo") == 3
    assert [claim.dropped for claim in claims_of(draft)] == [False, True, False]
    assert step(draft, "undo") == 4
    assert claims_of(draft) == before
    with pytest.raises(DraftRefusedError, match="nothing to undo"):
        step(draft, "undo")
    assert [row.action for row in draft.revisions.all()] == ["drop", "merge", "undo", "undo"]


def test_after_an_undo_another_way_can_be_taken_and_undone(project: Project) -> None:
    draft = make_draft(project)
    before = claims_of(draft)
    step(draft, "drop", 2)
    step(draft, "undo")
    step(draft, "drop", 3)
    step(draft, "undo")
    assert claims_of(draft) == before


def test_saving_what_is_there_is_no_step(project: Project) -> None:
    draft = make_draft(project)
    assert step(draft, "save") == 0


def test_an_accepted_review_takes_no_further_step(project: Project) -> None:
    draft = make_draft(project)
    accept_draft(draft=draft, have=0, by=None)
    with pytest.raises(DraftRefusedError, match="review of this answer is over"):
        step(draft, "drop", 1)


def test_drafts_laid_aside_let_the_answer_be_taken_apart_anew(project: Project) -> None:
    draft = make_draft(project)
    assert service.set_aside_draft(draft=draft)
    assert not service.set_aside_draft(draft=draft)
    again = finish(start(project)).drafts.get()
    assert (again.answer, again.state) == (draft.answer, "drafted")
    with pytest.raises(DraftRefusedError, match="set aside"):
        accept_draft(draft=draft, have=0, by=None)


def test_a_name_that_is_taken_is_passed_over(project: Project) -> None:
    other = make_bare_answer(project, external_id="other")
    make_claim(project, answer=other, external_id="a.1")
    draft = make_draft(project, external_id="a")
    accept_draft(draft=draft, have=0, by=None)
    assert list(draft.answer.claims.values_list("external_id", flat=True)) == ["a.2", "a.3", "a.4"]


def test_provenance_comes_back_on_export_and_import(project: Project, tmp_path: Path) -> None:
    accept_draft(draft=make_draft(project), have=0, by=None)
    lines = [dict(line) for line in native_lines(project)]
    (came, *_) = [line["extractor"] for line in lines if line["type"] == "claim"]
    assert came == {
        "name": "rules",
        "fingerprint": Claim.objects.all()[0].meta["extractor"]["fingerprint"],
        "change": "kept",
    }
    other = make_project()
    assert bring(other, native(tmp_path / "out.jsonl", *lines)).saved
    assert [dict(line) for line in native_lines(other)] == lines


def test_figures_count_what_people_made_of_the_proposals(project: Project) -> None:
    assert extractor_figures(project) == []
    assert extraction_line(project) == ""
    first = make_draft(project)
    number = step(first, "drop", 1)
    accept_draft(draft=first, have=number, by=None)
    second = make_draft(project, "Hello there!")
    accept_draft(draft=second, have=0, by=None)
    make_draft(project, "The office is closed.")
    (figures,) = extractor_figures(project)
    assert (figures.answers, figures.empty, figures.counts.proposed, figures.counts.dropped) == (2, 1, 3, 1)
    assert (figures.usable.k, figures.usable.n, figures.found.k, figures.found.n) == (2, 3, 2, 2)
    assert figures.usable.low is not None
    assert extraction_line(project) == (
        "Claim extraction: 3 proposed; 0 edited, 0 split, 0 merged, 1 dropped, 0 added by a person (2 answers)"
    )


def test_figures_without_a_proposal_are_no_data(project: Project) -> None:
    accept_draft(draft=make_draft(project, "Hello there!"), have=0, by=None)
    (figures,) = extractor_figures(project)
    assert (figures.usable.value, figures.usable.reason, figures.found.value) == (None, "no items", None)


@pytest.mark.django_db(transaction=True)
def test_two_people_who_accept_in_one_moment_make_one_set_of_claims() -> None:
    draft = make_draft(make_project())
    failed: list[Exception] = []

    def accept() -> None:
        try:
            accept_draft(draft=AnswerDraft.objects.select_related("answer", "job", "extraction").get(), have=0, by=None)
        except Exception as error:  # noqa: BLE001  (shown by the assertion below)
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=accept) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failed, draft.answer.claims.count()) == ([], 3)


def test_a_source_that_is_named_and_not_there_is_refused(project: Project) -> None:
    draft = make_draft(project)
    first, *rest = claims_of(draft)
    number = step(draft, "save", claims=(replace(first, citations=("nowhere",)), *rest))
    with pytest.raises(DraftRefusedError, match="nowhere is not in the project"):
        accept_draft(draft=draft, have=number, by=None)
    make_source(project, external_id="nowhere")
    accept_draft(draft=draft, have=number, by=None)
