"""Judges against each other: which pairs, over how many the tests are corrected, and the claims that people settled."""

import csv
import io
from decimal import Decimal
from itertools import pairwise

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from calibration.significance import mcnemar
from judges.models import Judgement, JudgeVersion
from labelling.models import Claim, Project, Role
from reports.models import Look
from reports.plots.frontier import Point, frontier_plot
from reports.selection import Selection
from reports.services.differences import RIGHT, compare_judges, differing_claims
from tests.factories import make_project
from tests.reports.rows import make_run, make_version, signed_in, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]
HOSTILE = "<script>alert('x')</script>"
GOLD = ["stated", "absent"] * 8


def three_judges() -> tuple[Project, list[Claim], list[JudgeVersion]]:
    """One that is always right and dear, one that is wrong on the first four claims, and one that says absent of all."""
    project, claims = small_project(GOLD)
    said = {
        "dear": GOLD,
        "cheap": ["absent", "stated", "absent", "partial", *GOLD[4:]],
        "wary": ["absent"] * 16,
    }
    versions = []
    for name, verdicts in said.items():
        version = make_version(project, name)
        cost = Decimal("0.02") if name == "dear" else Decimal(0)
        make_run(version, dict(zip(claims, verdicts, strict=True)), cost_usd=cost, seconds=0.5, quote=HOSTILE + name)
        versions.append(version)
    return project, claims, versions


def _url(project: Project) -> str:
    return reverse("reports:differences", args=[project.slug])


def test_every_pair_is_compared_and_corrected_over_all_of_them() -> None:
    project, _, _ = three_judges()
    report = compare_judges(project, Selection())
    assert [(pair.difference.first, pair.difference.second) for pair in report.pairs] == [
        ("cheap v1", "dear v1"),
        ("cheap v1", "wary v1"),
        ("dear v1", "wary v1"),
    ]
    cheap_dear = report.pairs[0].difference
    assert (cheap_dear.mcnemar.only_first, cheap_dear.mcnemar.only_second) == (0, 4)
    smallest = min(pair.difference.mcnemar.exact_p or 1 for pair in report.pairs)
    assert min(pair.difference.p_holm or 1 for pair in report.pairs) == pytest.approx(3 * smallest)


def test_a_pair_alone_faces_as_asked_and_is_corrected_for_nothing() -> None:
    project, _, (dear, cheap, _) = three_judges()
    (one,) = compare_judges(project, Selection(), first=dear, second=cheap).pairs
    (other,) = compare_judges(project, Selection(), first=cheap, second=dear).pairs
    assert one.difference.p_holm == one.difference.mcnemar.exact_p == mcnemar(4, 0).exact_p
    assert (one.difference.first, one.first.name, other.difference.first) == ("dear v1", "dear v1", "cheap v1")
    gap, back = one.difference.gap.recall, other.difference.gap.recall
    assert gap.value == pytest.approx(1 / 8)
    assert (back.value, back.low, back.high) == (-(gap.value or 0), -(gap.high or 0), 0.0 - (gap.low or 0))


def test_one_judge_is_compared_with_every_other() -> None:
    project, _, (dear, _, _) = three_judges()
    report = compare_judges(project, Selection(), first=dear)
    assert [pair.difference.first for pair in report.pairs] == ["dear v1", "dear v1"]
    smallest = min(pair.difference.mcnemar.exact_p or 1 for pair in report.pairs)
    assert min(pair.difference.p_holm or 1 for pair in report.pairs) == pytest.approx(2 * smallest)


def test_the_frontier_holds_the_judges_that_nobody_beats() -> None:
    project, _, _ = three_judges()
    spending = {one.row.name: one for one in compare_judges(project, Selection()).spending("usd")}
    assert {name: one.best for name, one in spending.items()} == {"cheap v1": False, "dear v1": False, "wary v1": True}
    assert spending["dear v1"].spent.value == pytest.approx(20.0)
    assert spending["wary v1"].recall.value == 1.0


def test_claims_on_which_two_differ_are_told_by_who_was_right() -> None:
    project, claims, (dear, cheap, wary) = three_judges()
    by_who = differing_claims(project, Selection(), dear, cheap)
    assert {who: len(by_who[who]) for who in RIGHT} == {"first": 4, "second": 0, "neither": 0}
    assert by_who["first"].tolist() == [claim.pk for claim in claims[:4]]
    against = differing_claims(project, Selection(), cheap, wary)
    assert {who: len(against[who]) for who in RIGHT} == {"first": 6, "second": 2, "neither": 0}


def test_a_claim_without_a_verdict_of_both_is_not_among_them() -> None:
    project, claims, (dear, cheap, _) = three_judges()
    Judgement.objects.filter(run__judge_version=cheap, claim=claims[0]).update(outcome="refused", verdict="")
    assert claims[0].pk not in differing_claims(project, Selection(), dear, cheap)["first"]


