"""What a Claude judge costs, said on its pages before, during and after; and the prompt exactly as it is sent."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from judges.models import JudgeVersion, Run
from judges.services.dry_runs import start_dry_run
from judges.services.paying import spending_of
from judges.services.progress import progress_of
from judges.services.runs import start_run
from judges.services.selection import Selection
from labelling.models import Project, Role
from tests.factories import make_member, make_project
from tests.judges.claude.test_claude_runs import claims_that_behave, claude
from tests.judges.factories import finish
from tests.judges.fake_messages_api import COST, FakeMessagesApi

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


@pytest.fixture
def project(client: Client) -> Project:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    return project


def of_version(name: str, version: JudgeVersion) -> str:
    return reverse(f"judges:{name}", args=[version.judge.project.slug, version.judge.name, version.number])


def of_run(name: str, run: Run) -> str:
    return reverse(f"judges:{name}", args=[run.project.slug, run.pk])


def test_the_prompt_that_is_shown_is_the_one_that_is_sent(
    api: FakeMessagesApi, project: Project, client: Client
) -> None:
    (claim,) = claims_that_behave(project, 1)
    version = claude(project, effort="low")
    shown = client.get(of_version("prompt", version), {"claim": claim.external_id})
    assert not api.asked
    finish(start_run(version=version, selection=Selection(), by=None))
    assert [shown.context["preview"].request] == api.asked
    assert "&lt;&lt;&lt;source 1" in shown.content.decode()
    assert '"effort": "low"' in shown.context["parameters"]


def test_the_prompt_is_shown_without_a_key_and_what_is_missing_is_said(
    api: FakeMessagesApi, project: Project, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims_that_behave(project, 1)
    version = claude(project)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    shown = client.get(of_version("prompt", version))
    assert len(shown.context["preview"].parts) == 3
    for page in (
        of_version("version", version),
        of_version("prompt", version),
        of_version("dry-run", version),
        reverse("judges:judge-new", args=[project.slug, "claude"]),
    ):
        assert "ANTHROPIC_API_KEY is not set" in client.get(page).content.decode(), page
    assert client.post(of_version("dry-run", version)).status_code == 422
    assert not Run.objects.exists()


def test_the_forecast_follows_the_choice_and_a_budget_is_kept_from_the_form(
    api: FakeMessagesApi, project: Project, client: Client
) -> None:
    claims_that_behave(project, 6)
    version = claude(project)
    said = client.get(of_version("run-forecast", version), {"split": ""}, headers={"HX-Request": "true"})
    assert said.context["forecast"].claims == 6
    assert "at most <b>$" in said.content.decode()
    for wrong in ("-1", "lots", "NaN"):
        answer = client.post(of_version("run-start", version), {"budget": wrong})
        assert answer.status_code == 422
        assert answer.context["form"].errors["budget"]
    assert client.post(of_version("run-start", version), {"budget": "0.02"}).status_code == 302
    run = finish(Run.objects.get())
    assert (run.budget_usd, run.over_budget) == (Decimal("0.02"), True)
    assert not api.asked


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_run_at_its_budget_says_how_to_go_on_and_does_with_a_larger_one(
    api: FakeMessagesApi, project: Project, client: Client, headers: dict[str, str]
) -> None:
    claims_that_behave(project, 3)
    at_most = start_dry_run(version=claude(project), by=None)
    finish(at_most)
    assert at_most.budget_usd is not None
    one = at_most.budget_usd / 3
    run = finish(start_run(version=claude(project), selection=Selection(), by=None, budget_usd=one + COST))
    assert run.over_budget
    body = client.get(of_run("run", run)).content.decode()
    assert "give it a larger budget below and resume" in body
    assert f"Empty: it stays at ${one + COST:f}." in body
    client.post(of_run("run-resume", run), {"budget": ""}, headers=headers)
    assert (finish(run).budget_usd, run.over_budget) == (one + COST, True)
    refused = client.post(of_run("run-resume", run), {"budget": "0.000001"}, headers=headers)
    assert refused.status_code == 422
    assert "are spent already, so expected no less" in refused.content.decode()
    assert client.get(of_run("run-resume", run)).status_code == 405
    for _ in range(2):
        answer = client.post(of_run("run-resume", run), {"budget": "1"}, headers=headers)
        assert answer.status_code == (200 if headers else 302)
    run.refresh_from_db()
    assert (run.state, run.budget_usd) == (Run.State.ACTIVE, Decimal(1))
    assert progress_of(finish(run)).done == 3


def test_what_it_costs_to_come_is_what_it_cost_so_far(api: FakeMessagesApi, project: Project) -> None:
    claims_that_behave(project, 4)
    run = start_run(version=claude(project), selection=Selection(), by=None)
    assert progress_of(run).to_come_usd is None
    finish(run)
    run.claims_total = 6
    assert progress_of(run).to_come_usd == 2 * COST


def test_calls_whose_cost_is_unknown_are_not_said_to_be_free(
    api: FakeMessagesApi, project: Project, client: Client
) -> None:
    claims_that_behave(project, 2, ["cut-off"])
    run = finish(start_run(version=claude(project), selection=Selection(), by=None))
    spent = spending_of(run)
    assert (spent.known, spent.bound) == (Decimal(0), Decimal(0))
    assert spent.unknown > 0
    assert "Calls whose cost is unknown" in client.get(of_run("run", run)).content.decode()
    runs = client.get(reverse("judges:runs", args=[project.slug]))
    assert "with calls whose cost is unknown" in runs.content.decode()
    assert runs.context["spent"].at_most == spent.at_most


def test_a_price_that_nobody_knows_is_said_everywhere(
    api: FakeMessagesApi, project: Project, client: Client, settings: Settings
) -> None:
    claims_that_behave(project, 2)
    version = claude(project, model="claude-new-9")
    forecast = client.get(of_version("run-forecast", version), {"split": ""})
    assert "Nobody knows what it costs" in forecast.content.decode()
    assert "Nobody knows what it costs" in client.get(of_version("dry-run", version)).content.decode()
    answer = client.post(of_version("run-start", version), {"budget": "1"})
    assert answer.status_code == 422
    assert "no budget can be kept" in answer.content.decode()
    run = finish(start_run(version=version, selection=Selection(), by=None))
    assert spending_of(run).price_unknown
    assert "Nobody knows what its calls cost" in client.get(of_run("run", run)).content.decode()
    runs = client.get(reverse("judges:runs", args=[project.slug])).content.decode()
    assert "Runs at an unknown price are not in it" in runs
    beside = claude(project)
    versions = client.get(reverse("judges:versions", args=[project.slug, beside.judge.name])).content.decode()
    assert "no data: its price is unknown" in versions


def test_a_dry_run_never_costs_more_than_it_said(api: FakeMessagesApi, project: Project, client: Client) -> None:
    claims_that_behave(project, 8, ["well", "cut-off", "refused"])
    version = claude(project)
    said = client.get(of_version("dry-run", version)).context["forecast"].at_most
    run = finish(start_dry_run(version=version, by=None))
    assert progress_of(run).done == 5
    assert spending_of(run).at_most <= said == run.budget_usd
    body = client.get(of_run("run", run)).content.decode()
    assert "known, at most $" in body


def test_an_unknown_variable_of_a_prompt_is_named_at_its_field(
    api: FakeMessagesApi, project: Project, client: Client
) -> None:
    given = {
        "name": "opus",
        "policy": "strict",
        "setting_model_listed": "claude-opus-4-8",
        "setting_prompt": 'Judge {claim} by {policy} as {"verdict": "stated"}.',
        "setting_unit": "claim",
        "setting_unverified_quote": "record",
        "setting_reply_tokens": "2000",
        "setting_longest_input": "400000",
    }
    page = reverse("judges:judge-new", args=[project.slug, "claude"])
    answer = client.post(page, given)
    assert answer.status_code == 422
    (error,) = answer.context["form"].errors["setting_prompt"]
    assert error.startswith("prompt has {claim}, and there is no such variable")
    given["setting_prompt"] = given["setting_prompt"].replace("{claim}", "it")
    assert client.post(page, {**given, "setting_model_named": "claude-haiku-4-5-20251001"}).status_code == 302
    assert JudgeVersion.objects.get().config["model"] == "claude-haiku-4-5-20251001"
