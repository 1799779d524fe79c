"""Claims that fail, to be read: the claim, the cited span, the verdict, and what it rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judges.models import JudgeVersion
from labelling.gold import consensus
from labelling.models import Evidence, Label, Project
from reports.services.cells import ShownClaim, shown_claims
from reports.services.groundedness import JUDGE, Failing, GroundednessReport

MISCITED, UNRESOLVABLE, UNCITED = "miscitation", "cites nothing that is there", "no citation"
MOST_QUOTES = 3
LONGEST_QUOTE = 400


@dataclass(frozen=True, slots=True)
class FailingClaim:
    """One claim that fails.

    Attributes
    ----------
    kind : str
        Why it is listed: a miscitation, a citation of nothing, or none.
    verdict : str
        By the origin of the report; empty where nothing was cited.
    basis : str
        Who says so.
    quotes : tuple of str
        Evidence of the labels that the verdict agrees with, or the judge's quote.
    reason : str
        The judge's reason, or the note of the adjudication.
    """

    shown: ShownClaim
    kind: str
    verdict: str
    basis: str
    quotes: tuple[str, ...]
    reason: str


def failing_claims(report: GroundednessReport, claim_ids: Sequence[int]) -> list[FailingClaim]:
    """The claims in the order given, which is that of the report: miscitations first."""
    by_judge = report.figures.origin == JUDGE
    shown = shown_claims(report.version if by_judge else None, claim_ids)
    kinds = _kinds(report.figures.failing)
    if by_judge and report.version is not None:
        return [_by_judge(one, report.version, kinds[one.claim.pk]) for one in shown]
    return _by_people(report.project, shown, kinds)


def _kinds(failing: Failing) -> dict[int, str]:
    named = ((failing.miscited, MISCITED), (failing.unresolvable, UNRESOLVABLE), (failing.uncited, UNCITED))
    return {claim_id: kind for ids, kind in named for claim_id in ids.tolist()}


def _by_judge(shown: ShownClaim, version: JudgeVersion, kind: str) -> FailingClaim:
    judgement = shown.judgement
    if kind == UNCITED or judgement is None:
        return FailingClaim(shown, kind, "", "", (), "")
    return FailingClaim(shown, kind, judgement.verdict, str(version), _cut([judgement.quote]), _short(judgement.reason))


def _by_people(project: Project, shown: list[ShownClaim], kinds: dict[int, str]) -> list[FailingClaim]:
    quotes = _quotes([one.claim.pk for one in shown])
    found = []
    for one in shown:
        kind, settled = kinds[one.claim.pk], one.adjudication
        if kind == UNCITED:
            found.append(FailingClaim(one, kind, "", "", (), ""))
            continue
        agreed = consensus((name for name, n in one.votes for _ in range(n)), rule=project.consensus_rule)
        verdict = settled.verdict if settled is not None else agreed or ""
        labels = sum(n for _, n in one.votes)
        basis = "adjudicated" if settled is not None else f"{dict(one.votes).get(verdict, 0)} of {labels} labels"
        note = settled.note if settled is not None else ""
        found.append(FailingClaim(one, kind, verdict, basis, _cut(quotes[one.claim.pk, verdict]), _short(note)))
    return found


def _quotes(claim_ids: Sequence[int]) -> defaultdict[tuple[int, str], list[str]]:
    labels = Label.objects.counted().filter(claim__in=claim_ids)
    rows = Evidence.objects.filter(label__in=labels).order_by("id")
    quotes: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for claim_id, verdict, quote in rows.values_list("label__claim_id", "label__verdict", "quote"):
        quotes[claim_id, verdict].append(quote)
    return quotes


def _cut(quotes: Iterable[str]) -> tuple[str, ...]:
    return tuple(_short(quote) for quote in list(dict.fromkeys(filter(None, quotes)))[:MOST_QUOTES])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} …"
