"""Silence: the cited sources give way to ones that do not speak of the claim, so nothing can state it any more."""

from collections.abc import Mapping
from random import Random

from judges.probes.changes import Change, Pool, Stranger
from judges.protocol import ClaimInput
from judges.text.ranking import ranking_terms

KIND = "sources that do not speak of it"
LARGEST_OVERLAP = 0.2
"""The largest share of the claim's content words that a source may hold and still count as silent on it."""
_LOOKED_AT = 60


def strangers(claim: ClaimInput, random: Random, pool: Pool) -> Mapping[str, Change]:
    """As many sources of other answers as the claim cites, those of a sample that share the fewest words with it."""
    terms = frozenset(ranking_terms(claim.text))
    own = pool.own | {cited.source_id for cited in claim.cited}
    if not terms:
        return {}
    others = [one for one in pool.strangers if one.source_id not in own]
    looked_at = random.sample(others, min(_LOOKED_AT, len(others)))
    silent = [one for one in looked_at if _overlap(one, terms) <= LARGEST_OVERLAP]
    silent.sort(key=lambda one: _overlap(one, terms))  # stable: equals stay in the order of the sample
    if len(silent) < len(claim.cited):
        return {}
    return {KIND: Change(kind=KIND, sources=tuple(one.source_id for one in silent[: len(claim.cited)]))}


def _overlap(stranger: Stranger, terms: frozenset[str]) -> float:
    return len(terms & stranger.terms) / len(terms)
