"""The groundedness report as a page and as files: who may open it, what it says, and that outside text stays text."""

import html
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from labelling.models import Claim, Label, Project, Role, Source
from reports.models import Look
from reports.shown.groundedness_files import FORMS
from tests.factories import make_project
from tests.reports.groundedness_rows import grounded_project, judged_by
from tests.reports.rows import labelled_claims, signed_in, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]
EVERYTHING = {"c1": "stated", "c2": "stated", "c3": "failed", "c4": "stated", "c5": "absent"}
HOSTILE = "<img src=x onerror=alert(1)> | **bold** [link](javascript:alert(1)) </style><script>alert(2)</script>"


def page_of(project: Project) -> str:
    return reverse("reports:groundedness", args=[project.slug])


def file_of(project: Project, kind: str) -> str:
    return reverse("reports:groundedness-file", args=[project.slug, kind])


def words(text: str) -> str:
    """What a reader sees of a page, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.OWNER])
def test_engineers_and_owners_read_the_figures(client: Client, role: Role) -> None:
    project = grounded_project()
    signed_in(client, project, role)
    text = words(client.get(page_of(project)).content.decode())
    assert "Faithfulness to the cited source, not truth about the world. 6 claims in 4 answers" in text
    assert "5 of 5 cited claims have a settled verdict" in text
    assert "Miscitations" in text
    assert "1 of 4" in text
    assert "Claim c4." in text


def test_an_annotator_a_stranger_and_nobody_see_nothing(client: Client) -> None:
    project = grounded_project()
    addresses = [page_of(project), *(file_of(project, kind) for kind in FORMS)]
    assert {client.get(address).status_code for address in addresses} == {302}
    signed_in(client, project, Role.ANNOTATOR)
    assert {client.get(address).status_code for address in addresses} == {404}
    signed_in(client, make_project())
    assert {client.get(address).status_code for address in addresses} == {404}


def test_the_report_is_only_read(client: Client) -> None:
    project = grounded_project()
    signed_in(client, project)
    assert client.post(page_of(project)).status_code == 405
    assert client.post(file_of(project, "json")).status_code == 405
    assert client.get(file_of(project, "pdf")).status_code == 404


def test_htmx_gets_the_part_below_the_filters(client: Client) -> None:
    project = grounded_project()
    signed_in(client, project)
    part = client.get(page_of(project), headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="groundedness"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


@pytest.mark.parametrize(
    "given",
    [
        {"system": "bogus"},
        {"judge": "x@1"},
        {"split": "all"},
        {"collection": "<script>"},
        {"origin": "judge"},
        {"since": "x"},
    ],
)
def test_an_unknown_filter_is_refused_with_the_form(client: Client, given: dict[str, str]) -> None:
    project = grounded_project()
    signed_in(client, project)
    for address in (page_of(project), file_of(project, "json")):
        page = client.get(address, given)
        assert page.status_code == 422
        assert 'role="alert"' in page.content.decode()
    assert client.get(page_of(project), given, headers={"HX-Request": "true"}).status_code == 422


def test_filters_narrow_the_figures_and_stay_in_the_links(client: Client) -> None:
    project = grounded_project()
    signed_in(client, project)
    page = client.get(page_of(project), {"system": "desk", "task_type": "refunds"})
    text = page.content.decode()
    assert "2 claims in 1 answer of desk, task refunds" in re.sub(r"\s+([,.;])", r"\1", words(text))
    assert "groundedness.html?system=desk&amp;task_type=refunds" in text
    project.answers.filter(external_id="a2").update(system="")
    assert "(system not given)" in client.get(file_of(project, "md"), {"system": "none"}).content.decode()


def test_days_narrow_the_report_and_are_said_in_every_form(client: Client) -> None:
    project = grounded_project()
    project.answers.filter(external_id="a1").update(created="2026-05-01T00:00:00Z")
    signed_in(client, project)
    given = {"since": "2026-04-01", "until": "2026-05-01"}
    page = words(client.get(page_of(project), given).content.decode())
    assert "4 claims in 2 answers, made on or after 2026-04-01 and before 2026-05-01" in page
    assert "made on or after 2026-04-01" in client.get(file_of(project, "md"), given).content.decode()
    assert json.loads(client.get(file_of(project, "json"), given).content)["selection"]["until"] == "2026-05-01"
    refused = client.get(page_of(project), {"since": "2026-05-01", "until": "2026-05-01"})
    assert refused.status_code == 422
    assert "Expected a day after 2026-05-01." in refused.content.decode()


def test_a_judge_has_its_columns_marked_raw_and_without_certificate(client: Client) -> None:
    project = grounded_project()
    judged_by(project, EVERYTHING)
    signed_in(client, project)
    text = words(client.get(page_of(project), {"judge": "oracle@1"}).content.decode())
    assert "oracle v1 raw no certificate" in text
    assert "1 of them without a verdict: counted as unsupported, and beside it left out" in text
    assert "where it judged:" in text
    assert "refused: everything judged is labelled by people too" in text


def test_no_answers_say_what_to_do_next(client: Client) -> None:
    project = make_project()
    signed_in(client, project)
    text = client.get(page_of(project)).content.decode()
    assert "No answers here" in text
    assert reverse("reports:imports", args=[project.slug]) in text


def test_what_has_no_data_says_why_and_is_no_number(client: Client) -> None:
    project, _ = small_project(["stated"] * 3)
    signed_in(client, project)
    text = client.get(page_of(project)).content.decode()
    assert "no data: no claim with a verdict has a severity" in words(text)
    assert "nan" not in text.lower()


def test_only_a_look_at_the_test_split_is_written_down(client: Client) -> None:
    project = grounded_project()
    signed_in(client, project)
    client.get(page_of(project))
    assert Look.objects.count() == 0
    for _ in range(2):
        assert "looked at once" in client.get(page_of(project), {"split": "both"}).content.decode()
    assert Look.objects.filter(project=project, page="report").count() == 1


def test_outside_text_stays_text_in_every_form(client: Client) -> None:
    project = grounded_project()
    Claim.objects.filter(external_id="c4").update(text=HOSTILE)
    Source.objects.filter(external_id="returns#7").update(title=HOSTILE, text=HOSTILE * 2, collection=HOSTILE)
    project.answers.filter(external_id="a2").update(system=HOSTILE)
    judged_by(project, {"c4": "contradicted"}, quote=HOSTILE, reason=HOSTILE)
    signed_in(client, project)
    asked = {"judge": "oracle@1", "origin": "judge"}
    for address in (page_of(project), file_of(project, "html"), file_of(project, "md")):
        text = client.get(address, asked).content.decode()
        assert "alert(1)" in text
        assert "<img" not in text
        assert "<script>alert" not in text
    markdown = client.get(file_of(project, "md"), asked).content.decode()
    assert "**bold**" not in markdown
    assert not re.search(r"(?<!\\)\]\(", markdown)
    assert json.loads(client.get(file_of(project, "json"), asked).content)["failing"]["claims"][0]["text"] == HOSTILE


def test_every_row_of_a_markdown_table_has_the_cells_of_its_head(client: Client) -> None:
    project = grounded_project()
    Source.objects.filter(external_id="returns#7").update(title="a | b\nc", collection="x|y")
    judged_by(project, EVERYTHING)
    signed_in(client, project)
    text = client.get(file_of(project, "md"), {"judge": "oracle@1"}).content.decode()
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table


def test_the_file_loads_nothing_and_forbids_it(client: Client) -> None:
    project = grounded_project()
    signed_in(client, project)
    response = client.get(file_of(project, "html"))
    text = response.content.decode()
    assert response.headers["Content-Disposition"] == 'attachment; filename="groundedness-grounded.html"'
    assert "default-src 'none'" in text
    assert "<link" not in text
    assert "<script" not in text
    assert "href=" not in text
    assert " src=" not in text
    assert "url(" not in text
    assert "Claim c4." in text


def test_page_json_and_command_have_the_same_figures(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    project = grounded_project()
    judged_by(project, EVERYTHING)
    signed_in(client, project)
    shown = client.get(page_of(project), {"judge": "oracle@1"}).context["report"].figures
    downloaded = json.loads(client.get(file_of(project, "json"), {"judge": "oracle@1"}).content)
    call_command("groundedness", project.slug, format="json", judge="oracle@1")
    printed = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert printed == downloaded
    assert printed["people"] == json.loads(json.dumps(shown.people.to_json()))
    assert printed["judge"]["certificate"] == "no certificate"
    assert printed["judge"]["raw"]["entailment"]["k"] == 3
    assert printed["judge"]["corrected"]["entailment"]["rogan_gladen"]["value"] is None
    assert printed["failing"]["miscitations"] == 1
    assert printed["failing"]["claims"][0]["cited"][0]["cited"] == "Returns are accepted within 14 days."


def test_the_command_writes_each_form_to_a_file(tmp_path: Path) -> None:
    project = grounded_project()
    for kind in FORMS:
        call_command("groundedness", project.slug, format=kind, output=tmp_path / f"report.{kind}", system="desk")
    assert "Claim c4." in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["selection"]["system"] == "desk"
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# Groundedness of ")


def test_the_command_counts_its_look_and_names_what_it_does_not_know() -> None:
    project = grounded_project()
    call_command("groundedness", project.slug, split="both")
    assert Look.objects.filter(project=project, member=None).count() == 1
    with pytest.raises(CommandError, match="nowhere"):
        call_command("groundedness", "nowhere")
    with pytest.raises(CommandError, match="--task-type"):
        call_command("groundedness", project.slug, task_type="bogus")


def test_claims_that_fail_are_paged_in_the_same_number_of_queries(client: Client) -> None:
    counts = []
    for size in (21, 60):
        project = make_project()
        labelled_claims(project, ["absent"] * size)
        signed_in(client, project)
        client.get(page_of(project))
        with CaptureQueriesContext(connection) as queries:
            text = client.get(page_of(project), {"page": "2"}).content.decode()
        counts.append(len(queries))
        assert f"page 2 of {-(-size // 20)}" in words(text)
    assert counts[0] == counts[1]


def test_only_owners_are_led_to_settling_a_claim(client: Client) -> None:
    project = grounded_project()
    target = reverse("labelling:adjudicate-claim", args=[project.slug, Claim.objects.get(external_id="c4").pk])
    signed_in(client, project, Role.ENGINEER)
    assert target not in client.get(page_of(project)).content.decode()
    signed_in(client, project, Role.OWNER)
    assert target in client.get(page_of(project)).content.decode()
    assert Label.objects.filter(claim__external_id="c4").exists()


def test_the_page_has_no_inline_style_or_handler(client: Client) -> None:
    project = grounded_project()
    judged_by(project, EVERYTHING)
    signed_in(client, project)
    text = client.get(page_of(project), {"judge": "oracle@1"}).content.decode()
    assert "style=" not in text
    assert not re.search(r"\son[a-z]+=", text)


def test_the_shares_are_saved_as_a_drawing_with_their_figures(client: Client) -> None:
    project = grounded_project()
    judged_by(project, EVERYTHING)
    signed_in(client, project)
    page = client.get(page_of(project), {"judge": "oracle@1"})
    assert [plot.name for plot in page.context["plots"]] == ["groundedness-people", "groundedness-judge"]
    query = {"judge": "oracle@1", "plot": "groundedness-people"}
    rows = client.get(page_of(project), query | {"as": "csv"}).content.decode().splitlines()
    assert rows[1].startswith("Miscitations,0.25,")
    assert ",1,4," in rows[1]
    svg = client.get(page_of(project), query | {"as": "svg"}).content.decode()
    assert ">25.0% " in svg
    assert "Only these" not in svg
    of_one = client.get(page_of(project), {"plot": "groundedness-people", "as": "svg", "since": "2020-01-01"})
    assert "Only these: made on or after 2020-01-01." in of_one.content.decode()
    assert client.get(page_of(project), {"plot": "groundedness-judge", "as": "csv"}).status_code == 404
