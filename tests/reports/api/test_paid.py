"""A judge that is paid for by the call: under a budget, each call written down before it is made, none made twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from judges.models import Intent, Judgement, JudgeVersion, Run
from judges.protocol import ClaimInput, Forecast, Opinion, Outcome, PaidJudge, Purse, Reserved, Verdict
from judges.services.paying import spending_of
from judges.services.request_purse import LOST_AFTER
from judges.services.versions import ReadyJudge
from labelling.models import Answer
from tests.reports.api.posting import CLAIM, Program, a_body
from tests.reports.certified import Scene, certified

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]

AT_MOST, COST = Decimal("0.02"), Decimal("0.01")
CLAIMS = [{**CLAIM, "id": f"c{number}"} for number in range(3)]


@dataclass
class Paid:
    """Costs a cent a claim, two at most, and asks one after the other."""

    type_name: str = "lexical"
    limits: str = "It costs money."
    price_known: bool = True
    price_note: str = "A cent."
    asked: list[str] = field(default_factory=list)
    outcome: Outcome = Outcome.JUDGED

    def forecast(self, _claim: ClaimInput) -> Forecast:
        return Forecast(about=COST, at_most=AT_MOST)

    def forecast_together(self, claims: Sequence[ClaimInput]) -> Forecast:
        return Forecast.together([self.forecast(claim) for claim in claims])

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        raise AssertionError(claims)

    def ask(self, claims: Sequence[ClaimInput], purse: Purse) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        for claim in claims:
            if purse.reserve(claim, AT_MOST) is not Reserved.YES:
                return
            assert Intent.objects.filter(claim=claim.claim_id, state="asked").exists(), "written before it is paid"
            self.asked.append(claim.text)
            verdict = Verdict.ABSENT if self.outcome is Outcome.JUDGED else None
            yield claim, Opinion(outcome=self.outcome, verdict=verdict, cost_usd=COST)


@pytest.fixture
def scene() -> Scene:
    return certified(claims=8)[0]


@pytest.fixture
def paid(monkeypatch: pytest.MonkeyPatch) -> Paid:
    judge = Paid()
    assert isinstance(judge, PaidJudge)
    monkeypatch.setattr("judges.services.posted.costs_money", lambda _version: True)
    monkeypatch.setattr("judges.services.posted.ready_judge", lambda _version, batches: ReadyJudge(judge, paid=True))
    return judge


def answer(program: Program, budget: float = 1, **more: object) -> dict[str, Any]:
    return program.answer(claims=CLAIMS, judge="lexical", store=True, budget_usd=budget, **more)


def outcomes(data: dict[str, Any]) -> list[str | None]:
    return [claim["judgement"] and claim["judgement"]["outcome"] for claim in data["claims"]]


@pytest.mark.parametrize("more", [{"store": True}, {"budget_usd": 1}, {"budget_usd": 1, "store": False}])
def test_it_is_asked_of_stored_answers_under_a_budget_only(scene: Scene, paid: Paid, more: dict[str, object]) -> None:
    status, data = Program(scene.project).post(a_body(judge="lexical", **more))
    assert (status, "expected store true" in data["error"]) == (409, True)
    assert not Answer.objects.filter(external_id="a1").exists()
    assert not paid.asked


def test_one_without_a_price_is_refused(scene: Scene, paid: Paid) -> None:
    paid.price_known = False
    status, data = Program(scene.project).post(a_body(judge="lexical", store=True, budget_usd=1))
    assert (status, "no budget can be kept: A cent." in data["error"]) == (409, True)
    assert not Answer.objects.filter(external_id="a1").exists()


def test_one_that_asks_in_batches_is_asked_claim_by_claim(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[bool] = []

    def build(_version: JudgeVersion, *, batches: bool = True) -> ReadyJudge:
        built.append(batches)
        return ReadyJudge(Paid(), paid=True)

    monkeypatch.setattr("judges.services.posted.costs_money", lambda _version: True)
    monkeypatch.setattr("judges.services.posted.ready_judge", build)
    assert outcomes(answer(Program(scene.project))) == ["judged"] * 3
    assert built == [False]


def test_each_call_is_settled_with_its_judgement_and_none_is_made_twice(scene: Scene, paid: Paid) -> None:
    program = Program(scene.project)
    data = answer(program)
    assert outcomes(data) == ["judged"] * 3
    assert [claim["judgement"]["cost_usd"] for claim in data["claims"]] == [0.01] * 3
    assert data["judge"]["unasked"] == []
    again = answer(program)
    assert [claim["judgement"]["reused"] for claim in again["claims"]] == [True] * 3
    assert [claim["judgement"]["cost_usd"] for claim in again["claims"]] == [0.0] * 3
    assert len(paid.asked) == 3
    assert list(Intent.objects.values_list("state", "counted_usd")) == [("settled", COST)] * 3
    run = Run.objects.get(selection={"posted": "true"})
    assert (spending_of(run).known, run.claims_total, run.judgements.count()) == (3 * COST, 3, 3)


def test_no_call_is_begun_that_could_pass_the_budget_and_what_is_missing_is_said(scene: Scene, paid: Paid) -> None:
    program = Program(scene.project)
    data = answer(program, budget=0.03)
    assert outcomes(data) == ["judged", "judged", None]
    assert data["judge"]["unasked"] == ["c2"]
    assert not Intent.objects.filter(state="asked").exists()
    assert outcomes(answer(program, budget=0.02)) == ["judged"] * 3
    assert len(paid.asked) == 3


def test_nothing_is_begun_once_the_time_is_over(scene: Scene, paid: Paid, settings: LazySettings) -> None:
    settings.API_JUDGE_SECONDS = 0.0
    data = answer(Program(scene.project))
    assert (outcomes(data), paid.asked) == ([None] * 3, [])
    assert (data["stored"], data["judge"]["unasked"]) == ("added", ["c0", "c1", "c2"])


def test_what_another_request_is_asking_is_left_to_it_and_what_a_lost_one_asked_is_a_failure(
    scene: Scene, paid: Paid
) -> None:
    program = Program(scene.project)
    answer(program, budget=0.02)
    run = Run.objects.get(selection={"posted": "true"})
    second = Judgement.objects.get(run=run).claim.answer.claims.get(external_id="c1")
    Intent.objects.create(run=run, claim=second, counted_usd=AT_MOST)
    data = answer(program)
    assert outcomes(data) == ["judged", None, "judged"]
    assert data["judge"]["unasked"] == ["c1"]
    Intent.objects.filter(claim=second).update(created=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    data = answer(program)
    assert outcomes(data) == ["judged", "failed", "judged"]
    assert "may have been charged" in data["claims"][1]["judgement"]["reason"]
    assert (len(paid.asked), spending_of(run).unknown) == (2, AT_MOST)
    assert outcomes(answer(program)) == ["judged"] * 3, "posted again is tried again"


def test_a_failure_costs_and_is_kept_and_is_no_verdict(scene: Scene, paid: Paid) -> None:
    program = Program(scene.project)
    paid.outcome = Outcome.REFUSED
    data = answer(program)
    assert [claim["judgement"]["verdict"] for claim in data["claims"]] == [None] * 3
    paid.outcome = Outcome.JUDGED
    assert outcomes(answer(program)) == ["judged"] * 3
    run = Run.objects.get(selection={"posted": "true"})
    assert (run.judgements.filter(replaced=True).count(), run.claims_total) == (3, 3)
    assert spending_of(run).known == 6 * COST
