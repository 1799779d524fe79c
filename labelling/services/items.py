"""What an annotator sees of one claim: the claim, its answer, its sources, and their own earlier label, nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.http import Http404

from labelling.access import Seat
from labelling.models import Citation, Claim, Label, Skip, Source
from labelling.services.labels import Span, cited_spans, latest_revision
from labelling.text.marking import Marked, mark_claim
from labelling.text.paragraphs import Paragraph, paragraphs


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One cited source: the numbers of the citations that point at it, its text in lines, its successor."""

    source: Source
    orders: tuple[int, ...]
    lines: list[Paragraph]
    spans: tuple[Span, ...]
    superseded: str
    length: int


@dataclass(frozen=True, slots=True)
class ShownSpan:
    """A span with its quote, to show and to send back."""

    span: Span
    quote: str
    order: int


@dataclass(frozen=True, slots=True)
class Before:
    """What the person themself said of the claim before."""

    label: Label | None
    skip: Skip | None
    evidence: tuple[ShownSpan, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A claim ready to be shown and labelled."""

    claim: Claim
    client_id: UUID
    answer: Marked
    number: int
    of: int
    sources: list[ShownSource]
    has_cited_span: bool
    before: Before | None = None


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A claim with its citations in order, answer and sources loaded."""

    claim: Claim
    citations: tuple[Citation, ...]


def load_claim(*, seat: Seat, claim_id: int) -> CitedClaim:
    """A cited claim of the seat's project with answer and sources, in one query; 404 where there is none."""
    rows = Citation.objects.filter(claim=claim_id, claim__project=seat.project).select_related(
        "claim__answer", "source"
    )
    citations = tuple(rows.order_by("order"))
    if not citations:
        raise Http404
    return CitedClaim(citations[0].claim, citations)


def show_item(*, seat: Seat, cited: CitedClaim, again: bool = False) -> Item:
    """The claim as the page shows it; with `again`, with what the person said of it before."""
    claim = cited.claim
    siblings = list(Claim.objects.filter(answer=claim.answer_id).order_by("pk").values_list("pk", flat=True))
    return Item(
        claim=claim,
        client_id=uuid4(),
        answer=mark_claim(claim.answer.text, claim.text),
        number=siblings.index(claim.pk) + 1,
        of=len(siblings),
        sources=_shown_sources(cited.citations),
        has_cited_span=bool(cited_spans(cited.citations)),
        before=_before(seat, cited) if again else None,
    )


def _shown_sources(citations: Iterable[Citation]) -> list[ShownSource]:
    by_source: dict[int, list[Citation]] = {}
    for citation in citations:
        by_source.setdefault(citation.source_id, []).append(citation)
    shown = []
    for group in by_source.values():
        source = group[0].source
        spans = cited_spans(group)
        shown.append(
            ShownSource(
                source=source,
                orders=tuple(citation.order for citation in group),
                lines=paragraphs(source.text, [(span.start, span.end) for span in spans]),
                spans=spans,
                superseded=_successor(source),
                length=len(source.text),
            )
        )
    return shown


def _successor(source: Source) -> str:
    """How to name the source that replaced this one: by its version where it is known here, else by its id."""
    if not source.superseded_by:
        return ""
    later = Source.objects.filter(project=source.project_id, external_id=source.superseded_by).first()
    return f"version {later.version}" if later is not None and later.version else source.superseded_by


def _before(seat: Seat, cited: CitedClaim) -> Before:
    label = latest_revision(seat=seat, claim=cited.claim)
    skip = cited.claim.skips.filter(annotator=seat.member).order_by("-pk").first()
    orders = {citation.source_id: citation.order for citation in reversed(cited.citations)}
    evidence = (
        tuple(
            ShownSpan(Span(row.source_id, row.start, row.end), row.quote, orders.get(row.source_id, 0))
            for row in label.evidence.all()
        )
        if label
        else ()
    )
    return Before(label, skip, evidence)
