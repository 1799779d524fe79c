"""One judge: the matrix leads to its claims, thresholds say what they would do, and a saved one is a version."""

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judges.models import JudgeVersion, Run
from labelling.models import Role
from reports.models import Look
from tests.factories import make_adjudication, make_claim, make_label, make_member, make_project, make_source
from tests.reports.rows import make_run, make_version, scored_project, signed_in, small_project

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert('x')</script>"


def _url(version: JudgeVersion, name: str = "judge") -> str:
    return reverse(f"reports:{name}", args=[version.judge.project.slug, version.judge.name, version.number])


def test_the_page_shows_matrix_curve_and_sentence(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    text = client.get(_url(version)).content.decode()
    assert "Faithfulness to the cited source" in text
    assert "stated called absent (1)" in text
    assert "absent called stated (1)" in text
    assert '<path class="recall"' in text
    assert "style=" not in text


@pytest.mark.parametrize("name", ["judge", "cell"])
def test_others_than_engineers_and_owners_see_nothing(client: Client, name: str) -> None:
    project, _, version = scored_project()
    url = _url(version, name) + "?gold=stated&verdict=stated"
    assert client.get(url).status_code == 302
    signed_in(client, project, Role.ANNOTATOR)
    assert client.get(url).status_code == 404
    signed_in(client, make_project())
    assert client.get(url).status_code == 404


def test_a_version_of_another_project_is_not_found(client: Client) -> None:
    _, _, version = scored_project()
    other = make_project()
    signed_in(client, other)
    assert client.get(reverse("reports:judge", args=[other.slug, version.judge.name, 1])).status_code == 404


def test_every_filled_cell_opens_exactly_its_claims(client: Client) -> None:
    project, claims, version = scored_project()
    signed_in(client, project)
    page = client.get(_url(version)).content.decode()
    links = re.findall(r'href="([^"]*/claims/\?[^"]*)"[^>]*>(\d+)</a>', page)
    assert [int(count) for _, count in links] == [7, 1, 1, 7]
    opened = []
    for link, count in links:
        shown = client.get(link.replace("&amp;", "&")).context["claims"]
        assert len(shown) == int(count)
        opened += [one.claim.pk for one in shown]
    assert sorted(opened) == [claim.pk for claim in claims]
    wrong = client.get(_url(version, "cell"), {"gold": "absent", "verdict": "stated"}).context["claims"]
    assert [one.claim.pk for one in wrong] == [claims[1].pk]


def test_the_column_without_a_verdict_opens_its_claims(client: Client) -> None:
    project, claims = small_project(["absent", "stated"])
    version = make_version(project)
    make_run(version, {claims[0]: "refused", claims[1]: "stated"}, score=None)
    signed_in(client, project)
    page = client.get(_url(version, "cell"), {"gold": "absent", "verdict": "none"})
    assert [one.claim.pk for one in page.context["claims"]] == [claims[0].pk]
    assert "refused" in page.content.decode()


def test_a_cell_needs_a_known_gold_and_verdict(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    page = client.get(_url(version, "cell"), {"gold": HOSTILE})
    assert page.status_code == 422
    assert HOSTILE not in page.content.decode()


def test_text_from_outside_is_shown_and_never_run(client: Client) -> None:
    project = make_project()
    claim = make_claim(
        project, HOSTILE + "claim", source=make_source(project, HOSTILE * 3, title=HOSTILE + "title"), span=(0, 8)
    )
    for _ in range(2):
        make_label(claim, make_member(project), "absent")
    make_adjudication(claim, make_member(project, Role.OWNER), "absent", note=HOSTILE + "note")
    version = make_version(project)
    make_run(version, {claim: "stated"}, quote=HOSTILE + "quote", reason=HOSTILE + "reason")
    signed_in(client, project)
    text = client.get(_url(version, "cell"), {"gold": "absent", "verdict": "stated"}).content.decode()
    assert "<script>alert" not in text
    for word in ("claim", "title", "note", "quote", "reason"):
        assert f"&lt;/script&gt;{word}" in text, word
    assert "2 absent" in text


def test_a_long_cell_comes_in_pages_with_as_many_queries_as_a_short_one(client: Client) -> None:
    project, claims = small_project(["stated"] * 25)
    version = make_version(project)
    make_run(version, dict.fromkeys(claims, "stated"))
    signed_in(client, project)
    counts = []
    for page, expected in ((1, 20), (2, 5)):
        with CaptureQueriesContext(connection) as queries:
            shown = client.get(_url(version, "cell"), {"gold": "stated", "verdict": "stated", "page": str(page)})
        assert len(shown.context["claims"]) == expected
        counts.append(len(queries))
    assert counts[0] - counts[1] in (0, 4)  # the first page reads the rows, the second finds them kept


def test_the_steps_of_the_slider_say_what_the_page_says(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    text = client.get(_url(version), {"threshold": "0.25"}).content.decode()
    block = re.search(r'<script id="threshold-steps" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert block is not None
    steps = {step["threshold"]: step for step in json.loads(block[1])}
    assert len(steps) == 101
    assert steps[0.25]["words"]["recall"]["of"] == "0 of 8"
    assert steps[0.5]["words"]["recall"]["of"] == "7 of 8"
    assert steps[0.5]["words"]["precision"]["of"] == "7 of 8"
    assert steps[0.85]["words"]["recall"]["of"] == "8 of 8"
    assert f'<span class="of" data-part="of">{steps[0.25]["words"]["recall"]["of"]}</span>' in text


def test_a_threshold_between_two_steps_becomes_a_step(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    page = client.get(_url(version), {"threshold": "0.8005"}, headers={"HX-Request": "true"})
    card = page.context["card"]
    assert [step["threshold"] for step in card.steps if 0.795 < float(step["threshold"]) < 0.815] == [0.8, 0.8005, 0.81]
    assert card.at.recall.k == 8
    assert "<html" not in page.content.decode()


def test_the_threshold_that_is_shown_is_the_one_that_is_saved(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    wanted = 1 / 3
    text = client.get(_url(version), {"threshold": repr(wanted)}).content.decode()
    field = re.search(r'<input type="hidden" name="threshold" value="([^"]*)" id="threshold-save">', text)
    assert field is not None
    assert float(field[1]) == wanted
    client.post(_url(version, "threshold-save"), {"threshold": field[1]})
    assert JudgeVersion.objects.get(number=2).config["threshold"] == wanted


@pytest.mark.parametrize("threshold", ["2", "-0.1", "nan", "x", ""])
def test_a_threshold_that_is_none_is_refused_in_words(client: Client, threshold: str) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    shown = client.get(_url(version), {"threshold": threshold})
    assert shown.status_code == 422
    assert 'role="alert"' in shown.content.decode()
    saved = client.post(_url(version, "threshold-save"), {"threshold": threshold})
    assert saved.status_code == 422
    assert JudgeVersion.objects.count() == 1


def test_a_threshold_saved_twice_makes_one_version_and_one_run(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    for _ in range(2):
        answer = client.post(_url(version, "threshold-save"), {"threshold": "0.85"})
        assert answer.status_code == 302
        assert answer.headers["Location"] == reverse("reports:judge", args=[project.slug, "overnight", 2])
    made = JudgeVersion.objects.get(number=2)
    assert made.config["threshold"] == 0.85
    assert made.based_on == version
    assert Run.objects.filter(judge_version=made).count() == 1
    text = client.get(_url(made)).content.decode()
    assert "a run of this version is under way" in text


def test_only_engineers_and_owners_save_a_threshold_and_only_by_post(client: Client) -> None:
    project, _, version = scored_project()
    url = _url(version, "threshold-save")
    signed_in(client, project)
    assert client.get(url).status_code == 405
    signed_in(client, project, Role.ANNOTATOR)
    assert client.post(url, {"threshold": "0.4"}).status_code == 404
    signed_in(client, make_project())
    assert client.post(url, {"threshold": "0.4"}).status_code == 404
    assert JudgeVersion.objects.count() == 1


def test_a_judge_without_a_threshold_saves_none(client: Client) -> None:
    project, claims = small_project()
    version = make_version(project, type_name="quotes", config={})
    make_run(version, dict.fromkeys(claims, "absent"), score=None)
    signed_in(client, project)
    text = client.get(_url(version)).content.decode()
    assert "verdicts without scores" in text
    assert "as a new version" not in text
    refused = client.post(_url(version, "threshold-save"), {"threshold": "0.4"})
    assert refused.status_code == 422
    assert "no threshold to set" in refused.content.decode()


def test_thresholds_are_saved_on_development_and_looks_at_test_are_counted(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    assert "as a new version" in client.get(_url(version)).content.decode()
    assert Look.objects.count() == 0
    for split in ("test", "both"):
        assert "as a new version" not in client.get(_url(version), {"split": split}).content.decode()
    assert Look.objects.filter(judge_version=version, page="judge").count() == 1
    assert "chosen on the development split alone" in client.get(_url(version), {"split": "both"}).content.decode()


def test_a_version_that_judged_nothing_says_so(client: Client) -> None:
    project, _ = small_project()
    version = make_version(project)
    signed_in(client, project)
    text = client.get(_url(version)).content.decode()
    assert "None of these claims has both gold and a judgement" in text
