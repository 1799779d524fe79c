"""Whatever can change a figure changes the stamp that figures are kept under."""

import uuid
from collections.abc import Callable

import numpy as np
import pytest

from judges.models import Judgement
from labelling.models import Answer, Claim, ConsensusRule, Label, Project, Source, Split
from reports.stamps import data_stamp, remembered_beside, remembered_each
from tests.factories import make_adjudication, make_claim, make_label, make_member
from tests.reports.rows import make_run, make_version, small_project

pytestmark = pytest.mark.django_db


def _project() -> Project:
    project, claims = small_project(["stated", "absent"] * 4)
    make_run(make_version(project), dict.fromkeys(claims, "failed"), score=None)
    return project


def _first_claim(project: Project) -> Claim:
    return Claim.objects.filter(project=project).order_by("id")[0]


def _another_verdict(project: Project) -> None:
    old = Label.objects.filter(claim__project=project).order_by("id")[0]
    make_label(old.claim, old.annotator, "contradicted", revision=old.revision + 1)


def _a_label_of_a_new_person(project: Project) -> None:
    make_label(_first_claim(project), make_member(project), "partial")


def _a_withdrawn_label(project: Project) -> None:
    first = Label.objects.filter(claim__project=project).order_by("id")[0]
    Label.objects.filter(pk=first.pk).update(withdrawn=True)


def _a_surplus_label(project: Project) -> None:
    first = Label.objects.filter(claim__project=project).order_by("id")[0]
    Label.objects.filter(pk=first.pk).update(surplus=True)


def _an_adjudication(project: Project) -> None:
    make_adjudication(_first_claim(project), make_member(project), "partial")


def _another_claim(project: Project) -> None:
    make_claim(project)


def _a_targeted_claim(project: Project) -> None:
    Claim.objects.filter(pk=_first_claim(project).pk).update(targeted=True)


def _kinds_that_change_places(project: Project) -> None:
    """Numbers and sums of the ids of each kind stay what they were."""
    ids = list(Claim.objects.filter(project=project).order_by("id").values_list("id", flat=True)[:4])
    Claim.objects.filter(pk__in=[ids[0], ids[3]]).update(kind="date")
    Claim.objects.filter(pk__in=[ids[1], ids[2]]).update(kind="figure")


def _another_split(project: Project) -> None:
    Answer.objects.filter(pk=_first_claim(project).answer_id).update(split=Split.TEST)


def _another_system(project: Project) -> None:
    Answer.objects.filter(pk=_first_claim(project).answer_id).update(system="other")


def _another_collection(project: Project) -> None:
    Source.objects.filter(project=project).update(collection="scanned")


def _another_run(project: Project) -> None:
    make_run(make_version(project, "second"), {_first_claim(project): "stated"})


def _failures_set_aside(project: Project) -> None:
    Judgement.objects.filter(run__project=project).update(replaced=True)


def _another_rule(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(consensus_rule=ConsensusRule.UNANIMOUS)


def _partial_as_supported(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(partial_is_unsupported=not project.partial_is_unsupported)


CHANGES = (
    _another_verdict,
    _a_label_of_a_new_person,
    _a_withdrawn_label,
    _a_surplus_label,
    _an_adjudication,
    _another_claim,
    _a_targeted_claim,
    _kinds_that_change_places,
    _another_split,
    _another_system,
    _another_collection,
    _another_run,
    _failures_set_aside,
    _another_rule,
    _partial_as_supported,
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_data_is_another_stamp(change: Callable[[Project], None]) -> None:
    project = _project()
    ids = list(Claim.objects.filter(project=project).order_by("id").values_list("id", flat=True)[:4])
    Claim.objects.filter(pk__in=[ids[0], ids[3]]).update(kind="figure")
    Claim.objects.filter(pk__in=[ids[1], ids[2]]).update(kind="date")
    before = data_stamp(project)
    assert data_stamp(project) == before
    change(project)
    assert data_stamp(Project.objects.get(pk=project.pk)) != before


def test_another_project_changes_nothing() -> None:
    project = _project()
    before = data_stamp(project)
    _project()
    assert data_stamp(project) == before


def test_of_several_kept_things_only_the_missing_are_made() -> None:
    made: list[list[int]] = []

    def make(missing: list[int]) -> dict[int, str]:
        made.append(missing)
        return {item: f"made {item}" for item in missing}

    stamp = uuid.uuid4().hex
    names = {1: "one", 2: "two", 3: "three"}
    assert remembered_each(stamp, {2: "two"}, make) == {2: "made 2"}
    assert remembered_each(stamp, names, make) == {1: "made 1", 2: "made 2", 3: "made 3"}
    assert list(remembered_each(stamp, names, make)) == [1, 2, 3]
    assert made == [[2], [1, 3]]


def test_columns_kept_of_other_claims_are_not_taken_for_columns_of_these() -> None:
    stamp, before, now = uuid.uuid4().hex, np.array([1, 2]), np.array([1, 2, 3])
    assert remembered_beside(before, stamp, "columns", lambda: "of two") == "of two"
    assert remembered_beside(before, stamp, "columns", lambda: "made again") == "of two"
    assert remembered_beside(now, stamp, "columns", lambda: "of three") == "of three"
