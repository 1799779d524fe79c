import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from labelling.golden.items import hash_of
from labelling.models import GoldenItem, GoldenSet, Project, Role
from tests.factories import make_claim, make_labels, make_member, make_project, make_user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def project_with_gold(claims: int = 2) -> Project:
    project = make_project()
    people = [make_member(project) for _ in range(3)]
    for number in range(claims):
        claim = make_claim(project, f"=claim {number}", external_id=f"c{number}")
        make_labels(claim, people, ["stated", "stated", "absent"])
    return project


def engineer_of(project: Project) -> Client:
    user = make_user()
    make_member(project, Role.ENGINEER, user=user)
    return signed_in(user)


@pytest.mark.django_db
def test_engineer_freezes_and_lands_on_the_set() -> None:
    project = project_with_gold()
    client = engineer_of(project)
    response = client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    assert response.status_code == 302
    assert response["Location"] == f"/p/{project.slug}/golden/gold/v1/"
    page = client.get(response["Location"]).content.decode()
    assert GoldenSet.objects.get().hash in page
    assert "Krippendorff" in page


@pytest.mark.django_db
def test_freezing_twice_makes_one_set() -> None:
    project = project_with_gold()
    client = engineer_of(project)
    for _ in range(2):
        client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    assert GoldenSet.objects.count() == 1


@pytest.mark.django_db
def test_bad_name_is_said_on_the_form_and_freezes_nothing() -> None:
    project = project_with_gold()
    response = engineer_of(project).post(f"/p/{project.slug}/golden/", {"name": "../x"})
    assert response.status_code == 422
    assert not GoldenSet.objects.exists()


@pytest.mark.django_db
def test_project_without_gold_says_so() -> None:
    project = make_project()
    make_claim(project)
    response = engineer_of(project).post(f"/p/{project.slug}/golden/", {"name": "gold"})
    assert response.status_code == 422
    assert "no cited claim" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("role", [None, Role.ANNOTATOR])
def test_stranger_and_annotator_find_nothing(role: Role | None) -> None:
    project = project_with_gold()
    engineer_of(project).post(f"/p/{project.slug}/golden/", {"name": "gold"})
    user = make_user()
    if role:
        make_member(project, role, user=user)
    client = signed_in(user)
    base = f"/p/{project.slug}/golden/"
    for path in (base, f"{base}gold/v1/", f"{base}gold/v1/jsonl", f"{base}gold/v1/v1/"):
        assert client.get(path).status_code == 404
    assert client.post(base, {"name": "other"}).status_code == 404
    assert GoldenSet.objects.count() == 1


@pytest.mark.django_db
def test_download_streams_a_file_whose_items_have_the_hash() -> None:
    project = project_with_gold()
    client = engineer_of(project)
    client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    response = client.get(f"/p/{project.slug}/golden/gold/v1/jsonl")
    assert response["Content-Disposition"] == 'attachment; filename="gold-v1.jsonl"'
    lines = [json.loads(line) for line in response.getvalue().decode().splitlines()]
    items = [line for line in lines if line["type"] == "golden_item"]
    assert hash_of(items) == GoldenSet.objects.get().hash


@pytest.mark.django_db
def test_no_downloaded_cell_is_run_by_a_spreadsheet() -> None:
    project = project_with_gold()
    client = engineer_of(project)
    client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    text = client.get(f"/p/{project.slug}/golden/gold/v1/csv").getvalue().decode()
    assert ",'=claim 0," in text
    assert ",=claim" not in text


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["parquet", "manifest.json"])
def test_other_files_come_with_a_safe_name(kind: str) -> None:
    project = project_with_gold()
    client = engineer_of(project)
    client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    response = client.get(f"/p/{project.slug}/golden/gold/v1/{kind}")
    assert response["Content-Disposition"] == f'attachment; filename="gold-v1.{kind}"'
    assert response.getvalue()


@pytest.mark.django_db
def test_difference_page_shows_a_changed_verdict_escaped() -> None:
    project = project_with_gold()
    client = engineer_of(project)
    client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    people = [make_member(project) for _ in range(5)]
    claim = make_claim(project, "<b>new</b>", external_id="c9")
    make_labels(claim, people, ["absent"] * 5)
    make_labels(GoldenItem.objects.filter(external_id="c0")[0].claim, people, ["absent"] * 5)
    client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    page = client.get(f"/p/{project.slug}/golden/gold/v1/v2/").content.decode()
    assert "1 added, 0 removed, 1 changed (1 in their verdict), 1 the same" in page
    assert "&lt;b&gt;new" in page


@pytest.mark.django_db
def test_list_asks_as_many_queries_for_many_sets_as_for_one(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    project = project_with_gold()
    client = engineer_of(project)
    client.post(f"/p/{project.slug}/golden/", {"name": "gold"})
    for name in ("a", "b", "c", "d"):
        client.post(f"/p/{project.slug}/golden/", {"name": name})
    with django_assert_max_num_queries(8):
        assert client.get(f"/p/{project.slug}/golden/").status_code == 200
