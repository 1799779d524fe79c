"""Panels fitted to development labels: what they read, what they refuse, and what they come to say."""

from collections.abc import Sequence

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.combined.features import NAMES
from judges.models import Judge, JudgeVersion, Run
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from labelling.models import Claim, Membership, Project, Role
from reports.services.panels import PanelRefusedError, fit_panel
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.judges.factories import finish, make_version, start
from tests.reports.rows import signed_in

pytestmark = pytest.mark.django_db

GOLD = ("stated", "absent", "stated", "contradicted", "partial")


def labelled(project: Project, count: int = 60, *, split: str = "development", first: int = 0) -> list[Claim]:
    """So many claims in answers of two, with gold that goes round."""
    people = list(Membership.objects.filter(project=project, role=Role.ANNOTATOR)) or [
        make_member(project, pseudonym=f"p{n}") for n in range(2)
    ]
    source = make_source(project)
    claims: list[Claim] = []
    for number in range(first, first + count):
        answer = claims[-1].answer if number % 2 and claims else make_answer(project, split=split)
        claim = make_claim(project, f"Claim {number}.", answer=answer, source=source, slots=False)
        for person in people:
            make_label(claim, person, GOLD[number % len(GOLD)])
        claims.append(claim)
    return claims


def member(project: Project, name: str, claims: Sequence[Claim], *, right: float, seed: int = 0) -> JudgeVersion:
    """An external judge that is right on this share of the claims."""
    random = np.random.default_rng(seed)
    said = []
    for number, claim in enumerate(claims):
        supported = (GOLD[number % len(GOLD)] == "stated") == (random.random() < right)
        score = float(np.clip(random.normal(0.75 if supported else 0.25, 0.15), 0.01, 0.99))
        said.append(ImportedJudgement(claim_id=claim.pk, verdict="stated" if supported else "absent", score=score))
    version = external_version(project=project, judge_name=name, version_name="1")
    add_judgements(run=imported_run(version=version), judgements=said)
    return version


@pytest.fixture
def project() -> Project:
    return make_project()


def test_a_panel_weighs_the_better_member_more_and_judges_from_what_is_stored(project: Project) -> None:
    claims = labelled(project)
    good, poor = member(project, "good", claims, right=0.95), member(project, "poor", claims, right=0.6, seed=1)
    version = fit_panel(project=project, name="both", members=[good, poor], by=None)
    of_good, of_poor = version.config["coefficients"]
    place = NAMES.index("score")
    assert of_good[place] < of_poor[place] < 0.5
    assert version.config["fit"]["claims"] == 60
    assert version.config["fit"]["unsupported"] == 36
    assert version.config["fit"]["answers"] == 30
    run = finish(start(version))
    assert run.state == Run.State.FINISHED
    rows = list(run.judgements.all())
    assert {row.outcome for row in rows} == {"judged"}
    assert {row.verdict for row in rows} <= {"stated", "absent", "contradicted"}
    right = sum((row.verdict == "stated") == (GOLD[n % len(GOLD)] == "stated") for n, row in enumerate(rows))
    assert right >= 54
    one = rows[0]
    assert one.cost_usd == 0
    assert [stage["reused"] for stage in one.detail["stages"]] == [True, True]
    total = one.detail["intercept"] + sum(sum(share.values()) for share in one.detail["shares"])
    assert one.detail["sum"] == pytest.approx(total)
    assert one.score == pytest.approx(1 / (1 + np.exp(total)))
    assert "1 (external)" in one.reason


def test_fitted_again_it_is_the_same_version_and_labels_of_the_test_split_change_nothing(project: Project) -> None:
    claims = labelled(project)
    held_out = labelled(project, 20, split="test", first=60)
    members = [member(project, name, [*claims, *held_out], right=0.8, seed=n) for n, name in enumerate("ab")]
    first = fit_panel(project=project, name="both", members=members, by=None)
    assert fit_panel(project=project, name="both", members=members, by=None) == first
    someone = make_member(project, pseudonym="late")
    for claim in held_out:
        for _ in range(3):
            make_label(claim, make_member(project), "contradicted")
    assert fit_panel(project=project, name="both", members=members, by=None) == first
    for claim in claims[:30]:
        make_label(claim, someone, "stated")
        make_label(claim, make_member(project), "stated")
    other = fit_panel(project=project, name="both", members=members, by=None)
    assert other.number == 2
    assert other.config["coefficients"] != first.config["coefficients"]


def test_targeted_claims_are_left_out_of_the_fit(project: Project) -> None:
    claims = labelled(project)
    members = [member(project, name, claims, right=0.8, seed=n) for n, name in enumerate("ab")]
    Claim.objects.filter(pk__in=[claim.pk for claim in claims[:10]]).update(targeted=True)
    assert fit_panel(project=project, name="both", members=members, by=None).config["fit"]["claims"] == 50


