from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from labelling.guide.cases import CASES
from labelling.guide.wording import CASES_HEADING, prose_of
from labelling.models import GuideVersion, Policy, Project, Role
from labelling.services.guides import (
    GuideMovedOnError,
    guide_difference,
    start_guide,
    version_history,
    write_guide_version,
)
from tests.factories import make_claim, make_label, make_member, make_project
from tests.labelling.pages import (
    BY_HAND_AND_BY_HTMX,
    assert_asks_to_sign_in,
    assert_closed_to,
    outsiders,
    owner_of,
    signed_in,
)

pytestmark = pytest.mark.django_db


def guided(**fields: Any) -> Project:
    project = make_project(guide=False, **fields)
    start_guide(project=project, policy=Policy.STRICT)
    return project


def page(name: str, project: Project, *args: object) -> str:
    return reverse(f"labelling:{name}", args=[project.slug, *args])


def form_data(prose: str = "# Ours\n\nRead closely.", **more: object) -> dict[str, object]:
    return {"policy": "strict", "prose": prose, "based_on": 1, **more}


def test_editing_writes_a_new_version_and_leaves_the_old_one_as_it_was() -> None:
    project = guided()
    first = project.guide_versions.get()
    label = make_label(make_claim(project), make_member(project), guide_version=first)
    new = write_guide_version(project=project, policy="inference", prose="# Ours", cases={}, based_on=1)
    label.refresh_from_db()
    first_again = GuideVersion.objects.get(pk=first.pk)
    assert (new.number, new.policy) == (2, "inference")
    assert label.guide_version == first
    assert (first_again.text, first_again.policy) == (first.text, "strict")
    assert project.current_guide == new


def test_saving_the_same_twice_makes_one_version() -> None:
    project = guided()
    for _ in range(2):
        write_guide_version(
            project=project, policy="strict", prose="# Ours", cases={"superseded": "absent"}, based_on=1
        )
    assert list(project.guide_versions.values_list("number", flat=True)) == [1, 2]


def test_version_written_meanwhile_is_not_overwritten_unseen() -> None:
    project = guided()
    write_guide_version(project=project, policy="strict", prose="# Hers", cases={}, based_on=1)
    with pytest.raises(GuideMovedOnError, match="version 2"):
        write_guide_version(project=project, policy="strict", prose="# His", cases={}, based_on=1)
    assert project.guide_versions.count() == 2


def test_only_rulings_that_differ_from_the_policy_are_kept_as_switches() -> None:
    project = guided()
    cases = {"arithmetic": "absent", "superseded": "partial"}
    version = write_guide_version(project=project, policy="strict", prose="# Ours", cases=cases, based_on=1)
    assert version.cases == {"superseded": "partial"}
    assert "**Partial.** A later version replaced" in version.text


def test_difference_shows_what_went_what_came_and_two_lines_around() -> None:
    old = "\n".join(f"line {i}" for i in range(12))
    lines = guide_difference(old, old.replace("line 6", "line six"))
    assert [(line.kind, line.text) for line in lines] == [
        ("gap", ""),
        ("same", "line 4"),
        ("same", "line 5"),
        ("gone", "line 6"),
        ("new", "line six"),
        ("same", "line 7"),
        ("same", "line 8"),
        ("gap", ""),
    ]
    assert guide_difference(old, old) == []


def test_history_is_newest_first_and_counts_changed_lines() -> None:
    project = guided()
    prose = prose_of(project.guide_versions.get().text)
    write_guide_version(project=project, policy="strict", prose=prose + "\n\nOne more line.", cases={}, based_on=1)
    newest, oldest = version_history(project)
    assert (newest.version.number, newest.before, newest.added, newest.removed) == (2, 1, 2, 0)
    assert (oldest.version.number, oldest.before) == (1, None)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", ["guide", "guide-panel", "guide-versions"])
def test_everybody_in_the_project_reads_the_guide(role: Role, name: str) -> None:
    project = guided()
    response = signed_in(make_member(project, role)).get(page(name, project))
    assert response.status_code == 200
    if name != "guide-versions":
        assert CASES[0].claim in response.content.decode()


def test_panel_is_the_fragment_that_the_page_includes() -> None:
    project = guided()
    client = signed_in(make_member(project))
    panel = client.get(page("guide-panel", project)).content.decode()
    assert panel.lstrip().startswith('<div id="guide-panel"')
    assert "<html" not in panel
    assert panel.strip() in client.get(page("guide", project)).content.decode()


def test_guide_is_closed_to_strangers_and_asks_others_to_sign_in() -> None:
    project = guided()
    strangers = outsiders(project, allowed=tuple(Role))
    for name, args in [("guide", ()), ("guide-panel", ()), ("guide-versions", ()), ("guide-version", (1,))]:
        assert_closed_to(strangers, page(name, project, *args))
        assert_asks_to_sign_in(page(name, project, *args))


