import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from labelling.models import Label, Membership, Project, Role, Slot
from labelling.services.people import (
    PeopleError,
    add_member,
    attach_account,
    change_role,
    create_account,
    free_pseudonym,
    remove_member,
)
from tests.factories import make_claim, make_label, make_member, make_project, make_user
from tests.labelling.pages import (
    BY_HAND_AND_BY_HTMX,
    assert_asks_to_sign_in,
    assert_closed_to,
    outsiders,
    owner_of,
)

pytestmark = pytest.mark.django_db


def page(name: str, project: Project, *args: object) -> str:
    return reverse(f"labelling:{name}", args=[project.slug, *args])


def test_free_pseudonym_is_the_first_that_nobody_has() -> None:
    project = make_project()
    for name in ("ann-01", "ann-03"):
        make_member(project, pseudonym=name, account=False)
    assert free_pseudonym(project, Role.ANNOTATOR) == "ann-02"
    assert free_pseudonym(project, Role.ENGINEER) == "eng-01"


def test_adding_twice_in_the_same_role_makes_one_membership() -> None:
    project, user = make_project(), make_user()
    assert add_member(project=project, user=user, role="annotator") == add_member(
        project=project, user=user, role="annotator"
    )
    assert project.memberships.count() == 1


def test_taken_pseudonym_and_other_role_are_refused_by_name() -> None:
    project, user = make_project(), make_user("anna")
    add_member(project=project, user=user, role="annotator", pseudonym="reader")
    with pytest.raises(PeopleError, match="anna is here already, as annotator"):
        add_member(project=project, user=user, role="owner")
    with pytest.raises(PeopleError, match="reader is taken"):
        add_member(project=project, user=make_user(), role="annotator", pseudonym="reader")


def test_new_account_signs_in_with_the_password_and_it_is_stored_as_argon2() -> None:
    project = make_project()
    made = create_account(project=project, username="anna", role="annotator")
    user = User.objects.get(username="anna")
    assert user.check_password(made.password)
    assert user.password.startswith("argon2")
    assert made.password not in user.password
    assert len(made.password) >= 15
    assert not user.is_staff


def test_passwords_differ() -> None:
    project = make_project()
    made = {create_account(project=project, username=f"u{i}", role="annotator").password for i in range(3)}
    assert len(made) == 3


@pytest.mark.parametrize("name", ["anna", "ANNA"])
def test_account_of_a_taken_name_is_refused_and_nothing_is_made(name: str) -> None:
    project = make_project()
    make_user("anna")
    with pytest.raises(PeopleError, match=f"named {name} already"):
        create_account(project=project, username=name, role="annotator")
    assert not project.memberships.exists()


def test_project_keeps_an_owner_whatever_is_asked() -> None:
    project = make_project()
    only = make_member(project, Role.OWNER)
    make_member(project, Role.OWNER, account=False)  # a pseudonym signs nobody in
    with pytest.raises(PeopleError, match="needs an owner"):
        change_role(member=only, role="engineer")
    with pytest.raises(PeopleError, match="needs an owner"):
        remove_member(member=only)
    make_member(project, Role.OWNER)
    assert change_role(member=only, role="engineer").role == Role.ENGINEER


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.OWNER])
def test_who_could_see_judges_labels_only_where_that_is_known(role: Role) -> None:
    project = make_project()
    make_member(project, Role.OWNER)
    member = make_member(project, role)
    with pytest.raises(PeopleError, match="may not be blind"):
        change_role(member=member, role="annotator")
    assert Membership.objects.get(pk=member.pk).role == role
    assert change_role(member=member, role="annotator", not_blind=True).role == Role.ANNOTATOR


def test_who_has_labelled_is_never_removed() -> None:
    project = make_project()
    member = make_member(project)
    make_label(make_claim(project), member)
    with pytest.raises(PeopleError, match="work is never deleted"):
        remove_member(member=member)
    assert Label.objects.get().annotator == member


