from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judges.models import Chunk, Judgement, Run
from judges.services import chunks
from judges.services.progress import progress_of
from judges.services.runs import RunRefusedError, resume_run, retry_failures, save_run, start_run, stop_run, sweep
from judges.services.selection import Selection
from judges.services.versions import JudgeUnavailableError
from labelling.models import Role
from tests.factories import make_claim, make_claims, make_member, make_project, make_source
from tests.judges.factories import finish, make_version, start
from tests.judges.packages import installed
from tests.judges.sample_types import COST, asked, broken

pytestmark = pytest.mark.django_db


def claims_of(run: Run) -> list[int]:
    return sorted(run.judgements.filter(replaced=False).values_list("claim_id", flat=True))


def test_every_claim_ends_with_one_judgement() -> None:
    project = make_project()
    claims = make_claims(project, 120)
    run = finish(start(make_version(project)))
    assert claims_of(run) == [claim.pk for claim in claims]
    assert run.state == Run.State.FINISHED
    assert run.finished is not None
    assert sorted(asked) == [claim.pk for claim in claims]
    assert progress_of(run).cost_usd == 120 * COST


def test_claims_without_a_citation_are_not_judged() -> None:
    project = make_project()
    cited = make_claim(project)
    make_claim(project, cited=False)
    assert claims_of(finish(start(make_version(project)))) == [cited.pk]


def test_selection_narrows_by_split_kind_and_collection() -> None:
    project = make_project()
    scanned = make_source(project, collection="scanned")
    wanted = make_claim(project, source=scanned, kind="date")
    make_claim(project, kind="date")
    make_claim(project, source=scanned, kind="name")
    version = make_version(project)
    assert claims_of(finish(start(version, kind="date", collection="scanned", split="development"))) == [wanted.pk]
    with pytest.raises(RunRefusedError, match="no claim with a citation"):
        start(version, split="test")
    with pytest.raises(ValueError, match="split is 'tset'; expected one of development, test"):
        Selection(split="tset")


def test_second_delivery_adds_no_judgement() -> None:
    project = make_project()
    make_claims(project, 60)
    run = finish(start(make_version(project)))
    before = list(run.judgements.values_list("id", flat=True))
    assert chunks.work_on_run(run.pk, seconds=60) is False
    assert list(run.judgements.values_list("id", flat=True)) == before
    assert len(asked) == 60


def test_the_same_start_twice_is_one_run_and_another_selection_waits() -> None:
    project = make_project()
    make_claims(project, 3)
    version = make_version(project)
    first = start(version)
    assert start(version).pk == first.pk
    with pytest.raises(RunRefusedError, match="another run of counting v1 is still going"):
        start(version, split="development")
    assert Run.objects.count() == 1


def test_second_run_of_a_version_asks_nothing() -> None:
    project = make_project()
    make_claims(project, 60)
    version = make_version(project)
    first = finish(start(version))
    second = finish(start(version))
    assert second.pk != first.pk
    assert len(asked) == 60
    progress = progress_of(second)
    assert (progress.cached, progress.cost_usd, progress.done) == (60, Decimal(0), 60)
    third = finish(start(version))
    assert set(third.judgements.values_list("cached_from__run", flat=True)) == {first.pk}


def test_changed_source_text_is_asked_again() -> None:
    project = make_project()
    source = make_source(project)
    changed = make_claim(project, source=source)
    make_claim(project)
    version = make_version(project)
    finish(start(version))
    asked.clear()
    source.text += " Or not."
    source.save()
    finish(start(version))
    assert asked == [changed.pk]


def test_failures_are_not_reused() -> None:
    project = make_project()
    claim = make_claim(project)
    broken.add(claim.pk)
    version = make_version(project, "breaking")
    finish(start(version))
    broken.clear()
    assert finish(start(version)).judgements.get().outcome == "judged"


def test_a_judge_that_breaks_costs_only_the_claim_it_broke_on() -> None:
    project = make_project()
    claims = make_claims(project, 55)
    broken.update({claims[7].pk, claims[30].pk})
    run = finish(start(make_version(project, "breaking")))
    failed = run.judgements.filter(outcome="failed")
    assert set(failed.values_list("claim_id", flat=True)) == broken
    assert failed.first().reason == f"RuntimeError: cannot read <b>{claims[7].text}</b>"  # type: ignore[union-attr]
    assert run.judgements.filter(outcome="judged").count() == 53
    assert run.state == Run.State.FINISHED


def test_a_judge_that_breaks_before_its_first_opinion_costs_only_the_claim_it_broke_on() -> None:
    project = make_project()
    claims = make_claims(project, 5)
    broken.add(claims[3].pk)
    run = finish(start(make_version(project, "eager")))
    assert run.state == Run.State.FINISHED
    assert run.judgements.get(outcome="failed").claim_id == claims[3].pk
    assert run.judgements.filter(outcome="judged").count() == 4


