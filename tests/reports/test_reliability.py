"""Whether a score is a probability: as it is, cross-fitted on development, and read on test."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from judges.models import JudgeVersion
from labelling.models import Project
from reports.selection import Selection
from reports.services.reliability import report_reliability
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.reports.rows import make_run, make_version, signed_in, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def scored_splits() -> tuple[Project, JudgeVersion]:
    """Twenty answers a split; a score of 0.9 is stated in nine of ten on development, and in five of ten on test."""
    project = make_project()
    person, source = make_member(project), make_source(project)
    version = make_version(project)
    for split, right in (("development", 9), ("test", 5)):
        for place in range(20):
            stated = (place < 10) == (place % 10 < right)
            answer = make_answer(project, split=split)
            claim = make_claim(project, f"{split} {place}", answer=answer, source=source, slots=False)
            make_label(claim, person, "stated" if stated else "absent")
            score = 0.9 if place < 10 else 0.2
            make_run(version, {claim: "stated" if place < 10 else "absent"}, score=score)
    return project, version


def test_on_development_curves_are_cross_fitted_and_said_to_be() -> None:
    project, version = scored_splits()
    report = report_reliability(project, version, Selection())
    assert [reading.name for reading in report.readings] == ["as it is", "by Platt’s curve", "by a rising line"]
    assert report.how.startswith("cross-fitted")
    low, high = report.raw.reliability.bins
    assert [low.mean_score, high.mean_score] == pytest.approx([0.2, 0.9])
    assert [(one.figure.k, one.n) for one in (low, high)] == [(1, 10), (9, 10)]
    assert report.raw.brier.low is not None
    assert report.raw.brier.n == 20


def test_on_test_curves_come_from_development_alone() -> None:
    project, version = scored_splits()
    report = report_reliability(project, version, Selection(split="test"))
    line = report.readings[2]
    assert "development alone" in report.how
    # The rising line learned 0.1 and 0.9 on development, though on test it is a half of each.
    assert [round(one.mean_score, 6) for one in line.reliability.bins] == [0.1, 0.9]
    assert [one.share for one in line.reliability.bins] == [0.5, 0.5]


def test_over_both_splits_no_curve_is_shown() -> None:
    project, version = scored_splits()
    report = report_reliability(project, version, Selection(split="both"))
    assert [reading.name for reading in report.readings] == ["as it is"]
    assert report.how == ""


def test_one_class_alone_fits_nothing_and_says_so() -> None:
    project, claims = small_project(["stated"] * 6)
    version = make_version(project)
    make_run(version, dict.fromkeys(claims, "stated"))
    report = report_reliability(project, version, Selection())
    assert report.readings[1].missing
    assert report.readings[1].brier.value is None


def test_the_page_has_the_diagram_and_its_file(client: Client) -> None:
    project, version = scored_splits()
    signed_in(client, project)
    url = reverse("reports:judge", args=[project.slug, version.judge.name, version.number])
    text = client.get(url).content.decode()
    assert "Whether the score is a probability" in text
    assert "cross-fitted" in text
    saved = client.get(url, {"plot": "reliability-words-v1", "as": "csv"}).content.decode()
    rows = list(csv.DictReader(io.StringIO(saved)))
    assert [(row["bin"], row["stated_k"], row["stated_n"]) for row in rows[:2]] == [
        ("as it is, 0.2 to 0.3", "1", "10"),
        ("as it is, 0.9 to 1.0", "9", "10"),
    ]


def test_a_judge_without_scores_has_no_such_card(client: Client) -> None:
    project, claims = small_project()
    version = make_version(project, type_name="quotes", config={})
    make_run(version, dict.fromkeys(claims, "absent"), score=None)
    signed_in(client, project)
    url = reverse("reports:judge", args=[project.slug, version.judge.name, version.number])
    assert "Whether the score is a probability" not in client.get(url).content.decode()
