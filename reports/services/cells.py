"""Claims with what people and one judge version said of them, for reading."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from judges.models import Judgement, JudgeVersion
from labelling.models import Adjudication, Citation, Claim, Label, Verdict

EXCERPT = 600
AROUND = 160


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a cited source: the span that the answer points at, with some text around it."""

    title: str
    order: int
    before: str
    cited: str
    after: str


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """One claim to read.

    Attributes
    ----------
    votes : tuple of (verdict, count)
        Counted labels, in the order of the verdicts. Whose they are is not told.
    """

    claim: Claim
    excerpts: tuple[Excerpt, ...]
    votes: tuple[tuple[str, int], ...]
    adjudication: Adjudication | None
    judgement: Judgement | None


def shown_claims(version: JudgeVersion | None, claim_ids: Sequence[int]) -> list[ShownClaim]:
    """The claims in the order given, each with its excerpts, votes, adjudication and judgement, in five queries.

    Without a version no judgement is read.
    """
    citations = Citation.objects.select_related("source").order_by("order")
    claims = Claim.objects.select_related("answer").prefetch_related(Prefetch("citations", queryset=citations))
    found = {claim.pk: claim for claim in claims.filter(pk__in=claim_ids)}
    votes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for claim_id, verdict in Label.objects.counted().filter(claim__in=claim_ids).values_list("claim_id", "verdict"):
        votes[claim_id][verdict] += 1
    settled = {row.claim_id: row for row in Adjudication.objects.current().filter(claim__in=claim_ids)}
    said = judgements_of(version, claim_ids)
    return [
        ShownClaim(
            claim=found[claim_id],
            excerpts=tuple(_excerpt(citation) for citation in found[claim_id].citations.all()),
            votes=tuple((name, votes[claim_id][name]) for name in Verdict.values if votes[claim_id][name]),
            adjudication=settled.get(claim_id),
            judgement=said.get(claim_id),
        )
        for claim_id in claim_ids
        if claim_id in found
    ]


def judgements_of(version: JudgeVersion | None, claim_ids: Sequence[int]) -> dict[int, Judgement]:
    """What a version says of some claims, by claim: the word of its newest run that reached it."""
    rows = Judgement.objects.counted().filter(run__judge_version=version, claim__in=claim_ids)
    return {row.claim_id: row for row in rows.order_by("run_id")}


def _excerpt(citation: Citation) -> Excerpt:
    text, title = citation.source.text, str(citation.source)
    if citation.start is None or citation.end is None:
        return Excerpt(title, citation.order, "", "", _cut(text, EXCERPT))
    start, end = min(citation.start, len(text)), min(citation.end, len(text))
    left = max(0, start - AROUND)
    before = ("… " if left else "") + text[left:start]
    return Excerpt(title, citation.order, before, _cut(text[start:end], EXCERPT), _cut(text[end:], AROUND))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"