def test_only_owners_edit_and_preview() -> None:
    project = guided()
    others = outsiders(project, allowed=(Role.OWNER,))
    assert_closed_to(others, page("guide-edit", project), form_data())
    assert_closed_to(others, page("guide-preview", project), form_data())
    assert project.guide_versions.count() == 1


@BY_HAND_AND_BY_HTMX
def test_owner_saves_twice_and_one_version_is_made(headers: dict[str, str]) -> None:
    project = guided()
    _, client = owner_of(project)
    assert client.get(page("guide-edit", project)).status_code == 200
    data = form_data(**{"case-superseded": "absent"})
    for _ in range(2):
        response = client.post(page("guide-edit", project), data, headers=headers)
        assert response.status_code == 302
        assert response.headers["Location"] == page("guide", project)
    version = project.guide_versions.get(number=2)
    assert version.cases == {"superseded": "absent"}
    assert prose_of(version.text) == "# Ours\n\nRead closely."
    assert project.guide_versions.count() == 2


def test_edit_form_brings_back_what_was_saved() -> None:
    project = guided()
    _, client = owner_of(project)
    client.post(page("guide-edit", project), form_data(**{"case-negation": "absent"}))
    form = client.get(page("guide-edit", project)).context["form"]
    assert form.initial == {
        "case-negation": "absent",
        "policy": "strict",
        "prose": "# Ours\n\nRead closely.",
        "based_on": 2,
    }


def test_stale_form_is_refused_with_what_was_typed() -> None:
    project = guided()
    _, client = owner_of(project)
    write_guide_version(project=project, policy="strict", prose="# Hers", cases={}, based_on=1)
    response = client.post(page("guide-edit", project), form_data("# His own words"))
    assert response.status_code == 422
    assert "# His own words" in response.content.decode()
    assert "Version 2 was written while you edited" in response.content.decode()
    assert project.guide_versions.count() == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"prose": ""},
        {"policy": "lenient"},
        {"case-negation": "maybe"},
        {"prose": f"# Ours\n\n{CASES_HEADING}\n\nmine"},
        {"based_on": ""},
    ],
)
def test_invalid_guide_is_422_and_nothing_is_written(wrong: dict[str, str]) -> None:
    project = guided()
    _, client = owner_of(project)
    assert client.post(page("guide-edit", project), form_data() | wrong).status_code == 422
    assert client.post(page("guide-preview", project), form_data() | wrong).status_code == 422
    assert project.guide_versions.count() == 1


def test_preview_shows_the_text_and_writes_nothing() -> None:
    project = guided()
    _, client = owner_of(project)
    data = form_data("# Ours\n\n**Closely** <script>alert(1)</script>", **{"case-arithmetic": "stated"})
    fragment = client.post(page("guide-preview", project), data, headers={"HX-Request": "true"})
    whole = client.post(page("guide-edit", project), data | {"preview": "1"})
    for response in (fragment, whole):
        html = response.content.decode()
        assert response.status_code == 200
        assert "<strong>Closely</strong> &lt;script&gt;" in html
        assert "<script>alert" not in html
    assert "<html" not in fragment.content.decode()
    assert project.guide_versions.count() == 1


def test_preview_takes_no_get() -> None:
    project = guided()
    _, client = owner_of(project)
    assert client.get(page("guide-preview", project)).status_code == 405


def test_version_page_escapes_hostile_lines_in_the_difference() -> None:
    project = guided()
    write_guide_version(project=project, policy="strict", prose="<img src=x onerror=alert(1)>", cases={}, based_on=1)
    html = signed_in(make_member(project)).get(page("guide-version", project, 2)).content.decode()
    assert "<img" not in html
    assert "&lt;img src=x" in html


def test_version_of_another_project_or_none_is_404() -> None:
    project = guided()
    client = signed_in(make_member(project))
    other = guided()
    write_guide_version(project=other, policy="strict", prose="# Theirs", cases={}, based_on=1)
    assert client.get(page("guide-version", project, 2)).status_code == 404
    assert client.get(page("guide-version", project, 99)).status_code == 404


def test_project_without_a_guide_says_who_writes_it() -> None:
    project = make_project(guide=False)
    owner, client = owner_of(project)
    assert owner.may_own
    assert page("guide-edit", project) in client.get(page("guide", project)).content.decode()
    html = signed_in(make_member(project)).get(page("guide", project)).content.decode()
    assert "An owner of the project writes it" in html
    assert client.post(page("guide-edit", project), form_data(based_on=0)).status_code == 302
    assert project.guide_versions.get().number == 1


def test_list_of_versions_costs_the_same_for_two_and_for_twelve(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    project = guided()
    client: Client = signed_in(make_member(project))
    counts = []
    for upto in (2, 12):
        for number in range(project.guide_versions.count(), upto):
            prose = f"# Ours {number}"
            write_guide_version(project=project, policy="strict", prose=prose, cases={}, based_on=number)
        with django_assert_num_queries(4) as asked:
            assert client.get(page("guide-versions", project)).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]
