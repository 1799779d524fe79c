"""The ceiling page: who may open it, what it says, and that names stay with owners."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from labelling.models import Project, Role
from reports.models import Look
from tests.factories import make_member, make_project
from tests.reports.ceiling_rows import disputed_claims, disputed_project, labelled_again
from tests.reports.rows import make_run, make_version, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def _url(project: Project, name: str = "ceiling", *more: int) -> str:
    return reverse(f"reports:{name}", args=[project.slug, *more])


def test_engineers_and_owners_see_what_people_reach(client: Client) -> None:
    project, who, claims = disputed_project(count=60)
    labelled_again(claims, who[0], changed=6)
    make_run(make_version(project, "words"), dict.fromkeys(claims, "absent"))
    signed_in(client, project, Role.ENGINEER)
    text = client.get(_url(project)).content.decode()
    assert "People agree with one another at 0." in text
    assert "People agree with what they said before at 0." in text
    assert "Label " in text
    assert "Each against themselves" in text
    assert "Krippendorff’s alpha" in text
    assert "none: each pair counts both ways round" in text
    assert "no run has asked it the same again" in text
    assert "on 12 claims" in text


@pytest.mark.parametrize("name", ["ceiling", "ceiling-people"])
def test_an_annotator_a_stranger_and_nobody_see_nothing(client: Client, name: str) -> None:
    project, _, _ = disputed_project(count=2)
    assert client.get(_url(project, name)).status_code == 302
    signed_in(client, project, Role.ANNOTATOR)
    assert client.get(_url(project, name)).status_code == 404
    signed_in(client, make_project(), Role.OWNER)
    assert client.get(_url(project, name)).status_code == 404
    assert client.post(_url(project, name)).status_code == 405


def test_names_of_people_are_shown_to_owners_alone(client: Client) -> None:
    project, who, _ = disputed_project()
    pair = _url(project, "ceiling-pair", who[0].pk, who[1].pk)
    signed_in(client, project, Role.ENGINEER)
    text = client.get(_url(project)).content.decode()
    assert "reader-" not in text
    assert _url(project, "ceiling-people") not in text
    assert client.get(_url(project, "ceiling-people")).status_code == 404
    assert client.get(pair).status_code == 404
    signed_in(client, project, Role.OWNER)
    assert _url(project, "ceiling-people") in client.get(_url(project)).content.decode()
    text = client.get(_url(project, "ceiling-people")).content.decode()
    assert text.count("reader-0") >= 3
    assert pair in text


def test_a_pair_opens_the_claims_on_which_it_differs_and_no_others(client: Client) -> None:
    project, who, claims = disputed_project()
    signed_in(client, project, Role.OWNER)
    page = client.get(_url(project, "ceiling-pair", who[0].pk, who[1].pk))
    shown = [found.shown.claim for found in page.context["claims"]]
    # Every fifth has one who says otherwise: the first, the second and the third in turn.
    assert shown == [claims[0], claims[5], claims[15], claims[20]]
    assert (page.context["claims"][0].first, page.context["claims"][0].second) == ("absent", "stated")
    narrowed = client.get(page.request["PATH_INFO"], {"said": "absent", "other": "stated"})
    assert [found.shown.claim for found in narrowed.context["claims"]] == [claims[0], claims[5]]
    assert reverse("labelling:adjudicate-claim", args=[project.slug, claims[0].pk]) in narrowed.content.decode()


def test_the_commonest_difference_leads_to_its_claims(client: Client) -> None:
    project, _, _ = disputed_project()
    signed_in(client, project, Role.OWNER)
    report = client.get(_url(project, "ceiling-people")).context["report"]
    for pair in report.pairs:
        said, other, n = pair.common
        address = _url(project, "ceiling-pair", pair.first.pk, pair.second.pk)
        page = client.get(address, {"said": said, "other": other})
        assert page.context["page"].paginator.count == n


def test_people_of_another_project_are_no_pair(client: Client) -> None:
    project, who, _ = disputed_project(count=4)
    stranger = make_member(make_project())
    signed_in(client, project, Role.OWNER)
    for first, second in ((who[0].pk, stranger.pk), (stranger.pk, who[0].pk), (who[0].pk, who[0].pk), (who[0].pk, 0)):
        assert client.get(_url(project, "ceiling-pair", first, second)).status_code == 404


def test_people_who_share_few_claims_have_no_figure(client: Client) -> None:
    project, _, _ = disputed_project(count=8)
    signed_in(client, project, Role.OWNER)
    text = client.get(_url(project, "ceiling-people")).content.decode()
    assert "No two people share 20 claims yet" in text
    assert "0 of 3 pairs of people share 20 claims or more" in text


def test_a_large_crowd_is_told_that_only_some_of_its_pairs_are_listed(client: Client) -> None:
    project, _, _ = disputed_project(people=11, count=21)
    signed_in(client, project, Role.OWNER)
    text = client.get(_url(project, "ceiling-people")).content.decode()
    assert "55 of 55 pairs of people share 20 claims or more; here are the 45 that share most" in text


@pytest.mark.parametrize(
    "given", [{"split": "all"}, {"since": "soon"}, {"by": "day"}, {"since": "2026-03-02", "until": "2026-03-01"}]
)
def test_an_unknown_filter_is_refused_with_the_form(client: Client, given: dict[str, str]) -> None:
    project, _, _ = disputed_project(count=2)
    signed_in(client, project, Role.OWNER)
    for name in ("ceiling", "ceiling-people"):
        page = client.get(_url(project, name), given)
        assert page.status_code == 422
        assert "<form" in page.content.decode()


def test_htmx_gets_the_part_below_the_filters(client: Client) -> None:
    project, _, _ = disputed_project(count=4)
    signed_in(client, project)
    part = client.get(_url(project), headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="ceiling"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


def test_looks_at_test_are_written_down_on_every_page_of_it(client: Client) -> None:
    project, who, _ = disputed_project(count=4)
    signed_in(client, project, Role.OWNER)
    client.get(_url(project))
    assert Look.objects.count() == 0
    pair = _url(project, "ceiling-pair", who[0].pk, who[1].pk)
    for address in (_url(project), _url(project, "ceiling-people"), pair):
        Look.objects.all().delete()
        client.get(address, {"split": "both"})
        assert Look.objects.filter(project=project, page="ceiling").count() == 1


def test_nothing_labelled_is_no_data_and_says_what_to_do(client: Client) -> None:
    project = make_project()
    signed_in(client, project, Role.OWNER)
    text = client.get(_url(project)).content.decode()
    assert "No labels here" in text
    assert reverse("labelling:project", args=[project.slug]) in text
    assert "No labels here" in client.get(_url(project, "ceiling-people")).content.decode()


def test_one_class_only_is_no_data_and_never_a_number(client: Client) -> None:
    project = make_project()
    disputed_claims(project, [make_member(project)], count=3)
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "no pairs: no claim has two labels" in text
    assert "nan" not in text.lower().replace("nance", "")


def test_names_from_outside_are_escaped_and_nothing_is_inline(client: Client) -> None:
    project, who, claims = disputed_project(collection='"><img src=x onerror=alert(1)>')
    disputed_claims(project, who, count=2, collection="plain")
    who[0].pseudonym = "<script>alert(2)</script>"
    who[0].save()
    make_run(make_version(project, label="<script>alert(3)</script>"), dict.fromkeys(claims, "stated"))
    signed_in(client, project, Role.OWNER)
    pair = _url(project, "ceiling-pair", who[0].pk, who[1].pk)
    for address in (_url(project), _url(project, "ceiling-people"), pair):
        text = client.get(address).content.decode()
        assert "<img" not in text
        assert "<script>alert" not in text
        assert "style=" not in text
        assert " onclick" not in text


def test_a_plot_is_saved_with_the_filters_of_the_page(client: Client) -> None:
    project, who, _ = disputed_project(guide=1)
    project.guide_versions.create(number=2, policy="strict", text="# Guide")
    disputed_claims(project, who, guide=2)
    signed_in(client, project)
    assert "Agreement of people by guide version" in client.get(_url(project)).content.decode()
    saved = client.get(_url(project), {"plot": "by-guide", "as": "csv"})
    lines = saved.content.decode().splitlines()
    assert [line.split(",")[0] for line in lines] == ["name", "guide v1", "guide v2"]
    assert client.get(_url(project), {"plot": "over-time", "as": "csv"}).status_code == 404  # all in one month


def test_more_judges_and_more_claims_take_no_more_queries(client: Client) -> None:
    project, who, claims = disputed_project(count=10)
    signed_in(client, project, Role.OWNER)
    pair = _url(project, "ceiling-pair", who[0].pk, who[1].pk)
    counts = []
    for name in ("a", "b", "c"):
        make_run(make_version(project, name), dict.fromkeys(claims, "stated"))
        disputed_claims(project, who, count=10)
        with CaptureQueriesContext(connection) as queries:
            for address in (_url(project), _url(project, "ceiling-people"), pair):
                client.get(address)
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def test_the_command_prints_the_sentences_and_figures_of_the_page(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    project, _, claims = disputed_project()
    make_run(make_version(project, "words"), dict.fromkeys(claims, "absent"))
    signed_in(client, project)
    page = client.get(_url(project))
    call_command("ceiling", project.slug)
    printed = capsys.readouterr().out
    for sentence in page.context["said"]:
        assert sentence in printed
    call_command("ceiling", project.slug, json=True)
    data = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert data["figures"] == json.loads(json.dumps(page.context["report"].figures.to_json()))
    assert [judge["judge"] for judge in data["judges"]] == ["words"]
    call_command("ceiling", project.slug, split="test")
    assert Look.objects.filter(project=project, member=None, page="command").count() == 1
    with pytest.raises(CommandError, match="nowhere"):
        call_command("ceiling", "nowhere")
    with pytest.raises(CommandError, match="--since"):
        call_command("ceiling", project.slug, since="soon")
