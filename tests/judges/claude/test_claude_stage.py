"""A cascade whose dear stages are Claude: failures, a budget, a worker that is killed; no claim is paid for twice."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from judges.models import Intent, JudgeVersion, Run
from judges.protocol import AT_MOST
from judges.services.paying import LOST, spending_of
from judges.services.runs import resume_run, retry_failures, start_run, sweep
from judges.services.selection import Selection
from labelling.models import Project
from tests.factories import make_claim, make_project, make_source
from tests.judges.claude.factories import SOURCE
from tests.judges.claude.killing import kill_in_the_middle
from tests.judges.claude.test_claude_runs import ENDINGS, UNKNOWN, claims_that_behave, claude, counts
from tests.judges.combined.factories import cascade, of
from tests.judges.factories import finish, make_version, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi, statement_of

EVERYTHING = [0, 1]
CHEAP = "claude-haiku-4-5"


def cheap_then_claude(project: Project, *, band: list[float] | None = None, **config: object) -> JudgeVersion:
    lexical = make_version(project, "lexical")
    return cascade(project, of(lexical, band=band or EVERYTHING), of(claude(project, **config)))


@pytest.mark.django_db
def test_only_what_the_cheap_stage_leaves_open_is_asked_and_paid(api: FakeMessagesApi) -> None:
    project = make_project()
    source = make_source(project, text=SOURCE)
    sure = make_claim(project, "The refund is paid within 14 days.", source=source)
    claims_that_behave(project, 3)
    run = finish(start(cheap_then_claude(project, band=[0, 0.9])))
    assert len(api.asked) == 3
    assert run.judgements.get(claim=sure).detail["decided_by"] == 1
    others = run.judgements.exclude(claim=sure)
    assert [row.detail["decided_by"] for row in others] == [2, 2, 2]
    assert [row.cost_usd for row in others] == [COST] * 3
    assert spending_of(run).at_most == 3 * COST


@pytest.mark.django_db
def test_every_failure_of_the_dear_stage_stays_one_and_is_paid_exactly(api: FakeMessagesApi) -> None:
    project = make_project()
    behaviours = [name for name in ENDINGS if name != "silent"]  # that one is slow, and tried with Claude alone
    claims_that_behave(project, 2 * len(behaviours), behaviours)
    run = finish(start(cheap_then_claude(project)))
    expected: Counter[str] = Counter()
    for name in behaviours:
        expected[ENDINGS[name]] += 2
    assert counts(run) == expected
    assert not run.judgements.exclude(outcome="judged").exclude(verdict="").exists()
    assert spending_of(run).known == api.charged * COST
    unknown = run.judgements.filter(detail__has_key=AT_MOST)
    assert unknown.count() == 2 * len(UNKNOWN & set(behaviours))
    assert spending_of(run).unknown == sum(Decimal(row.detail[AT_MOST]) for row in unknown)
    failed = run.judgements.filter(outcome="failed")[0]
    assert failed.reason.startswith("Stage 2 (claude) was the last and ended failed: ")
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()
    tries = len(api.asked)
    assert retry_failures(run) == sum(expected[one] for one in expected if one != "judged")
    finish(run)
    assert len(api.asked) > tries
    assert max(Counter(run.judgements.filter(replaced=False).values_list("claim", flat=True)).values()) == 1


@pytest.mark.django_db
def test_a_budget_stops_it_and_more_money_asks_what_is_left_once(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 12)
    version = cheap_then_claude(project)
    run = start_run(version=version, selection=Selection(), by=None, budget_usd=Decimal("0.12"))
    finish(run)
    assert run.over_budget
    assert 0 < len(api.asked) < 12
    assert spending_of(run).at_most <= Decimal("0.12")
    assert run.judgements.count() == len(api.asked)
    assert resume_run(run, budget_usd=Decimal(5))
    assert finish(run).state == Run.State.FINISHED
    assert len(api.asked) == 12
    assert max(api.tries.values()) == 1
    assert spending_of(run).known == 12 * COST


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_between_two_paid_stages_makes_nobody_pay_twice(api: FakeMessagesApi) -> None:
    api.seconds = 0.05
    project = make_project()
    claims_that_behave(project, 60, ["well", "well", "refused"])
    lexical = make_version(project, "lexical")
    cheap = make_version(project, "claude", name="cheap", config={"model": CHEAP})
    # What the cheap model refuses goes on to the dear one, which refuses it too: both are paid for.
    run = start(cascade(project, of(lexical, band=EVERYTHING), of(cheap), of(claude(project))))
    kill_in_the_middle(run, "cascade", api)
    open_then = Intent.objects.filter(state=Intent.State.ASKED).count()
    assert 1 <= open_then <= 24, "the calls going on, and the refused ones that wait for the dear stage"
    assert run.judgements.count() < 60
    api.seconds = 0
    assert sweep(now=timezone.now() + timedelta(hours=1)) == [run.pk]
    run = finish(run)
    assert run.state == Run.State.FINISHED
    lost = run.judgements.filter(reason=LOST)
    assert lost.count() == open_then
    assert run.judgements.count() == 60
    asked = Counter((body["model"], statement_of(body)) for body in api.asked)
    assert max(asked.values()) == 1
    rest = run.judgements.exclude(reason=LOST)
    refused = rest.filter(outcome="refused").count()
    assert spending_of(run).known == rest.count() * COST / 5 + refused * COST
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()
