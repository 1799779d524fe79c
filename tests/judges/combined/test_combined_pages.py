"""Pages of judges made of judges: what they cost, and what they are made of, in words."""

import pytest
from django.test import Client
from django.urls import reverse

from judges.models import JudgeVersion
from labelling.models import Membership, Project, Role
from tests.factories import make_member, make_project
from tests.judges.combined.factories import cascade, stage, told
from tests.judges.factories import start

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def engineer(project: Project, client: Client) -> Membership:
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    return member


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
