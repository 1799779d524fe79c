"""Saving labels: once however often it is sent, counted only while a place is left, never overwritten."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from labelling.access import Seat
from labelling.models import Citation, Claim, Evidence, Label, Skip, Slot, Verdict

ATTEMPTS = 6


class SubmissionError(Exception):
    """A submission that cannot be saved as it stands; `field` names what to change, the message says how."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one source: primary key of the source, start and end in code points, end exclusive."""

    source_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Submission:
    """What an annotator says of one claim. `client_id` is made by the page: the same one again is the same label.

    `guide_id` is the guide version that was in force when the claim was shown; None for the one in force now.
    """

    client_id: UUID
    verdict: str
    spans: tuple[Span, ...] = ()
    invention: str = ""
    severity: str = ""
    confidence: str = ""
    note: str = ""
    flag: str = ""
    seconds: float | None = None
    source_opened: bool | None = None
    guide_id: int | None = None
    assistance: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """The label that stands after a submission; `again` where the same submission had been saved before."""

    label: Label
    again: bool = False


def submit_label(*, seat: Seat, claim: Claim, given: Submission, citations: Sequence[Citation] | None = None) -> Saved:
    """Save a label, its evidence and its place in one transaction; the same client id again changes nothing.

    The label takes the place leased to the person or, where that was lost, any free one of the claim. Where none is
    left it is kept and marked surplus. A person's second submission for a claim is a new revision. The claim's
    citations are read unless the caller has them, with their sources.

    Raises
    ------
    SubmissionError
        Where a span does not lie in a cited source, or evidence or severity is missing.
    """
    for _ in range(ATTEMPTS):
        own = list(Label.objects.filter(annotator=seat.member, claim=claim, occasion=1).order_by("-revision"))
        before = next((label for label in own if label.client_id == given.client_id), None)
        if before is not None:
            return Saved(before, again=True)
        if citations is None:
            citations = list(claim.citations.select_related("source").order_by("order"))
        label, evidence = _prepare(seat, claim, given, citations, own[0] if own else None)
        try:
            # All that can be read was read before: on SQLite nobody else writes while this block lasts.
            with transaction.atomic():
                if not _fill_own_place(seat, claim):
                    label.surplus = not _take_place(seat, claim, label.created)
                    # Who skips gives the place back, so only somebody without one can have a skip standing.
                    Skip.objects.filter(claim=claim, annotator=seat.member, withdrawn=False).update(withdrawn=True)
                label.save(force_insert=True)
                Evidence.objects.bulk_create(evidence)
        except IntegrityError:
            # The same person's other request was saved in this moment: look again at what stands now.
            if Label.objects.filter(annotator=seat.member, client_id=given.client_id).exclude(claim=claim).exists():
                raise SubmissionError(
                    "client_id", "This submission belongs to another claim. Reload the page."
                ) from None
        else:
            return Saved(label)
    raise IntegrityError(f"no label of claim {claim.pk} could be saved in {ATTEMPTS} attempts")


def _guide(seat: Seat, given: Submission) -> int | None:
    """The guide version that the label was made under: the one shown with the claim, else the one in force."""
    if given.guide_id is not None:
        known = given.guide_id == seat.guide_id
        if known or seat.project.guide_versions.filter(pk=given.guide_id).exists():
            return given.guide_id
    if seat.guide_id is not None:
        return seat.guide_id
    current = seat.project.current_guide
    return None if current is None else current.pk


def _prepare(
    seat: Seat, claim: Claim, given: Submission, citations: Sequence[Citation], standing: Label | None
) -> tuple[Label, list[Evidence]]:
    """The label and its evidence, ready to be written as the revision after the one that stands."""
    quotes = _quotes(given, citations)
    if seat.project.ask_severity and not given.severity:
        raise SubmissionError("severity", "Say whether the claim is critical or minor.")
    label = Label(
        claim=claim,
        annotator=seat.member,
        revision=standing.revision + 1 if standing else 1,
        client_id=given.client_id,
        verdict=given.verdict,
        invention="" if given.verdict == Verdict.STATED else given.invention,
        severity=given.severity,
        confidence=given.confidence,
        seconds=given.seconds,
        note=given.note,
        flag=given.flag,
        guide_version_id=_guide(seat, given),
        assistance=list(given.assistance),
        source_opened=given.source_opened,
        created=timezone.now(),
    )
    evidence = [
        Evidence(label=label, source_id=span.source_id, start=span.start, end=span.end, quote=quote)
        for span, quote in quotes.items()
    ]
    return label, evidence


def latest_revision(*, seat: Seat, claim: Claim) -> Label | None:
    """The last revision of the person's own label of the claim."""
    rows = Label.objects.filter(claim=claim, annotator=seat.member, occasion=1)
    return rows.order_by("-revision").first()


def _fill_own_place(seat: Seat, claim: Claim) -> bool:
    """Whether the person held a place of the claim, which is filled now."""
    mine = Slot.objects.filter(claim=claim, annotator=seat.member, occasion=1, state=Slot.State.LEASED)
    return bool(mine.update(state=Slot.State.DONE, leased_until=None))


def _take_place(seat: Seat, claim: Claim, now: datetime) -> bool:
    """Whether the label of somebody who holds no place counts: theirs was filled before, or one is free to be taken."""
    places = Slot.objects.filter(claim=claim, occasion=1)
    if places.filter(annotator=seat.member, state=Slot.State.DONE).exists():
        return True
    done = {"state": Slot.State.DONE, "annotator": seat.member, "leased_until": None}
    for pk in list(places.free(now).values_list("pk", flat=True)):
        if Slot.objects.filter(pk=pk).free(now).update(**done):
            return True
    return False


def _quotes(given: Submission, citations: Sequence[Citation]) -> dict[Span, str]:
    """The spans that the label rests on, in order, each with its quote cut from the source.

    Where the person marked none and the verdict needs some, the cited spans are what it rests on.
    """
    texts = {citation.source_id: citation.source.text for citation in citations}
    spans: Iterable[Span] = given.spans
    if not given.spans and given.verdict != Verdict.ABSENT:
        spans = cited_spans(citations)
        if not spans:
            raise SubmissionError("evidence", "Mark the words in the source that this verdict rests on.")
    quotes: dict[Span, str] = {}
    for span in sorted(set(spans)):
        text = texts.get(span.source_id)
        if text is None:
            raise SubmissionError("evidence", "Evidence must lie in a source that this claim cites.")
        if not 0 <= span.start < span.end <= len(text):
            raise SubmissionError(
                "evidence",
                f"The span {span.start}–{span.end} does not lie in the source, which has {len(text)} characters.",
            )
        quotes[span] = text[span.start : span.end]
    return quotes


def cited_spans(citations: Iterable[Citation]) -> tuple[Span, ...]:
    """The spans that the answer itself points at, as far as they lie in their sources."""
    return tuple(
        Span(citation.source_id, citation.start, min(citation.end, len(citation.source.text)))
        for citation in citations
        if citation.start is not None and citation.end is not None and citation.start < len(citation.source.text)
    )
