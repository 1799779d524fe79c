"""The life of an extraction job: rows are the queue, a dead worker loses nothing, nothing is extracted twice."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from judges.extraction.protocol import Extracted
from judges.extraction.rules import RulesExtractor
from judges.models import AnswerDraft, Extraction, ExtractionJob
from judges.services import extraction_jobs as jobs
from judges.services.extracting import work_on_extraction
from judges.services.extraction_jobs import ExtractionRefusedError
from judges.tasks import sweep
from labelling.models import Project
from tests.factories import make_answer, make_claim, make_project
from tests.judges.extraction.factories import TEXT, finish, make_bare_answer, start

pytestmark = pytest.mark.django_db


def states(project: Project) -> list[str]:
    return list(AnswerDraft.objects.filter(job__project=project).order_by("id").values_list("state", flat=True))


def test_only_answers_without_claims_are_put_in_line(project: Project) -> None:
    make_claim(project)
    bare = make_bare_answer(project)
    make_bare_answer(make_project())
    job = start(project)
    assert [draft.answer for draft in job.drafts.all()] == [bare]
    finish(job)
    assert job.drafts.get().state == "drafted"
    assert Extraction.objects.get().extractor == job.fingerprint


def test_the_first_few_can_be_taken_and_the_rest_later(project: Project) -> None:
    answers = [make_bare_answer(project, f"{TEXT} {number}") for number in range(3)]
    assert [draft.answer for draft in start(project, most=2).drafts.order_by("id")] == answers[:2]
    assert [draft.answer for draft in start(project).drafts.all()] == answers[2:]


def test_the_same_start_twice_is_one_job(project: Project) -> None:
    make_bare_answer(project)
    assert start(project) == start(project)
    assert ExtractionJob.objects.count() == 1


def test_with_nothing_to_do_the_start_is_refused(project: Project) -> None:
    with pytest.raises(ExtractionRefusedError, match="nothing to extract"):
        start(project)
    with pytest.raises(ExtractionRefusedError, match="extractor is 'guess'; expected one of rules, claude"):
        start(project, "guess")
    assert not ExtractionJob.objects.exists()


def test_a_second_delivery_finds_nothing_to_do(project: Project) -> None:
    make_bare_answer(project)
    job = finish(start(project))
    assert not work_on_extraction(job.pk, seconds=5)
    assert job.drafts.get().attempt == 1


def test_the_same_text_is_taken_apart_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def extract(self: RulesExtractor, *, question: str, answer: str) -> Extracted:
        asked.append(answer)
        return Extracted(claims=())

    monkeypatch.setattr(RulesExtractor, "extract", extract)
    for _ in range(3):
        make_bare_answer(project, "The same.")
    finish(start(project))
    assert (asked, states(project)) == (["The same."], ["drafted"] * 3)


def test_a_text_that_breaks_the_extractor_costs_no_other(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = RulesExtractor.extract

    def extract(self: RulesExtractor, *, question: str, answer: str) -> Extracted:
        if "break" in answer:
            raise RecursionError("too deep")
        return whole(self, question=question, answer=answer)

    monkeypatch.setattr(RulesExtractor, "extract", extract)
    make_bare_answer(project, "This will break.")
    make_bare_answer(project)
    job = finish(start(project))
    bad, good = job.drafts.order_by("id")
    assert (bad.state, bad.outcome, bad.reason) == ("failed", "failed", "RecursionError: too deep")
    assert good.state == "drafted"
    monkeypatch.undo()
    again = finish(start(project))
    assert (again.drafts.get().answer, again.drafts.get().state) == (bad.answer, "drafted")


def test_what_a_dead_worker_held_is_opened_again_and_finished(project: Project) -> None:
    make_bare_answer(project)
    job = start(project)
    past = timezone.now() - timedelta(minutes=5)
    job.drafts.update(state="working", attempt=1, leased_until=past)
    assert jobs.sweep() == [job.pk]
    finish(job)
    assert states(project) == ["drafted"]
    assert jobs.sweep() == []


def test_an_answer_that_keeps_killing_workers_is_a_failure_in_the_end(project: Project) -> None:
    make_bare_answer(project)
    job = start(project)
    job.drafts.update(state="working", attempt=jobs.ATTEMPTS, leased_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep() == []
    assert "workers in a row were lost" in job.drafts.get().reason


def test_what_may_have_been_charged_is_not_asked_again(project: Project) -> None:
    make_bare_answer(project)
    job = start(project)
    job.drafts.update(state="asked", attempt=1, counted_usd="0.5", leased_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep() == []
    draft = job.drafts.get()
    assert (draft.state, draft.outcome, draft.counted_usd) == ("failed", "failed", Decimal("0.5"))
    assert "may have been charged" in draft.reason


def test_a_worker_that_was_overtaken_writes_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    make_bare_answer(project)
    job = start(project)

    def overtaken(self: RulesExtractor, *, question: str, answer: str) -> Extracted:
        job.drafts.update(attempt=7)
        return Extracted(claims=())

    monkeypatch.setattr(RulesExtractor, "extract", overtaken)
    work_on_extraction(job.pk, seconds=0.001)
    draft = job.drafts.get()
    assert (draft.state, draft.attempt, draft.extraction) == ("working", 7, None)


def test_a_worker_that_leaves_lets_go_of_what_it_has_not_begun(project: Project) -> None:
    make_bare_answer(project)
    job = start(project)
    calls = iter([False, True, True])
    assert work_on_extraction(job.pk, seconds=5, leaving=lambda: next(calls))
    assert states(project) == ["waiting"]


def test_changed_code_is_told_instead_of_kept_under_the_old_name(project: Project) -> None:
    make_bare_answer(project)
    job = start(project)
    ExtractionJob.objects.update(fingerprint="of last year")
    finish(job)
    assert "has changed since" in job.drafts.get().reason


def test_stopping_takes_out_of_the_line_what_nobody_began(project: Project) -> None:
    make_bare_answer(project)
    make_bare_answer(project, "Another one is here.")
    job = start(project)
    job.drafts.filter(pk=job.drafts.order_by("id")[0].pk).update(state="working", leased_until=timezone.now())
    assert jobs.stop_extraction(project) == 1
    assert states(project) == ["working"]
    assert jobs.without_claims(project).count() == 1


def test_the_sweep_of_a_worker_announces_what_nobody_works_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr("judges.tasks.announce_extraction", told.append)
    make_bare_answer(project)
    job = start(project)
    sweep()
    assert told == [job.pk]


def test_an_answer_without_a_text_gets_a_draft_without_claims(project: Project) -> None:
    make_answer(project, "")
    finish(start(project))
    draft = AnswerDraft.objects.select_related("extraction").get()
    assert draft.extraction is not None
    assert (draft.state, draft.extraction.claims) == ("drafted", [])
