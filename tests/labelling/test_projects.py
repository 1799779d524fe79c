from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from labelling.models import GuideVersion, Label, Membership, Policy, Project, Role, Slot
from labelling.services.overview import project_overview
from labelling.services.projects import change_settings, create_project
from labelling.services.slots import open_slots
from tests.factories import (
    make_adjudication,
    make_answer,
    make_claim,
    make_claims,
    make_label,
    make_labels,
    make_member,
    make_project,
    make_source,
    make_user,
)
from tests.labelling.pages import (
    BY_HAND_AND_BY_HTMX,
    assert_asks_to_sign_in,
    assert_closed_to,
    outsiders,
    owner_of,
    signed_in,
)

pytestmark = pytest.mark.django_db


def page(name: str, project: Project) -> str:
    return reverse(f"labelling:{name}", args=[project.slug])


def settings_data(**fields: object) -> dict[str, object]:
    return {
        "name": "Returns assistant",
        "description": "",
        "overlap": 3,
        "consensus_rule": "majority",
        "partial_is_unsupported": "on",
        "ask_invention": "on",
        "lease_minutes": 30,
        **fields,
    }


def change(project: Project, **fields: Any) -> Project:
    names: tuple[str, ...] = ("name", "description", "overlap", "consensus_rule", "partial_is_unsupported")
    names += ("ask_invention", "ask_severity", "lease_minutes")
    return change_settings(project=project, **{name: getattr(project, name) for name in names} | fields)


@pytest.mark.parametrize("policy", Policy.values)
def test_new_project_has_an_owner_and_the_guide_of_its_policy(policy: str) -> None:
    user = make_user()
    project = create_project(slug="new", name="New", owner=user, policy=policy)
    guide = project.guide_versions.get()
    assert (guide.number, guide.policy) == (1, policy)
    assert f"This project's policy: {policy}" in guide.text
    assert Membership.objects.get(project=project).role == Role.OWNER


def test_raising_the_overlap_opens_places_and_lowering_it_keeps_every_label() -> None:
    project = make_project(overlap=2)
    claim = make_claim(project)
    people = [make_member(project) for _ in range(2)]
    make_labels(claim, people, ["stated", "absent"])
    for slot, who in zip(claim.slots.all(), people, strict=True):
        Slot.objects.filter(pk=slot.pk).update(state=Slot.State.DONE, annotator=who)
    change(project, overlap=5)
    assert claim.slots.filter(state=Slot.State.OPEN).count() == 3
    change(project, overlap=1)
    assert claim.slots.filter(state=Slot.State.OPEN).count() == 0
    assert claim.slots.filter(state=Slot.State.DONE).count() == 2
    assert Label.objects.counted().filter(claim=claim).count() == 2


def test_other_settings_touch_no_places() -> None:
    project = make_project(overlap=3)
    claim = make_claim(project, slots=False)
    change(project, name="Another name")
    assert not claim.slots.exists()


@pytest.mark.parametrize(("field", "value"), [("overlap", 0), ("overlap", 11), ("lease_minutes", 0)])
def test_settings_out_of_range_are_refused_and_nothing_is_saved(field: str, value: int) -> None:
    project = make_project()
    with pytest.raises(ValidationError, match=field):
        change(project, **{field: value})
    assert getattr(Project.objects.get(pk=project.pk), field) != value


@BY_HAND_AND_BY_HTMX
def test_staff_make_a_project_once_and_own_it(headers: dict[str, str]) -> None:
    client = Client()
    user = make_user(is_staff=True)
    client.force_login(user)
    url = reverse("labelling:project-create")
    data = {"name": "Ferries", "slug": "ferries", "description": "", "policy": "inference"}
    assert client.get(url).status_code == 200
    first = client.post(url, data, headers=headers)
    assert (first.status_code, first.headers["Location"]) == (302, "/p/ferries/")
    assert client.post(url, data, headers=headers).status_code == 422
    project = Project.objects.get(slug="ferries")
    assert project.memberships.get().user == user
    assert project.guide_versions.get().policy == "inference"


