"""Trends and releases as pages, files and commands: who may open them, what they say, and that outside text stays text."""

import csv
import html
import io
import json
import re
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from labelling import keeping
from labelling.models import Label, Project, Role
from reports.models import Look, Release
from reports.services.releases import note_release
from reports.shown.groundedness_table import FIGURES
from reports.shown.trend_files import FORMS
from tests.factories import make_label, make_project
from tests.reports.groundedness_rows import grounded_project
from tests.reports.rows import make_run, make_version, signed_in
from tests.reports.test_trends import MONDAY, WEEK, all_that_a_judge_says, answers_over

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]
HOSTILE = "=2+2 <img src=x onerror=alert(1)>"


def page_of(project: Project) -> str:
    return reverse("reports:trends", args=[project.slug])


def file_of(project: Project, kind: str) -> str:
    return reverse("reports:trends-file", args=[project.slug, kind])


def releases_page(project: Project) -> str:
    return reverse("reports:releases", args=[project.slug])


def words(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def fallen() -> Project:
    """A system that got worse in its third week, and a release before that."""
    project = answers_over({0: (28, 2), 2: (15, 15)})
    note_release(project=project, system="bot", name="2.0", at=MONDAY + 2 * WEEK, by=None)
    return project


@pytest.mark.parametrize("role", [Role.ENGINEER, Role.OWNER])
def test_engineers_and_owners_read_what_changed_and_against_which_interval(client: Client, role: Role) -> None:
    project = fallen()
    signed_in(client, project, role)
    text = words(client.get(page_of(project)).content.decode())
    assert "Faithfulness to the cited source, not truth about the world, by week, from people. 60 answers" in text
    assert re.search(
        r"Claims stated by what they cite fell from 93\.3% \([^)]+, n = 30\) in week 10 of 2026 to 50\.0% \([^)]+, n = 30\) "
        r"in week 12 of 2026: outside the interval of week 10 of 2026, the last with data, by [\d.]+ to [\d.]+ points\.",
        text,
    )
    assert re.search(r"\d+ comparisons of a period with the one before: \d+ outside .* by chance", text)
    assert "no data (no answers in this period)" in text


def test_periods_of_few_answers_are_said_to_have_intervals_that_are_too_narrow(client: Client) -> None:
    few, enough = answers_over({0: (3, 1), 1: (2, 3)}), answers_over({0: (9, 1), 1: (5, 5)})
    said = []
    for project in (few, enough):
        signed_in(client, project)
        said.append(
            "have at most 4 answers with one: resampled" in words(client.get(page_of(project)).content.decode())
        )
    assert said == [True, False]


def test_every_figure_of_the_report_has_its_plot_or_the_reason_why_not(client: Client) -> None:
    project = grounded_project()
    signed_in(client, project)
    page = client.get(page_of(project)).content.decode()
    text = words(page)
    for name, (title, _) in FIGURES.items():
        assert title in text, name
    assert 'id="plot-quadrants-source-is-wrong"' in page
    assert "Abstained where it should not: no data" in text
    assert "1 answer without a time is in no period." in text


def test_an_annotator_a_stranger_and_nobody_see_nothing_and_change_nothing(client: Client) -> None:
    project = fallen()
    release = Release.objects.get()
    reading = [page_of(project), releases_page(project), reverse("reports:release", args=[project.slug, release.pk])]
    reading += [file_of(project, kind) for kind in FORMS]
    removing = reverse("reports:release-remove", args=[project.slug, release.pk])
    assert {client.get(address).status_code for address in reading} == {302}
    for scene in (project, make_project()):
        signed_in(client, scene, Role.ANNOTATOR if scene is project else Role.OWNER)
        assert {client.get(address).status_code for address in reading} == {404}
        assert (
            client.post(releases_page(project), {"system": "bot", "name": "3", "at": "2026-04-01"}).status_code == 404
        )
        assert client.post(removing).status_code == 404
    assert Release.objects.count() == 1


def test_the_release_of_another_project_is_not_there(client: Client) -> None:
    project, other = fallen(), fallen()
    signed_in(client, project)
    theirs = Release.objects.get(project=other)
    assert client.get(reverse("reports:release", args=[project.slug, theirs.pk])).status_code == 404
    assert client.post(reverse("reports:release-remove", args=[project.slug, theirs.pk])).status_code == 404
    assert Release.objects.filter(pk=theirs.pk).exists()


def test_htmx_gets_the_part_below_the_filters(client: Client) -> None:
    project = fallen()
    signed_in(client, project)
    part = client.get(page_of(project), headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="trends"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"system": "bogus"}, "Select a valid choice"),
        ({"by": "year"}, "Select a valid choice"),
        ({"by": "release"}, "Choose a system: each has its own releases."),
        ({"origin": "judge"}, "Choose a judge first."),
        ({"origin": "rogan_gladen"}, "Choose a judge first."),
        ({"since": "soon"}, "Enter a valid date"),
        ({"since": "2026-03-02", "until": "2026-03-02"}, "Expected a day after 2026-03-02."),
    ],
)
def test_a_filter_that_cannot_be_is_refused_with_the_form(client: Client, given: dict[str, str], said: str) -> None:
    project = fallen()
    signed_in(client, project)
    for address in (page_of(project), file_of(project, "json")):
        page = client.get(address, given)
        assert page.status_code == 422
        assert said in words(page.content.decode())


