"""Message batches: joined by custom id, half the price, read after a restart instead of paid again."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from pytest_django.fixtures import Settings

from judges.claude.batches import Batches
from judges.models import Intent, Run
from judges.protocol import AT_MOST, PaidJudge
from judges.services import chunks
from judges.services.dry_runs import dry_run_claims, forecast_dry_run, start_dry_run
from judges.services.inputs import claim_inputs
from judges.services.paying import spending_of
from judges.services.progress import progress_of
from judges.services.runs import start_run, stop_run
from judges.services.selection import Selection
from judges.services.versions import build
from tests.factories import make_project
from tests.judges.claude.test_claude_runs import claims_that_behave, claude, counts
from tests.judges.factories import finish, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi

pytestmark = pytest.mark.django_db
HALF = COST / 2


def test_results_in_any_order_go_to_their_claims_and_errors_are_read(api: FakeMessagesApi) -> None:
    project = make_project()
    claims = claims_that_behave(project, 40, ["well", "errored", "expired", "refused"])
    run = finish(start(claude(project, batch=True)))
    assert counts(run) == {"judged": 10, "failed": 20, "refused": 10}
    by_claim = {row.claim_id: row for row in run.judgements.all()}
    outcomes = [by_claim[claim.pk].outcome for claim in claims]
    assert outcomes == ["judged", "failed", "failed", "refused"] * 10
    assert "invalid_request_error: not good" in by_claim[claims[1].pk].reason
    assert "was not done: expired" in by_claim[claims[2].pk].reason
    assert spending_of(run).at_most == progress_of(run).cost_usd == 20 * HALF
    assert (len(api.batches), len(api.asked)) == (1, 0)


def test_a_batch_that_was_handed_in_is_read_by_the_next_worker_and_not_paid_again(
    api: FakeMessagesApi, settings: Settings
) -> None:
    project = make_project()
    claims_that_behave(project, 10)
    api.looks_until_ended = 10**6
    settings.RUN_TURN_SECONDS = 0.05
    run = start(claude(project, batch=True))
    lease = chunks.take_chunk(run.pk)
    assert lease is not None
    chunks.work_chunk(lease)
    assert run.judgements.count() == 0
    assert set(Intent.objects.values_list("state", "batch")) == {("asked", "msgbatch_1")}
    api.looks_until_ended = 1
    run = finish(run)
    assert counts(run) == {"judged": 10}
    assert len(api.batches) == 1
    assert spending_of(run).at_most == 10 * HALF


def test_a_batch_that_ends_with_nothing_in_it_makes_failures_that_may_have_cost(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    api.empty_batches = True
    run = finish(start(claude(project, batch=True)))
    assert counts(run) == {"failed": 3}
    row = run.judgements.all()[0]
    assert row.reason == "Batch msgbatch_1 ended without a result for this claim that can be read."
    assert Decimal(row.detail[AT_MOST]) > 0
    assert run.state == Run.State.FINISHED


def test_overload_while_waiting_is_waited_out(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    # More often than one worker has patience for: what is in the batch is paid for, so it is read another time.
    api.overloaded_looks = 8
    api.looks_until_ended = 3
    assert counts(finish(start(claude(project, batch=True)))) == {"judged": 3}
    assert len(api.batches) == 1


def test_a_batch_that_is_not_taken_makes_failures_that_cost_nothing(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    api.overloaded_looks, api.overloaded_takes = 3, True
    run = finish(start(claude(project, batch=True)))
    assert counts(run) == {"failed": 3}
    assert spending_of(run).at_most == 0
    assert "answered 529" in run.judgements.all()[0].reason


def test_a_run_that_is_stopped_before_its_batch_was_taken_asked_nothing(
    api: FakeMessagesApi, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    settings.JUDGE_CALL_FIRST_WAIT = settings.JUDGE_CALL_LONGEST_WAIT = 3.0
    api.overloaded_looks, api.overloaded_takes = 1, True
    run = start(claude(project, batch=True))
    original = Batches._rest

    def stop_and_rest(self: Batches, seconds: float, going: Callable[[], bool]) -> bool:
        stop_run(run)
        return original(self, seconds, going)

    monkeypatch.setattr(Batches, "_rest", stop_and_rest)
    run = finish(run)
    assert (run.state, run.judgements.count(), len(api.batches)) == (Run.State.STOPPED, 0, 0)
    assert not Intent.objects.exists()


def test_a_batch_holds_only_what_there_is_money_for(api: FakeMessagesApi) -> None:
    project = make_project()
    claims = claims_that_behave(project, 10)
    version = claude(project, batch=True)
    judge = build(version).implementation
    assert isinstance(judge, PaidJudge)
    call = judge.forecast(claim_inputs([claim.pk for claim in claims])[0]).at_most
    assert call is not None
    budget = call * 2 + HALF
    run = finish(start_run(version=version, selection=Selection(), by=None, budget_usd=budget))
    # Two at a time while that much is free, then one by one until not even one is.
    assert [len(one) for one in api.batches.values()][:1] == [2]
    assert run.judgements.count() == sum(map(len, api.batches.values()))
    assert spending_of(run).at_most <= budget
    assert run.over_budget or run.state == Run.State.FINISHED


def test_a_batch_that_there_is_no_money_for_is_not_handed_in(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    run = start_run(version=claude(project, batch=True), selection=Selection(), by=None, budget_usd=Decimal("0.01"))
    run = finish(run)
    assert (run.state, run.over_budget, run.judgements.count()) == (Run.State.STOPPED, True, 0)
    assert api.batches == {}


@pytest.mark.parametrize("mishap", ["cut-off", "html"])
def test_results_that_do_not_come_whole_are_fetched_again_and_not_paid_again(api: FakeMessagesApi, mishap: str) -> None:
    project = make_project()
    claims_that_behave(project, 6)
    api.mishaps_of_results = [mishap] * 4  # more often than one worker has patience for
    run = finish(start(claude(project, batch=True)))
    assert counts(run) == {"judged": 6}
    assert (len(api.batches), api.mishaps_of_results) == (1, [])
    assert spending_of(run).at_most == 6 * HALF


def test_a_broken_line_among_the_results_costs_its_own_claim_only(api: FakeMessagesApi) -> None:
    project = make_project()
    claims = claims_that_behave(project, 6)
    api.mishaps_of_results = ["broken-line"]
    run = finish(start(claude(project, batch=True)))
    assert counts(run) == {"judged": 5, "failed": 1}
    row = run.judgements.get(outcome="failed")
    assert (row.claim_id, AT_MOST in row.detail) == (claims[-1].pk, True)


def test_a_dry_run_of_a_version_in_batches_asks_one_by_one_at_the_full_price(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    version = claude(project, batch=True)
    forecast = forecast_dry_run(version, dry_run_claims(version))
    run = finish(start_dry_run(version=version, by=None))
    assert (len(api.asked), len(api.batches)) == (3, 0)
    assert spending_of(run).known == 3 * COST
    assert forecast.at_most is not None
    assert 3 * COST <= forecast.at_most == run.budget_usd
    assert forecast.at_most == forecast_dry_run(claude(project), dry_run_claims(version)).at_most
    finish(start(version))
    assert (len(api.asked), len(api.batches)) == (3, 1)