def test_who_is_not_staff_makes_no_project() -> None:
    url = reverse("labelling:project-create")
    client = Client()
    client.force_login(make_user())
    assert_closed_to([client], url, {"name": "X", "slug": "x", "policy": "strict"})
    assert_asks_to_sign_in(url)
    assert not Project.objects.exists()


@pytest.mark.parametrize("is_staff", [True, False])
def test_first_page_leads_to_a_new_project_where_one_may_be_made(is_staff: bool) -> None:
    client = Client()
    client.force_login(make_user(is_staff=is_staff))
    html = client.get(reverse("labelling:home")).content.decode()
    assert (reverse("labelling:project-create") in html) == is_staff


@BY_HAND_AND_BY_HTMX
def test_owner_changes_settings_twice_to_the_same_effect(headers: dict[str, str]) -> None:
    project = make_project(overlap=3)
    claim = make_claim(project)
    _, client = owner_of(project)
    assert client.get(page("settings", project)).status_code == 200
    for _ in range(2):
        response = client.post(page("settings", project), settings_data(overlap=5, name="Renamed"), headers=headers)
        assert (response.status_code, response.headers["Location"]) == (302, page("settings", project))
    project.refresh_from_db()
    assert (project.overlap, project.name, project.ask_severity) == (5, "Renamed", False)
    assert claim.slots.count() == 5


@pytest.mark.parametrize(
    "wrong", [{"overlap": 11}, {"overlap": "many"}, {"name": ""}, {"consensus_rule": "loudest"}, {"lease_minutes": 0}]
)
def test_invalid_settings_are_422_and_change_nothing(wrong: dict[str, object]) -> None:
    project = make_project(overlap=3, name="As it was")
    _, client = owner_of(project)
    response = client.post(page("settings", project), settings_data() | wrong)
    assert response.status_code == 422
    assert '<span class="project-name" dir="auto">As it was</span>' in response.content.decode()
    project.refresh_from_db()
    assert (project.overlap, project.name) == (3, "As it was")


def test_settings_are_the_owners() -> None:
    project = make_project()
    closed = outsiders(project, allowed=(Role.OWNER,))
    assert_closed_to(closed, page("settings", project), settings_data(overlap=9))
    assert_asks_to_sign_in(page("settings", project))
    project.refresh_from_db()
    assert project.overlap == 3


def test_annotator_is_led_from_the_project_to_their_work() -> None:
    project = make_project()
    response = signed_in(make_member(project)).get(page("project", project))
    assert (response.status_code, response.headers["Location"]) == (302, page("label", project))


def test_project_page_is_closed_to_strangers() -> None:
    project = make_project()
    assert_closed_to(outsiders(project, allowed=tuple(Role)), page("project", project))
    assert_asks_to_sign_in(page("project", project))


def test_overview_counts_what_is_in_and_how_far_labelling_has_come() -> None:
    project = make_project(overlap=2)
    other = make_project()
    make_claims(other, 3)
    clean, scanned = (make_source(project, collection=name) for name in ("help-centre", "scanned-pdf"))
    answer = make_answer(project, system="harbour-bot")
    claims = [make_claim(project, answer=answer, source=clean) for _ in range(3)]
    make_claim(project, answer=answer, source=scanned)
    make_claim(project, answer=answer, cited=False, slots=False)
    one, two = make_member(project, pseudonym="ann-01"), make_member(project, pseudonym="ann-02", account=False)
    make_labels(claims[0], [one, two], ["stated", "absent"])
    make_label(claims[1], one)
    make_label(claims[1], one, "absent", revision=2)
    make_adjudication(claims[2], make_member(project, Role.OWNER))
    open_slots(project=project)
    found = project_overview(project)
    assert (found.sources, found.answers, found.claims, found.claims_cited, found.cited_percent) == (2, 1, 5, 4, 80)
    assert [(row.name, row.sources, row.claims) for row in found.collections] == [
        ("help-centre", 1, 3),
        ("scanned-pdf", 1, 1),
    ]
    assert [(row.name, row.answers) for row in found.systems] == [("harbour-bot", 1)]
    assert [(row.pseudonym, row.has_account, row.labels) for row in found.annotators] == [
        ("ann-01", True, 2),
        ("ann-02", False, 1),
    ]
    assert (found.labels, found.places_waiting, found.labels_wanted) == (3, 5, 8)
    assert (found.disagreements, found.settled) == (1, 1)


