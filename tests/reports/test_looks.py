"""Looks at the test split are counted."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judges.models import Run
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from labelling.models import Role
from reports.models import Look
from reports.services.looks import count_looks, note_look
from tests.factories import make_claim, make_member, make_project
from tests.reports.rows import make_run, make_version, scored_project, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def test_reloading_is_the_same_look_and_another_person_is_another() -> None:
    project = make_project()
    one, two = make_member(project, Role.ENGINEER), make_member(project, Role.OWNER)
    assert note_look(project=project, member=one, page="compare") == 1
    assert note_look(project=project, member=one, page="compare") == 1
    assert note_look(project=project, member=two, page="compare") == 2
    assert note_look(project=project, member=one, page="judge", version=make_version(project)) == 3


def test_an_hour_later_it_is_another_look() -> None:
    project = make_project()
    one = make_member(project, Role.ENGINEER)
    note_look(project=project, member=one, page="compare")
    Look.objects.update(created=timezone.now() - timedelta(minutes=61))
    assert note_look(project=project, member=one, page="compare") == 2


def test_a_run_in_between_makes_it_another_look() -> None:
    project = make_project()
    one = make_member(project, Role.ENGINEER)
    note_look(project=project, member=one, page="compare")
    Run.objects.create(project=project, judge_version=make_version(project), claims_total=0)
    assert note_look(project=project, member=one, page="compare") == 2


def test_every_call_of_the_command_counts() -> None:
    project = make_project()
    note_look(project=project, member=None, page="command")
    note_look(project=project, member=None, page="command")
    assert count_looks(project) == 2
    assert count_looks(make_project()) == 0


def test_what_a_run_said_since_makes_it_another_look() -> None:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    run = make_run(make_version(project), {}, state=Run.State.ACTIVE)
    assert note_look(project=project, member=member, page="compare") == 1
    assert note_look(project=project, member=member, page="compare") == 2
    Run.objects.filter(pk=run.pk).update(state=Run.State.FINISHED, finished=timezone.now())
    assert note_look(project=project, member=member, page="compare") == 3
    assert note_look(project=project, member=member, page="compare") == 3


def test_judgements_imported_since_make_it_another_look() -> None:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    run = imported_run(version=external_version(project=project, judge_name="theirs", version_name="1"))
    assert note_look(project=project, member=member, page="compare") == 1
    add_judgements(run=run, judgements=[ImportedJudgement(claim_id=make_claim(project).pk, verdict="stated")])
    assert note_look(project=project, member=member, page="compare") == 2
    assert note_look(project=project, member=member, page="compare") == 2


@pytest.mark.parametrize(
    ("name", "page", "query"),
    [
        ("comparison", "compare", {}),
        ("judge", "judge", {"threshold": "0.3"}),
        ("cell", "cell", {"gold": "absent", "verdict": "stated"}),
    ],
)
@pytest.mark.parametrize(("split", "htmx"), [("test", False), ("both", True)])
def test_every_door_to_figures_of_the_test_split_counts(
    client: Client, name: str, page: str, query: dict[str, str], split: str, htmx: bool
) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    of_version = [] if name == "comparison" else [version.judge.name, version.number]
    where = reverse(f"reports:{name}", args=[project.slug, *of_version])
    headers = {"hx-request": "true"} if htmx else {}
    assert client.get(where, query | {"split": split}, headers=headers).status_code == 200
    assert list(Look.objects.values_list("page", flat=True)) == [page]
    assert client.get(where, query, headers=headers).status_code == 200
    assert Look.objects.count() == 1


@pytest.mark.parametrize("written", ["json", "table", "markdown"])
def test_every_format_of_the_command_counts(written: str) -> None:
    project = make_project()
    call_command("compare", project.slug, split="test", format=written, stdout=StringIO(), stderr=StringIO())
    assert count_looks(project) == 1
