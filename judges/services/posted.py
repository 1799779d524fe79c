"""A judge asked while a program waits, and what it says of answers that came so and were stored.

All of a version's judgements of such answers are in one run, which grows and is finished throughout, as that of an import is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judges.asking import ask_each
from judges.external import TYPE_NAME as EXTERNAL
from judges.fingerprints import input_hash
from judges.models import Chunk, Judgement, JudgeVersion, Run
from judges.protocol import FAILURES, ClaimInput, Opinion, Outcome, Verdict
from judges.services.chunks import ready_judge
from judges.services.judgements import judgement_row
from judges.services.runs import add_chunks
from judges.services.versions import ReadyJudge, costs_money
from labelling.models import Membership

POSTED = {"posted": "true"}


class JudgeRefusedError(ValueError):
    """A judge that is not asked while a program waits; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the judge says of one claim; `reused` where it had said so of the same stored texts before."""

    claim: ClaimInput
    opinion: Opinion
    reused: bool = False


def judge_for_request(version: JudgeVersion) -> ReadyJudge:
    """The built judge of a version that may be asked while a program waits.

    Raises
    ------
    JudgeRefusedError
        Where there is nothing to ask, or each call is paid for: paid calls are made in runs, which keep a budget and
        write each one down before it is made.
    JudgeUnavailableError
        Where it cannot judge in this process.
    """
    if version.judge.type == EXTERNAL:
        raise JudgeRefusedError(f"{version} came with its judgements by import: there is nothing to ask")
    if costs_money(version):
        raise JudgeRefusedError(
            f"{version} is paid for by the call, and no call is paid for while a program waits: "
            "store the answer and run the judge over it, with a budget"
        )
    return ready_judge(version)


def ask(version: JudgeVersion, ready: ReadyJudge, claims: Sequence[ClaimInput], *, stored: bool) -> list[Said]:
    """What the judge says of the claims, in their order; of stored ones what it said before is taken over.

    Whatever goes wrong with a claim is the outcome of that claim.
    """
    known = _known(version, claims) if stored else {}
    new = [claim for claim in claims if claim.claim_id not in known]
    said = {claim.claim_id: Said(claim, opinion) for claim, opinion in ask_each(ready.implementation, new)}
    return [known.get(claim.claim_id) or said[claim.claim_id] for claim in claims]


def keep(*, version: JudgeVersion, said: Sequence[Said], by: Membership | None) -> None:
    """Write down what was said of stored claims, once a claim; a failure that was tried again is kept as replaced."""
    fresh = {one.claim.claim_id: one for one in said if not one.reused}
    if not fresh:
        return
    with transaction.atomic():
        run = _run(version, by)
        there = run.judgements.filter(claim__in=list(fresh), replaced=False)
        there.filter(outcome__in=FAILURES).update(replaced=True)
        standing = set(there.values_list("claim_id", flat=True))
        rows = [judgement_row(run, one.claim, one.opinion) for pk, one in fresh.items() if pk not in standing]
        had = set(run.judgements.filter(claim__in=list(fresh)).values_list("claim_id", flat=True))
        Judgement.objects.bulk_create(rows, batch_size=500)
        new = sorted(row.claim_id for row in rows if row.claim_id not in had)
        if new:
            add_chunks(run, new, state=Chunk.State.DONE)
            Run.objects.filter(id=run.pk).update(claims_total=F("claims_total") + len(new), finished=timezone.now())


def _known(version: JudgeVersion, claims: Sequence[ClaimInput]) -> dict[int, Said]:
    hashes = {claim.claim_id: input_hash(claim) for claim in claims}
    rows = Judgement.objects.reusable([version.fingerprint], hashes)
    return {
        claim.claim_id: Said(claim, _opinion(rows[claim.claim_id]), True) for claim in claims if claim.claim_id in rows
    }


def _opinion(row: Judgement) -> Opinion:
    """What a row says, at no cost now."""
    return Opinion(
        outcome=Outcome(row.outcome),
        verdict=Verdict(row.verdict) if row.verdict else None,
        score=row.score,
        quote=row.quote,
        reason=row.reason,
        detail=row.detail,
    )


def _run(version: JudgeVersion, by: Membership | None) -> Run:
    """The run of posted answers of the version, made where it is not there yet, and nobody else's until the commit."""
    JudgeVersion.objects.select_for_update().get(pk=version.pk)
    run = version.runs.filter(selection=POSTED).order_by("id").first()
    return run or Run.objects.create(
        project=version.judge.project,
        judge_version=version,
        state=Run.State.FINISHED,
        selection=POSTED,
        claims_total=0,
        created_by=by,
        finished=timezone.now(),
    )
