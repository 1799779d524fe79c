"""Gold: the adjudication where there is one, else the consensus of the counted labels by the project's rule."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from labelling.models import Adjudication, ConsensusRule, Label, Project


@dataclass(frozen=True, slots=True)
class Gold:
    """The settled verdict of one claim and where it comes from."""

    verdict: str
    basis: Literal["adjudication", "consensus"]


def consensus(verdicts: Iterable[str], *, rule: str) -> str | None:
    """The verdict that the labels agree on; None where there are none or where they tie."""
    counts = Counter(verdicts).most_common(2)
    if not counts:
        return None
    if len(counts) == 1:
        return counts[0][0]
    if rule == ConsensusRule.UNANIMOUS or counts[0][1] == counts[1][1]:
        return None
    return counts[0][0]


def gold_by_claim(project: Project, *, claim_ids: Iterable[int] | None = None) -> dict[int, Gold]:
    """Gold of every claim that has one, keyed by the claim's primary key, in three queries at most."""
    labels = Label.objects.counted().filter(claim__project=project)
    adjudications = Adjudication.objects.current().filter(claim__project=project)
    if claim_ids is not None:
        wanted = list(claim_ids)
        labels = labels.filter(claim__in=wanted)
        adjudications = adjudications.filter(claim__in=wanted)
    verdicts: defaultdict[int, list[str]] = defaultdict(list)
    for claim_id, verdict in labels.values_list("claim_id", "verdict").iterator(chunk_size=10_000):
        verdicts[claim_id].append(verdict)
    gold: dict[int, Gold] = {}
    for claim_id, given in verdicts.items():
        agreed = consensus(given, rule=project.consensus_rule)
        if agreed is not None:
            gold[claim_id] = Gold(agreed, "consensus")
    for claim_id, verdict in adjudications.values_list("claim_id", "verdict").iterator(chunk_size=10_000):
        gold[claim_id] = Gold(verdict, "adjudication")
    return gold
