"""Pages of one version: its settings in words, what it is given, a dry run, another version beside it."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.models import Judgement, JudgeVersion, Run
from judges.services.describing import line_changes, setting_pairs
from judges.services.dry_runs import CLAIMS, dry_run_claims, start_dry_run
from judges.services.forecasts import forecast_run
from judges.services.runs import RunRefusedError
from judges.services.selection import Selection
from judges.services.version_costs import version_costs
from labelling.models import Claim, Membership, Project, Role
from tests.factories import make_answer, make_claim, make_claims, make_member, make_source, make_user
from tests.judges.factories import finish, make_version, start
from tests.judges.sample_types import COST, asked

pytestmark = pytest.mark.django_db

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


def claim_in(split: str, project: Project, text: str, **fields: Any) -> Claim:
    return make_claim(project, text, answer=make_answer(project, text, split=split), **fields)


def address(name: str, version: JudgeVersion, *, number: bool = True) -> str:
    parts: list[object] = [version.judge.project.slug, version.judge.name]
    return reverse(f"judges:{name}", args=[*parts, version.number] if number else parts)


def test_settings_are_called_by_their_words_on_the_form_and_the_page(
    project: Project, engineer: Membership, client: Client
) -> None:
    form = client.get(reverse("judges:judge-new", args=[project.slug, "entailment"])).content.decode()
    assert "<legend>Thresholds</legend>" in form
    assert "Contradicted from" in form
    assert '<option value="keywords" selected>The best by keywords</option>' in form
    assert 'min="0" max="1"' in form
    version = make_version(project, "lexical")
    page = client.get(address("version", version)).content.decode()
    assert '<dt>Stated from</dt><dd dir="auto">0.6</dd>' in page


def test_every_type_can_be_set_up_from_its_form_as_it_stands(
    project: Project, engineer: Membership, client: Client
) -> None:
    for name in ("lexical", "specifics", "prohibited", "record", "canon", "entailment", "claude"):
        page = reverse("judges:judge-new", args=[project.slug, name])
        sent: dict[str, object] = {}
        for field in client.get(page).context["form"]:
            widget = field.subwidgets[0].data if field.subwidgets else {}
            for part in widget.get("subwidgets", [widget]):
                ticked = part["attrs"].get("checked")
                value = ("on" if ticked else None) if part.get("type") == "checkbox" else part["value"]
                if value is not None:
                    sent[part["name"]] = value
        answer = client.post(page, {**sent, "name": f"my-{name}"})
        assert answer.status_code == 302, (name, answer.context["form"].errors)
        version = JudgeVersion.objects.get(judge__name=f"my-{name}")
        same = make_version(project, name, name=f"my-{name}")
        assert version == same, name


def test_lists_and_amounts_are_written_as_people_write_them(
    project: Project, engineer: Membership, client: Client
) -> None:
    page = reverse("judges:judge-new", args=[project.slug, "prohibited"])
    given = {
        "name": "no",
        "policy": "strict",
        "setting_classes": ["money", "date"],
        "setting_phrases": "legal advice\r\n\r\nguarantee",
        "setting_patterns": "x{1,3}y",
    }
    assert client.post(page, given).status_code == 302
    config = JudgeVersion.objects.get().config
    assert config == {"phrases": ["legal advice", "guarantee"], "classes": ["money", "date"], "patterns": ["x{1,3}y"]}
    again = client.get(reverse("judges:version-new", args=[project.slug, "no"])).content.decode()
    assert "legal advice\nguarantee" in again
    page = reverse("judges:judge-new", args=[project.slug, "record"])
    given = {"name": "rec", "policy": "strict", "setting_tolerance": "2%", "setting_fields": ""}
    assert client.post(page, given).status_code == 302
    assert JudgeVersion.objects.get(judge__name="rec").config["tolerance"] == "2%"
    bad = client.post(page, {**given, "name": "bad", "setting_tolerance": "much"})
    assert "tolerance is &#x27;much&#x27;; expected" in bad.content.decode()


def test_a_dry_run_asks_about_five_spread_claims_and_counts_for_nothing(
    project: Project, engineer: Membership, client: Client
) -> None:
    claims = [claim_in("development", project, f"Claim {place}.") for place in range(10)]
    claim_in("test", project, "Of the test split.")
    version = make_version(project)
    page = client.get(address("dry-run", version)).content.decode()
    assert [claim.pk for claim in dry_run_claims(version)] == [claim.pk for claim in claims[::2]]
    assert "Nobody knows what it costs" in page
    for _ in range(2):
        answer = client.post(address("dry-run", version))
    run = Run.objects.get()
    assert answer.headers["Location"] == reverse("judges:run", args=[project.slug, run.pk])
    assert (run.probe, run.claims_total, run.created_by) == (Run.Probe.DRY_RUN, CLAIMS, engineer)
    finish(run)
    assert sorted(asked) == [claim.pk for claim in claims[::2]]
    shown = client.get(reverse("judges:run", args=[project.slug, run.pk])).content.decode()
    assert shown.count("dry-claim") == CLAIMS
    assert "Counted." in shown
    assert not Judgement.objects.counted().exists()
    forecast = forecast_run(version=version, selection=Selection())
    assert (forecast.claims, forecast.asked_before) == (11, 0)
    finish(start(version))
    assert len(asked) == CLAIMS + 11


def test_a_dry_run_asks_about_others_or_about_claims_of_ones_own_choice(
    project: Project, engineer: Membership, client: Client
) -> None:
    claims = [claim_in("development", project, f"Claim {place}.") for place in range(15)]
    of_test = claim_in("test", project, "Of the test split.")
    version = make_version(project)
    page = address("dry-run", version)
    sets = [[claim.pk for claim in client.get(page, {"others": n}).context["claims"]] for n in range(4)]
    assert sorted(one for some in sets[:3] for one in some) == [claim.pk for claim in claims]
    assert sets[3] == sets[0], "round again"
    assert 'href="?others=2"' in client.get(page, {"others": 1}).content.decode()

    named = f"{claims[7].external_id}\n{claims[2].external_id}\n"
    shown = client.get(page, {"named": named})
    assert shown.context["claims"] == [claims[2], claims[7]]
    assert f"{claims[7].external_id}\n" in shown.content.decode()
    for wrong, reason in (
        (
            of_test.external_id,
            f"no claim of the development split that cites a source has the id {of_test.external_id}",
        ),
        ("\n".join(claim.external_id for claim in claims[:6]), "6 claims are named; expected 5 at most"),
    ):
        refused = client.post(page, {"named": wrong})
        assert (refused.status_code, client.get(page, {"named": wrong}).status_code) == (422, 200)
        assert reason in refused.content.decode()
    assert not Run.objects.exists()
    for _ in range(2):
        assert client.post(page, {"named": named}).status_code == 302
    run = finish(Run.objects.get())
    assert sorted(asked) == [claims[2].pk, claims[7].pk]
    assert run.selection == {"split": "development", "named": sorted([claims[2].external_id, claims[7].external_id])}
    assert client.post(page, {"others": "1"}).status_code == 302
    finish(Run.objects.latest("id"))
    assert sorted(asked)[2:] != sets[0]
    call_command("run_judge", project.slug, "counting", "--dry-run", "--claim", claims[9].external_id, "--here")
    assert asked[-1] == claims[9].pk


def test_a_dry_run_shows_outside_text_escaped_and_what_is_not_asked_yet(
    project: Project, engineer: Membership, client: Client
) -> None:
    source = make_source(project, text=HOSTILE)
    claim_in("development", project, HOSTILE, source=source)
    run = start_dry_run(version=make_version(project), by=engineer)
    page = reverse("judges:run", args=[project.slug, run.pk])
    assert "not asked yet" in client.get(page).content.decode()
    finish(run)
    body = client.get(page).content.decode()
    assert "<script>alert" not in body
    assert body.count("&lt;script&gt;alert") >= 2


def test_the_command_runs_dry_and_prints_what_was_said(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    make_claims(project, 7)
    make_version(project)
    call_command("run_judge", project.slug, "counting", "--dry-run", "--here")
    said = capsys.readouterr().out
    assert said.count("stated: Claim number") == CLAIMS == len(asked)
    assert Run.objects.get().probe == Run.Probe.DRY_RUN


def test_a_dry_run_without_a_claim_of_the_development_split_says_so(
    project: Project, engineer: Membership, client: Client
) -> None:
    claim_in("test", project, "Of the test split.")
    version = make_version(project)
    assert "there is none to ask about" in client.get(address("dry-run", version)).content.decode()
    assert client.post(address("dry-run", version)).status_code == 422
    with pytest.raises(RunRefusedError, match="there is none to ask about"):
        start_dry_run(version=version, by=None)


def test_a_dry_run_beside_a_run_that_is_going_is_refused_in_words(
    project: Project, engineer: Membership, client: Client
) -> None:
    make_claims(project, 3)
    version = make_version(project)
    start(version)
    if not dry_run_claims(version):
        claim_in("development", project, "One more.")
    answer = client.post(address("dry-run", version))
    assert answer.status_code == 422
    assert "is still going" in answer.content.decode()


def test_two_versions_stand_side_by_side_with_what_differs_first(
    project: Project, engineer: Membership, client: Client
) -> None:
    make_claims(project, 4)
    first = make_version(project, "leaning", config={"threshold": 0.5})
    make_version(project, "leaning", config={"threshold": 0.6})
    third = make_version(project, "leaning", config={"threshold": 0.9, "greeting": HOSTILE})
    finish(start(first))
    page = address("versions", first, number=False)
    by_default = client.get(page)
    assert [version.number for version, _ in by_default.context["columns"]] == [2, 3]
    answer = client.get(page, {"before": 1, "after": 3})
    body = answer.content.decode()
    assert [(pair.label, pair.differs) for pair in answer.context["settings"]] == [
        ("Threshold", True),
        ("Greeting", True),
        ("Policy", False),
    ]
    assert "<script>alert" not in body
    costs = version_costs([first, third])
    assert (costs[first.pk].judgements, costs[first.pk].per_thousand_usd) == (4, Decimal(0))
    assert (costs[third.pk].judgements, costs[third.pk].per_thousand_usd) == (0, None)
    assert "no data: it was asked for no claim" in body
    assert client.get(page, {"before": 1, "after": 99}).status_code == 200


def test_the_cost_of_a_version_is_of_claims_that_it_was_asked_for(project: Project) -> None:
    make_claims(project, 4)
    version = make_version(project)
    finish(start(version))
    finish(start(version))
    cost = version_costs([version])[version.pk]
    assert (cost.judgements, cost.asked, cost.per_thousand_usd) == (8, 4, COST * 1000)


def test_a_single_version_has_none_beside_it(project: Project, engineer: Membership, client: Client) -> None:
    version = make_version(project, "leaning")
    assert "nothing to set beside it" in client.get(address("versions", version, number=False)).content.decode()
    assert "side by side" not in client.get(address("version", version)).content.decode()


def test_a_changed_prompt_is_shown_line_by_line(project: Project) -> None:
    old = make_version(project, "claude", config={"prompt": "One.\nTwo {policy}.\nThree."})
    new = make_version(project, "claude", config={"prompt": "One.\nTwo and a half {policy}.\nThree."})
    (pair, *_) = setting_pairs(None, old, new)
    assert [(line.change, line.text) for line in pair.lines] == [
        ("kept", "One."),
        ("deleted", "Two {policy}."),
        ("inserted", "Two and a half {policy}."),
        ("kept", "Three."),
    ]
    assert [line.change for line in line_changes("", "new")] == ["inserted"]


def test_what_an_entailment_model_reads_is_shown_without_it(
    project: Project, engineer: Membership, client: Client
) -> None:
    source = make_source(project, text="Refunds take 14 days. Shipping is not refunded.")
    first = claim_in("development", project, "Refunds take 14 days.", source=source)
    second = claim_in("development", project, HOSTILE, source=source)
    version = make_version(project, "entailment")
    answer = client.get(address("prompt", version))
    assert answer.context["shown"].claim == first
    assert [part.name for part in answer.context["preview"].parts][:2] == ["Hypothesis", "Passage 1"]
    body = client.get(address("prompt", version), {"claim": second.external_id}).content.decode()
    assert "<script>alert" not in body
    assert "&lt;script&gt;alert" in body
    assert "No claim of this project has the id nowhere" in client.get(
        address("prompt", version), {"claim": "nowhere"}
    ).content.decode()  # fmt: skip


def test_a_judge_that_is_given_nothing_to_read_has_no_such_page(
    project: Project, engineer: Membership, client: Client
) -> None:
    assert client.get(address("prompt", make_version(project, "leaning"))).status_code == 404


@pytest.mark.parametrize("role", [Role.ANNOTATOR, None])
def test_strangers_and_annotators_find_none_of_it(project: Project, client: Client, role: Role | None) -> None:
    make_claims(project, 3)
    version = make_version(project, "entailment")
    who = make_member(project, role).user if role else make_user()
    assert who is not None
    client.force_login(who)
    for name in ("prompt", "dry-run", "run-forecast"):
        assert client.get(address(name, version)).status_code == 404
        assert client.post(address(name, version)).status_code in (404, 405)
    assert client.get(address("versions", version, number=False)).status_code == 404
    assert not Run.objects.exists()


def test_a_forecast_is_a_fragment_to_htmx_and_a_page_without(
    project: Project, engineer: Membership, client: Client
) -> None:
    make_claims(project, 4)
    version = make_version(project, "leaning")
    for ask in (client.get, client.post):
        fragment = ask(address("run-forecast", version), {"split": ""}, headers={"HX-Request": "true"})
        assert fragment.content.decode().lstrip().startswith('<div id="run-forecast"')
        assert "HX-Request" in fragment.headers["Vary"]
        page = ask(address("run-forecast", version), {"split": ""})
        assert "<h1>leaning" in page.content.decode()
        for answer in (fragment, page):
            assert "<b>4</b> claims" in answer.content.decode()
            assert "It costs nothing." in answer.content.decode()
    assert client.get(address("run-forecast", version), {"split": "nonsense"}).status_code == 422
    assert not Run.objects.exists()


def test_pages_of_a_version_take_the_same_queries_however_much_there_is(
    project: Project,
    engineer: Membership,
    client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    make_claims(project, 30)
    for number in range(6):
        version = make_version(project, "leaning", config={"threshold": number / 10})
        finish(start(version))
    pages = [address("version", version), address("versions", version, number=False), address("dry-run", version)]
    for page in pages:
        with django_assert_max_num_queries(16):
            assert client.get(page).status_code == 200