def test_a_lease_seen_as_over_by_a_clock_that_is_ahead_still_ends_in_one_judgement_a_claim() -> None:
    project = make_project()
    make_claims(project, 10)
    run = start(make_version(project))
    slow = chunks.take_chunk(run.pk)
    assert slow is not None
    Chunk.objects.filter(run=run).update(leased_until=timezone.now() - timedelta(seconds=1))
    ahead = chunks.take_chunk(run.pk)
    assert ahead is not None
    chunks.work_chunk(ahead)
    chunks.work_chunk(slow)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED
    assert len(claims_of(run)) == 10 == len(asked)


def test_a_retry_while_a_worker_holds_the_chunk_leaves_one_judgement_a_claim() -> None:
    project = make_project()
    claims = make_claims(project, 6)
    broken.add(claims[0].pk)
    run = start(make_version(project, "breaking"))
    holding = chunks.take_chunk(run.pk, leaving=run.judgements.exists)
    assert holding is not None
    Judgement.objects.create(run=run, claim=claims[0], outcome="failed", reason="first", input_hash="0")
    assert stop_run(run)
    broken.clear()
    assert retry_failures(run) == 1
    chunks.work_chunk(holding)
    run = finish(run)
    assert run.state == Run.State.FINISHED
    assert len(claims_of(run)) == 6 == run.judgements.count() - 1
    assert run.judgements.filter(replaced=False, outcome="judged").count() == 6


def test_two_resumes_at_once_resume_it_once() -> None:
    project = make_project()
    make_claims(project, 3)
    run = start(make_version(project))
    assert stop_run(run)
    twin = Run.objects.get(pk=run.pk)
    assert resume_run(run)
    assert not resume_run(twin)
    assert twin.state == Run.State.ACTIVE


def test_each_kind_of_ending_is_counted_exactly_and_makes_no_verdict() -> None:
    project = make_project()
    make_claims(project, 200)
    run = finish(start(make_version(project, "badly")))
    progress = progress_of(run)
    counts = {one.outcome: one.count for one in progress.outcomes}
    assert counts == {
        "judged": 100, "refused": 20, "unparseable": 20, "truncated": 20, "timed-out": 20, "failed": 20
    }  # fmt: skip
    assert progress.failures == 100
    assert progress.cost_usd == 100 * COST
    assert not run.judgements.exclude(outcome="judged").exclude(verdict="").exists()


def test_retry_keeps_the_old_row_readable_and_asks_only_the_failures() -> None:
    project = make_project()
    claims = make_claims(project, 60)
    broken.update({claims[0].pk, claims[59].pk})
    run = finish(start(make_version(project, "breaking")))
    asked.clear()
    broken.discard(claims[0].pk)
    assert retry_failures(run) == 2
    run = finish(run)
    assert sorted(set(asked)) == [claims[0].pk, claims[59].pk]
    assert claims_of(run) == [claim.pk for claim in claims]
    old = run.judgements.get(claim=claims[0], replaced=True)
    assert "cannot read" in old.reason
    assert run.judgements.get(claim=claims[0], replaced=False).verdict == "stated"
    assert run.judgements.get(claim=claims[59], replaced=False).outcome == "failed"
    progress = progress_of(run)
    assert (progress.done, progress.failures, progress.replaced) == (60, 1, 2)


def test_retry_of_a_going_run_or_without_failures_does_nothing() -> None:
    project = make_project()
    make_claims(project, 3)
    run = start(make_version(project))
    with pytest.raises(RunRefusedError, match="still going"):
        retry_failures(run)
    run = finish(run)
    assert retry_failures(run) == 0
    assert run.state == Run.State.FINISHED


def test_stop_keeps_what_was_asked_and_resume_does_the_rest() -> None:
    project = make_project()
    claims = make_claims(project, 60)
    run = start(make_version(project))
    lease = chunks.take_chunk(run.pk)
    assert lease is not None
    assert stop_run(run) is True
    assert stop_run(run) is False
    chunks.work_chunk(lease)
    assert len(asked) == run.judgements.count() == 1
    assert not run.chunks.exclude(state=Chunk.State.OPEN).exists()
    assert chunks.work_on_run(run.pk, seconds=60) is False
    assert len(asked) == 1
    assert resume_run(run) is True
    assert resume_run(run) is False
    run = finish(run)
    assert asked == [claim.pk for claim in claims]
    assert claims_of(run) == asked


