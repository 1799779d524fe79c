"""The page of a version's tests, the form on it, and the page of one test."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judges.models import JudgeVersion, Run
from judges.services import chunks
from judges.services.versions import create_judge, create_version
from labelling.models import Policy, Project, Role
from reports.models import Look
from tests.factories import make_claim, make_project, make_source
from tests.judges.factories import make_version
from tests.judges.packages import SAMPLES, installed
from tests.reports.rows import make_run, signed_in, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]
TOPICS = ("museum paintings", "rain autumn", "shoes returns", "train tickets")
START = {"probe": "silence", "claims": "10", "seed": "3", "split": "", "kind": "", "collection": "", "budget": ""}


def topical() -> tuple[Project, JudgeVersion]:
    project = make_project()
    for place, topic in enumerate(TOPICS):
        text = f"The {topic} were {place + 20} <i>."
        make_claim(project, text, source=make_source(project, text))
    judge = create_judge(project=project, name="words", type_name="lexical")
    return project, create_version(judge=judge, config={}, policy=Policy.STRICT, by=None)


def page_of(version: JudgeVersion) -> str:
    return reverse("reports:probes", args=[version.judge.project.slug, version.judge.name, version.number])


def finish(run: Run) -> Run:
    while chunks.work_on_run(run.pk, seconds=60):
        pass
    run.refresh_from_db()
    return run


def test_a_test_is_started_by_form_and_shown_on_its_page(client: Client) -> None:
    project, version = topical()
    user = signed_in(client, project)
    page = client.get(page_of(version)).content.decode()
    assert "never tested in this way" in page
    response = client.post(page_of(version), START)
    run = Run.objects.get()
    assert response.headers["Location"] == reverse("reports:probe", args=[project.slug, run.pk])
    assert (run.probe, run.seed, run.claims_total, run.created_by) == (
        "silence",
        3,
        4,
        project.memberships.get(user=user),
    )
    finish(run)
    shown = client.get(response.headers["Location"]).content.decode()
    assert "0.0%" in shown
    assert "0 of 4" in shown
    assert "given instead of what it cites" in shown
    assert "<i>" not in shown
    assert "0.0%" in client.get(page_of(version)).content.decode()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_started_twice_there_is_one(client: Client, headers: dict[str, str]) -> None:
    project, version = topical()
    signed_in(client, project)
    first, second = (client.post(page_of(version), START, headers=headers) for _ in range(2))
    assert first.status_code == second.status_code == 302
    assert first.headers["Location"] == second.headers["Location"]
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"probe": "order"}, "run it over the claims first"),
        ({"probe": "dry-run"}, "Test: "),
        ({"claims": "0"}, "Claims: "),
        ({"seed": "-1"}, "Seed: "),
        ({"kind": "nonsense"}, "Kind: "),
    ],
)
def test_what_cannot_be_started_is_said_beside_the_form(client: Client, changed: dict[str, str], said: str) -> None:
    project, version = topical()
    signed_in(client, project)
    response = client.post(page_of(version), START | changed)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Run.objects.exists()


def test_pages_of_tests_are_closed_to_strangers_and_annotators(client: Client) -> None:
    project, version = topical()
    run = make_run(version, {}, probe="silence")
    pages = [page_of(version), reverse("reports:probe", args=[project.slug, run.pk])]
    for page in pages:
        assert client.get(page).status_code == 302
    for role, where in ((Role.ANNOTATOR, project), (Role.OWNER, make_project())):
        signed_in(client, where, role)
        for page in pages:
            assert client.get(page).status_code == 404
        assert client.post(pages[0], START).status_code == 404
    assert Run.objects.count() == 1


def test_a_plain_run_and_another_project_s_test_have_no_page_of_a_test(client: Client) -> None:
    project, version = topical()
    signed_in(client, project)
    other, _ = topical()
    plain = make_run(version, {})
    dry = make_run(version, {}, probe=Run.Probe.DRY_RUN)
    test = make_run(version, {}, probe="silence")
    assert client.get(reverse("reports:probe", args=[project.slug, plain.pk])).status_code == 404
    assert client.get(reverse("reports:probe", args=[project.slug, dry.pk])).status_code == 404
    assert client.get(reverse("reports:probe", args=[other.slug, test.pk])).status_code == 404
    assert client.post(reverse("reports:probe", args=[project.slug, test.pk])).status_code == 405


@pytest.mark.parametrize("probe", ["silence", "order", "rewording", "perturbation", "repetition"])
def test_every_kind_has_its_page_with_and_without_judgements(client: Client, probe: str) -> None:
    project, claims = small_project(["stated"] * 3)
    judge = create_judge(project=project, name="words", type_name="lexical")
    version = create_version(judge=judge, config={}, policy=Policy.STRICT, by=None)
    signed_in(client, project)
    make_run(version, dict.fromkeys(claims, "stated"))
    empty = make_run(version, {}, probe=probe)
    assert (
        "Nothing is judged yet" in client.get(reverse("reports:probe", args=[project.slug, empty.pk])).content.decode()
    )
    run = make_run(
        version, dict(zip(claims, ("absent", "stated", "failed"), strict=True)), probe=probe, reason="<b>why</b>"
    )
    page = client.get(reverse("reports:probe", args=[project.slug, run.pk])).content.decode()
    assert "&lt;b&gt;why&lt;/b&gt;" in page
    assert "50.0%" in page
    assert "1 failed" in page


def test_pages_of_tests_ask_no_more_for_more_claims(client: Client) -> None:
    counts = []
    for size in (3, 15):
        project, claims = small_project(["stated"] * size)
        judge = create_judge(project=project, name="words", type_name="lexical")
        version = create_version(judge=judge, config={}, policy=Policy.STRICT, by=None)
        signed_in(client, project)
        make_run(version, dict.fromkeys(claims, "stated"))
        run = make_run(version, dict.fromkeys(claims, "absent"), probe="perturbation")
        for page in (page_of(version), reverse("reports:probe", args=[project.slug, run.pk])):
            with CaptureQueriesContext(connection) as captured:
                client.get(page)
            counts.append(len(captured))
    assert counts[:2] == counts[2:]
    assert max(counts) < 25


def test_the_page_of_the_run_leads_to_what_came_of_the_test(client: Client) -> None:
    project, version = topical()
    signed_in(client, project)
    run = make_run(version, {}, probe="silence")
    page = client.get(reverse("judges:run", args=[project.slug, run.pk])).content.decode()
    assert reverse("reports:probe", args=[project.slug, run.pk]) in page
    page = client.get(reverse("judges:version", args=[project.slug, "words", 1])).content.decode()
    assert page_of(version) in page


def paid_version(project: Project) -> JudgeVersion:
    return make_version(project, "priced", name="dear", config={"name": "p"})


def test_what_a_test_costs_is_said_before_it_starts(client: Client) -> None:
    with installed(SAMPLES):
        project, _ = topical()
        signed_in(client, project, Role.ENGINEER)
        version = paid_version(project)
        here = reverse("reports:probe-forecast", args=[project.slug, "dear", 1])
        assert f'hx-get="{here}"' in client.get(page_of(version)).content.decode()
        for ask in (client.get, client.post):
            fragment = ask(here, START, headers={"HX-Request": "true"}).content.decode()
            assert fragment.lstrip().startswith('<div id="run-forecast"')
            assert "<b>4</b> claims" in fragment
            assert "About <b>$0.0400</b>, at most <b>$0.0800</b>" in fragment
            assert "at most <b>$0.0800</b>" in ask(here, START).content.decode()
        assert client.get(here, START | {"probe": "x"}).status_code == 422
        refused = client.get(here, START | {"probe": "order"}, headers={"HX-Request": "true"}).content.decode()
        assert "run it over the claims first" in refused
        assert not Run.objects.exists()


def test_a_test_on_the_test_split_is_a_look_however_it_is_opened(client: Client) -> None:
    project, version = topical()
    person = signed_in(client, project, Role.ENGINEER)
    project.answers.update(split="test")
    assert client.post(page_of(version), START | {"split": "development"}).status_code == 422
    client.get(page_of(version))
    assert not Look.objects.exists()
    started = client.post(page_of(version), START | {"split": "test"})
    (look,) = Look.objects.all()
    assert look.member is not None
    assert (look.page, look.member.user, look.judge_version) == ("test of a judge", person, version)
    finish(Run.objects.get())
    assert "looked at 1 time<" in client.get(started.headers["Location"]).content.decode()
    client.get(page_of(version))
    assert Look.objects.count() == 1, "the same sitting"
    Look.objects.all().delete()
    client.get(page_of(version))
    assert Look.objects.count() == 1, "its figure is on the page of all tests too"


def test_a_test_on_development_is_no_look(client: Client) -> None:
    project, version = topical()
    signed_in(client, project, Role.ENGINEER)
    project.answers.update(split="development")
    started = client.post(page_of(version), START | {"split": "development"})
    finish(Run.objects.get())
    client.get(started.headers["Location"])
    client.get(page_of(version))
    assert not Look.objects.exists()
