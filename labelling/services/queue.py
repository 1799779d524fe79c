"""Which claim a person gets next. Nobody waits for a lock, and nobody gets a claim twice."""

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from labelling.access import Seat
from labelling.models import Slot

# The claim on the screen and the one that is already waiting behind it.
HELD_AT_MOST = 2
# How many places are looked at first, and how many once others turn out to be after the same ones.
NARROW, WIDE, ROUNDS = 2, 120, 60


class Why(StrEnum):
    """Why there is no next claim."""

    NO_CLAIMS = "no-claims"
    WAITING = "waiting"
    REST_IS_YOURS = "rest-is-yours"
    ALL_DONE = "all-done"


@dataclass(frozen=True, slots=True)
class Nothing:
    """No claim for this person now: why, and until when where somebody else's lease is in the way."""

    why: Why
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """Claims leased to one person, by primary key, the first to be shown in front; why there are no more."""

    claims: tuple[int, ...]
    nothing: Nothing | None = None


def take_next(*, seat: Seat, want: int = HELD_AT_MOST) -> Held:
    """Lease claims to the person until they hold as many as wanted, and say why where there are fewer.

    What they hold already comes first, so a reload shows the same claim. A lease of their own that ran out is still
    theirs as long as nobody took the place over. Claims that a plan drew come before the others, in its order; nothing
    tells the person which ones these are.
    """
    now = timezone.now()
    held = _renewed(seat, now)
    while len(held) < min(want, HELD_AT_MOST):
        place = _lease_one(seat, now, held)
        if place is None:
            return Held(_claims(held), None if held else why_nothing(seat=seat, now=now))
        held.append(place)
    return Held(_claims(held))


def next_beyond(*, seat: Seat, have: Collection[int]) -> Held:
    """The one claim to prefetch: held or newly leased, and not among those that the page has already."""
    held = take_next(seat=seat)
    beyond = [claim_id for claim_id in held.claims if claim_id not in have][:1]
    if beyond:
        return Held(tuple(beyond))
    return Held((), held.nothing or why_nothing(seat=seat, now=timezone.now()))


def why_nothing(*, seat: Seat, now: datetime) -> Nothing:
    """The reason why no claim can be handed out, from what the places look like now."""
    places = Slot.objects.filter(project=seat.project)
    away = places.exclude(state=Slot.State.DONE).exclude(annotator=seat.member)
    lease = (
        away.filter(state=Slot.State.LEASED, leased_until__gte=now)
        .unseen_by(seat.member)
        .order_by("leased_until")
        .values_list("leased_until", flat=True)
        .first()
    )
    if lease is not None:
        return Nothing(Why.WAITING, lease)
    if away.exists():
        return Nothing(Why.REST_IS_YOURS)
    return Nothing(Why.ALL_DONE if places.exists() else Why.NO_CLAIMS)


def lease_until(seat: Seat, now: datetime) -> datetime:
    return now + timedelta(minutes=seat.project.lease_minutes)


def lease_claim(*, seat: Seat, claim_id: int) -> bool:
    """Lease a place of this very claim to the person, where one is free or already theirs; True where it is theirs."""
    if Slot.objects.filter(claim=claim_id, annotator=seat.member).exists():
        return True
    now = timezone.now()
    free = Slot.objects.filter(project=seat.project, claim=claim_id, occasion=1).free(now)
    return any(_lease(seat, pk, now) for pk in free.values_list("pk", flat=True))


def _claims(held: Collection[Slot]) -> tuple[int, ...]:
    return tuple(place.claim_id for place in held)


def _renewed(seat: Seat, now: datetime) -> list[Slot]:
    """Places held by the person; leases past half their time start anew, in the same order."""
    until = lease_until(seat, now)
    half = now + (until - now) / 2
    held: list[Slot] = []
    for i, slot in enumerate(Slot.objects.held_by(seat.member)):
        if slot.leased_until is not None and slot.leased_until < half:
            mine = Slot.objects.filter(pk=slot.pk, annotator=seat.member, state=Slot.State.LEASED)
            if not mine.update(leased_until=until + timedelta(microseconds=i)):
                continue
        held.append(slot)
    return held


def _lease_one(seat: Seat, now: datetime, held: Collection[Slot]) -> Slot | None:
    """Lease a place of the next claim that this person has not seen; None where there is none."""
    for rows in _in_order(seat, now, held):
        for attempt in range(ROUNDS):
            window = list(rows[: WIDE if attempt else NARROW])
            if attempt:
                # Everybody ran for the same first places: spread out.
                random.shuffle(window)
            for place in window[:NARROW]:
                if _lease(seat, place.pk, now):
                    return place
            if not window:
                break
    return None


def _in_order(seat: Seat, now: datetime, held: Collection[Slot]) -> Iterator[QuerySet[Slot]]:
    """Free places that the person has not seen: those of plans, by turn, and then the others, by claim.

    Either search starts behind the last one that they hold, or had, and wraps around once, so that it stays quick
    however many claims lie behind them that still wait for others.
    """
    free = Slot.objects.filter(project=seat.project, occasion=1).free(now).unseen_by(seat.member)
    if Slot.objects.filter(project=seat.project, turn__isnull=False).exclude(state=Slot.State.DONE).exists():
        planned = free.filter(turn__isnull=False).order_by("turn", "pk")
        turn = max((place.turn for place in held if place.turn is not None), default=0) or _turn_reached(seat)
        yield from _onwards(planned, "turn", turn)
    others = free.order_by("claim_id", "pk")
    claim = max((place.claim_id for place in held if place.turn is None), default=0) or reached_by(seat)
    yield from _onwards(others, "claim", claim)


def _onwards(places: QuerySet[Slot], key: str, reached: int) -> Iterator[QuerySet[Slot]]:
    """The places behind the one that was reached, and then those up to it; all at once where none was."""
    if not reached:
        yield places
        return
    yield places.filter(**{f"{key}__gt": reached})
    yield places.filter(**{f"{key}__lte": reached})


def _turn_reached(seat: Seat) -> int:
    """The last turn of a plan at which the person filled a place; 0 where there is none."""
    mine = Slot.objects.filter(annotator=seat.member, turn__isnull=False).order_by("-turn")
    return mine.values_list("turn", flat=True).first() or 0


def reached_by(seat: Seat) -> int:
    """The last claim, in order of claims, of which the person filled a place; 0 where there is none.

    Claims of plans come from everywhere and say nothing of how far somebody is.
    """
    mine = Slot.objects.filter(annotator=seat.member, state=Slot.State.DONE, turn=None).order_by("-claim_id")
    return mine.values_list("claim_id", flat=True).first() or 0


def _lease(seat: Seat, pk: int, now: datetime) -> bool:
    """Take one place by a conditional UPDATE; False where somebody else was quicker."""
    mine = {"state": Slot.State.LEASED, "annotator": seat.member, "leased_until": lease_until(seat, now)}
    try:
        changed = Slot.objects.filter(pk=pk).free(now).update(**mine)
    except IntegrityError:
        # The same person in a second tab holds another place of this claim already.
        return False
    return changed == 1
