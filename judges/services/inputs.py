"""Rows to what a judge is given: a claim, its answer, and the whole text of each source that it cites."""

from collections.abc import Iterable

from django.db.models import Prefetch

from judges.protocol import CitedText, ClaimInput
from labelling.models import Citation, Claim


def claim_inputs(claim_ids: Iterable[int]) -> list[ClaimInput]:
    """What a judge is given of these claims, in order of their ids; claims no longer there are left out.

    Four queries, however many claims: sources and answers that several claims share are read once.
    """
    cited = Prefetch("citations", queryset=Citation.objects.order_by("order"))
    claims = Claim.objects.filter(id__in=list(claim_ids)).order_by("id")
    claims = claims.prefetch_related("answer", cited, "citations__source")
    return [claim_input(claim) for claim in claims]


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
                collection=citation.source.collection,
            )
            for citation in claim.citations.all()
        ),
    )
