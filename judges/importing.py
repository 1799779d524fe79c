"""Lines of judgements: the output of any other harness, taken in as an external judge with its run."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from django.utils.text import slugify

from judges.models import Run
from judges.protocol import Outcome
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from labelling.importing.delivery import Delivery, Line
from labelling.importing.documents import CLAIMS
from labelling.importing.fields import Fields
from labelling.models import Verdict

NAME_LIMIT = 100
BATCH = 500
_OUTCOMES = [outcome.value for outcome in Outcome]


class JudgementLine(NamedTuple):
    """A judgement whose judge and claim are still named."""

    judge: str
    version: str
    claim: str
    verdict: str
    outcome: str
    score: float | None
    quote: str
    reason: str
    cost_usd: Decimal
    seconds: float
    detail: dict[str, object]


class JudgementLines:
    """Handles `judgement`. Judges come by name and version; the same judgement again changes nothing."""

    kind = "judgement"

    def __init__(self) -> None:
        self._runs: dict[tuple[str, str], Run] = {}

    def parse(self, fields: Fields) -> JudgementLine:
        judge = fields.required("judge", limit=NAME_LIMIT).strip()
        version = fields.text("version", limit=NAME_LIMIT).strip()
        claim = fields.identifier("claim")
        verdict = fields.choice("verdict", Verdict.values)
        outcome = fields.choice("outcome", _OUTCOMES) or (Outcome.JUDGED.value if verdict else "")
        if not outcome and not fields.faults:
            fields.fault(
                "verdict", None, f"one of {', '.join(Verdict.values)}, or an outcome that says why there is none"
            )
        elif bool(verdict) != (outcome == Outcome.JUDGED) and not fields.faults:
            fields.fault("verdict", verdict or None, "a verdict if and only if the outcome is judged")
        score = fields.number("score", low=0, high=1)
        cost = fields.number("cost_usd", low=0, high=999_999)
        seconds = fields.number("seconds", low=0) or 0.0
        quote, reason = fields.text("quote"), fields.text("reason")
        # Files say money as JSON numbers; six decimals are what is kept.
        money = round(Decimal(str(cost or 0)), 6)
        return JudgementLine(
            judge, version, claim, verdict, outcome, score, quote, reason, money, seconds, fields.rest()
        )

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        claims = CLAIMS.keys(delivery.project.pk, (line.value.claim for line in lines))
        waiting = [line for line in lines if line.value.claim not in claims]
        by_version: defaultdict[tuple[str, str], list[Line]] = defaultdict(list)
        for line in lines:
            if line.value.claim in claims:
                by_version[line.value.judge, line.value.version].append(line)
        for key, judged in by_version.items():
            try:
                run = self._runs.get(key) or self._run(*key, delivery)
            except ValueError as fault:
                delivery.problem(judged[0].record, "judge", key[0], f"the name of an external judge ({fault})")
                continue
            self._runs[key] = run
            for start in range(0, len(judged), BATCH):
                self._add(run, judged[start : start + BATCH], claims, delivery)
        return waiting

    def _run(self, judge: str, version: str, delivery: Delivery) -> Run:
        # A judge's name stands in addresses, so what another harness called it is folded to a slug.
        name = slugify(judge) or "external"
        return imported_run(version=external_version(project=delivery.project, judge_name=name, version_name=version))

    def _add(self, run: Run, lines: Sequence[Line], claims: dict[str, int], delivery: Delivery) -> None:
        judgements: list[ImportedJudgement] = []
        by_claim: dict[int, Line] = {}
        for line in lines:
            value: JudgementLine = line.value
            claim = claims[value.claim]
            by_claim[claim] = line
            judgements.append(
                ImportedJudgement(
                    claim_id=claim,
                    verdict=value.verdict,
                    outcome=value.outcome,
                    score=value.score,
                    quote=value.quote,
                    reason=value.reason,
                    cost_usd=value.cost_usd,
                    seconds=value.seconds,
                    detail=value.detail,
                )
            )
        added = add_judgements(run=run, judgements=judgements)
        delivery.count(self.kind, "added", added.added)
        delivery.count(self.kind, "unchanged", added.unchanged)
        for claim in added.conflicts:
            line = by_claim[claim]
            delivery.problem(
                line.record,
                "verdict",
                line.value.verdict or line.value.outcome,
                f"what version {line.value.version!r} of {line.value.judge!r} is already known to say of this claim; "
                "another judgement needs another version",
            )

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        return "claim", line.value.claim, "the id of a claim in this file or in the project"
