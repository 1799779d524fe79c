"""Plans: drawn once, served first, kept with their probabilities, undone only while nothing of them is labelled."""

import uuid
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries

from labelling.access import Seat
from labelling.models import Claim, PlannedClaim, Project, Role, SamplingPlan, Slot
from labelling.services.labels import Submission, submit_label
from labelling.services.queue import take_next
from labelling.services.sampling import (
    Group,
    PlanRefusedError,
    frame_of,
    labelled_of,
    next_number,
    queue_plan,
    undo_plan,
)
from labelling.services.slots import open_slots
from tests.factories import (
    make_adjudication,
    make_claim,
    make_claims,
    make_label,
    make_member,
    make_project,
    make_source,
)
from tests.labelling.importing.files import bring, native

pytestmark = pytest.mark.django_db


def a_seat(project: Project) -> Seat:
    return Seat(project, make_member(project))


def group(claims: Iterable[Claim], number: int, criterion: str = "disagree") -> Group:
    return Group(
        criterion, number, np.array(sorted(claim.pk for claim in claims), dtype=np.int64), {"versions": ["a v1"]}
    )


def a_plan(
    project: Project, *, random: int = 3, groups: tuple[Group, ...] = (), labels: int = 1, seed: int = 1
) -> SamplingPlan:
    return queue_plan(
        project=project, by=None, number=next_number(project), random=random, groups=groups, labels=labels, seed=seed
    )


def planned(plan: SamplingPlan) -> list[int]:
    return list(plan.planned.order_by("turn").values_list("claim_id", flat=True))


def targeted(project: Project) -> set[int]:
    return set(project.claims.filter(targeted=True).values_list("pk", flat=True))


def label(seat: Seat, claim_id: int) -> None:
    submit_label(
        seat=seat, claim=Claim.objects.get(pk=claim_id), given=Submission(client_id=uuid.uuid4(), verdict="absent")
    )


def labelled_in_turn(seat: Seat, times: int) -> list[int]:
    done = []
    for _ in range(times):
        held = take_next(seat=seat)
        if not held.claims:
            break
        label(seat, held.claims[0])
        done.append(held.claims[0])
    return done


def test_claims_of_a_plan_come_first_in_its_order_and_then_the_others() -> None:
    project = make_project(overlap=1)
    claims = make_claims(project, 8)
    plan = a_plan(project, random=3)
    rest = [claim.pk for claim in claims if claim.pk not in planned(plan)]
    assert labelled_in_turn(a_seat(project), 20) == planned(plan) + rest


def test_a_second_plan_comes_after_the_first() -> None:
    project = make_project(overlap=1)
    make_claims(project, 9)
    one, two = a_plan(project), a_plan(project, seed=2)
    assert not set(planned(one)) & set(planned(two))
    assert labelled_in_turn(a_seat(project), 6) == planned(one) + planned(two)


def test_each_person_gets_the_planned_claims_first_and_nobody_gets_one_twice() -> None:
    project = make_project(overlap=3)
    make_claims(project, 6)
    plan = a_plan(project, random=2, labels=2)
    for _ in range(2):
        assert labelled_in_turn(a_seat(project), 2) == planned(plan)
    assert not set(labelled_in_turn(a_seat(project), 4)) & set(planned(plan))


def test_a_claim_gets_as_many_places_as_the_plan_asks_for() -> None:
    project = make_project(overlap=3)
    make_claims(project, 6)
    plan = a_plan(project, random=2, labels=1)
    more = a_plan(project, random=2, labels=4, seed=2)
    places = {pk: Slot.objects.filter(claim=pk).count() for pk in project.claims.values_list("pk", flat=True)}
    assert [places[pk] for pk in planned(plan)] == [1, 1]
    assert [places[pk] for pk in planned(more)] == [4, 4]
    assert sorted(places.values()) == [1, 1, 3, 3, 4, 4]
    open_slots(project=project)
    assert Slot.objects.count() == 16


