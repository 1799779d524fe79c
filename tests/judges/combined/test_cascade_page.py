"""Setting up a cascade by form, and another version of one."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.models import Judge, JudgeVersion
from labelling.models import Membership, Project, Role
from tests.factories import make_member, make_project, make_user
from tests.judges.combined.factories import cascade, of, stage, version
from tests.judges.factories import make_version

pytestmark = pytest.mark.django_db


def page(project: Project) -> str:
    return reverse("judges:cascade-new", args=[project.slug])


def given(*rows: dict[str, object], name: str = "both") -> dict[str, object]:
    data: dict[str, object] = {"name": name, "policy": "strict", "stages-TOTAL_FORMS": 4, "stages-INITIAL_FORMS": 0}
    for number, row in enumerate(rows):
        data |= {f"stages-{number}-{key}": value for key, value in row.items()}
    return data


def test_a_cascade_is_made_by_form_once(project: Project, engineer: Membership, client: Client) -> None:
    first, second = version(project, "a"), version(project, "b")
    data = given(
        {"version": first.pk, "low": "0.3", "high": "0.7", "kinds": ["figure", "date"]}, {}, {"version": second.pk}
    )
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.post(page(project), data, headers=headers)
        assert answer.status_code == 302
        assert answer.headers["Location"] == reverse("judges:version", args=[project.slug, "both", 1])
    made = JudgeVersion.objects.get(judge__type="cascade")
    assert made.created_by == engineer
    found = made.config["stages"]
    assert [(one["config"]["name"], one["band"], one["kinds"]) for one in found] == [
        ("a", [0.3, 0.7], ["figure", "date"]),
        ("b", None, []),
    ]
    assert client.get(answer.headers["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{}], "0 of the rows name a judge"),
        ([{"version": 1}], "1 of the rows name a judge"),
        ([{"version": 1, "low": "0.3"}, {"version": 2}], "A band has two ends"),
        ([{"version": 1, "low": "0.8", "high": "0.3"}, {"version": 2}], "The band is 0.8 to 0.3"),
        ([{"version": 1}, {"version": 2, "low": "0", "high": "1"}], "The last stage has a band"),
        ([{"low": "0", "high": "1"}, {"version": 2}, {"version": 1}], "A band or a kind is given, and no judge"),
        ([{"version": 999}, {"version": 2}], "999 is not one of the available choices"),
        ([{"version": 1, "kinds": ["verb"]}, {"version": 2}], "verb is not one of the available choices"),
    ],
)
def test_what_makes_no_cascade_is_told(
    project: Project, engineer: Membership, client: Client, rows: list[dict[str, object]], message: str
) -> None:
    numbers = {1: version(project, "a").pk, 2: version(project, "b").pk}
    whole = [{key: numbers.get(int(str(v)), v) if key == "version" else v for key, v in row.items()} for row in rows]
    answer = client.post(page(project), given(*whole))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Judge.objects.filter(type="cascade").exists()


def test_only_what_can_be_a_stage_is_offered(project: Project, engineer: Membership, client: Client) -> None:
    first, second = version(project, "a"), version(project, "b")
    cascade(project, of(first), of(second))
    make_version(project, "scripted", name="in-batches", config={"batch": True})
    version(make_project(), "elsewhere")
    rows = client.get(page(project)).context["rows"]
    offered = [label for value, label in rows[0].fields["version"].choices if value]
    assert offered == ["a v1 (strict)", "b v1 (strict)"]


def test_a_version_made_by_other_code_is_refused(project: Project, engineer: Membership, client: Client) -> None:
    first, second = version(project, "a"), version(project, "b")
    JudgeVersion.objects.filter(pk=first.pk).update(fingerprint="0" * 64)
    answer = client.post(page(project), given({"version": first.pk}, {"version": second.pk}))
    assert answer.status_code == 422
    assert "a v1 was made by other code than today" in answer.content.decode()
    assert not Judge.objects.filter(name="both").exists()


def test_a_name_of_another_judge_is_refused(project: Project, engineer: Membership, client: Client) -> None:
    first, second = version(project, "a"), version(project, "b")
    answer = client.post(page(project), given({"version": first.pk}, {"version": second.pk}, name="a"))
    assert answer.status_code == 422
    assert "already a judge of type" in answer.content.decode()


def test_a_new_version_starts_from_the_last_one(project: Project, engineer: Membership, client: Client) -> None:
    first = version(project, "a")
    cascade(project, of(first, band=[0.2, 0.4], kinds=["date"]), stage("gone"))
    place = client.get(reverse("judges:version-new", args=[project.slug, "cascade"])).headers["Location"]
    rows = client.get(place).context["rows"]
    assert [row["version"].value() for row in rows] == [first.pk, None, None, None]
    assert (rows[0]["low"].value(), rows[0]["high"].value(), rows[0]["kinds"].value()) == (0.2, 0.4, ["date"])
    assert client.get(reverse("judges:judge-new", args=[project.slug, "cascade"])).status_code == 200


def test_with_fewer_than_two_judges_the_page_says_what_to_do(
    project: Project, engineer: Membership, client: Client
) -> None:
    assert "at least two judges that the project has" in client.get(page(project)).content.decode()


def test_strangers_and_annotators_find_nothing(project: Project, client: Client) -> None:
    annotator = make_member(project, Role.ANNOTATOR)
    assert annotator.user is not None
    for who in (annotator.user, make_user()):
        client.force_login(who)
        assert client.get(page(project)).status_code == 404
        assert client.post(page(project), given()).status_code == 404
    assert not Judge.objects.exists()


def test_the_page_takes_the_same_queries_however_many_versions_there_are(
    project: Project, engineer: Membership, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        version(project, f"j{number}")
    with django_assert_max_num_queries(10):
        assert client.get(page(project)).status_code == 200
