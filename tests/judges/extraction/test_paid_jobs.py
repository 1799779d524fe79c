"""Extraction by Claude as a job, against the fake server: outcomes, money, a budget that is never passed."""

import json
from decimal import Decimal

import pytest
from pytest_django.fixtures import Settings

from judges.models import AnswerDraft, ExtractionJob
from judges.prices import price_of
from judges.services.drafts import accept_draft
from judges.services.extraction_jobs import ExtractionRefusedError, forecast_extraction, spent_on
from labelling.models import Project
from tests.factories import make_project
from tests.judges.claude.factories import KEY
from tests.judges.extraction.factories import finish, make_bare_answer, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi

pytestmark = pytest.mark.django_db
CLAIM = {
    "text": "Refunds take 14 days.",
    "kind": "figure",
    "severity": "critical",
    "citations": [1],
    "passage": "Refunds take 14 days",
}


@pytest.fixture
def project(api: FakeMessagesApi) -> Project:
    api.reply = json.dumps({"claims": [CLAIM]})
    return make_project()


def outcomes(job: ExtractionJob) -> dict[str, str]:
    return {draft.answer.text: draft.outcome or draft.state for draft in job.drafts.select_related("answer")}


def test_every_ending_is_kept_as_what_it_is_with_its_exact_cost(project: Project, api: FakeMessagesApi) -> None:
    texts = {
        "Refunds take 14 days [1].": "drafted",
        "behave:refused": "refused",
        "behave:truncated": "truncated",
        "behave:no-json": "unparseable",
        "behave:500": "failed",
        "behave:429-once": "drafted",
        "behave:silent": "timed-out",
        "behave:broken-body": "unparseable",
        "x" * 100_001: "truncated",
    }
    for text in texts:
        make_bare_answer(project, text)
    job = finish(start(project, "claude"))
    assert outcomes(job) == texts
    assert sum(job.drafts.values_list("cost_usd", flat=True)) == api.charged * COST
    unknown = job.drafts.filter(answer__text__in=["behave:silent", "behave:broken-body"])
    assert all(draft.cost_usd == 0 < draft.counted_usd for draft in unknown), "it may have been charged"
    assert not job.drafts.filter(reason__contains=KEY).exists()


def test_what_no_database_keeps_is_replaced_in_a_claim_that_was_paid_for(
    project: Project, api: FakeMessagesApi
) -> None:
    make_bare_answer(project, "Refunds take 14 days [1].")
    api.reply = json.dumps({"claims": [{**CLAIM, "text": "Refunds \x00 take \ud800 14 days."}]})
    (draft,) = finish(start(project, "claude")).drafts.all()
    accept_draft(draft=draft, have=0, by=None)
    assert project.claims.get().text == "Refunds � take � 14 days."
    make_bare_answer(project, "behave:400-with-nul")
    (failed,) = finish(start(project, "claude")).drafts.all()
    assert (failed.state, failed.reason) == ("failed", "The service answered 400: no � and �")


def test_a_failure_can_be_tried_again_and_nothing_is_paid_twice(project: Project, api: FakeMessagesApi) -> None:
    make_bare_answer(project, "Refunds take 14 days [1].")
    api.reply = "no"
    assert list(outcomes(finish(start(project, "claude"))).values()) == ["unparseable"]
    api.reply = json.dumps({"claims": [CLAIM]})
    second = finish(start(project, "claude"))
    assert list(outcomes(second).values()) == ["drafted"]
    make_bare_answer(project, "Refunds take 14 days [1].")
    third = finish(start(project, "claude"))
    assert (third.drafts.get().state, third.drafts.get().cost_usd, len(api.asked)) == ("drafted", Decimal(0), 2)


def test_a_budget_is_never_passed_and_the_rest_goes_back(project: Project, api: FakeMessagesApi) -> None:
    for number in range(8):
        make_bare_answer(project, f"Answer number {number} is here.")
    forecast = forecast_extraction(project=project, extractor="claude", config={})
    assert forecast.at_most is not None
    one = forecast.at_most / 8
    job = finish(start(project, "claude", budget_usd=one + COST * 3))
    assert job.over_budget
    assert job.budget_usd is not None
    assert len(api.asked) == 4
    assert spent_on(job) == len(api.asked) * COST <= job.budget_usd
    assert set(outcomes(job).values()) == {"drafted"}
    assert job.drafts.count() == len(api.asked)
    rest = finish(start(project, "claude", budget_usd=one * 20))
    assert (rest.over_budget, len(api.asked)) == (False, 8)


def test_a_budget_that_allows_nothing_asks_nothing(project: Project, api: FakeMessagesApi) -> None:
    make_bare_answer(project)
    job = finish(start(project, "claude", budget_usd=Decimal("0.000001")))
    assert (api.asked, job.over_budget, job.drafts.count()) == ([], True, 0)


def test_the_forecast_counts_what_was_asked_before_and_covers_what_it_costs(
    project: Project, api: FakeMessagesApi
) -> None:
    make_bare_answer(project, "Refunds take 14 days [1].")
    finish(start(project, "claude"))
    AnswerDraft.objects.update(state="set-aside")
    make_bare_answer(project, "Another one.")
    forecast = forecast_extraction(project=project, extractor="claude", config={})
    assert (forecast.answers, forecast.asked_before, forecast.sampled) == (2, 1, 1)
    assert forecast.about is not None
    assert forecast.at_most is not None
    assert 0 < forecast.about < forecast.at_most
    assert "a million tokens read" in forecast.note


def test_without_a_price_there_is_no_budget_and_the_cost_is_not_known(project: Project) -> None:
    config = {"model": "claude-unheard-of-9"}
    assert price_of("claude-unheard-of-9") is None
    make_bare_answer(project)
    assert forecast_extraction(project=project, extractor="claude", config=config).about is None
    with pytest.raises(ExtractionRefusedError, match="no budget can be kept"):
        start(project, "claude", config=config, budget_usd=Decimal(1))


def test_without_a_key_the_start_says_what_is_missing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    make_bare_answer(project)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(ExtractionRefusedError, match="ANTHROPIC_API_KEY is not set"):
        start(project, "claude")


def test_a_key_that_is_refused_is_asked_once_and_every_answer_says_so(
    project: Project, api: FakeMessagesApi, settings: Settings
) -> None:
    for number in range(5):
        make_bare_answer(project, f"behave:401 {number}")
    job = finish(start(project, "claude"))
    assert set(outcomes(job).values()) == {"failed"}
    assert len(api.asked) == 1
    assert spent_on(job) == 0


def test_calls_go_out_side_by_side(project: Project, api: FakeMessagesApi) -> None:
    api.seconds = 0.2
    for number in range(12):
        make_bare_answer(project, f"Answer number {number} is here.")
    finish(start(project, "claude"))
    assert api.most_at_once > 4