def _with_a_claim_in_hand() -> tuple[Membership, Slot]:
    project = make_project(overlap=1)
    member = make_member(project)
    slot = make_claim(project).slots.get()
    Slot.objects.filter(pk=slot.pk).update(
        state=Slot.State.LEASED, annotator=member, leased_until="2030-01-01T00:00:00Z"
    )
    return member, slot


def test_who_leaves_with_a_claim_in_hand_gives_it_back() -> None:
    member, slot = _with_a_claim_in_hand()
    remove_member(member=member)
    slot.refresh_from_db()
    assert (slot.state, slot.annotator) == (Slot.State.OPEN, None)
    assert not slot.project.memberships.exists()


def test_who_labels_no_more_gives_back_what_they_hold() -> None:
    member, slot = _with_a_claim_in_hand()
    change_role(member=member, role="engineer")
    slot.refresh_from_db()
    assert (slot.state, slot.annotator) == (Slot.State.OPEN, None)


def test_account_attached_to_a_pseudonym_takes_its_work_over() -> None:
    project = make_project()
    imported = make_member(project, account=False, pseudonym="w7")
    label = make_label(make_claim(project), imported, imported=True)
    user = make_user()
    for _ in range(2):
        attach_account(member=imported, user=user)
    assert user.memberships.get().labels.get() == label
    with pytest.raises(PeopleError, match="w7 has an account already"):
        attach_account(member=imported, user=make_user())


def test_account_with_a_place_already_takes_no_second_one() -> None:
    project = make_project()
    there = make_member(project)
    imported = make_member(project, account=False)
    assert there.user is not None
    with pytest.raises(PeopleError, match="under another pseudonym"):
        attach_account(member=imported, user=there.user)


def test_people_page_is_the_owners() -> None:
    project = make_project()
    target = make_member(project)
    closed = outsiders(project, allowed=(Role.OWNER,))
    make_user("anna")
    assert_closed_to(closed, page("people", project))
    assert_asks_to_sign_in(page("people", project))
    writes = {
        page("member-add", project): {"account": "anna", "role": "owner"},
        page("account-create", project): {"username": "eve", "role": "owner"},
        page("member-role", project, target.pk): {"role": "owner"},
        page("member-attach", project, target.pk): {"account": "anna"},
        page("member-remove", project, target.pk): {},
    }
    before = list(project.memberships.values())
    for url, data in writes.items():
        assert_closed_to(closed, url, data)
    assert list(project.memberships.values()) == before
    assert not User.objects.filter(username="eve").exists()


def test_people_of_another_project_are_out_of_reach() -> None:
    project, other = make_project(), make_project()
    target = make_member(other)
    _, client = owner_of(project)
    assert client.post(page("member-role", project, target.pk), {"role": "owner"}).status_code == 404
    assert client.post(page("member-attach", project, target.pk), {"account": "x"}).status_code == 404
    client.post(page("member-remove", project, target.pk))
    target.refresh_from_db()
    assert target.role == Role.ANNOTATOR


def test_writes_take_no_get() -> None:
    project = make_project()
    member, client = owner_of(project)
    for name, args in [("member-add", ()), ("account-create", ()), ("member-role", (member.pk,))]:
        assert client.get(page(name, project, *args)).status_code == 405


@BY_HAND_AND_BY_HTMX
def test_owner_adds_somebody_twice_and_they_are_in_once(headers: dict[str, str]) -> None:
    project = make_project()
    _, client = owner_of(project)
    user = make_user("anna")
    for _ in range(2):
        response = client.post(
            page("member-add", project), {"account": "anna", "role": "annotator", "pseudonym": ""}, headers=headers
        )
        assert (response.status_code, response.headers["Location"]) == (302, page("people", project))
    assert project.memberships.get(user=user).pseudonym == "ann-01"


