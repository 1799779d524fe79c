"""The places that claims have for labels: opening them, leasing them, giving them back.

Every change of hands is a conditional UPDATE: one row changed means that the place is yours. Nothing is locked
for longer than one statement, and the same code is right on SQLite and on PostgreSQL.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, F, Max, Min, OuterRef, QuerySet, Subquery

from labelling.models import Citation, Claim, Label, PlannedClaim, Project, SamplingPlan, Slot

CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class Opened:
    """What `open_slots` changed."""

    created: int
    removed: int


def open_slots(*, project: Project, claims: Sequence[int] | None = None) -> Opened:
    """Give every cited claim as many open places as its target still lacks; safe to call again at any time.

    A claim's target is the project's overlap, or what a plan that drew it asks for. Labels that hold no place (imported ones) reduce what is open; places
    beyond the target (the overlap was lowered, labels were imported) go away, open ones first and then leased ones,
    whose label will be kept as surplus. Done places are never touched. Claims without a citation get no place: there
    is nothing to be faithful to.

    Parameters
    ----------
    project
        Whose claims.
    claims
        Primary keys of the claims to look at; all of the project where None.
    """
    created = removed = 0
    for chunk in _chunks(project, claims):
        with transaction.atomic():
            added, gone = _open_chunk(project, chunk)
        created += added
        removed += gone
    return Opened(created, removed)


def _chunks(project: Project, claims: Sequence[int] | None) -> Iterator[list[int]]:
    if claims is not None:
        wanted = sorted(set(claims))
        for i in range(0, len(wanted), CHUNK):
            yield wanted[i : i + CHUNK]
        return
    last = 0
    while True:
        rows = Claim.objects.filter(project=project, pk__gt=last).order_by("pk")
        chunk = list(rows.values_list("pk", flat=True)[:CHUNK])
        if not chunk:
            return
        yield chunk
        last = chunk[-1]


def _open_chunk(project: Project, chunk: list[int]) -> tuple[int, int]:
    # A source without a text was only named so far; there is nothing to read until a file brings it.
    legible = Citation.objects.filter(claim__project=project, claim__in=chunk).exclude(source__text="")
    cited = set(legible.values_list("claim_id", flat=True))
    # One statement for labels that hold no place, so that a label saved meanwhile is seen with its place or not at all.
    placed = Slot.objects.filter(claim=OuterRef("claim"), annotator=OuterRef("annotator"), state=Slot.State.DONE)
    loose = Counter(Label.objects.counted().filter(~Exists(placed), claim__in=chunk).values_list("claim_id", flat=True))
    done: Counter[int] = Counter()
    positions: defaultdict[int, set[int]] = defaultdict(set)
    waiting: defaultdict[int, list[int]] = defaultdict(list)
    # Those to give up first in front: open places, then the lease that ends first. Locked where the database can, so
    # that no label fills a place between the count and the removal.
    rows = Slot.objects.filter(claim__in=chunk).order_by(F("leased_until").asc(nulls_first=True), "-position")
    rows = rows.select_for_update()
    for pk, claim_id, position, state, occasion in rows.values_list("pk", "claim_id", "position", "state", "occasion"):
        positions[claim_id].add(position)
        if occasion != 1:
            continue
        if state == Slot.State.DONE:
            done[claim_id] += 1
        else:
            waiting[claim_id].append(pk)
    planned = _planned(project, chunk)
    missing: list[Slot] = []
    beyond: list[int] = []
    for claim_id in chunk:
        target = planned.get(claim_id, project.overlap) if claim_id in cited else 0
        lacking = max(0, target - done[claim_id] - loose[claim_id])
        spare = len(waiting[claim_id]) - lacking
        if spare > 0:
            beyond += waiting[claim_id][:spare]
        position = 0
        for _ in range(-spare):
            position = next(i for i in range(position + 1, 10_000) if i not in positions[claim_id])
            missing.append(Slot(project=project, claim_id=claim_id, position=position))
    Slot.objects.bulk_create(missing, ignore_conflicts=True, batch_size=500)
    gone = 0
    for i in range(0, len(beyond), 500):
        gone += Slot.objects.filter(pk__in=beyond[i : i + 500]).exclude(state=Slot.State.DONE).delete()[0]
    if SamplingPlan.objects.filter(project=project).exists():
        turn = _standing().filter(claim=OuterRef("claim")).values("claim").annotate(first=Min("turn")).values("first")
        waiting_places = Slot.objects.filter(claim__in=chunk).exclude(state=Slot.State.DONE)
        waiting_places.order_by().update(turn=Subquery(turn))
    return len(missing), gone


def _standing() -> QuerySet[PlannedClaim]:
    return PlannedClaim.objects.filter(plan__undone=None).order_by()


def _planned(project: Project, chunk: list[int]) -> dict[int, int]:
    """How many labels the plans ask for, by claim; the most where a claim is in several."""
    rows = _standing().filter(plan__project=project, claim__in=chunk)
    return dict(rows.values_list("claim").annotate(Max("plan__labels")))
