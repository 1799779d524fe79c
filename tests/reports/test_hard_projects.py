"""Projects in which most figures are undefined: every page opens, says why, and writes no NaN."""

import html
import json
import re
from collections.abc import Callable
from io import StringIO
from itertools import cycle
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judges.models import JudgeVersion
from labelling.models import Project
from tests.factories import make_adjudication, make_claim, make_label, make_member, make_project, make_source
from tests.reports.rows import labelled_claims, make_run, make_version, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]
NAN = re.compile(r"\b(nan|NaN|inf|Infinity|None(?! of))\b")
RTL = "\N{RIGHT-TO-LEFT OVERRIDE}שלום <b>"


def _nothing() -> tuple[Project, JudgeVersion]:
    project = make_project()
    return project, make_version(project)


def _no_labels() -> tuple[Project, JudgeVersion]:
    project = make_project()
    version = make_version(project)
    make_run(version, {make_claim(project): "stated", make_claim(project): "failed"})
    return project, version


def _labelled(verdicts: list[str], people: int, said: list[str], **fields: Any) -> tuple[Project, JudgeVersion]:
    project = make_project()
    who = [make_member(project) for _ in range(people)]
    claims = labelled_claims(project, verdicts, people=who)
    version = make_version(project)
    if said:
        make_run(version, dict(zip(claims, cycle(said), strict=False)), **fields)
    return project, version


def _one_label() -> tuple[Project, JudgeVersion]:
    return _labelled(["absent"], 1, ["absent"])


def _one_annotator() -> tuple[Project, JudgeVersion]:
    return _labelled(["stated", "absent"] * 6, 1, ["absent", "stated", "stated"])


def _one_class() -> tuple[Project, JudgeVersion]:
    return _labelled(["stated"] * 12, 3, ["stated"])


def _only_unsupported() -> tuple[Project, JudgeVersion]:
    return _labelled(["absent"] * 12, 3, ["absent", "failed"])


def _only_targeted() -> tuple[Project, JudgeVersion]:
    project = make_project()
    claims = labelled_claims(project, ["stated", "absent"] * 6, targeted=True)
    version = make_version(project)
    make_run(version, dict.fromkeys(claims, "absent"))
    return project, version


def _no_judgements() -> tuple[Project, JudgeVersion]:
    return _labelled(["stated", "absent"] * 6, 3, [])


def _all_failed() -> tuple[Project, JudgeVersion]:
    return _labelled(["stated", "absent"] * 6, 3, ["failed"], score=None)


def _equal_scores() -> tuple[Project, JudgeVersion]:
    return _labelled(["stated", "absent"] * 6, 3, ["stated"], score=0.5)


def _some_without_score() -> tuple[Project, JudgeVersion]:
    project, version = _labelled(["stated", "absent"] * 6, 3, ["stated", "absent"], score=None)
    claims = labelled_claims(project, ["stated", "absent"] * 6)
    make_run(version, dict(zip(claims, cycle(["stated", "no-opinion"]), strict=False)))
    return project, version


def _one_answer() -> tuple[Project, JudgeVersion]:
    project = make_project()
    first = make_claim(project)
    claims = [first, *(make_claim(project, f"Claim {n}.", answer=first.answer) for n in range(11))]
    who = [make_member(project) for _ in range(3)]
    for place, claim in enumerate(claims):
        for person in who:
            make_label(claim, person, "stated" if place % 2 else "absent")
    version = make_version(project)
    make_run(version, dict(zip(claims, cycle(["stated", "absent", "absent"]), strict=False)))
    return project, version


def _all_tied() -> tuple[Project, JudgeVersion]:
    project = make_project()
    who = [make_member(project) for _ in range(2)]
    version = make_version(project)
    claims = [make_claim(project) for _ in range(12)]
    for claim in claims:
        make_label(claim, who[0], "stated")
        make_label(claim, who[1], "absent")
    make_run(version, dict.fromkeys(claims, "stated"))
    return project, version


def _adjudicated_without_labels() -> tuple[Project, JudgeVersion]:
    project = make_project()
    owner = make_member(project)
    version = make_version(project)
    claims = [make_claim(project) for _ in range(12)]
    for place, claim in enumerate(claims):
        make_adjudication(claim, owner, "stated" if place % 2 else "contradicted")
    make_run(version, dict.fromkeys(claims, "contradicted"))
    return project, version


def _right_to_left_names() -> tuple[Project, JudgeVersion]:
    project = make_project(name=RTL)
    source = make_source(project, RTL, collection=RTL, title=RTL)
    claims = [make_claim(project, RTL, source=source, kind="figure") for _ in range(4)]
    person = make_member(project, pseudonym=RTL)
    for claim in claims:
        make_label(claim, person, "absent", note=RTL)
    version = make_version(project, label=RTL, config={"threshold": RTL})
    make_run(version, dict.fromkeys(claims, "stated"), quote=RTL, reason=RTL)
    return project, version


HARD = (
    _nothing,
    _no_labels,
    _one_label,
    _one_annotator,
    _one_class,
    _only_unsupported,
    _only_targeted,
    _no_judgements,
    _all_failed,
    _equal_scores,
    _some_without_score,
    _one_answer,
    _all_tied,
    _adjudicated_without_labels,
    _right_to_left_names,
)


def _words(body: str) -> str:
    """What is read on a page, without its markup; the steps of the slider stay, as they are written into figures."""
    return html.unescape(re.sub(r"<(?!script)[^>]*>", " ", body))


@pytest.mark.parametrize("make", HARD)
def test_every_page_opens_and_no_figure_is_made_up(
    client: Client, make: Callable[[], tuple[Project, JudgeVersion]]
) -> None:
    project, version = make()
    signed_in(client, project)
    of_version = [project.slug, version.judge.name, version.number]
    pages = [
        reverse("reports:comparison", args=[project.slug]),
        reverse("reports:judge", args=of_version),
        reverse("judges:judges", args=[project.slug]),
        reverse("judges:version", args=of_version),
        reverse("judges:runs", args=[project.slug]),
        *(
            reverse(f"judges:{name}", args=[project.slug, run.pk])
            for run in version.runs.all()
            for name in ("run", "run-progress", "judgements")
        ),
    ]
    for page in pages:
        answer = client.get(page, {"split": "both", "versions": "all", "reference": "consensus"})
        assert answer.status_code == 200, page
        found = NAN.search(_words(answer.content.decode()))
        assert found is None, (page, found)
        assert RTL not in answer.content.decode()
    threshold = client.get(
        reverse("reports:judge", args=of_version), {"threshold": "0.37"}, headers={"hx-request": "true"}
    )
    assert threshold.status_code == 200


@pytest.mark.parametrize("make", HARD)
def test_every_format_of_the_command_is_whole(make: Callable[[], tuple[Project, JudgeVersion]]) -> None:
    project, _ = make()
    for name in ("json", "table", "markdown"):
        out = StringIO()
        call_command("compare", project.slug, format=name, split="both", stdout=out, stderr=StringIO())
        assert NAN.search(out.getvalue()) is None
        if name == "json":
            json.loads(out.getvalue(), parse_constant=pytest.fail)


def test_a_figure_without_an_interval_says_why_and_makes_up_no_ends(client: Client) -> None:
    project, _ = _one_answer()
    signed_in(client, project)
    text = _words(client.get(reverse("reports:comparison", args=[project.slug])).content.decode())
    assert "6 of 12 with gold · no interval: one answer only" in text
    assert "no data to" not in text
    assert "()" not in text