@BY_HAND_AND_BY_HTMX
def test_password_is_in_one_response_and_in_no_other(headers: dict[str, str]) -> None:
    project = make_project()
    _, client = owner_of(project)
    data = {"username": "anna", "role": "annotator", "pseudonym": ""}
    response = client.post(page("account-create", project), data, headers=headers)
    html = response.content.decode()
    found = re.search(r'class="password">([^<]+)<', html)
    assert found is not None
    assert User.objects.get(username="anna").check_password(found[1])
    assert "no-store" in response.headers["Cache-Control"]
    again = client.post(page("account-create", project), data, headers=headers)
    assert again.status_code == 422
    for later in (again, client.get(page("people", project))):
        assert found[1] not in later.content.decode()
    assert project.memberships.filter(user__username="anna").count() == 1


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("member-add", {"account": "nobody", "role": "annotator"}, "There is no account named nobody."),
        ("member-add", {"account": "", "role": "annotator"}, "This field is required."),
        ("member-add", {"account": "anna", "role": "king"}, "king is not one of the available choices"),
        ("account-create", {"username": "a b<", "role": "annotator"}, "Enter a valid username"),
        ("account-create", {"username": "anna", "role": "annotator"}, "There is an account named anna already."),
    ],
)
def test_wrong_input_is_422_and_says_what_is_wrong(name: str, data: dict[str, str], said: str) -> None:
    project = make_project()
    _, client = owner_of(project)
    make_user("anna")
    response = client.post(page(name, project), data)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert project.memberships.count() == 1


@BY_HAND_AND_BY_HTMX
def test_owner_changes_a_role_twice_to_the_same_effect(headers: dict[str, str]) -> None:
    project = make_project()
    _, client = owner_of(project)
    member = make_member(project)
    for _ in range(2):
        response = client.post(page("member-role", project, member.pk), {"role": "engineer"}, headers=headers)
        assert response.status_code == 302
    member.refresh_from_db()
    assert member.role == Role.ENGINEER
    refused = client.post(page("member-role", project, member.pk), {"role": "annotator"}, headers=headers)
    assert refused.status_code == 422
    assert "may not be blind" in refused.content.decode()
    assert client.post(page("member-role", project, member.pk), {"role": "king"}).status_code == 422


def test_owner_who_steps_down_is_led_to_a_page_that_is_still_theirs() -> None:
    project = make_project()
    make_member(project, Role.OWNER)
    member, client = owner_of(project)
    response = client.post(page("member-role", project, member.pk), {"role": "engineer"})
    assert response.headers["Location"] == page("project", project)
    assert client.get(response.headers["Location"]).status_code == 200


@BY_HAND_AND_BY_HTMX
def test_owner_attaches_an_account_twice_and_it_stays(headers: dict[str, str]) -> None:
    project = make_project()
    _, client = owner_of(project)
    imported = make_member(project, account=False)
    user = make_user("anna")
    for _ in range(2):
        response = client.post(page("member-attach", project, imported.pk), {"account": "anna"}, headers=headers)
        assert response.status_code == 302
    imported.refresh_from_db()
    assert imported.user == user
    assert client.post(page("member-attach", project, imported.pk), {"account": "nobody"}).status_code == 422


@BY_HAND_AND_BY_HTMX
def test_owner_removes_somebody_twice_and_nobody_who_worked(headers: dict[str, str]) -> None:
    project = make_project()
    _, client = owner_of(project)
    idle, busy = make_member(project), make_member(project)
    make_label(make_claim(project), busy)
    for _ in range(2):
        assert client.post(page("member-remove", project, idle.pk), headers=headers).status_code == 302
    assert client.post(page("member-remove", project, busy.pk), headers=headers).status_code == 422
    assert set(project.memberships.filter(role=Role.ANNOTATOR)) == {busy}


def test_hostile_pseudonym_is_shown_and_never_run() -> None:
    project = make_project()
    _, client = owner_of(project)
    make_member(project, pseudonym="<script>alert(1)</script>", account=False)
    html = client.get(page("people", project)).content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_list_of_people_costs_the_same_for_two_and_for_twenty(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    project = make_project()
    _, client = owner_of(project)
    claim = make_claim(project)
    for _ in range(2):
        for _ in range(8):
            make_label(claim, make_member(project))
        with django_assert_num_queries(4):
            assert client.get(page("people", project)).status_code == 200