def test_a_worker_that_is_asked_to_end_lets_go_after_the_judgement_at_hand() -> None:
    project = make_project()
    make_claims(project, 60)
    run = start(make_version(project))
    assert chunks.work_on_run(run.pk, seconds=60, leaving=lambda: len(asked) >= 5) is True
    assert len(asked) == run.judgements.count() == 5
    assert len(claims_of(finish(run))) == len(asked) == 60


def test_a_worker_that_lost_its_lease_writes_nothing() -> None:
    project = make_project()
    make_claims(project, 10)
    run = start(make_version(project))
    slow = chunks.take_chunk(run.pk)
    assert slow is not None
    assert chunks.take_chunk(run.pk) is None
    assert sweep(now=timezone.now() + timedelta(hours=1)) == [run.pk]
    quick = chunks.take_chunk(run.pk)
    assert quick is not None
    chunks.work_chunk(slow)
    assert not run.judgements.exists()
    chunks.work_chunk(quick)
    assert len(claims_of(run)) == 10
    assert len(asked) == 11


def test_sweep_announces_only_runs_nobody_works_on() -> None:
    project = make_project()
    make_claims(project, 120)
    run = start(make_version(project))
    assert sweep() == [run.pk]
    lease = chunks.take_chunk(run.pk)
    assert sweep() == []
    assert sweep(joining=True) == [run.pk]
    assert lease is not None
    chunks.work_chunk(lease)
    assert sweep() == [run.pk]
    finish(run)
    assert sweep() == []


def test_sweep_finishes_a_run_whose_last_worker_died_before_saying_so() -> None:
    project = make_project()
    make_claims(project, 3)
    run = finish(start(make_version(project)))
    Run.objects.filter(pk=run.pk).update(state=Run.State.ACTIVE, finished=None)
    assert sweep() == []
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED


def test_a_claim_that_takes_every_worker_with_it_becomes_a_failure() -> None:
    project = make_project()
    claims = make_claims(project, 5)
    run = start(make_version(project))
    for _ in range(chunks.LOSSES_ALLOWED):
        assert chunks.take_chunk(run.pk) is not None
        sweep(now=timezone.now() + timedelta(hours=1))
    run = finish(run)
    failed = run.judgements.get(outcome="failed")
    assert failed.claim_id == claims[0].pk
    assert "workers in a row were lost" in failed.reason
    assert asked == [claim.pk for claim in claims[1:]]


def test_a_version_that_cannot_be_built_on_a_worker_fails_every_claim_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = make_project()
    make_claims(project, 4)
    run = start(make_version(project))

    def gone(version: object, *, batches: bool) -> None:
        raise JudgeUnavailableError("the model is not there")

    monkeypatch.setattr(chunks, "build", gone)
    run = finish(run)
    progress = progress_of(run)
    assert progress.every_call_failed
    assert progress.outcomes[0].reasons == (("the model is not there", 4),)


def test_a_version_that_cannot_judge_starts_no_run() -> None:
    project = make_project()
    make_claims(project, 1)
    version = make_version(project)
    with installed(), pytest.raises(RunRefusedError, match="no judge type 'counting'"):
        start_run(version=version, selection=Selection(), by=None)


def test_a_claim_that_is_gone_does_not_hold_the_run_up() -> None:
    project = make_project()
    claims = make_claims(project, 3)
    run = start(make_version(project))
    claims[1].delete()
    run = finish(run)
    assert run.state == Run.State.FINISHED
    assert len(claims_of(run)) == 2


def test_the_database_refuses_a_second_judgement_and_a_verdict_on_a_failure() -> None:
    project = make_project()
    claim = make_claim(project)
    run = finish(start(make_version(project)))
    for wrong in ({"outcome": "judged", "verdict": "absent"}, {"outcome": "failed", "verdict": "absent"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Judgement.objects.create(run=run, claim=claim, input_hash="x", **wrong)


def test_only_a_run_that_is_going_is_called_one() -> None:
    project = make_project()
    make_claim(project)
    version = make_version(project)
    for budget in (None, Decimal(-1)):  # no budget is negative, says the database
        run = Run(judge_version=version, budget_usd=budget)
        if budget is None:
            assert save_run(run, [1], at_once=0) == run
            stop_run(run)
        else:
            with pytest.raises(IntegrityError, match="run_budget_no_less_than_nothing"):
                save_run(run, [1], at_once=0)


def test_a_judge_may_be_called_new(client: Client) -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    assert owner.user is not None
    client.force_login(owner.user)
    version = make_version(project, "leaning", name="new")
    make_version(project, "leaning", name="new", config={"threshold": 0.9})
    for name, more in (("version", [1]), ("versions", []), ("version-new", [])):
        page = client.get(reverse(f"judges:{name}", args=[project.slug, "new", *more]))
        assert page.status_code == 200
        assert page.context["judge"] == version.judge
