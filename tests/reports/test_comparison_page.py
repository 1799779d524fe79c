"""The comparison page: who may open it, what it says, and that filters and order keep their place."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from labelling.models import Project, Role
from reports.models import Look
from reports.selection import Selection
from reports.services.comparison import compare_project
from reports.shown.comparison_text import WIDTH, comparison_json, comparison_table
from reports.shown.wording import decimal
from tests.factories import make_project, make_source
from tests.reports.rows import labelled_claims, make_run, make_version, signed_in, small_project

pytestmark = pytest.mark.django_db


def _url(project: Project) -> str:
    return reverse("reports:comparison", args=[project.slug])


def _compared() -> Project:
    project, claims = small_project(["absent", "stated"] * 12)
    make_run(make_version(project, "words"), dict.fromkeys(claims, "absent"))
    truth = dict(zip(claims, ["absent", "stated"] * 12, strict=True))
    make_run(make_version(project, "oracle", number=4), truth)
    return project


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.OWNER])
def test_engineers_and_owners_see_judges_beside_people(client: Client, role: Role) -> None:
    project = _compared()
    signed_in(client, project, role)
    page = client.get(_url(project), {"split": "both"})
    assert page.status_code == 200
    text = page.content.decode()
    assert "Faithfulness to the cited source" in text
    assert "oracle" in text
    assert "Catches at least" in text
    assert "24 claims in 24 answers" in text


def test_an_annotator_a_stranger_and_nobody_see_nothing(client: Client) -> None:
    project = _compared()
    assert client.get(_url(project)).status_code == 302
    signed_in(client, project, Role.ANNOTATOR)
    assert client.get(_url(project)).status_code == 404
    signed_in(client, make_project())
    assert client.get(_url(project)).status_code == 404


def test_the_page_is_only_read(client: Client) -> None:
    project = _compared()
    signed_in(client, project)
    assert client.post(_url(project)).status_code == 405


def test_htmx_gets_the_part_below_the_filters(client: Client) -> None:
    project = _compared()
    signed_in(client, project)
    part = client.get(_url(project), headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="comparison"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


def test_a_filter_narrows_the_figures(client: Client) -> None:
    project = make_project()
    labelled_claims(project, ["stated", "absent"], kind="date")
    claims = labelled_claims(project, ["stated"] * 3, people=[], kind="figure")
    assert claims
    signed_in(client, project)
    text = client.get(_url(project), {"kind": "date"}).content.decode()
    assert "2 claims in 2 answers" in text


@pytest.mark.parametrize(
    "given", [{"kind": "bogus"}, {"split": "all"}, {"collection": "<script>"}, {"sort": "x"}, {"versions": "old"}]
)
def test_an_unknown_filter_is_refused_with_the_form(client: Client, given: dict[str, str]) -> None:
    project = _compared()
    signed_in(client, project)
    page = client.get(_url(project), given)
    assert page.status_code == 422
    assert "<form" in page.content.decode()
    assert "<script>" not in page.content.decode().replace("<script type", "").replace("<script src", "")


@pytest.mark.parametrize(("sort", "first"), [("kappa", "oracle"), ("recall", "oracle"), ("name", "oracle")])
def test_the_order_is_asked_for_by_the_query(client: Client, sort: str, first: str) -> None:
    project = _compared()
    signed_in(client, project)
    page = client.get(_url(project), {"sort": sort})
    rows = page.context["table"].rows
    assert rows[0].row.version.judge.name == first
    assert f'id="sort-{sort}" aria-current="true"' in page.content.decode()
    assert f'name="sort" value="{sort}" form="filters"' in page.content.decode()


def test_nothing_to_compare_says_what_to_do_next(client: Client) -> None:
    project = make_project()
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "Nothing to compare yet" in text
    assert reverse("labelling:project", args=[project.slug]) in text


def test_people_without_judges_have_their_row(client: Client) -> None:
    project, _ = small_project()
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "No judge has judged these claims yet" in text
    assert "each against the others" in text


def test_one_class_only_is_no_data_and_never_a_number(client: Client) -> None:
    project, claims = small_project(["stated"] * 12)
    make_run(make_version(project), dict.fromkeys(claims, "stated"))
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "no data" in text
    assert "one class only" in text
    assert "nan" not in text.lower().replace("nance", "")


def test_only_a_look_at_the_test_split_is_written_down(client: Client) -> None:
    project = _compared()
    signed_in(client, project)
    client.get(_url(project))
    assert Look.objects.count() == 0
    text = client.get(_url(project), {"split": "test"}).content.decode()
    assert Look.objects.filter(project=project, page="compare").count() == 1
    assert "No labelled claim" in text
    assert "looked at once" in client.get(_url(project)).content.decode()


def test_silence_of_a_check_is_not_shown_as_support(client: Client) -> None:
    project, claims = small_project(["absent", "stated"] * 6)
    make_run(make_version(project, config={}), dict.fromkeys(claims, "no-opinion"), score=None)
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "Silence is not support" in text
    assert "12 no opinion" in text


def test_names_from_outside_are_escaped(client: Client) -> None:
    project, claims = small_project()
    make_source(project, collection='"><img src=x onerror=alert(1)>')
    make_run(make_version(project, label="<script>alert(2)</script>"), dict.fromkeys(claims, "stated"))
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "<img" not in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(2)" in text


def test_the_page_has_no_inline_style_or_handler(client: Client) -> None:
    project = _compared()
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "style=" not in text
    assert " onclick" not in text


def test_more_judges_take_no_more_queries(client: Client) -> None:
    project, claims = small_project()
    signed_in(client, project)
    counts = []
    for name in ("a", "b", "c"):
        make_run(make_version(project, name), dict.fromkeys(claims, "stated"))
        with CaptureQueriesContext(connection) as queries:
            client.get(_url(project))
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def test_the_command_prints_the_figures_of_the_page(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    project = _compared()
    signed_in(client, project)
    page = client.get(_url(project))
    call_command("compare", project.slug, format="json")
    data = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    shown = page.context["report"]
    assert data["comparison"] == json.loads(json.dumps(shown.result.to_json()))
    for row, judge in zip(page.context["table"].rows, data["judges"], strict=True):
        assert judge["judge"] == row.row.version.judge.name
        assert decimal(judge["recall"]["value"]) in page.content.decode()


def test_the_table_fits_the_terminal_whatever_the_names() -> None:
    project, claims = small_project(["stated", "absent", "partial"] * 5)
    make_run(make_version(project, "a-name-" * 14), dict.fromkeys(claims, "stated"), seconds=1.234, cost_usd="0.0123")
    table = comparison_table(compare_project(project, Selection()))
    assert max(len(line) for line in table.splitlines()) <= WIDTH
    assert "People" in table
    assert "$12.30" in table
    assert "20 min 34 s" in table


def test_no_data_is_valid_json() -> None:
    data = json.loads(comparison_json(compare_project(make_project(), Selection())))
    assert data["ceiling"]["people"]["kappa_four"]["value"] is None
    assert data["ceiling"]["people"]["kappa_four"]["reason"]


def test_markdown_keeps_a_bar_in_a_name_inside_its_cell(capsys: pytest.CaptureFixture[str]) -> None:
    project, claims = small_project()
    make_run(make_version(project), dict.fromkeys(claims, "stated"))
    call_command("compare", project.slug, format="markdown")
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} == {8}
    assert any(line.startswith("| words v1 |") for line in lines)


def test_the_command_counts_its_look_and_names_what_it_does_not_know() -> None:
    project = _compared()
    call_command("compare", project.slug, split="test")
    assert Look.objects.filter(project=project, member=None).count() == 1
    with pytest.raises(CommandError, match="nowhere"):
        call_command("compare", "nowhere")
    with pytest.raises(CommandError, match="--kind"):
        call_command("compare", project.slug, kind="bogus")


def test_the_drawings_are_saved_with_the_figures_of_the_table(client: Client) -> None:
    project = _compared()
    signed_in(client, project)
    page = client.get(_url(project), {"split": "both", "sort": "name"})
    for plot in page.context["plots"]:
        query = {"split": "both", "sort": "name", "plot": plot.name, "as": "csv"}
        rows = client.get(_url(project), query).content.decode().splitlines()
        assert [row.split(",")[0] for row in rows] == ["name", "People", "oracle v4", "words v1"]
        assert f"plot={plot.name}&amp;as=svg" in page.content.decode()
    recall = next(plot for plot in page.context["plots"] if plot.name == "recall")
    assert [row[1] for row in recall.rows[1:]] == [
        shown.row.score.unsupported.recall for shown in page.context["table"].rows
    ]
