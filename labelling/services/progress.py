"""How far a person has come, and how long the rest will take at their own pace."""

import re
from dataclasses import dataclass
from statistics import median

from django.utils import timezone

from labelling.access import Seat
from labelling.models import Label, Slot
from labelling.services.queue import reached_by

RECENT = 50
COUNTED_UP_TO = 500
RECOUNT = 10
_CARRIED = re.compile(r"(\d{1,8}):(\d{1,3}):(more|):(\d{1,5}(?:\.\d{1,20})?|)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Progress:
    """Labels given, claims still open to the person (counted up to a limit), and seconds per claim where known."""

    done: int
    left: int
    more: bool
    pace: float | None

    @property
    def total(self) -> int:
        return self.done + self.left

    @property
    def carried(self) -> str:
        """What the page sends back with the next label or skip; see `carried_on`."""
        return f"{self.done}:{self.left}:{'more' if self.more else ''}:{'' if self.pace is None else self.pace}"

    @property
    def minutes_left(self) -> int | None:
        """Whole minutes, at least one; None where nothing is left or the pace is not known yet."""
        if self.pace is None or not self.left:
            return None
        return max(1, round(self.left * self.pace / 60))

    @property
    def hours_left(self) -> int | None:
        return None if self.minutes_left is None else max(1, round(self.minutes_left / 60))


def progress_of(*, seat: Seat) -> Progress:
    """The person's progress in the project, in a handful of queries that read no more than some hundred rows each."""
    labels = Label.objects.filter(annotator=seat.member)
    done = labels.filter(revision=1, occasion=1).count()
    recent = labels.filter(seconds__isnull=False).order_by("-created").values_list("seconds", flat=True)[:RECENT]
    pace = [seconds for seconds in recent if seconds is not None]
    left = Slot.objects.held_by(seat.member).count() + _open_to(seat)
    return Progress(done, min(left, COUNTED_UP_TO), left > COUNTED_UP_TO, median(pace) if pace else None)


def carried_on(carried: str, *, labelled: bool) -> Progress | None:
    """What the page showed, one claim further; None where it is unreadable or it is time to count anew.

    It is for the eyes of the person whose page it is, and only there to spare the database a count for each label.
    """
    match = _CARRIED.fullmatch(carried)
    if match is None:
        return None
    before, left, more, pace = match.groups()
    done = int(before) + labelled
    if not pace or int(left) == 0 or (done if labelled else int(left)) % RECOUNT == 0:
        return None
    # "500 and more" stays that until it is counted anew.
    return Progress(done, int(left) - (not more), bool(more), float(pace))


def _open_to(seat: Seat) -> int:
    """Claims that could still be handed to the person, counted up to one more than the limit.

    Counting starts where the queue would go on. What lies behind it is only looked at as far as the limit reaches, so
    that somebody far ahead of the others does not wait for a walk over all that they have done.
    """
    reached = reached_by(seat)
    free = Slot.objects.filter(project=seat.project, occasion=1).free(timezone.now())
    ahead = free.filter(claim__gt=reached).unseen_by(seat.member).order_by("claim_id").values("claim_id").distinct()
    found = ahead[: COUNTED_UP_TO + 1].count()
    if not reached or found > COUNTED_UP_TO:
        return found
    near = free.filter(claim__lte=reached).order_by("claim_id").values("pk")[: COUNTED_UP_TO * seat.project.overlap]
    return found + Slot.objects.filter(pk__in=near).unseen_by(seat.member).values("claim_id").distinct().count()