def test_the_same_seed_over_the_same_claims_draws_the_same() -> None:
    drawn = []
    for _ in range(2):
        project = make_project()
        claims = [claim.pk for claim in make_claims(project, 12)]
        drawn.append([claims.index(pk) for pk in planned(a_plan(project, random=5, seed=7))])
    assert drawn[0] == drawn[1]


def test_the_probability_of_each_claim_is_kept_and_what_a_group_gave_alone_is_targeted() -> None:
    project = make_project()
    claims = make_claims(project, 20)
    plan = a_plan(project, random=4, groups=(group(claims[:8], 6),))
    assert plan.frame == 20
    assert plan.draws == [
        {"criterion": "random", "asked": 4, "taken": 4, "of": 20},
        {"criterion": "disagree", "versions": ["a v1"], "asked": 6, "taken": 6, "of": 8},
    ]
    inside = {claim.pk for claim in claims[:8]}
    for row in plan.planned.all():
        assert row.chance == pytest.approx(1 - 0.8 * 0.25 if row.claim_id in inside else 0.2)
    alone = set(plan.planned.filter(at_random=False).values_list("claim_id", flat=True))
    assert alone
    assert alone == targeted(project) <= inside


def test_a_plan_draws_from_claims_that_can_be_labelled_and_are_in_no_random_sample() -> None:
    project = make_project()
    person = make_member(project)
    labelled, settled, on_purpose, left = make_claims(project, 4)
    make_label(labelled, person)
    make_adjudication(settled, person)
    Claim.objects.filter(pk=on_purpose.pk).update(targeted=True)
    make_claim(project, cited=False)
    make_claim(project, source=make_source(project, text=""))
    assert list(frame_of(project)) == [left]


def test_a_plan_of_one_split_draws_from_it_alone() -> None:
    project = make_project()
    here, there = make_claims(project, 2)
    there.answer.split = "test"
    there.answer.save()
    assert list(frame_of(project, "test")) == [there]
    assert list(frame_of(project)) == [here, there]


def test_a_claim_that_a_group_gave_can_still_be_drawn_at_random_and_counts_from_then_on() -> None:
    project = make_project(overlap=1)
    claims = make_claims(project, 6)
    seat = a_seat(project)
    first = a_plan(project, random=1, groups=(group(claims, 4),))
    alone = targeted(project)
    labelled_in_turn(seat, len(planned(first)))
    assert {claim.pk for claim in frame_of(project)} >= alone
    second = a_plan(project, random=frame_of(project).count(), seed=2)
    assert set(planned(second)) >= alone
    assert targeted(project) == set()
    assert set(second.planned.filter(fresh=False).values_list("claim_id", flat=True)) == alone
    # What is labelled already costs nobody any work.
    assert set(labelled_in_turn(seat, 9)) == set(planned(second)) - alone != set()
    assert undone_leaves(second) == "labelled"


def undone_leaves(plan: SamplingPlan) -> str:
    try:
        undo_plan(plan)
    except PlanRefusedError as error:
        return "labelled" if "has been labelled" in str(error) else "undone"
    return ""


def test_a_plan_is_undone_while_nothing_of_it_is_labelled_and_leaves_no_trace_in_queue_or_flags() -> None:
    project = make_project(overlap=2)
    claims = make_claims(project, 6)
    plan = a_plan(project, random=2, groups=(group(claims, 3),), labels=1)
    take_next(seat=a_seat(project))  # on somebody's screen, which is no label yet
    assert undone_leaves(plan) == ""
    assert targeted(project) == set()
    assert not Slot.objects.exclude(turn=None).exists()
    assert Slot.objects.count() == 12
    assert frame_of(project).count() == 6
    assert undone_leaves(plan) == "undone"
    assert PlannedClaim.objects.filter(plan=plan).exists()


