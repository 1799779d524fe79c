"""A test of a judge changes no figure, no export and no page that is about the judge's word on claims."""

from collections.abc import Callable
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse

from judges.models import JudgeVersion, Run
from labelling.models import Claim, Membership, Project, Role
from reports.bridge import read_rows
from reports.selection import Selection
from reports.services.cells import shown_claims
from reports.services.comparison import compare_project, judged_versions
from reports.services.exporting import write_items
from reports.services.looks import note_look
from reports.services.thresholds import cell_claims, report_judge, save_threshold
from reports.stamps import data_stamp
from tests.factories import make_member
from tests.reports.rows import make_run, make_version, signed_in, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


class Scene:
    """A judge that is right throughout, and then a test of it in which it said the opposite of everything."""

    def __init__(self) -> None:
        self.project, self.claims = small_project(["stated", "absent"] * 8)
        self.version = make_version(self.project)
        self.other = make_version(self.project, "untried")
        self.member = make_member(self.project, Role.ENGINEER)
        said = {claim: "stated" if place % 2 == 0 else "absent" for place, claim in enumerate(self.claims)}
        make_run(self.version, said)
        self.opposite = {claim: "absent" if what == "stated" else "stated" for claim, what in said.items()}

    def tried(self, version: JudgeVersion, state: str = Run.State.FINISHED) -> Run:
        return make_run(version, self.opposite, state=state, probe=Run.Probe.SILENCE)


def exported(project: Project, kind: str) -> bytes:
    out = BytesIO()
    write_items(project=project, kind="csv" if kind == "csv" else "jsonl", what="all", out=out)
    return out.getvalue()


def columns(scene: Scene) -> list[list[int]]:
    rows = read_rows(scene.project, version_ids=[scene.version.pk, scene.other.pk])
    return [column.verdict.tolist() for column in rows.judges]


def said_of(version: JudgeVersion, claims: list[Claim]) -> list[str]:
    shown = shown_claims(version, [claim.pk for claim in claims])
    return [one.judgement.verdict if one.judgement else "" for one in shown]


def looked(scene: Scene, member: Membership) -> int:
    return note_look(project=scene.project, member=member, page="compare")


DOORS: dict[str, Callable[[Scene], object]] = {
    "data stamp": lambda s: data_stamp(s.project),
    "versions with judgements": lambda s: [str(one) for one in judged_versions(s.project)],
    "columns": columns,
    "comparison": lambda s: [
        (row.name, row.score.confusion.counts.tolist(), row.running)
        for row in compare_project(s.project, Selection()).rows
    ],
    "curve": lambda s: repr(report_judge(s.project, s.version, Selection()).thresholds),
    "cell of the matrix": lambda s: cell_claims(
        s.project, s.version, Selection(), gold="absent", verdict="stated"
    ).tolist(),
    "claims to read": lambda s: said_of(s.version, s.claims) + said_of(s.other, s.claims),
    "lines": lambda s: exported(s.project, "jsonl"),
    "table": lambda s: exported(s.project, "csv"),
    "looks at the test split": lambda s: looked(s, s.member),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("state", [Run.State.FINISHED, Run.State.ACTIVE])
def test_a_test_of_a_judge_changes_nothing_here(door: str, state: str) -> None:
    scene = Scene()
    before = DOORS[door](scene)
    scene.tried(scene.version, state)
    scene.tried(scene.other, state)
    assert DOORS[door](scene) == before


@pytest.mark.parametrize("door", sorted(set(DOORS) - {"looks at the test split", "curve"}))
def test_a_plain_run_does_change_it(door: str) -> None:
    scene = Scene()
    before = DOORS[door](scene)
    make_run(scene.version, scene.opposite)
    make_run(scene.other, scene.opposite)
    assert DOORS[door](scene) != before


def test_a_saved_threshold_is_run_though_there_was_a_test_of_it() -> None:
    scene = Scene()
    made, first = save_threshold(version=scene.version, threshold=0.4, by=scene.member)
    assert first is not None
    Run.objects.filter(pk=first.pk).update(state=Run.State.FINISHED, probe=Run.Probe.ORDER, seed=1)
    again, run = save_threshold(version=scene.version, threshold=0.4, by=scene.member)
    assert again == made
    assert run is not None


def test_the_list_of_judges_names_the_last_plain_run(client: Client) -> None:
    scene = Scene()
    signed_in(client, scene.project)
    url = reverse("judges:judges", args=[scene.project.slug])
    test = scene.tried(scene.version)
    assert f"run {test.pk}<" not in client.get(url).content.decode()