def test_by_release_there_is_a_period_before_the_first_and_one_that_is_not_over_yet(client: Client) -> None:
    project = fallen()
    signed_in(client, project)
    text = words(client.get(page_of(project), {"by": "release", "system": "bot"}).content.decode())
    assert "fell from 93.3%" in text
    assert "in the time before 2.0 to 50.0%" in text
    assert "in 2.0, so far: outside the interval of the release before" in text


def test_a_system_without_a_release_is_told_how_to_note_one(client: Client) -> None:
    project = answers_over({0: (1, 0)})
    signed_in(client, project)
    page = client.get(page_of(project), {"by": "release", "system": "bot"}).content.decode()
    assert "No release of this system yet" in page
    assert f"{releases_page(project)}?system=bot" in page


def test_answers_without_a_time_say_what_is_missing(client: Client) -> None:
    project = answers_over({0: (2, 0)}, created=None)
    signed_in(client, project)
    assert "2 answers came without created" in words(client.get(page_of(project)).content.decode())


def test_a_judge_without_a_certificate_is_marked_raw_and_so(client: Client) -> None:
    project = answers_over({0: (20, 10)})
    make_run(make_version(project, "oracle"), all_that_a_judge_says(project))
    signed_in(client, project)
    raw = words(client.get(page_of(project), {"judge": "oracle@1", "origin": "judge"}).content.decode())
    assert "oracle v1 raw no certificate" in raw
    assert "from oracle v1, raw" in raw
    given = {"judge": "oracle@1", "origin": "rogan_gladen"}
    assert "from oracle v1, corrected, Rogan–Gladen" in words(client.get(page_of(project), given).content.decode())


def test_a_week_leads_to_its_report_with_the_same_figures(client: Client) -> None:
    project = fallen()
    signed_in(client, project)
    page = client.get(page_of(project), {"system": "bot"}).content.decode()
    link = re.search(r'href="([^"]*)">Week 12 of 2026<', page)
    assert link is not None
    report = words(client.get(html.unescape(link[1])).content.decode())
    assert "30 claims in 30 answers of bot , made on or after 2026-03-16 and before 2026-03-23" in report
    assert "15 of 30" in report
    by_release = client.get(page_of(project), {"system": "bot", "by": "release"}).content.decode()
    assert reverse("reports:groundedness", args=[project.slug]) + "?" not in by_release


def test_pairs_lead_to_their_own_trend(client: Client) -> None:
    project = answers_over({0: (28, 2), 1: (15, 15)}, task_type="returns")
    answers_over({0: (5, 0), 1: (5, 0)}, project, system="desk")
    signed_in(client, project)
    page = client.get(page_of(project), {"by": "week"}).content.decode()
    assert "fell from 93.3%" in words(page).split("By system and task type")[1]
    assert "All systems together" in page
    link = re.search(r'href="(\?system=bot&amp;task_type=returns[^"]*)"', page)
    assert link is not None
    alone = words(client.get(page_of(project) + html.unescape(link[1])).content.decode())
    assert "60 answers of bot, task returns" in alone
    assert "All systems together" not in alone


def test_only_a_look_at_the_test_split_is_written_down(client: Client) -> None:
    project = fallen()
    signed_in(client, project)
    client.get(page_of(project))
    assert Look.objects.count() == 0
    for address in (page_of(project), file_of(project, "csv")):
        client.get(address, {"split": "both"})
    assert Look.objects.filter(project=project, page="trends").count() == 1


