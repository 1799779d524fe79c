"""Plans: claims drawn to be labelled before others, with the probability that each had of being drawn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db import IntegrityError, connection, transaction
from django.db.models import Case, Exists, Max, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone
from numpy.typing import NDArray

from calibration.sampling import Sample, draw_sample
from labelling.models import (
    Adjudication,
    Citation,
    Claim,
    Label,
    Membership,
    PlannedClaim,
    Project,
    SamplingPlan,
    Slot,
)
from labelling.services.slots import CHUNK, open_slots

RANDOM = "random"
LARGEST_SEED = 2**53 - 1


class PlanRefusedError(ValueError):
    """No plan can be made of what was asked for, or it cannot be undone; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Claims worth a closer look: why, as plain data for the record; which, by primary key; how many to draw."""

    criterion: str
    number: int
    claims: NDArray[np.int64]
    detail: Mapping[str, Any] = field(default_factory=dict)


def frame_of(project: Project, split: str = "") -> QuerySet[Claim]:
    """The claims that a plan draws from: those that can be labelled and are in no random sample yet.

    A claim is in one where it has a label or gold and was not chosen on purpose, or where a plan drew it at random.
    One that a plan drew for a group alone can still be drawn at random, labelled or not: left out for good, its like
    would be missing from every later sample. Those that came with an import as chosen on purpose stay out, since
    nobody here knows how they were.
    """
    standing = PlannedClaim.objects.filter(claim=OuterRef("pk"), plan__undone=None)
    said = _labelled() | Exists(Adjudication.objects.filter(claim=OuterRef("pk")))
    legible = Citation.objects.filter(claim=OuterRef("pk")).exclude(source__text="")
    rows = Claim.objects.filter(Exists(legible), project=project).exclude(Exists(standing.filter(at_random=True)))
    rows = rows.filter((Q(targeted=False) & ~said) | (Q(targeted=True) & Exists(standing)))
    return (rows.filter(answer__split=split) if split else rows).order_by("pk")


def next_number(project: Project) -> int:
    """The number of the project's next plan, 1 for the first."""
    return (project.plans.aggregate(last=Max("number"))["last"] or 0) + 1


def queue_plan(
    *,
    project: Project,
    by: Membership | None,
    number: int,
    random: int,
    groups: Sequence[Group] = (),
    split: str = "",
    labels: int,
    seed: int,
) -> SamplingPlan:
    """Draw claims, put them before all others in the queue, and keep how likely each was.

    Every claim of the frame may be drawn at random, so that none has a probability of 0. What the random draw meets
    may enter the usual figures; what only a group's draw met is marked as targeted and stays out of them. The same
    number again, asked for in the same way, is the plan that is there.

    Parameters
    ----------
    project, by
        Whose claims, and who asks; nobody where a command does.
    number
        Of the plan, the next one of the project.
    random
        Claims to draw from the whole frame, at least 1.
    groups
        More to draw, each from some claims of the frame; others among its claims are passed over.
    split
        Draw from this split alone; from both where empty.
    labels
        How many people label each of the claims, 1 to 10.
    seed
        The same seed over the same frame draws the same claims.

    Raises
    ------
    PlanRefusedError
        Where there are too few claims, a group has none, or another plan got the number.
    """
    asked = [{"criterion": RANDOM, "asked": random}]
    asked += [{"criterion": group.criterion, **group.detail, "asked": group.number} for group in groups]
    made = SamplingPlan(
        project=project, by=by, number=number, split=split, labels=labels, seed=seed, frame=0, draws=asked
    )
    try:
        with transaction.atomic():
            # The row first: whoever asks for the same number in this moment waits, and is refused.
            made.save(force_insert=True)
            _draw(made, random, groups)
    except IntegrityError:
        there = project.plans.filter(number=number).first()
        if there is None:
            raise
        if _same(there, made):
            return there
        msg = f"plan {number} was queued meanwhile: look at it first"
        raise PlanRefusedError(msg) from None
    _count_places_anew()
    return made