def test_with_one_label_given_a_plan_stays_as_it_was_drawn() -> None:
    project = make_project()
    claims = make_claims(project, 6)
    plan = a_plan(project, random=2, groups=(group(claims, 3),))
    labelled_in_turn(a_seat(project), 1)
    before = targeted(project)
    assert undone_leaves(plan) == "labelled"
    assert list(labelled_of(plan).values_list("claim_id", flat=True)) == planned(plan)[:1]
    plan.refresh_from_db()
    assert (plan.undone, targeted(project)) == (None, before)
    assert Slot.objects.exclude(turn=None).exists()


def test_undoing_a_later_plan_gives_back_what_an_earlier_one_had_targeted() -> None:
    project = make_project()
    claims = make_claims(project, 6)
    a_plan(project, random=1, groups=(group(claims, 5),))
    before = targeted(project)
    undo_plan(a_plan(project, random=frame_of(project).count(), seed=2))
    assert targeted(project) == before


def test_the_same_plan_twice_is_one_and_another_of_the_same_number_is_refused() -> None:
    project = make_project()
    make_claims(project, 9)
    by = make_member(project, Role.ENGINEER)

    def ask(random: int) -> SamplingPlan:
        return queue_plan(project=project, by=by, number=1, random=random, labels=1, seed=1)

    assert ask(3).pk == ask(3).pk
    with pytest.raises(PlanRefusedError, match="plan 1 was queued meanwhile"):
        ask(4)
    assert (SamplingPlan.objects.count(), PlannedClaim.objects.count()) == (1, 3)


@pytest.mark.parametrize(
    ("random", "members", "says"),
    [
        (0, 2, "0 random claims: expected 1 to 4"),
        (5, 2, "5 random claims: expected 1 to 4"),
        (2, 0, "disagree: none of"),
    ],
)
def test_a_plan_that_cannot_be_drawn_leaves_nothing(random: int, members: int, says: str) -> None:
    project = make_project()
    claims = make_claims(project, 4)
    with pytest.raises(PlanRefusedError, match=says):
        a_plan(project, random=random, groups=(group(claims[:members], 1),))
    assert not SamplingPlan.objects.exists()
    assert not PlannedClaim.objects.exists()


def test_a_claim_that_is_far_down_does_not_send_its_annotator_behind_the_others() -> None:
    project = make_project(overlap=1)
    claims = make_claims(project, 6)
    seat = a_seat(project)
    assert labelled_in_turn(seat, 1) == [claims[0].pk]
    in_hand = take_next(seat=seat).claims
    plan = queue_plan(project=project, by=None, number=1, random=1, labels=1, seed=3)
    assert planned(plan) == [claims[-1].pk]
    assert labelled_in_turn(seat, 9) == [*in_hand, claims[-1].pk, *(claim.pk for claim in claims[3:-1])]


def test_drawing_reads_the_project_in_a_fixed_number_of_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    counts = []
    for claims in (5, 60):
        project = make_project()
        make_claims(project, claims)
        with django_assert_max_num_queries(60) as asked:
            a_plan(project, random=4)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_an_update_does_not_make_random_what_a_plan_targeted(tmp_path: Path) -> None:
    project = make_project()
    claims = make_claims(project, 6)
    plan = a_plan(project, random=1, groups=(group(claims, 5),))
    before = targeted(project)
    assert before
    lines = [
        {"type": "claim", "id": c.external_id, "answer": c.answer.external_id, "text": c.text, "targeted": False}
        for c in project.claims.select_related("answer")
    ]
    bring(project, native(tmp_path / "again.jsonl", *(line | {"kind": "date"} for line in lines)), update=True)
    assert targeted(project) == before
    assert set(project.claims.values_list("kind", flat=True)) == {"date"}
    undo_plan(plan)
    bring(project, native(tmp_path / "chosen.jsonl", lines[0] | {"targeted": True}), update=True)
    assert project.claims.filter(targeted=True).count() == 1