def test_a_plot_can_be_saved_with_the_selection_of_its_page(client: Client) -> None:
    project = fallen()
    signed_in(client, project)
    drawn = client.get(page_of(project), {"plot": "claim_level", "as": "svg"})
    assert drawn.headers["Content-Type"].startswith("image/svg+xml")
    narrowed = client.get(
        page_of(project), {"plot": "claim_level", "as": "svg", "system": "bot", "since": "2026-01-01"}
    )
    alone = re.search("<desc[^>]*>(.*)</desc>", narrowed.content.decode())
    assert alone is not None
    assert "Faithfulness to the cited source" in alone[1]
    assert "development split. Only these: system bot, made on or after 2026-01-01." in alone[1]
    rows = list(
        csv.DictReader(io.StringIO(client.get(page_of(project), {"plot": "claim_level", "as": "csv"}).content.decode()))
    )
    assert [(row["period"], row["share_k"], row["share_n"]) for row in rows] == [
        ("week 10 of 2026", "28", "30"),
        ("week 11 of 2026", "", "0"),
        ("week 12 of 2026", "15", "30"),
    ]


def test_the_files_hold_every_figure_of_every_period_and_what_is_not_known_is_empty_with_a_reason(
    client: Client,
) -> None:
    project = fallen()
    signed_in(client, project)
    data = json.loads(client.get(file_of(project, "json")).content)
    level = data["figures"]["claim_level"]
    assert [value["k"] for value in level["values"]] == [28, None, 15]
    assert level["values"][1] == {**level["values"][1], "value": None, "reason": "no answers in this period"}
    assert [change["flagged"] for change in level["changes"]] == [True]
    assert data["comparisons"]["flagged"] >= 1
    assert data["releases"][0]["name"] == "2.0"
    rows = list(csv.DictReader(io.StringIO(client.get(file_of(project, "csv")).content.decode())))
    mine = [row for row in rows if row["figure"] == "claim_level"]
    assert [(row["period"], row["value"][:4], row["flagged"]) for row in mine] == [
        ("week 10 of 2026", "0.93", ""),
        ("week 11 of 2026", "", ""),
        ("week 12 of 2026", "0.5", "True"),
    ]
    assert not any(cell.lower() == "nan" for row in rows for cell in row.values())
    assert {(row["split"], row["filters"], row["origin"], row["judge"], row["looks_at_test"]) for row in rows} == {
        ("development", "", "people", "", "0")
    }


def test_a_page_that_shows_older_figures_says_so_and_a_file_is_never_older(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FIGURES_SLOW_AFTER_S = 0
    monkeypatch.setattr(keeping, "REST", 0)
    waiting: list[str] = []
    monkeypatch.setattr(keeping, "start_making", waiting.append)
    project = fallen()
    signed_in(client, project)
    client.get(page_of(project))
    old = Label.objects.filter(claim__project=project, verdict="stated").order_by("id")[0]
    make_label(old.claim, old.annotator, "absent", revision=2)
    page = words(client.get(page_of(project)).content.decode())
    assert "not in them yet" in page
    assert "from 93.3%" in page
    level = json.loads(client.get(file_of(project, "json")).content)["figures"]["claim_level"]
    assert level["values"][0]["k"] == 27
    assert [keeping.make_wanted(token) for token in waiting] == [1]
    page = words(client.get(page_of(project)).content.decode())
    assert "not in them yet" not in page
    assert "from 90.0%" in page


def test_outside_text_stays_text_in_every_form(client: Client) -> None:
    project = answers_over({0: (3, 1), 1: (1, 3)}, system=HOSTILE)
    note_release(project=project, system=HOSTILE, name=HOSTILE, at=MONDAY + WEEK, note=HOSTILE, by=None)
    signed_in(client, project)
    asked = {"system": HOSTILE, "by": "release"}
    for address, given in (
        (page_of(project), asked),
        (page_of(project), asked | {"plot": "claim_level", "as": "svg"}),
        (releases_page(project), {}),
        (reverse("reports:release", args=[project.slug, Release.objects.get().pk]), {}),
    ):
        text = client.get(address, given).content.decode()
        assert "<img" not in text, address
        assert "&lt;img" in text, address
    cells = [
        cell
        for row in csv.reader(io.StringIO(client.get(file_of(project, "csv"), asked).content.decode()))
        for cell in row
    ]
    assert f"'{HOSTILE}" in cells
    assert not any(cell.startswith("=") for cell in cells)


def test_more_answers_and_periods_take_no_more_queries(client: Client) -> None:
    counts = []
    for size in (1, 4):
        project = answers_over(dict.fromkeys(range(size * 2), (size, size)))
        signed_in(client, project)
        with CaptureQueriesContext(connection) as queries:
            client.get(page_of(project))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_engineer_notes_mends_and_removes_a_release(client: Client) -> None:
    project = answers_over({0: (1, 0)})
    signed_in(client, project)
    given = {"system": "bot", "name": "2.0", "at": "2026-03-02T09:30", "note": "New model."}
    assert client.post(releases_page(project), given).status_code == 302
    made = Release.objects.get(project=project)
    assert (made.at, made.note, made.member is not None) == (
        datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
        "New model.",
        True,
    )
    own = reverse("reports:release", args=[project.slug, made.pk])
    assert 'value="2026-03-02T09:30:00"' in client.get(own).content.decode()
    assert client.post(own, given | {"at": "2026-03-03T00:00"}).status_code == 302
    assert Release.objects.get().at == datetime(2026, 3, 3, tzinfo=UTC)
    assert client.get(reverse("reports:release-remove", args=[project.slug, made.pk])).status_code == 405
    assert client.post(reverse("reports:release-remove", args=[project.slug, made.pk])).status_code == 302
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "2.0", "at": "2026-05-01"}, "There is a release of this name already"),
        ({"name": "2.1", "at": "2026-03-16T00:00"}, "The release 2.0 went out at this moment already."),
        ({"name": "2.1", "at": "yesterday"}, "Expected a time like 2026-05-31T14:00."),
        ({"name": "2.1", "at": "0001-01-01"}, "Expected a time like 2026-05-31T14:00."),
        ({"name": "2.1", "at": "0001-01-01T00:00+14:00"}, "Expected a time like 2026-05-31T14:00."),
        ({"name": "2.1", "at": "2026-05-01", "system": "nobody"}, "Select a valid choice."),
        ({"name": "", "at": "2026-05-01"}, "This field is required."),
    ],
)
def test_a_release_that_cannot_be_kept_says_why_and_changes_nothing(
    client: Client, given: dict[str, str], said: str
) -> None:
    project = fallen()
    signed_in(client, project)
    page = client.post(releases_page(project), {"system": "bot"} | given)
    assert page.status_code == 422
    assert said in words(page.content.decode())
    assert Release.objects.get().name == "2.0"


