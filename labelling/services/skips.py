"""Leaving a claim unlabelled, taking that back, and finding what a person did last."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from labelling.access import Seat
from labelling.models import Claim, Label, Skip, Slot
from labelling.services.labels import latest_revision
from labelling.services.queue import lease_claim


@dataclass(frozen=True, slots=True)
class Act:
    """The last thing that a person did: a label or a skip of one claim."""

    claim_id: int
    kind: Literal["label", "skip"]
    at: datetime


def skip_claim(*, seat: Seat, claim: Claim, reason: str, note: str = "") -> Skip:
    """Record why the person leaves the claim, and open its place to others. Twice is the same as once.

    A label that they gave before is taken back by a revision of its own and stays readable.
    """
    try:
        with transaction.atomic():
            return _skip(seat, claim, reason, note)
    except IntegrityError:
        return Skip.objects.get(claim=claim, annotator=seat.member, withdrawn=False)


def _skip(seat: Seat, claim: Claim, reason: str, note: str) -> Skip:
    standing = Skip.objects.filter(claim=claim, annotator=seat.member, withdrawn=False).first()
    if standing is not None:
        return standing
    skip = Skip.objects.create(claim=claim, annotator=seat.member, reason=reason, note=note)
    label = latest_revision(seat=seat, claim=claim)
    if label is not None and not label.withdrawn:
        label.pk = None
        label._state.adding = True  # noqa: SLF001 - Django's documented way to copy a row
        label.client_id = uuid4()
        label.revision += 1
        label.withdrawn = True
        label.created = timezone.now()
        label.save(force_insert=True)
    Slot.objects.filter(claim=claim, annotator=seat.member, occasion=1).update(
        state=Slot.State.OPEN, annotator=None, leased_until=None
    )
    return skip


def withdraw_skip(*, seat: Seat, claim: Claim) -> bool:
    """Take a skip back and lease the claim to the person again, where a place is left. False where none stood."""
    stood = Skip.objects.filter(claim=claim, annotator=seat.member, withdrawn=False).update(withdrawn=True)
    if stood:
        lease_claim(seat=seat, claim_id=claim.pk)
    return bool(stood)


def last_act(*, seat: Seat, before: int | None = None) -> Act | None:
    """The person's latest label or standing skip or, given a claim, the one that came before theirs of that claim."""
    labels = Label.objects.filter(annotator=seat.member, occasion=1, imported=False, withdrawn=False)
    skips = Skip.objects.filter(annotator=seat.member, withdrawn=False)
    if before is not None:
        acts = [act for act in (_latest(labels.filter(claim=before), skips.filter(claim=before)),) if act]
        if acts:
            labels = labels.filter(created__lt=acts[0].at).exclude(claim=before)
            skips = skips.filter(created__lt=acts[0].at)
    return _latest(labels, skips)


def _latest(labels: QuerySet[Label], skips: QuerySet[Skip]) -> Act | None:
    label = labels.order_by("-created").values_list("claim_id", "created").first()
    skip = skips.order_by("-created").values_list("claim_id", "created").first()
    acts = [Act(label[0], "label", label[1])] if label else []
    if skip:
        acts.append(Act(skip[0], "skip", skip[1]))
    return max(acts, key=lambda act: act.at, default=None)
