"""Rows to what a judge is given: a claim, its answer, and the whole text of each source that it cites."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Prefetch, QuerySet

from judges.combined.stages import reads_whole_answers as config_reads_whole_answers
from judges.models import JudgeVersion
from judges.probes.changes import Change, apply_change
from judges.protocol import CitedText, ClaimInput
from labelling.models import Citation, Claim, Project, Source

_AT_ONCE = 500  # SQLite refuses a prefetch for a thousand rows or more


def claim_inputs(claim_ids: Iterable[int], *, whole_answers: bool = False) -> list[ClaimInput]:
    """What a judge is given of these claims, in order of their ids; claims no longer there are left out.

    Four queries for some hundred claims, and one more for a judge of whole answers: sources and answers that several
    of them share are read once.
    """
    ids = sorted(claim_ids)
    found: list[ClaimInput] = []
    for start in range(0, len(ids), _AT_ONCE):
        claims = list(_claims(ids[start : start + _AT_ONCE]))
        by_answer = _cited_by_answers({claim.answer_id for claim in claims}) if whole_answers else {}
        found.extend(claim_input(claim, answer_cited=by_answer.get(claim.answer_id, ())) for claim in claims)
    return found


def altered_inputs(
    claims: Iterable[ClaimInput], changes: Mapping[str, Mapping[str, object]], *, project: Project
) -> list[ClaimInput]:
    """The claims as a test of the judge changes them; ``changes`` is by the claim's id."""
    read = {int(claim): Change.from_data(change) for claim, change in changes.items()}
    wanted = {name for change in read.values() for name in change.sources}
    found = Source.objects.filter(project=project, external_id__in=wanted) if wanted else ()
    sources = {source.external_id: _cited_text(source, 0) for source in found}
    return [apply_change(read[one.claim_id], one, sources) if one.claim_id in read else one for one in claims]


def reads_whole_answers(version: JudgeVersion) -> bool:
    """Whether the version puts one question about the whole answer, to all that the answer cites."""
    return config_reads_whole_answers(version.config)


def answers_of(claim_ids: Sequence[int]) -> dict[int, int]:
    """The answer of each of the claims, by id."""
    found: dict[int, int] = {}
    for start in range(0, len(claim_ids), _AT_ONCE):
        rows = Claim.objects.filter(id__in=claim_ids[start : start + _AT_ONCE])
        found.update(rows.values_list("id", "answer_id"))
    return found


def _claims(ids: Sequence[int]) -> QuerySet[Claim]:
    cited = Prefetch("citations", queryset=Citation.objects.order_by("order"))
    claims = Claim.objects.filter(id__in=ids).order_by("id")
    return claims.prefetch_related("answer", cited, "citations__source")


def _cited_by_answers(answer_ids: set[int]) -> dict[int, tuple[CitedText, ...]]:
    """Every source that an answer cites, once, in the order in which its claims do."""
    rows = Citation.objects.filter(claim__answer__in=sorted(answer_ids)).order_by("claim_id", "order")
    sources: dict[int, dict[int, Source]] = {}
    for citation in rows.select_related("source", "claim"):
        sources.setdefault(citation.claim.answer_id, {}).setdefault(citation.source_id, citation.source)
    return {
        answer: tuple(_cited_text(source, order) for order, source in enumerate(cited.values(), 1))
        for answer, cited in sources.items()
    }


def _cited_text(source: Source, order: int, start: int | None = None, end: int | None = None) -> CitedText:
    return CitedText(
        source_id=source.external_id,
        order=order,
        title=source.title,
        text=source.text,
        start=start,
        end=end,
        fields=source.fields,
        # Made for an id that nothing was known of: there is nothing that a claim could rest on.
        resolved=bool(source.text.strip() or source.fields),
        collection=source.collection,
    )


def claim_input(claim: Claim, *, answer_cited: tuple[CitedText, ...] = ()) -> ClaimInput:
    """What a judge is given of one claim whose answer and citations are at hand."""
    return ClaimInput(
        claim_id=claim.pk,
        text=claim.text,
        kind=claim.kind,
        severity=claim.severity,
        question=claim.answer.question,
        answer=claim.answer.text,
        answer_cited=answer_cited,
        cited=tuple(
            _cited_text(citation.source, citation.order, citation.start, citation.end)
            for citation in claim.citations.all()
        ),
    )
