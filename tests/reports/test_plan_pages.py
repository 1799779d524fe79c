"""Pages of plans: words and the form that queues claims, one plan with its figures, undoing; and who may."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.models import JudgeVersion
from labelling.models import Claim, Project, Role, SamplingPlan, Split
from reports.models import Look
from tests.factories import make_claims, make_label, make_member, make_project
from tests.reports.rows import labelled_claims, make_run, make_version, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]

ASKED = {"number": 1, "random": 4, "labels": 1, "seed": 1, "split": ""}


def a_project(left: int = 12) -> tuple[Project, list[Claim], list[JudgeVersion]]:
    """Labelled claims and claims that are left, with two judges that differ on every other one of these."""
    project = make_project(overlap=2)
    gold = ["absent", "stated"] * 12
    labelled, claims = labelled_claims(project, gold), make_claims(project, left)
    one, two = make_version(project, "one"), make_version(project, "two")
    make_run(one, dict(zip(labelled, gold, strict=True)) | dict.fromkeys(claims, "stated"), score=0.65)
    make_run(two, {claim: "absent" if place % 2 else "stated" for place, claim in enumerate(claims)}, score=0.1)
    return project, claims, [one, two]


def plans_url(project: Project) -> str:
    return reverse("reports:plans", args=[project.slug])


def plan_url(project: Project, number: int = 1) -> str:
    return reverse("reports:plan", args=[project.slug, number])


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


def test_the_project_page_asks_for_the_words_and_they_say_how_many_more(client: Client) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    words = reverse("reports:more-labels", args=[project.slug])
    assert words in client.get(reverse("labelling:project", args=[project.slug])).content.decode()
    said = text_of(client.get(words).content.decode())
    assert re.search(r"Label [\d,]+ more random claims for ±5 points on recall\.", said)
    assert "it takes 29 without a miss, you have 12. Label about 34 more random claims for the missing 17." in said
    assert not Look.objects.exists()


def test_another_width_another_judge_and_the_test_split_are_asked_for_by_form_and_a_look_is_counted(
    client: Client,
) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    said = text_of(client.get(plans_url(project), {"points": "10", "judge": "two@1"}).content.decode())
    assert "±10 points on recall" in said
    assert "Recall on unsupported, two v1" in said
    assert not Look.objects.exists()
    assert client.get(plans_url(project), {"split": "test"}).status_code == 200
    assert Look.objects.get().page == "plans"


@pytest.mark.parametrize("given", [{"points": "0"}, {"points": "x"}, {"judge": "three@1"}, {"split": "training"}])
def test_a_filter_that_is_nonsense_is_422(client: Client, given: dict[str, str]) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    response = client.get(plans_url(project), given)
    assert response.status_code == 422
    assert "Choose another above" in response.content.decode()


def test_an_empty_project_has_a_page_that_says_what_is_missing(client: Client) -> None:
    project = make_project()
    signed_in(client, project)
    said = text_of(client.get(plans_url(project)).content.decode())
    assert "No claim is left to draw from" in said
    assert "No plan so far" in said


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_plan_is_queued_once_however_often_its_form_is_sent(client: Client, headers: dict[str, str]) -> None:
    project, _, _ = a_project()
    user = signed_in(client, project)
    for _ in range(2):
        response = client.post(plans_url(project), ASKED, headers=headers)
        assert (response.status_code, response.headers["Location"]) == (302, plan_url(project))
    plan = SamplingPlan.objects.get()
    assert plan.by is not None
    assert (plan.by.user, plan.planned.count(), plan.labels) == (user, 4, 1)
    page = text_of(client.get(plan_url(project)).content.decode())
    assert "4 claims drawn from 12" in page
    assert "0 of 4 claims have a label; 4 labels wait" in page
    assert "Each claim was drawn with a probability of 0.333." in page
    assert "Plan 1" in client.get(plans_url(project)).content.decode()


def test_the_form_draws_from_groups_as_well(client: Client) -> None:
    project, claims, _ = a_project()
    signed_in(client, project)
    Claim.objects.filter(pk=claims[0].pk).update(kind="figure")
    groups = {"disagree": 3, "judges": ["one@1", "two@1"], "near": 2, "judge": "one@1", "within": "0.05", "rare": 1}
    response = client.post(plans_url(project), {**ASKED, **groups, "kind": "figure"})
    assert response.status_code == 302
    draws = SamplingPlan.objects.get().draws
    assert [(draw["criterion"], draw["taken"], draw["of"]) for draw in draws] == [
        ("random", 4, 12),
        ("disagree", 3, 6),
        ("near", 2, 12),
        ("alike", 1, 1),
    ]
    page = text_of(client.get(plan_url(project)).content.decode())
    assert "Judges disagree: one@1, two@1" in page
    assert "Near a threshold: one@1 within 0.05 of 0.60" in page
    assert "Alike: kind figure" in page


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"random": "0"}, "greater than or equal to 1"),
        ({"random": "13"}, "13 random claims: expected 1 to 12"),
        ({"labels": "11"}, "less than or equal to 10"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"disagree": "3", "judges": ["one@1"]}, "Choose two judges or more."),
        ({"disagree": "3", "judges": ["one@1", "nobody@1"]}, "not one of the available choices"),
        ({"near": "3"}, "Choose a judge."),
        ({"rare": "3"}, "Choose a kind, a severity, a collection or a system."),
        ({"rare": "3", "kind": "date"}, "none of the 12 claims"),
        ({"number": ""}, "This field is required"),
    ],
)
def test_what_cannot_be_drawn_is_422_with_a_reason_and_leaves_nothing(
    client: Client, given: dict[str, str], says: str
) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    response = client.post(plans_url(project), ASKED | given)
    assert response.status_code == 422
    assert says in response.content.decode()
    assert not SamplingPlan.objects.exists()


def test_a_plan_queued_by_somebody_else_in_between_is_said(client: Client) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    client.post(plans_url(project), ASKED)
    response = client.post(plans_url(project), ASKED | {"random": 5})
    assert response.status_code == 422
    assert "Plan 1 was queued meanwhile" in response.content.decode()
    assert SamplingPlan.objects.count() == 1


def test_a_plan_is_undone_by_its_button_and_not_twice(client: Client) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    client.post(plans_url(project), ASKED)
    undo = reverse("reports:plan-undo", args=[project.slug, 1])
    assert 'id="plan-undo"' in client.get(plan_url(project)).content.decode()
    assert client.get(undo).status_code == 405
    page = client.post(undo, follow=True).content.decode()
    assert "Plan 1 is undone" in page
    assert 'id="plan-undo"' not in page
    assert "was not undone" in client.post(undo, follow=True).content.decode()
    assert client.post(plans_url(project), ASKED | {"number": 2}).status_code == 302
    make_label(SamplingPlan.objects.get(number=2).planned.all()[0].claim, make_member(project))
    second = reverse("reports:plan-undo", args=[project.slug, 2])
    assert "has been labelled" in client.post(second, follow=True).content.decode()
    assert SamplingPlan.objects.get(number=2).undone is None


def test_the_plan_page_has_weighted_figures_of_the_judge_and_a_look_at_test_is_counted(client: Client) -> None:
    project, claims, _ = a_project()
    signed_in(client, project)
    groups = {"disagree": 3, "judges": ["one@1", "two@1"]}
    client.post(plans_url(project), {**ASKED, **groups, "random": 6})
    person = make_member(project)
    for row in SamplingPlan.objects.get().planned.all():
        make_label(row.claim, person, "absent")
    page = text_of(client.get(plan_url(project), {"judge": "two@1"}).content.decode())
    assert re.search(r"\d of the plan’s \d claims in the development split have gold", page)
    assert "Recall on unsupported" in page
    assert "equally likely ones" in page
    assert not Look.objects.exists()
    for claim in claims[:6]:
        claim.answer.split = Split.TEST
        claim.answer.save()
    client.get(plan_url(project), {"split": "both"})
    assert Look.objects.get().judge_version is not None


def test_the_comparison_says_where_targeted_claims_are_counted(client: Client) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    compare = reverse("reports:comparison", args=[project.slug])
    assert plans_url(project) not in client.get(compare).content.decode()
    client.post(plans_url(project), {**ASKED, "disagree": 6, "judges": ["one@1", "two@1"]})
    person = make_member(project)
    for row in SamplingPlan.objects.get().planned.all():
        make_label(row.claim, person, "absent")
    page = client.get(compare).content.decode()
    assert "left out: they are no random sample" in page
    assert plans_url(project) in page


def test_the_list_costs_as_many_queries_however_long_it_is(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    counts = []
    for number in (1, 2, 3, 4):
        said_by(project.slug, "--random", "2")
        client.get(plans_url(project))  # what is kept from here on is not asked for again
        with django_assert_max_num_queries(60) as asked:
            page = client.get(plans_url(project)).content.decode()
        assert f"Plan {number}</a>" in page
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_strangers_and_annotators_get_nothing(client: Client) -> None:
    project, _, _ = a_project()
    signed_in(client, project)
    client.post(plans_url(project), ASKED)
    addresses = [plans_url(project), plan_url(project), reverse("reports:more-labels", args=[project.slug])]
    undo = reverse("reports:plan-undo", args=[project.slug, 1])
    for where, role in ((make_project(), Role.OWNER), (project, Role.ANNOTATOR)):
        signed_in(client, where, role)
        assert [client.get(address).status_code for address in addresses] == [404] * 3
        assert client.post(plans_url(project), ASKED | {"number": 2}).status_code == 404
        assert client.post(undo).status_code == 404
    other, _, _ = a_project()
    signed_in(client, other, Role.OWNER)
    assert client.get(plan_url(other)).status_code == 404
    assert SamplingPlan.objects.get().undone is None


def said_by(*arguments: str) -> str:
    out = StringIO()
    call_command("plan_labels", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_says_how_many_more_and_queues_by_the_same_rules() -> None:
    project, _, _ = a_project()
    assert "more random claims for ±5 points on recall. (one v1)" in said_by(project.slug)
    assert "12 claims are left to draw from." in said_by(project.slug, "--points", "10")
    said = said_by(project.slug, "--random", "4", "--disagree", "2", "--judges", "one@1", "two@1", "--labels", "1")
    assert re.search(r"Plan 1: [456] of 12 claims queued, seed 1, labels for each: 1; [012] targeted\.", said)
    assert "2 of 6: judges disagree: one@1, two@1" in said
    assert "Plan 2: 3 of" in said_by(project.slug, "--random", "3")
    assert SamplingPlan.objects.get(number=2).labels == project.overlap


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--random", "x"], "--random: Enter a whole number"),
        (["--random", "99"], "99 random claims: expected 1 to 12"),
        (["--random", "2", "--near", "2"], "--judge: Choose a judge"),
        (["--split", "training"], "--split: Select a valid choice"),
        (["--points", "99"], "--points: Ensure this value is less"),
    ],
)
def test_the_command_names_what_it_cannot_use(arguments: list[str], says: str) -> None:
    project, _, _ = a_project()
    with pytest.raises(CommandError, match=says):
        said_by(project.slug, *arguments)
    assert not SamplingPlan.objects.exists()


def test_the_command_counts_each_look_at_test_and_knows_no_other_projects() -> None:
    project, _, _ = a_project()
    assert "Looks at the test split so far, this one included: 1." in said_by(project.slug, "--split", "test")
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        said_by("nowhere")