def test_overview_of_nothing_has_no_share() -> None:
    found = project_overview(make_project(guide=False))
    assert (found.claims, found.cited_percent, found.guide) == (0, None, None)


@pytest.mark.parametrize(("role", "people_link"), [(Role.OWNER, True), (Role.ENGINEER, False)])
def test_empty_project_says_what_to_do_next(role: Role, people_link: bool) -> None:
    project = make_project(slug="fresh")
    html = signed_in(make_member(project, role)).get(page("project", project)).content.decode()
    assert "import_items fresh" in html
    assert (f'href="{page("people", project)}"' in html) == people_link
    assert "%" not in html.split("<main", 1)[1]  # no share of nothing


def test_project_page_tells_no_verdicts() -> None:
    project = make_project()
    claim = make_claim(project)
    make_labels(claim, [make_member(project) for _ in range(2)], ["contradicted", "absent"])
    html = signed_in(make_member(project, Role.ENGINEER)).get(page("project", project)).content.decode()
    assert "contradicted" not in html
    assert "1 disagreement waits for an owner" in html


def test_project_page_costs_the_same_for_few_and_for_many(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    project = make_project()
    client = signed_in(make_member(project, Role.OWNER))
    for many in (2, 12):
        for claim in make_claims(project, many):
            make_labels(claim, [make_member(project) for _ in range(2)], ["stated", "absent"])
            make_source(project, collection=f"collection {claim.pk}")
        with django_assert_num_queries(15):
            assert client.get(page("project", project)).status_code == 200


def test_command_makes_a_project_with_its_owner() -> None:
    make_user("olga")
    out = StringIO()
    call_command("create_project", "ferries", "Ferries", owner="olga", policy="inference", stdout=out)
    project = Project.objects.get(slug="ferries")
    assert project.memberships.get().role == Role.OWNER
    assert "project ferries made, inference policy" in out.getvalue()


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["taken", "Name"], "taken"),
        (["no spaces", "Name"], "no spaces"),
        (["new", "Name", "--owner", "nobody"], "nobody"),
    ],
)
def test_command_names_what_is_wrong_and_makes_nothing(args: list[str], named: str) -> None:
    make_project(slug="taken")
    with pytest.raises(CommandError, match=named):
        call_command("create_project", *args)
    assert Project.objects.count() == 1


def test_command_adds_a_member_once() -> None:
    project = make_project(slug="ferries")
    make_user("anna")
    for _ in range(2):
        call_command("add_member", "ferries", "anna", "annotator", stdout=StringIO())
    member = project.memberships.get()
    assert (member.role, member.pseudonym) == (Role.ANNOTATOR, "ann-01")
    with pytest.raises(CommandError, match="is here already, as annotator"):
        call_command("add_member", "ferries", "anna", "owner")
    for wrong, named in ((["none", "anna", "owner"], "none"), (["ferries", "nobody", "owner"], "nobody")):
        with pytest.raises(CommandError, match=named):
            call_command("add_member", *wrong)


def test_nothing_is_half_made_where_the_owner_cannot_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("labelling.services.projects.add_member", refuse)
    with pytest.raises(RuntimeError):
        create_project(slug="new", name="New", owner=make_user())
    assert not Project.objects.exists()
    assert not GuideVersion.objects.exists()