def test_mending_a_release_onto_another_is_refused(client: Client) -> None:
    project = fallen()
    second = note_release(project=project, system="bot", name="2.1", at=MONDAY + 3 * WEEK, by=None)
    signed_in(client, project)
    own = reverse("reports:release", args=[project.slug, second.pk])
    assert client.post(own, {"system": "bot", "name": "2.0", "at": "2026-04-01"}).status_code == 422
    second.refresh_from_db()
    assert second.name == "2.1"


def test_a_pipeline_notes_a_release_once_and_may_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    project = answers_over({0: (1, 0)})
    call_command("release", project.slug, system="bot", name="2.0", at="2026-03-09T12:00", note="New model.")
    call_command("release", project.slug, system="bot", name="2.0")
    call_command("release", project.slug, system="desk", name="1.0")
    said = capsys.readouterr().out
    assert "bot 2.0 went out at 2026-03-09 12:00 UTC" in said
    assert "bot 2.0 is there already" in said
    assert "no answer of desk is there yet" in said
    assert Release.objects.filter(project=project, member=None).count() == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"at": "soon"}, "--at: Expected a time like 2026-05-31T14:00. Found 'soon'."),
        ({"name": " "}, "--name: expected a name, got nothing"),
        ({"name": "x" * 101}, "--name: expected at most 100 characters, got 101"),
        ({"at": "2026-05-01"}, "--name: There is a release of this name already"),
        ({"name": "2.1", "at": "2026-03-16"}, "--at: The release 2.0 went out at this moment already."),
    ],
)
def test_a_release_that_a_pipeline_gets_wrong_is_refused_by_name(given: dict[str, str], said: str) -> None:
    project = fallen()
    with pytest.raises(CommandError) as refused:
        call_command("release", project.slug, **{"system": "bot", "name": "2.0"} | given)
    assert said in str(refused.value)
    assert Release.objects.count() == 1


def test_the_command_prints_the_periods_and_the_changes(capsys: pytest.CaptureFixture[str]) -> None:
    project = fallen()
    call_command("trends", project.slug, system="bot")
    said = capsys.readouterr().out
    assert re.search(r"2026-W12 +50\.0% \(.*\), n = 30  \* outside the one before", said)
    assert "2026-W11                 no data: no answers in this period" in said
    assert "- Claims stated by what they cite: fell from 93.3%" in said
    call_command("trends", project.slug, system="bot", by="release", json=True)
    assert [period["name"] for period in json.loads(capsys.readouterr().out)["periods"]] == [
        "the time before 2.0",
        "2.0",
    ]


def test_the_command_refuses_by_name_what_is_not_there() -> None:
    with pytest.raises(CommandError, match="no project 'nothing'"):
        call_command("trends", "nothing")
    with pytest.raises(CommandError, match="--by: Select a valid choice"):
        call_command("trends", fallen().slug, by="year")


def test_a_look_by_the_command_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    project = fallen()
    call_command("trends", project.slug, split="both")
    assert "Looks at the test split so far, this one included: 1." in capsys.readouterr().err
