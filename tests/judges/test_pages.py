import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.models import Judge, Judgement, JudgeVersion, Run
from judges.protocol import Outcome
from labelling.models import Membership, Project, Role
from tests.factories import make_claim, make_claims, make_member, make_project, make_user
from tests.judges.factories import finish, make_version, start
from tests.judges.packages import installed
from tests.judges.sample_types import broken

pytestmark = pytest.mark.django_db

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are tested without the alarm clock; real workers have tests of their own."""
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


def address(name: str, project: Project, *parts: object) -> str:
    return reverse(f"judges:{name}", args=[project.slug, *parts])


def every_address(project: Project, version: JudgeVersion, run: Run) -> dict[str, list[str]]:
    of_version = [version.judge.name, version.number]
    pages = [
        address("judges", project),
        address("judge-new", project, "leaning"),
        address("version-new", project, version.judge.name),
        address("version", project, *of_version),
        address("versions", project, version.judge.name),
        *(address(name, project, *of_version) for name in ("run-forecast", "dry-run")),
        address("runs", project),
        *(address(name, project, run.pk) for name in ("run", "run-progress", "judgements")),
    ]
    writes = [
        address("run-start", project, *of_version),
        address("version-renew", project, *of_version),
        *(address(name, project, run.pk) for name in ("run-stop", "run-resume", "run-retry")),
    ]
    return {"get": pages, "post": writes}


def test_engineers_and_owners_open_every_page(project: Project, client: Client) -> None:
    make_claims(project, 3)
    version = make_version(project, "leaning")
    run = finish(start(version))
    for role in (Role.ENGINEER, Role.OWNER):
        member = make_member(project, role)
        assert member.user is not None
        client.force_login(member.user)
        for page in every_address(project, version, run)["get"]:
            assert client.get(page).status_code == 200, page


def test_strangers_and_annotators_find_nothing(project: Project, client: Client) -> None:
    make_claims(project, 3)
    version = make_version(project, "leaning")
    run = start(version)
    addresses = every_address(project, version, run)
    annotator = make_member(project, Role.ANNOTATOR)
    assert annotator.user is not None
    for who in (annotator.user, make_user()):
        client.force_login(who)
        assert {client.get(page).status_code for page in addresses["get"]} == {404}
        assert {client.post(page).status_code for page in addresses["post"]} == {404}
    client.logout()
    for page in (*addresses["get"], *addresses["post"]):
        assert client.post(page).status_code in (302, 405)
    run.refresh_from_db()
    assert run.state == Run.State.ACTIVE


def test_writes_are_never_a_get(project: Project, engineer: Membership, client: Client) -> None:
    make_claims(project, 1)
    version = make_version(project, "leaning")
    run = start(version)
    for page in every_address(project, version, run)["post"]:
        assert client.get(page).status_code == 405


def test_a_run_of_another_project_is_not_found(project: Project, engineer: Membership, client: Client) -> None:
    other = make_project()
    make_claims(other, 1)
    run = start(make_version(other))
    assert client.get(address("run", project, run.pk)).status_code == 404
    assert client.post(address("run-stop", project, run.pk)).status_code == 404


def test_a_judge_is_made_by_form_once(project: Project, engineer: Membership, client: Client) -> None:
    page = address("judge-new", project, "leaning")
    given = {"name": "lean", "setting_threshold": "0.7", "setting_greeting": "hi", "policy": "strict"}
    for _ in range(2):
        answer = client.post(page, given)
        assert answer.status_code == 302
        assert answer.headers["Location"] == address("version", project, "lean", 1)
    version = JudgeVersion.objects.get()
    assert (version.judge.name, version.config["threshold"], version.created_by) == ("lean", 0.7, engineer)


def test_a_wrong_setting_is_told_at_its_field(project: Project, engineer: Membership, client: Client) -> None:
    given = {"name": "lean", "setting_threshold": "7", "setting_greeting": "hi", "policy": "strict"}
    answer = client.post(address("judge-new", project, "leaning"), given)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "setting_threshold": ["threshold is 7.0; expected a number from 0 to 1"]
    }  # fmt: skip
    assert not Judge.objects.exists()


def test_the_form_starts_from_the_policy_of_the_guide(project: Project, engineer: Membership, client: Client) -> None:
    project.guide_versions.create(number=2, policy="inference", text="# Guide")
    form = client.get(address("judge-new", project, "leaning")).context["form"]
    assert form["policy"].value() == "inference"


def test_other_settings_make_another_version(project: Project, engineer: Membership, client: Client) -> None:
    make_version(project, "leaning")
    page = address("version-new", project, "leaning")
    given = {"setting_threshold": "0.8", "setting_greeting": "hello", "policy": "strict"}
    assert client.post(page, given).headers["Location"] == address("version", project, "leaning", 2)
    assert client.post(page, given).headers["Location"] == address("version", project, "leaning", 2)
    assert JudgeVersion.objects.count() == 2


def test_external_judges_are_not_made_by_form(project: Project, engineer: Membership, client: Client) -> None:
    assert client.get(address("judge-new", project, "external")).status_code == 404


def test_starting_twice_makes_one_run(project: Project, engineer: Membership, client: Client) -> None:
    make_claims(project, 3)
    make_version(project)
    page = address("run-start", project, "counting", 1)
    places = {client.post(page, {}).headers["Location"] for _ in range(2)}
    run = Run.objects.get()
    assert places == {address("run", project, run.pk)}
    assert run.created_by == engineer


def test_a_start_that_is_refused_says_why(project: Project, engineer: Membership, client: Client) -> None:
    make_version(project)
    answer = client.post(address("run-start", project, "counting", 1), {"split": "test"})
    assert answer.status_code == 422
    assert "no claim with a citation is among the chosen ones" in answer.content.decode()


def test_buttons_answer_with_the_fragment_to_htmx_and_redirect_without(
    project: Project, engineer: Membership, client: Client
) -> None:
    make_claims(project, 3)
    run = start(make_version(project))
    stop, resume = address("run-stop", project, run.pk), address("run-resume", project, run.pk)
    answer = client.post(stop, headers={"HX-Request": "true"})
    body = answer.content.decode()
    assert body.lstrip().startswith('<section id="run-progress"')
    assert "HX-Request" in answer.headers["Vary"]
    assert "run-resume" in body
    assert client.post(stop).status_code == 302
    run.refresh_from_db()
    assert run.state == Run.State.STOPPED
    for _ in range(2):
        assert client.post(resume).headers["Location"] == address("run", project, run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.ACTIVE
    refused = client.post(address("run-retry", project, run.pk), headers={"HX-Request": "true"})
    assert "stop it first" in refused.content.decode()


def test_polling_ends_because_the_server_stops_asking(project: Project, engineer: Membership, client: Client) -> None:
    make_claims(project, 3)
    run = start(make_version(project))
    page = address("run-progress", project, run.pk)
    assert "hx-trigger" in client.get(page).content.decode()
    finish(run)
    assert "hx-trigger" not in client.get(page).content.decode()
    assert "hx-trigger" not in client.get(address("run", project, run.pk)).content.decode()


def test_a_run_whose_every_call_failed_says_so(project: Project, engineer: Membership, client: Client) -> None:
    broken.update(claim.pk for claim in make_claims(project, 3))
    run = finish(start(make_version(project, "breaking")))
    body = client.get(address("run", project, run.pk)).content.decode()
    assert "Every call failed" in body
    assert "cannot read &lt;b&gt;Claim number 0." in body
    assert "Try the 3 failures again" in body


def test_judgements_are_filtered_by_outcome_and_verdict(project: Project, engineer: Membership, client: Client) -> None:
    make_claims(project, 20)
    run = finish(start(make_version(project, "badly")))
    page = address("judgements", project, run.pk)
    assert client.get(page).context["page"].paginator.count == 20
    assert client.get(page, {"outcome": "refused"}).context["page"].paginator.count == 2
    assert client.get(page, {"verdict": "stated"}).context["page"].paginator.count == 10
    assert client.get(page, {"verdict": "absent"}).context["page"].paginator.count == 0
    assert client.get(page, {"outcome": "nonsense"}).context["page"].paginator.count == 20
    assert client.get(page, {"earlier": "on"}).context["page"].paginator.count == 0


def test_text_from_outside_is_escaped(project: Project, engineer: Membership, client: Client) -> None:
    claim = make_claim(project, HOSTILE)
    run = finish(start(make_version(project)))
    Judgement.objects.all().delete()
    Judgement.objects.create(
        run=run, claim=claim, outcome=Outcome.FAILED, quote=HOSTILE, reason=HOSTILE, input_hash="x"
    )
    for name in ("run", "run-progress", "judgements"):
        body = client.get(address(name, project, run.pk)).content.decode()
        assert "<script>alert" not in body
        assert "&lt;script&gt;alert" in body


def test_a_version_whose_type_is_gone_can_still_be_read(project: Project, engineer: Membership, client: Client) -> None:
    make_claims(project, 1)
    version = make_version(project)
    run = finish(start(version))
    with installed():
        for page in (address("judges", project), address("version", project, "counting", 1)):
            assert "not installed here" in client.get(page).content.decode()
        assert client.get(address("judgements", project, run.pk)).status_code == 200
        assert client.post(address("run-start", project, "counting", 1)).status_code == 422


def test_a_version_whose_type_is_gone_is_not_made_anew(project: Project, engineer: Membership, client: Client) -> None:
    version = make_version(project, "leaning")
    with installed():
        answer = client.post(address("version-renew", project, "leaning", 1), follow=True)
    assert answer.status_code == 200
    assert "cannot be made anew: no judge type" in answer.content.decode()
    assert version.judge.versions.count() == 1


def test_lists_take_the_same_queries_however_long(
    project: Project, engineer: Membership, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_claims(project, 60)
    for number in range(6):
        version = make_version(project, "leaning", name=f"lean-{number}")
        make_version(project, "leaning", name=f"lean-{number}", config={"threshold": 0.1})
        run = finish(start(version))
    for page in (address("judges", project), address("runs", project), address("judgements", project, run.pk)):
        with django_assert_max_num_queries(10):
            assert client.get(page).status_code == 200
