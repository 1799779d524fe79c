"""How far a person has come, and how long the rest will take at their own pace."""

from dataclasses import dataclass
from statistics import median

from django.utils import timezone

from labelling.access import Seat
from labelling.models import Label, Slot
from labelling.services.queue import reached_by

RECENT = 50
COUNTED_UP_TO = 500
RECOUNT = 10


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
    def carried(self) -> int:
        """What the page sends back as the number left: one above the limit stands for more."""
        return self.left + self.more

    @property
    def minutes_left(self) -> int | None:
        """Whole minutes, at least one; None where nothing is left or the pace is not known yet."""
        if self.pace is None or not self.left:
            return None
        return max(1, round(self.left * self.pace / 60))

    @property
    def hours_left(self) -> int | None:
        return None if self.minutes_left is None else max(1, round(self.minutes_left / 60))


def progress_of(*, seat: Seat, left: int | None = None) -> Progress:
    """The person's progress in the project, in a handful of queries that read no more than some hundred rows each.

    `left` is what the person's page showed before; given, it is counted down instead of being counted anew, except now
    and then. It is for their eyes only.
    """
    labels = Label.objects.filter(annotator=seat.member)
    done = labels.filter(revision=1, occasion=1).count()
    recent = labels.filter(seconds__isnull=False).order_by("-created").values_list("seconds", flat=True)[:RECENT]
    pace = [seconds for seconds in recent if seconds is not None]
    if left and done % RECOUNT:
        # "500 and more" stays that until it is counted anew.
        left = left - 1 if left <= COUNTED_UP_TO else left
    else:
        left = Slot.objects.held_by(seat.member).count() + _open_to(seat)
    return Progress(done, min(left, COUNTED_UP_TO), left > COUNTED_UP_TO, median(pace) if pace else None)


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
