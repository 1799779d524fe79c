"""Paid stages: reserved once a claim, never past the budget, nothing paid that is not seen, nothing asked twice."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import numpy as np
import pytest

from judges.models import Intent, JudgeVersion, Run
from judges.protocol import ClaimInput, Opinion, PaidJudge, Reserved
from judges.services.forecasts import forecast_run
from judges.services.paying import spending_of
from judges.services.progress import progress_of
from judges.services.runs import resume_run, retry_failures, start_run, stop_run
from judges.services.selection import Selection
from judges.services.version_costs import version_costs
from judges.services.versions import build
from labelling.models import Project
from reports.bridge import read_judgements
from tests.factories import make_project
from tests.judges.combined import scripted
from tests.judges.combined.factories import cascade, claim_input, of, stage, told, version
from tests.judges.combined.scripted import AT_MOST, COST, asked
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db
BAND = [0.3, 0.7]
ON = "a=stated@0.5 p=stated@0.5 q=absent@0.1"


def two_paid(project: Project) -> JudgeVersion:
    return cascade(project, stage("a", band=BAND), stage("p", "priced", band=BAND), stage("q", "priced"))


def budgeted(made: JudgeVersion, budget: str) -> Run:
    return start_run(version=made, selection=Selection(), by=None, budget_usd=Decimal(budget))


class WatchedPurse:
    """Notes what is reserved; has money for so many claims, and stops going on once so many were asked."""

    def __init__(self, *, most: int = 1_000) -> None:
        self.reserved: list[tuple[int, Decimal | None]] = []
        self.most = most

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        if len(self.reserved) >= self.most:
            return Reserved.LATER
        self.reserved.append((claim.claim_id, at_most))
        return Reserved.YES

    def going(self) -> bool:
        return True

    def may_wait(self) -> bool:
        return True

    def batches(self) -> Mapping[str, Sequence[int]]:
        return {}

    def handed_in(self, batch: str, claims: Sequence[ClaimInput]) -> None:
        raise AssertionError("no stage is in batches")


def paid_judge(project: Project, *stages: Mapping[str, object]) -> PaidJudge:
    judge = build(cascade(project, *stages)).implementation
    assert isinstance(judge, PaidJudge)
    return judge


def test_a_claim_is_reserved_once_for_all_that_it_may_still_cost() -> None:
    judge = paid_judge(
        make_project(),
        stage("p", "priced", kinds=["figure", "date"]),
        stage("q", "priced", kinds=["date"]),
        stage("r", "priced"),
    )
    purse = WatchedPurse()
    kinds = {1: "figure", 2: "date", 3: "name"}
    claims = [claim_input(n, "p=no-opinion q=no-opinion", kind=kind) for n, kind in kinds.items()]
    said = {claim.claim_id: opinion for claim, opinion in judge.ask(claims, purse)}
    assert sorted(purse.reserved) == [(1, 2 * AT_MOST), (2, 3 * AT_MOST), (3, AT_MOST)]
    assert {n: one.cost_usd for n, one in said.items() if one} == {1: 2 * COST, 2: 3 * COST, 3: COST}


def test_few_claims_are_half_way_where_a_paid_stage_follows_a_paid_one() -> None:
    judge = paid_judge(make_project(), stage("p", "priced", band=BAND), stage("q", "priced"))
    list(judge.ask([claim_input(number, ON) for number in range(200)], WatchedPurse()))
    half_way, most = 0, 0
    for name, _ in asked:
        half_way += 1 if name == "p" else -1
        most = max(most, half_way)
    assert (len(asked), most, half_way) == (400, 64, 0)


def test_what_a_paid_stage_before_decides_costs_that_stage_alone() -> None:
    project = make_project()
    told(project, ON, "a=stated@0.5 p=stated@0.9", "a=absent@0.1")
    run = finish(start(two_paid(project)))
    assert [row.cost_usd for row in run.judgements.order_by("claim")] == [2 * COST, COST, 0]
    spent = spending_of(run)
    assert (spent.known, spent.at_most) == (3 * COST, 3 * COST)
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()


@pytest.mark.parametrize("budget", ["0.00", "0.03", "0.04", "0.05", "0.11", "0.30"])
def test_a_budget_is_never_passed_and_what_is_left_is_asked_once_there_is_more(budget: str) -> None:
    project = make_project()
    told(project, *[ON] * 12)
    run = budgeted(two_paid(project), budget)
    finish(run)
    spent = spending_of(run)
    assert spent.at_most <= Decimal(budget)
    # It stops only where the dearest that another claim could come to no longer fits.
    done = run.judgements.count()
    assert done == 12 or Decimal(budget) - spent.at_most < 2 * AT_MOST
    assert set(run.judgements.values_list("outcome", flat=True)) <= {"judged"}
    assert spent.known == done * 2 * COST
    if done < 12:
        assert run.over_budget
        assert resume_run(run, budget_usd=Decimal(1))
        finish(run)
    assert len([one for one in asked if one[0] in "pq"]) == 24
    assert spending_of(run).known == 24 * COST


def test_claims_that_no_money_is_left_for_stay_open() -> None:
    judge = paid_judge(make_project(), stage("p", "priced", band=BAND), stage("q", "priced"))
    purse = WatchedPurse(most=3)
    said = list(judge.ask([claim_input(n, "p=stated@0.5") for n in range(10)], purse))
    assert len(said) == 3
    assert all(opinion is not None and opinion.outcome == "judged" for _, opinion in said)


def test_a_claim_that_was_begun_is_taken_to_its_end_though_the_run_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    told(project, *[ON] * 3)
    run = start(two_paid(project))
    whole = scripted.say

    def say(name: str, claim: ClaimInput, *, cost: Decimal = Decimal(0)) -> Opinion:
        if name == "p":
            stop_run(run)
        return whole(name, claim, cost=cost)

    monkeypatch.setattr(scripted, "say", say)
    finish(run)
    assert run.state == Run.State.STOPPED
    (row,) = run.judgements.all()
    assert (row.outcome, row.verdict, row.cost_usd) == ("judged", "absent", 2 * COST)
    monkeypatch.setattr(scripted, "say", whole)
    resume_run(run)
    assert finish(run).judgements.count() == 3
    assert spending_of(run).known == 6 * COST


def test_what_a_lost_worker_asked_is_a_failure_and_not_asked_again() -> None:
    project = make_project()
    first, second = told(project, ON, ON)
    run = start(two_paid(project))
    Intent.objects.create(run=run, claim=first, counted_usd=2 * AT_MOST)
    finish(run)
    assert run.judgements.get(claim=first).reason.startswith("A worker was lost")
    assert {number for _, number in asked} == {second.pk}
    assert spending_of(run).at_most == 2 * COST + 2 * AT_MOST
    assert retry_failures(run) == 1
    finish(run)
    assert run.judgements.get(claim=first, replaced=False).verdict == "absent"


def test_a_paid_stage_that_was_asked_before_costs_nothing() -> None:
    project = make_project()
    told(project, ON, ON)
    paid = version(project, "q", "priced")
    finish(start(paid))
    asked.clear()
    made = cascade(project, stage("a", band=BAND), of(paid))
    run = finish(budgeted(made, "0"))
    assert run.state == Run.State.FINISHED
    assert progress_of(run).cost_usd == 0
    assert [name for name, _ in asked] == ["a", "a"]
    row = run.judgements.first()
    assert row is not None
    assert row.detail["stages"][1]["cost_usd"] == "0.010000"
    assert (row.cost_usd, row.reused_usd) == (Decimal(0), COST)
    assert (row.seconds, row.reused_seconds) == (0.5, 0.5)


def test_what_a_thousand_claims_cost_does_not_depend_on_what_was_asked_before() -> None:
    project = make_project()
    claims = told(project, ON, ON)
    paid = version(project, "q", "priced")
    whole = [stage("a", band=BAND), of(paid)]
    finish(start(paid))
    reusing = cascade(project, *whole)
    finish(start(reusing))
    elsewhere = make_project()
    told(elsewhere, ON, ON)
    asking = cascade(elsewhere, *whole)
    finish(start(asking))
    costs = version_costs([reusing, asking])
    assert (costs[reusing.pk].spending.known, costs[reusing.pk].reused_usd) == (Decimal(0), 2 * COST)
    assert (costs[asking.pk].spending.known, costs[asking.pk].reused_usd) == (2 * COST, Decimal(0))
    assert costs[reusing.pk].per_thousand_usd == costs[asking.pk].per_thousand_usd == 1000 * COST
    assert costs[reusing.pk].mean_seconds == costs[asking.pk].mean_seconds == 1.0
    again = start(reusing)  # taken over whole from the run before
    finish(again)
    (column,) = read_judgements(np.array([claim.pk for claim in claims]), [reusing.pk])
    assert column.cost.tolist() == [0.01, 0.01]
    assert column.seconds.tolist() == [1.0, 1.0]


def test_the_forecast_is_of_every_paid_stage_that_takes_the_claim() -> None:
    project = make_project()
    told(project, ON, kind="figure")
    told(project, ON, kind="name")
    made = cascade(project, stage("p", "priced", kinds=["figure"], band=BAND), stage("q", "priced"))
    forecast = forecast_run(version=made, selection=Selection())
    assert (forecast.about, forecast.at_most) == (3 * COST, 3 * AT_MOST)
    assert forecast.note.startswith("A cent a claim.")


def panel(project: Project, *members: Mapping[str, object]) -> JudgeVersion:
    weights = [[-1.0, 0.0, -1.0, 1.0, 1.0, 2.0, 0.0]] * len(members)
    return make_version(project, "panel", config={"members": list(members), "coefficients": weights})


def test_a_panel_asks_free_members_first_and_spares_the_paid_ones_where_one_fails() -> None:
    project = make_project()
    told(project, "a=failed p=stated", "a=absent@0.1 p=contradicted@0.1")
    run = finish(start(panel(project, stage("p", "priced"), stage("a"))))
    failed, judged = run.judgements.order_by("claim")
    assert (failed.outcome, failed.verdict, failed.cost_usd) == ("failed", "", Decimal(0))
    assert failed.reason == "Member 2 (scripted) ended failed: a says failed."
    assert (judged.outcome, judged.verdict, judged.cost_usd) == ("judged", "contradicted", COST)
    assert [one["judge"] for one in judged.detail["stages"]] == ["priced", "scripted"]
    assert [name for name, _ in asked].count("p") == 1


def test_a_panel_of_two_paid_members_keeps_its_budget() -> None:
    project = make_project()
    told(project, *["p=stated q=stated"] * 5)
    run = budgeted(panel(project, stage("p", "priced"), stage("q", "priced")), "0.07")
    finish(run)
    assert (run.over_budget, spending_of(run).known) == (True, 4 * COST)
