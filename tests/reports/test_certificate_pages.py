"""Certificates and looks on pages: issued by engineers and owners, shown wherever a judge's figures are."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from labelling.models import GuideVersion, Role
from reports.models import Certificate, Look
from tests.factories import make_project
from tests.reports.certified import Scene, certified, scene
from tests.reports.rows import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def issue_url(made: Scene) -> str:
    return reverse("reports:certificate-issue", args=[made.project.slug, made.version.judge.name, 1])


def judge_url(made: Scene) -> str:
    return reverse("reports:judge", args=[made.project.slug, made.version.judge.name, 1])


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_certificate_is_issued_once_however_often_it_is_asked_for(client: Client, headers: dict[str, str]) -> None:
    made = scene()
    signed_in(client, made.project)
    for _ in range(2):
        answer = client.post(issue_url(made), {"golden_set": "core"}, headers=headers)
        assert (answer.status_code, answer.headers["Location"]) == (302, judge_url(made))
    certificate = Certificate.objects.get()
    assert certificate.created_by is not None
    page = client.get(judge_url(made)).content.decode()
    assert "on core v1, current" in page
    assert certificate.guarantee in page


def test_who_may_not_gets_nothing(client: Client) -> None:
    made = scene()
    assert client.post(issue_url(made), {"golden_set": "core"}).status_code == 302, "sign in first"
    for project, role in ((make_project(), Role.OWNER), (made.project, Role.ANNOTATOR)):
        signed_in(client, project, role)
        assert client.post(issue_url(made), {"golden_set": "core"}).status_code == 404
        assert client.get(reverse("reports:looks", args=[made.project.slug])).status_code == 404
    assert not Certificate.objects.exists()
    signed_in(client, made.project)
    assert client.get(issue_url(made)).status_code == 405


@pytest.mark.parametrize("given", [{}, {"golden_set": "other"}])
def test_an_unknown_golden_set_is_422(client: Client, given: dict[str, str]) -> None:
    made = scene()
    signed_in(client, made.project)
    assert client.post(issue_url(made), given).status_code == 422


def test_a_refusal_says_why_and_what_to_do(client: Client) -> None:
    made = scene()
    signed_in(client, made.project)
    made.version.runs.update(probe="repetition", seed=1)
    answer = client.post(issue_url(made), {"golden_set": "core"})
    assert answer.status_code == 422
    assert "has no judgement of 12 of 12 items" in answer.content.decode()
    assert not Certificate.objects.exists()


def test_what_is_stale_says_so_wherever_it_is_shown(client: Client) -> None:
    made, _ = certified()
    signed_in(client, made.project)
    pages = [
        judge_url(made),
        reverse("reports:comparison", args=[made.project.slug]),
        reverse("labelling:golden-set", args=[made.project.slug, "core", 1]),
    ]
    for page in pages:
        assert "on core v1, current" in client.get(page).content.decode(), page
    GuideVersion.objects.create(project=made.project, number=2, policy="inference", text="# Guide")
    for page in pages:
        said = client.get(page).content.decode()
        assert "policy changed from strict to inference" in said, page
        assert "current" not in said.split("stale", 1)[1][:200], page


def test_a_judge_without_one_says_so_and_without_a_golden_set_says_what_to_do(client: Client) -> None:
    made = scene()
    signed_in(client, made.project)
    assert "No certificate: this judge may not gate a release yet." in client.get(judge_url(made)).content.decode()
    made.golden.items.all().delete()
    made.golden.delete()
    assert "There is no golden set yet" in client.get(judge_url(made)).content.decode()


def test_looks_are_listed_newest_first_in_a_fixed_number_of_queries(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    made, _ = certified()
    signed_in(client, made.project)
    url = reverse("reports:looks", args=[made.project.slug])
    page = client.get(url).content.decode()
    assert "certificate" in page
    assert "lead" in page
    assert "lexical v1" in page
    for _ in range(60):
        Look.objects.create(project=made.project, page="command", judge_version=made.version, member=made.owner)
    with django_assert_max_num_queries(7):
        page = client.get(url).content.decode()
    assert page.count("<tr>") == 51
    assert "Page 1 of 2" in page
    assert "61 so far" in page


def test_nobody_looked_yet(client: Client) -> None:
    project = make_project()
    signed_in(client, project)
    assert "Nobody has opened figures" in client.get(reverse("reports:looks", args=[project.slug])).content.decode()