def _count_places_anew() -> None:
    """Tell PostgreSQL how many places have a turn now.

    Taking them to be one or none, it would hold every planned claim against all that a person has done, for seconds,
    each time that they ask for a claim. Its own count comes late, since a plan changes few of many rows.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {Slot._meta.db_table}")  # noqa: SLF001  the public face of model metadata


def undo_plan(plan: SamplingPlan) -> None:
    """Take a plan back: its claims wait in the usual order again, with as many labels as the project asks for.

    Raises
    ------
    PlanRefusedError
        Where it was undone before, or a claim of it got a label.
    """
    claims = list(plan.planned.values_list("claim_id", flat=True))
    with transaction.atomic():
        if not SamplingPlan.objects.standing().filter(pk=plan.pk).update(undone=timezone.now()):
            raise PlanRefusedError("it was undone before")
        for chunk in _chunks(claims):
            # Locked where the database can, so that no label comes in between.
            list(Slot.objects.filter(claim__in=chunk).select_for_update().values_list("pk", flat=True))
        if labelled_of(plan).exists():
            raise PlanRefusedError("a claim of it has been labelled: it stays as it was drawn")
        _mark(claims)
        open_slots(project=plan.project, claims=claims)


def labelled_of(plan: SamplingPlan) -> QuerySet[PlannedClaim]:
    """The plan's claims that have been labelled since it was drawn."""
    return plan.planned.filter(_labelled("claim"), fresh=True)


def _labelled(claim: str = "pk") -> Exists:
    return Exists(Label.objects.counted().filter(claim=OuterRef(claim)))


def _draw(plan: SamplingPlan, random: int, groups: Sequence[Group]) -> None:
    rows = frame_of(plan.project, plan.split).annotate(labelled=_labelled()).values_list("pk", "labelled")
    frame = np.fromiter(rows.iterator(CHUNK), dtype=np.dtype([("claim", "i8"), ("labelled", "?")]))
    if not 1 <= random <= len(frame):
        msg = f"{random} random claims: expected 1 to {len(frame)}, the claims that are left to draw from"
        raise PlanRefusedError(msg)
    members = [np.isin(frame["claim"], group.claims) for group in groups]
    for group, inside in zip(groups, members, strict=True):
        if not inside.any():
            msg = f"{group.criterion}: none of the {len(frame)} claims that are left to draw from is like that"
            raise PlanRefusedError(msg)
    wanted = [(inside, group.number) for inside, group in zip(members, groups, strict=True)]
    sample = draw_sample(len(frame), random=random, groups=wanted, seed=plan.seed)
    plan.frame = len(frame)
    sizes = zip((random, *sample.taken), (len(frame), *(int(inside.sum()) for inside in members)), strict=True)
    plan.draws = [{**draw, "taken": taken, "of": of} for draw, (taken, of) in zip(plan.draws, sizes, strict=True)]
    plan.save(update_fields=["frame", "draws"])
    drawn = frame[sample.position]
    PlannedClaim.objects.bulk_create(_planned(plan, drawn, sample), batch_size=500)
    claims = [int(pk) for pk in drawn["claim"]]
    _mark(claims)
    open_slots(project=plan.project, claims=claims)


def _planned(plan: SamplingPlan, drawn: NDArray[Any], sample: Sample) -> Iterator[PlannedClaim]:
    last = PlannedClaim.objects.filter(plan__project=plan.project).aggregate(last=Max("turn"))["last"] or 0
    columns = (drawn["claim"].tolist(), drawn["labelled"].tolist(), sample.chance.tolist(), sample.at_random.tolist())
    for turn, (claim, labelled, chance, at_random) in enumerate(zip(*columns, strict=True), last + 1):
        yield PlannedClaim(plan=plan, claim_id=claim, turn=turn, chance=chance, at_random=at_random, fresh=not labelled)


def _mark(claims: Sequence[int]) -> None:
    """Mark those as targeted that standing plans drew for groups alone, and no others of these claims."""
    standing = PlannedClaim.objects.filter(claim=OuterRef("pk"), plan__undone=None)
    only_for_groups = Q(Exists(standing)) & ~Q(Exists(standing.filter(at_random=True)))
    for chunk in _chunks(claims):
        Claim.objects.filter(pk__in=chunk).update(
            targeted=Case(When(only_for_groups, then=Value(True)), default=Value(False))
        )


def _chunks(claims: Sequence[int]) -> Iterator[Sequence[int]]:
    return (claims[start : start + CHUNK] for start in range(0, len(claims), CHUNK))


def _same(there: SamplingPlan, asked: SamplingPlan) -> bool:
    """Whether a plan is what was asked for."""
    plain = [{key: value for key, value in draw.items() if key not in ("taken", "of")} for draw in there.draws]
    return (plain, there.split, there.labels, there.seed, there.undone) == (
        asked.draws,
        asked.split,
        asked.labels,
        asked.seed,
        None,
    )