def test_the_page_shows_pairs_plot_and_claims(client: Client) -> None:
    project, claims, (dear, cheap, _) = three_judges()
    signed_in(client, project)
    text = client.get(_url(project)).content.decode()
    assert "corrects its p values over these 3 pairs" in text
    assert '<path class="frontier"' in text
    assert "Claims on which they differ" not in text
    page = client.get(_url(project), {"first": str(dear.pk), "second": str(cheap.pk), "right": "first"})
    text = page.content.decode()
    assert [one.shown.claim.pk for one in page.context["claims"]] == [claim.pk for claim in claims[:4]]
    assert [one.gold for one in page.context["claims"]] == GOLD[:4]
    assert "over this one pair" in text
    assert "&lt;/script&gt;dear" in text
    assert "&lt;/script&gt;cheap" in text
    assert "<script>alert" not in text
    assert "style=" not in text
    assert not client.get(_url(project), {"first": str(dear.pk), "second": str(cheap.pk), "right": "second"}).context[
        "claims"
    ]


def test_nonsense_is_refused_in_words(client: Client) -> None:
    project, _, (dear, _, _) = three_judges()
    signed_in(client, project)
    same = str(dear.pk)
    for given in ({"first": same, "second": same}, {"first": "0"}, {"right": HOSTILE}, {"spent": "blood"}):
        answer = client.get(_url(project), given)
        assert answer.status_code == 422
        assert "<script>alert" not in answer.content.decode()


def test_it_is_for_engineers_of_the_project_and_test_is_a_look(client: Client) -> None:
    project, _, _ = three_judges()
    signed_in(client, project, Role.ANNOTATOR)
    assert client.get(_url(project)).status_code == 404
    signed_in(client, make_project(), Role.OWNER)
    assert client.get(_url(project)).status_code == 404
    signed_in(client, project)
    client.get(_url(project))
    assert not Look.objects.exists()
    client.get(_url(project), {"split": "test"})
    assert Look.objects.get().page == "differences"


def test_a_version_of_another_project_is_not_offered(client: Client) -> None:
    project, _, _ = three_judges()
    elsewhere, claims = small_project(["stated"])
    stranger = make_version(elsewhere)
    make_run(stranger, {claims[0]: "stated"})
    signed_in(client, project)
    assert client.get(_url(project), {"first": stranger.pk}).status_code == 422


def test_one_judge_alone_has_nothing_to_be_compared_with(client: Client) -> None:
    project, claims = small_project()
    make_run(make_version(project), dict.fromkeys(claims, "stated"))
    signed_in(client, project)
    assert "There are no two judges to compare" in client.get(_url(project)).content.decode()
    empty = make_project()
    signed_in(client, empty)
    assert client.get(_url(empty)).status_code == 200


def test_the_plot_is_a_file_with_intervals_and_says_who_has_no_cost(client: Client) -> None:
    project, claims, _ = three_judges()
    outside = make_version(project, "outside", type_name="external", config={})
    make_run(outside, dict.fromkeys(claims, "stated"))
    signed_in(client, project)
    assert "not drawn: what it spends is not given with the import" in " ".join(
        client.get(_url(project)).content.decode().replace("</b>", "").split()
    )
    saved = client.get(_url(project), {"plot": "frontier-usd", "as": "csv"})
    rows = {row["judge"]: row for row in csv.DictReader(io.StringIO(saved.content.decode()))}
    assert float(rows["dear v1"]["usd"]) == pytest.approx(20.0)
    assert rows["wary v1"]["frontier"] == "yes"
    assert rows["dear v1"]["recall_n"] == "8"
    assert rows["outside v1"]["usd"] == "not given with the import"


def test_names_of_close_points_do_not_cover_each_other() -> None:
    project, _, _ = three_judges()
    spending = compare_judges(project, Selection()).spending("seconds")
    points = [Point(f"{one.row.name} {n}", one.spent, one.recall, one.best) for one in spending for n in range(4)]
    layout = frontier_plot(points, spent="seconds", basis="").layout
    heights = sorted(spot.name_y for spot in layout.spots)  # type: ignore[attr-defined]  # the frame takes any layout
    assert len(heights) == 12
    assert all(above - below >= 14 for below, above in pairwise(heights))


def test_a_page_of_claims_takes_as_many_queries_whatever_their_number(client: Client) -> None:
    project, _, (dear, cheap, wary) = three_judges()
    signed_in(client, project)
    counts = []
    for second in (cheap, wary, cheap, wary):
        with CaptureQueriesContext(connection) as queries:
            client.get(_url(project), {"first": dear.pk, "second": second.pk})
        counts.append(len(queries))
    assert counts[2] == counts[3] <= counts[0]
