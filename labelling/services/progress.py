"""How far a person has come, and how long the rest will take at their own pace."""

from dataclasses import dataclass
from statistics import median

from django.utils import timezone

from labelling.access import Seat
from labelling.models import Label, Slot

RECENT = 50
COUNTED_UP_TO = 1_000


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
    def minutes_left(self) -> int | None:
        """Whole minutes, at least one; None where nothing is left or the pace is not known yet."""
        if self.pace is None or not self.left:
            return None
        return max(1, round(self.left * self.pace / 60))

    @property
    def hours_left(self) -> int | None:
        return None if self.minutes_left is None else max(1, round(self.minutes_left / 60))


def progress_of(*, seat: Seat) -> Progress:
    """The person's progress in the project, in three bounded queries."""
    labels = Label.objects.filter(annotator=seat.member)
    done = labels.filter(revision=1, occasion=1).count()
    recent = labels.filter(seconds__isnull=False).order_by("-created").values_list("seconds", flat=True)[:RECENT]
    pace = [seconds for seconds in recent if seconds is not None]
    held = Slot.objects.held_by(seat.member).count()
    places = Slot.objects.filter(project=seat.project, occasion=1).free(timezone.now()).unseen_by(seat.member)
    # A few claims more than the limit are enough to know that there are more; the rest is never read.
    rows = places.order_by("claim").values_list("claim_id", flat=True)[: COUNTED_UP_TO * seat.project.overlap]
    left = len(set(rows)) + held
    return Progress(done, min(left, COUNTED_UP_TO), left > COUNTED_UP_TO, median(pace) if pace else None)
