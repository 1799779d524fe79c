import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from labelling.access import Seat
from labelling.models import Claim, Label, Project, Slot
from labelling.services.labels import Submission, submit_label
from labelling.services.queue import Held, Nothing, Why, next_beyond, take_next
from labelling.services.skips import skip_claim
from labelling.services.slots import open_slots
from tests.factories import make_claim, make_claims, make_label, make_member, make_project

pytestmark = pytest.mark.django_db


def a_seat(project: Project) -> Seat:
    return Seat(project, make_member(project))


def states(claim: Claim) -> list[str]:
    return list(claim.slots.order_by("position").values_list("state", flat=True))


def test_a_cited_claim_gets_as_many_places_as_the_overlap() -> None:
    project = make_project(overlap=3)
    claim = make_claim(project, slots=False)
    assert open_slots(project=project).created == 3
    assert states(claim) == ["open"] * 3


def test_a_claim_without_citation_gets_no_place() -> None:
    project = make_project()
    claim = make_claim(project, slots=False, cited=False)
    open_slots(project=project)
    assert states(claim) == []


def test_opening_again_changes_nothing() -> None:
    project = make_project()
    make_claims(project, 3, slots=False)
    open_slots(project=project)
    again = open_slots(project=project)
    assert (again.created, again.removed) == (0, 0)


def test_imported_labels_leave_fewer_places() -> None:
    project = make_project(overlap=3)
    claim = make_claim(project, slots=False)
    make_label(claim, make_member(project, account=False), imported=True)
    open_slots(project=project)
    assert states(claim) == ["open"] * 2


def test_labels_imported_later_close_places_and_the_leased_one_last() -> None:
    project = make_project(overlap=2)
    claim = make_claim(project)
    assert take_next(seat=a_seat(project)).claims == (claim.pk,)
    people = [make_member(project, account=False) for _ in range(2)]
    make_label(claim, people[0], imported=True)
    assert open_slots(project=project).removed == 1
    assert states(claim) == ["leased"]
    make_label(claim, people[1], imported=True)
    assert open_slots(project=project).removed == 1
    assert states(claim) == []


def test_a_claim_on_screens_when_the_overlap_is_lowered_gets_no_more_labels_than_the_new_target() -> None:
    project = make_project(overlap=3)
    claim = make_claim(project)
    seats = [a_seat(project) for _ in range(3)]
    for seat in seats:
        take_next(seat=seat)
    project.overlap = 1
    project.save()
    open_slots(project=project)
    for seat in seats:
        submit_label(seat=seat, claim=claim, given=Submission(client_id=uuid.uuid4(), verdict="absent"))
    assert Label.objects.counted().count() == 1
    assert Label.objects.filter(surplus=True).count() == 2


def test_a_skip_after_the_overlap_was_lowered_opens_no_place_beyond_the_target() -> None:
    project = make_project(overlap=2)
    claim = make_claim(project)
    seats = [a_seat(project) for _ in range(3)]
    for seat in seats[:2]:
        take_next(seat=seat)
    project.overlap = 1
    project.save()
    open_slots(project=project)
    for seat in seats[:2]:
        skip_claim(seat=seat, claim=claim, reason="other")
    assert states(claim) == ["open"]


def test_a_raised_overlap_opens_the_places_that_lack() -> None:
    project = make_project(overlap=1)
    claim = make_claim(project)
    Slot.objects.update(state="done", annotator=make_member(project))
    make_label(claim, make_member(project, account=False))
    project.overlap = 4
    project.save()
    open_slots(project=project, claims=[claim.pk])
    assert states(claim) == ["done", "open", "open"]


def test_the_same_claim_is_handed_out_again_after_a_reload() -> None:
    project = make_project()
    make_claims(project, 4)
    seat = a_seat(project)
    first = take_next(seat=seat)
    assert take_next(seat=seat) == first
    assert len(first.claims) == 2


def test_no_one_holds_more_than_the_claim_on_screen_and_the_next() -> None:
    project = make_project()
    make_claims(project, 5)
    seat = a_seat(project)
    take_next(seat=seat, want=9)
    assert Slot.objects.filter(annotator=seat.member).count() == 2


def test_prefetch_gives_the_one_that_the_page_does_not_have() -> None:
    project = make_project()
    one, two, three = make_claims(project, 3)
    seat = a_seat(project)
    take_next(seat=seat)
    assert next_beyond(seat=seat, have=[one.pk]) == Held((two.pk,))
    Slot.objects.filter(claim=one, annotator=seat.member).update(state="done", leased_until=None)
    assert next_beyond(seat=seat, have=[two.pk]) == Held((three.pk,))


def test_never_a_second_place_of_the_same_claim() -> None:
    project = make_project(overlap=3)
    (claim,) = make_claims(project, 1)
    seat = a_seat(project)
    assert take_next(seat=seat).claims == (claim.pk,)
    assert Slot.objects.filter(state="leased").count() == 1


def test_a_lease_that_ran_out_goes_to_somebody_else() -> None:
    project = make_project(overlap=1)
    (claim,) = make_claims(project, 1)
    gone, here = a_seat(project), a_seat(project)
    take_next(seat=gone)
    assert take_next(seat=here).claims == ()
    Slot.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert take_next(seat=here).claims == (claim.pk,)
    assert take_next(seat=gone).claims == ()


def test_a_lease_that_ran_out_stays_with_its_owner_while_nobody_took_it() -> None:
    project = make_project(overlap=1)
    (claim,) = make_claims(project, 1)
    seat = a_seat(project)
    take_next(seat=seat)
    Slot.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert take_next(seat=seat).claims == (claim.pk,)
    assert Slot.objects.get().leased_until > timezone.now()  # type: ignore[operator]


def test_claims_behind_the_last_one_are_found_in_the_end() -> None:
    project = make_project(overlap=1)
    early, late = make_claims(project, 2)
    seat = a_seat(project)
    Slot.objects.filter(claim=late).update(state="done", annotator=seat.member)
    assert take_next(seat=seat).claims == (early.pk,)


def _no_claims(project: Project, _seat: Seat) -> None:
    make_claim(project, cited=False, slots=False)


def _leased_elsewhere(project: Project, _seat: Seat) -> None:
    make_claims(project, 1)
    take_next(seat=a_seat(project))


def _already_labelled(project: Project, seat: Seat) -> None:
    (claim,) = make_claims(project, 1)
    make_label(claim, seat.member)


def _everything_done(project: Project, _seat: Seat) -> None:
    make_claims(project, 1)
    Slot.objects.update(state="done", annotator=make_member(project))


@pytest.mark.parametrize(
    ("arrange", "why"),
    [
        (_no_claims, Why.NO_CLAIMS),
        (_leased_elsewhere, Why.WAITING),
        (_already_labelled, Why.REST_IS_YOURS),
        (_everything_done, Why.ALL_DONE),
    ],
)
def test_an_empty_queue_says_why(arrange: Callable[[Project, Seat], None], why: Why) -> None:
    project = make_project(overlap=1)
    seat = a_seat(project)
    arrange(project, seat)
    nothing = take_next(seat=seat).nothing
    assert isinstance(nothing, Nothing)
    assert nothing.why == why
    assert (nothing.until is not None) == (why == Why.WAITING)
