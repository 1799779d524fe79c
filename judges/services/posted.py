"""A judge asked while a program waits, and what it says of answers that came so and were stored.

All of a version's judgements of such answers are in one run, which grows and is finished throughout, as that of an import is;
where a text is another by now, a further one is begun.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judges.asking import ask_each
from judges.external import TYPE_NAME as EXTERNAL
from judges.fingerprints import input_hash
from judges.models import Chunk, Judgement, JudgeVersion, Run
from judges.protocol import ANSWERED, FAILURES, ClaimInput, Opinion, PaidJudge
from judges.services.chunks import ready_judge
from judges.services.judgements import judgement_row
from judges.services.request_purse import RequestPurse
from judges.services.runs import RunRefusedError, add_chunks, check_budget
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


def judge_for_request(version: JudgeVersion, *, stored: bool, budget_usd: Decimal | None) -> ReadyJudge:
    """The built judge of a version that may be asked while a program waits.

    One that is paid for is asked about stored answers only, since each call is written down with its claim before it is
    made, and under a budget; claim by claim, at the price of that, where its runs hand claims in as batches.

    Raises
    ------
    JudgeRefusedError
        Where there is nothing to ask, or it is paid for and these terms are not met.
    JudgeUnavailableError
        Where it cannot judge in this process.
    """
    if version.judge.type == EXTERNAL:
        raise JudgeRefusedError(f"{version} came with its judgements by import: there is nothing to ask")
    if not costs_money(version):
        return ready_judge(version)
    if not stored or budget_usd is None:
        raise JudgeRefusedError(
            f"{version} is paid for by the call: expected store true, as each call is written down before it is made, "
            "and budget_usd"
        )
    ready = ready_judge(version, batches=False)
    try:
        check_budget(ready, budget_usd)
    except RunRefusedError as error:
        raise JudgeRefusedError(f"{version}: {error}") from None
    return ready


def ask(ready: ReadyJudge, claims: Sequence[ClaimInput], *, seconds: float) -> list[Said]:
    """What a free judge says of the claims, in their order, as far as it comes in so many seconds.

    Whatever goes wrong with a claim is the outcome of that claim.
    """
    until = time.monotonic() + seconds
    said: list[Said] = []
    for claim, opinion in ask_each(ready.implementation, claims):
        said.append(Said(claim, opinion))
        if time.monotonic() > until:
            break
    return said


def ask_stored(
    version: JudgeVersion,
    ready: ReadyJudge,
    claims: Sequence[ClaimInput],
    *,
    budget_usd: Decimal | None,
    seconds: float,
    by: Membership | None,
) -> list[Said]:
    """What the judge says of stored claims, written down; what it said before of the same texts is taken over.

    A paid judge begins no call that could cost more than the budget, and no judge one after so many seconds. The claims
    that it was not asked about are left out.
    """
    said = _known(version, claims)
    new = [claim for claim in claims if claim.claim_id not in said]
    if isinstance(ready.implementation, PaidJudge):
        assert budget_usd is not None, "a paid judge has one"
        said |= _pay(version, ready.implementation, new, budget_usd, seconds, by)
    elif new:
        heard = ask(ready, new, seconds=seconds)
        _keep(version, heard, by)
        said |= {one.claim.claim_id: one for one in heard}
    return [said[claim.claim_id] for claim in claims if claim.claim_id in said]


def _pay(
    version: JudgeVersion,
    judge: PaidJudge,
    claims: Sequence[ClaimInput],
    budget_usd: Decimal,
    seconds: float,
    by: Membership | None,
) -> dict[int, Said]:
    """Ask a paid judge; each judgement is written as it comes, with what settles its call."""
    with transaction.atomic():
        run = _run(version, by, claims)
    purse = RequestPurse(run, budget_usd, seconds=seconds)
    said: dict[int, Said] = {}
    for claim, opinion in purse.lost(claims):
        said[claim.claim_id] = Said(claim, opinion)
        _keep_paid(version, said[claim.claim_id], purse, by)
    elsewhere = purse.open_elsewhere(claims)
    free = [claim for claim in claims if claim.claim_id not in said.keys() | elsewhere]
    for claim, answer in judge.ask(free, purse) if free else ():
        if answer is None:
            purse.settle(claim, None)
        else:
            said[claim.claim_id] = Said(claim, answer)
            _keep_paid(version, said[claim.claim_id], purse, by)
    return said


def _keep_paid(version: JudgeVersion, said: Said, purse: RequestPurse, by: Membership | None) -> None:
    with transaction.atomic():
        _keep(version, [said], by)
        purse.settle(said.claim, said.opinion)


@transaction.atomic
def _keep(version: JudgeVersion, said: Sequence[Said], by: Membership | None) -> None:
    """Write down what was said, once a claim; a failure that was tried again is kept as replaced."""
    run = _run(version, by, [one.claim for one in said])
    fresh = {one.claim.claim_id: one for one in said}
    there = run.judgements.filter(claim__in=list(fresh))
    had = set(there.values_list("claim_id", flat=True))
    there.filter(replaced=False, outcome__in=FAILURES).update(replaced=True)
    standing = set(there.filter(replaced=False).values_list("claim_id", flat=True))
    rows = [judgement_row(run, one.claim, one.opinion) for pk, one in fresh.items() if pk not in standing]
    Judgement.objects.bulk_create(rows, batch_size=500)
    new = sorted(row.claim_id for row in rows if row.claim_id not in had)
    if new:
        add_chunks(run, new, state=Chunk.State.DONE)
        Run.objects.filter(id=run.pk).update(claims_total=F("claims_total") + len(new), finished=timezone.now())


def _known(version: JudgeVersion, claims: Sequence[ClaimInput]) -> dict[int, Said]:
    hashes = {claim.claim_id: input_hash(claim) for claim in claims}
    rows = Judgement.objects.reusable([version.fingerprint], hashes)
    return {
        claim.claim_id: Said(claim, rows[claim.claim_id].opinion(), True) for claim in claims if claim.claim_id in rows
    }


def _run(version: JudgeVersion, by: Membership | None, claims: Sequence[ClaimInput]) -> Run:
    """The run that takes judgements of these claims, made where there is none, and nobody else's until the commit."""
    JudgeVersion.objects.select_for_update().get(pk=version.pk)
    run = version.runs.filter(selection=POSTED).order_by("-id").first()
    if run is not None and not _has_other_texts(run, claims):
        return run
    return Run.objects.create(
        project=version.judge.project,
        judge_version=version,
        state=Run.State.FINISHED,
        selection=POSTED,
        claims_total=0,
        created_by=by,
        finished=timezone.now(),
    )


def _has_other_texts(run: Run, claims: Sequence[ClaimInput]) -> bool:
    """Whether the run judged one of the claims as it was before an import changed its texts."""
    now = {claim.claim_id: input_hash(claim) for claim in claims}
    rows = run.judgements.filter(claim__in=list(now), outcome__in=ANSWERED, replaced=False)
    return any(now[claim] != before for claim, before in rows.values_list("claim_id", "input_hash"))
