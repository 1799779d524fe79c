"""Pages of judges made of judges: what they cost, and what they are made of, in words."""

import pytest
from django.test import Client
from django.urls import reverse

from judges.models import JudgeVersion
from judges.services.dry_runs import start_dry_run
from judges.services.version_costs import version_costs
from labelling.models import Membership, Project
from tests.judges.combined.factories import cascade, of, stage, told, version
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


def page(client: Client, made: JudgeVersion, name: str = "judges:version") -> str:
    place = reverse(name, args=[made.judge.project.slug, made.judge.name, made.number])
    return client.get(place).content.decode()


@pytest.mark.parametrize(("last", "costs"), [("priced", True), ("scripted", False)])
def test_a_judge_with_a_paid_stage_is_said_to_cost_money_and_can_be_given_a_budget(
    project: Project, engineer: Membership, client: Client, last: str, costs: bool
) -> None:
    told(project, "a=stated")
    made = cascade(project, stage("a", band=[0.3, 0.7]), stage("b", last))
    for text in (page(client, made), page(client, made, "reports:probes")):
        assert ('name="budget"' in text) is costs
    card = client.get(reverse("judges:judges", args=[project.slug])).content.decode()
    card = card[card.index('id="judge-cascade"') : card.index('id="types"')]
    assert ("costs money" in card) is costs
    run = start(made)
    progress = client.get(reverse("judges:run", args=[project.slug, run.pk])).content.decode()
    assert ("To come" in progress) is costs


def test_a_cascade_is_shown_by_the_versions_that_it_is_made_of(
    project: Project, engineer: Membership, client: Client
) -> None:
    first = version(project, "first")
    cascade(project, of(first, band=[0.3, 0.7], kinds=["figure", "date"]), stage("gone", "priced"))
    made = cascade(project, of(first, band=[0.2, 0.7]), stage("gone", "priced"))
    text = page(client, made)
    assert f'<a href="{reverse("judges:version", args=[project.slug, "first", 1])}">first v1</a>' in text
    assert "0.2 to 0.7" in text
    assert "Priced <span" in text
    assert "no version here has these settings" in text
    assert "code_version" not in text
    beside = client.get(reverse("judges:versions", args=[project.slug, "cascade"])).content.decode()
    assert "1. first v1, strict; only claims of the kind figure, date; goes on from 0.3 to 0.7" in beside
    assert "2. Priced, of which no version here has these settings, strict" in beside
    assert "code_version" not in beside
    listed = client.get(reverse("judges:judges", args=[project.slug])).content.decode()
    assert "first v1 → Priced" in listed


def test_a_panel_is_shown_by_its_members_and_what_it_was_fitted_on(
    project: Project, engineer: Membership, client: Client
) -> None:
    fit = {"split": "development", "claims": 40, "answers": 10, "unsupported": 12, "left_out": 3, "data": "a" * 64}
    config = {
        "members": [of(version(project, "a")), of(version(project, "b"))],
        "coefficients": [[-1.25, 0.5, 0, 0, 0, 0, 0], [0.75, 0, 0, 0, 0, 0, 0]],
        "fit": {**fit, "kappa_held_out": 0.41, "partial_is_unsupported": True},
    }
    text = page(client, make_version(project, "panel", config=config))
    assert "a v1</a>" in text
    assert '<td class="n">-1.25</td>' in text
    assert "40 development claims of 10 answers, 12 unsupported (partial counts as unsupported); 3 left out" in text
    assert "0.41" not in text, "a kappa without its interval"
    listed = client.get(reverse("judges:judges", args=[project.slug])).content.decode()
    assert "a v1 + b v1" in listed


def test_a_stage_that_is_not_asked_again_is_said_to_be_so(
    project: Project, engineer: Membership, client: Client
) -> None:
    told(project, "a=stated@0.5 q=absent")
    paid = version(project, "q", "priced")
    finish(start(paid))
    made = cascade(project, stage("a", band=[0.3, 0.7]), of(paid))
    assert "is taken from there at no cost, as in a run" in page(client, made, "judges:dry-run")
    run = finish(start_dry_run(version=made, by=None))
    assert (
        " not spent, since a stage was asked before"
        in client.get(reverse("judges:run", args=[project.slug, run.pk])).content.decode()
    )
    said = client.get(reverse("judges:judgements", args=[project.slug, run.pk])).content.decode()
    assert "$0.0100 not spent: a stage was asked before" in said
    costs = version_costs([made])
    assert costs[made.pk].judgements == 0, "a dry run counts for nothing"
