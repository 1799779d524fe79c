"""Judgements of another harness: an external judge, its version, and the one run that holds what was imported.

Imported again, nothing changes. The run of a version grows with every import of further claims, since a comparison looks
at one run a version; it is finished throughout.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judges.external import TYPE_NAME
from judges.models import Chunk, Judgement, JudgeVersion, Run
from judges.protocol import Opinion, Outcome, Verdict
from judges.services.inputs import claim_inputs
from judges.services.judgements import judgement_row
from judges.services.runs import add_chunks
from judges.services.versions import create_judge, create_version
from labelling.models import Membership, Policy, Project

IMPORTED = {"imported": "true"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedJudgement:
    """One judgement as a file has it, its claim already looked up."""

    claim_id: int
    verdict: str = ""
    outcome: str = Outcome.JUDGED.value
    score: float | None = None
    quote: str = ""
    reason: str = ""
    cost_usd: Decimal = Decimal(0)
    seconds: float = 0.0
    detail: dict[str, object] = field(default_factory=dict)

    def opinion(self) -> Opinion:
        """The same as an opinion; a ``ValueError`` says what does not fit together."""
        return Opinion(
            outcome=Outcome(self.outcome),
            verdict=Verdict(self.verdict) if self.verdict else None,
            score=self.score,
            quote=self.quote,
            reason=self.reason,
            cost_usd=self.cost_usd,
            seconds=self.seconds,
            detail=self.detail,
        )


@dataclass(frozen=True, slots=True)
class Added:
    """What an import of judgements did: new rows, rows that were there alike, and claims with another one already."""

    added: int
    unchanged: int
    conflicts: tuple[int, ...]


def external_version(
    *, project: Project, judge_name: str, version_name: str, by: Membership | None = None, policy: str = ""
) -> JudgeVersion:
    """The version of an external judge under which imported judgements go, made where it is not there yet.

    ``judge_name`` and ``version_name`` are what the other harness called them; the judge's name here is the same.
    ``policy`` is what it asked for; empty where it does not say, and then the project's own.

    Raises
    ------
    ValueError
        Where the name belongs to a judge of another type.
    """
    guide = project.current_guide
    return create_version(
        judge=create_judge(project=project, name=judge_name, type_name=TYPE_NAME),
        config={"judge": judge_name, "version": version_name},
        policy=policy or (guide.policy if guide else Policy.STRICT),
        by=by,
        label=version_name[:100],
    )


def imported_run(*, version: JudgeVersion, by: Membership | None = None) -> Run:
    """The run that holds everything imported under the version, made where it is not there yet."""
    with transaction.atomic():
        JudgeVersion.objects.select_for_update().get(pk=version.pk)  # one import of a version at a time makes its run
        run = version.runs.filter(selection=IMPORTED).order_by("id").first()
        return run or Run.objects.create(
            project=version.judge.project,
            judge_version=version,
            state=Run.State.FINISHED,
            selection=IMPORTED,
            claims_total=0,
            created_by=by,
            finished=timezone.now(),
        )


def add_judgements(*, run: Run, judgements: Sequence[ImportedJudgement]) -> Added:
    """Add judgements, some hundreds at a time, to a run that `imported_run` gave.

    A claim that has the same judgement already is left as it is; one that has another is named as a conflict and
    left as it is too, since a judgement is never overwritten. Where the same claim comes twice, the first counts.

    Raises
    ------
    ValueError
        Where a judgement's verdict, outcome and numbers do not fit together.
    """
    given: dict[int, ImportedJudgement] = {}
    conflicts: list[int] = []
    unchanged = 0
    for one in judgements:
        if given.setdefault(one.claim_id, one) != one:
            conflicts.append(one.claim_id)
        elif given[one.claim_id] is not one:
            unchanged += 1
    rows = {claim.claim_id: judgement_row(run, claim, given[claim.claim_id].opinion()) for claim in claim_inputs(given)}
    with transaction.atomic():
        there = {row.claim_id: row for row in run.judgements.filter(claim__in=list(rows), replaced=False)}
        for claim_id, row in there.items():
            if _says(rows.pop(claim_id)) == _says(row):
                unchanged += 1
            else:
                conflicts.append(claim_id)
        if rows:
            Judgement.objects.bulk_create(rows.values(), batch_size=500)
            add_chunks(run, sorted(rows), state=Chunk.State.DONE)
            Run.objects.filter(id=run.pk).update(claims_total=F("claims_total") + len(rows), finished=timezone.now())
    return Added(len(rows), unchanged, tuple(conflicts))


def _says(row: Judgement) -> tuple[object, ...]:
    numbers = (row.score, round(row.cost_usd, 6), row.seconds)
    return (row.outcome, row.verdict, row.quote, row.reason, *numbers)
