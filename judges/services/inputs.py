"""Rows to what a judge is given: a claim, its answer, and the whole text of each source that it cites."""

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch, QuerySet

from judges.protocol import CitedText, ClaimInput
from labelling.models import Citation, Claim

_AT_ONCE = 500  # SQLite refuses a prefetch for a thousand rows or more


def claim_inputs(claim_ids: Iterable[int]) -> list[ClaimInput]:
    """What a judge is given of these claims, in order of their ids; claims no longer there are left out.

    Four queries for some hundred claims: sources and answers that several of them share are read once.
    """
    ids = sorted(claim_ids)
    return [
        claim_input(claim) for start in range(0, len(ids), _AT_ONCE) for claim in _claims(ids[start : start + _AT_ONCE])
    ]


def _claims(ids: Sequence[int]) -> QuerySet[Claim]:
    cited = Prefetch("citations", queryset=Citation.objects.order_by("order"))
    claims = Claim.objects.filter(id__in=ids).order_by("id")
    return claims.prefetch_related("answer", cited, "citations__source")


def claim_input(claim: Claim) -> ClaimInput:
    """What a judge is given of one claim whose answer and citations are at hand."""
    return ClaimInput(
        claim_id=claim.pk,
        text=claim.text,
        kind=claim.kind,
        severity=claim.severity,
        question=claim.answer.question,
        answer=claim.answer.text,
        cited=tuple(
            CitedText(
                source_id=citation.source.external_id,
                order=citation.order,
                title=citation.source.title,
                text=citation.source.text,
                start=citation.start,
                end=citation.end,
                fields=citation.source.fields,
                # Made for an id that nothing was known of: there is nothing that a claim could rest on.
                resolved=bool(citation.source.text.strip() or citation.source.fields),
                collection=citation.source.collection,
            )
            for citation in claim.citations.all()
        ),
    )