def test_what_no_panel_can_be_made_of_is_refused_with_the_reason(project: Project) -> None:
    claims = labelled(project, 40)
    good = member(project, "good", claims, right=0.9)

    def refused(*members: JudgeVersion, reason: str) -> None:
        with pytest.raises(PanelRefusedError, match=reason):
            fit_panel(project=project, name="panel", members=members, by=None)

    refused(good, good, reason="expected at least two different")
    refused(good, member(project, "silent", [], right=0.9), reason="silent v1 has judged none of the 40")
    refused(good, member(project, "short", claims[:20], right=0.9), reason="on 20 of the 40.*at least 30")
    other = make_project()
    refused(good, member(other, "away", labelled(other, 2), right=0.9), reason="away v1 is of another project")
    assert not Judge.objects.filter(type="panel").exists(), "a judge without a version"


def test_two_judges_with_the_same_settings_make_no_panel_and_leave_no_judge(project: Project) -> None:
    claims = labelled(project, 40)
    good = member(project, "good", claims, right=0.9)
    twins = [make_version(project, "lexical", name=name) for name in ("one", "two")]
    for twin in twins:
        finish(start(twin))
    with pytest.raises(PanelRefusedError, match="members names one judge version twice"):
        fit_panel(project=project, name="panel", members=[good, *twins], by=None)
    assert not Judge.objects.filter(type="panel").exists()


def test_one_class_alone_is_refused(project: Project) -> None:
    source, person = make_source(project), make_member(project)
    claims = [make_claim(project, f"Claim {n}.", source=source, slots=False) for n in range(40)]
    for number, claim in enumerate(claims):
        make_label(claim, person, "absent" if number < 4 else "stated")
    members = [member(project, name, claims, right=0.8, seed=n) for n, name in enumerate("ab")]
    with pytest.raises(PanelRefusedError, match="unsupported claims come from 4 answers; expected at least 5"):
        fit_panel(project=project, name="panel", members=members, by=None)


def page(project: Project) -> str:
    return reverse("reports:panel-new", args=[project.slug])


def test_a_panel_is_fitted_by_form_and_by_command_once(
    project: Project, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = labelled(project)
    members = [member(project, name, claims, right=0.9, seed=n) for n, name in enumerate("ab")]
    signed_in(client, project)
    data = {"name": "both", "members": [one.pk for one in members]}
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.post(page(project), data, headers=headers)
        assert answer.headers["Location"] == reverse("judges:version", args=[project.slug, "both", 1])
    assert "was fitted on 60 development claims" in client.get(answer.headers["Location"]).content.decode()
    call_command("fit_panel", project.slug, "both", "a", "b:1")
    assert "both v1: fitted on 60 development claims of 30 answers (36 unsupported)" in capsys.readouterr().out
    assert JudgeVersion.objects.filter(judge__type="panel").count() == 1
    assert client.get(reverse("judges:judge-new", args=[project.slug, "panel"])).headers["Location"] == page(project)
    again = client.get(reverse("judges:version-new", args=[project.slug, "both"])).headers["Location"]
    form = client.get(again).context["form"]
    assert (form["name"].value(), sorted(form["members"].value())) == ("both", sorted(one.pk for one in members))


def test_a_fit_that_is_refused_says_why_on_the_page_and_on_the_command_line(project: Project, client: Client) -> None:
    claims = labelled(project, 20)
    members = [member(project, name, claims, right=0.9, seed=n) for n, name in enumerate("ab")]
    signed_in(client, project)
    answer = client.post(page(project), {"name": "both", "members": [one.pk for one in members]})
    assert answer.status_code == 422
    assert "No panel was fitted: every member has an opinion on 20 of the 20" in answer.content.decode()
    assert client.post(page(project), {"name": "both"}).status_code == 422
    assert not Judge.objects.filter(type="panel").exists()
    for wanted, reason in (("c", "no judge version 'c'.*a:1, b:1"), ("b", "expected at least 30")):
        with pytest.raises(CommandError, match=reason):
            call_command("fit_panel", project.slug, "both", "a", wanted)


def test_with_nothing_judged_the_page_says_what_to_do(project: Project, client: Client) -> None:
    signed_in(client, project)
    assert "no judge has said anything yet" in client.get(page(project)).content.decode()


def test_strangers_and_annotators_find_no_panel_to_fit(project: Project, client: Client) -> None:
    for role in (Role.ANNOTATOR, None):
        signed_in(client, project if role else make_project(), role or Role.OWNER)
        assert client.get(page(project)).status_code == 404
        assert client.post(page(project), {"name": "both"}).status_code == 404


def test_the_page_takes_the_same_queries_however_many_versions_there_are(
    project: Project, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    claims = labelled(project, 4)
    for number in range(12):
        member(project, f"j{number}", claims, right=0.9)
    signed_in(client, project)
    with django_assert_max_num_queries(10):
        assert client.get(page(project)).context["candidates"][0].judged == 4
