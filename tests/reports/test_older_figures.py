"""A changed label: whoever must have the figures of now gets them, and pages that show older ones say so."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from labelling import keeping
from labelling.models import Label, Project, Role
from reports.selection import Selection
from reports.services.comparison import compare_project
from tests.factories import make_label
from tests.reports.rows import make_run, make_version, signed_in, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


@pytest.fixture
def slow(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything takes long, and what a process would make waits in this list."""
    settings.FIGURES_SLOW_AFTER_S = 0
    monkeypatch.setattr(keeping, "REST", 0)
    waiting: list[str] = []
    monkeypatch.setattr(keeping, "start_making", waiting.append)
    return waiting


def _judged() -> Project:
    project, claims = small_project(["absent", "stated"] * 4)
    make_run(make_version(project), dict.fromkeys(claims, "absent"))
    return project


def _change_a_label(project: Project) -> None:
    for old in Label.objects.filter(claim__project=project).order_by("claim", "id")[:3]:
        make_label(old.claim, old.annotator, "stated", revision=2)


def test_one_changed_label_is_in_the_figures_of_whoever_must_have_them_and_pages_say_how_old_theirs_are(
    client: Client, slow: list[str]
) -> None:
    project = _judged()
    signed_in(client, project)
    page = reverse("reports:comparison", args=[project.slug])
    assert "4 of 8 with gold" in client.get(page).content.decode()
    _change_a_label(project)
    text = client.get(page).content.decode()
    assert "4 of 8 with gold" in text
    assert "not in them yet" in text
    csv = client.get(page, {"plot": "recall", "as": "csv"}).content.decode()
    assert "words v1,1.0," in csv
    share = compare_project(project, Selection()).result.share_unsupported
    assert (share.k, share.n) == (3, 8)
    for token in slow:
        keeping.make_wanted(token)
    text = client.get(page).content.decode()
    assert "3 of 8 with gold" in text
    assert "not in them yet" not in text


@pytest.mark.parametrize(
    "name",
    [
        "reports:comparison",
        "reports:differences",
        "reports:ceiling",
        "reports:judge",
        "reports:groundedness",
        "reports:trends",
        "labelling:project",
    ],
)
def test_pages_that_show_older_figures_say_so(client: Client, slow: list[str], name: str) -> None:
    project = _judged()
    signed_in(client, project, Role.OWNER)
    page = reverse(name, args=[project.slug, "words", 1][: 3 if name == "reports:judge" else 1])
    client.get(page)
    _change_a_label(project)
    assert "not in them yet" in client.get(page).content.decode()
    while slow:
        assert keeping.make_wanted(slow.pop())
    assert "not in them yet" not in client.get(page).content.decode()
