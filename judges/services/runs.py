"""The life of a run: started, stopped, resumed, its failures tried again, repaired, finished.

Rows are the queue. A run is fixed when it starts, as chunks of claims; whoever works on it takes chunks (see
``judges.services.chunks``). Nothing here tells a worker: whoever calls announces the run with ``judges.tasks.announce``
once the change is committed.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from judges.external import TYPE_NAME as EXTERNAL
from judges.models import Chunk, Judgement, JudgeVersion, Run
from judges.protocol import FAILURES, PaidJudge
from judges.services.inputs import answers_of, reads_whole_answers
from judges.services.selection import Selection
from judges.services.versions import JudgeUnavailableError, ReadyJudge, build
from labelling.models import Membership

_NO_CHANGES: Mapping[int, Mapping[str, object]] = MappingProxyType({})
SMALLEST_CHUNK, LARGEST_CHUNK = 50, 200


class RunRefusedError(ValueError):
    """What was asked of a run cannot be done now; the message says why."""


def start_run(
    *, version: JudgeVersion, selection: Selection, by: Membership | None, budget_usd: Decimal | None = None
) -> Run:
    """Fix the claims of a new run. The same start while that run is still going gives that run, not a second one.

    With a budget, the run stops before a call that could make it cost more US dollars than that.

    Raises
    ------
    RunRefusedError
        Where the version cannot judge, the selection is empty, a run of the version over other claims is going, or
        there is a budget and nobody knows what a call costs.
    """
    ready = ready_to_run(version, budget_usd=budget_usd)
    ids = list(selection.claims(version.judge.project).values_list("id", flat=True))
    if not ids:
        raise RunRefusedError(f"no claim with a citation is among the chosen ones ({selection})")
    run = Run(judge_version=version, selection=selection.as_data(), budget_usd=budget_usd, created_by=by)
    return save_run(run, ids, at_once=ready.at_once)


def ready_to_run(version: JudgeVersion, *, budget_usd: Decimal | None) -> ReadyJudge:
    """The judge of a version that can be run, within the budget where there is one.

    Raises
    ------
    RunRefusedError
        Where it cannot judge, or nobody could keep the budget.
    """
    try:
        ready = build(version)
    except JudgeUnavailableError as error:
        raise RunRefusedError(str(error)) from error
    if budget_usd is not None:
        check_budget(ready, budget_usd)
    _refuse_imported(version)
    return ready


def save_run(
    run: Run, claim_ids: Sequence[int], *, at_once: int, changes: Mapping[int, Mapping[str, object]] = _NO_CHANGES
) -> Run:
    """Save a new run with its chunks, or give the one of its version that is going where that was started alike.

    Raises
    ------
    RunRefusedError
        Where a run of the version over other claims, or another test of it, is going.
    """
    version = run.judge_version
    run.project = version.judge.project
    run.claims_total = len(claim_ids)
    try:
        with transaction.atomic():
            run.save(force_insert=True)
            add_chunks(run, claim_ids, at_once=at_once, changes=changes)
    except IntegrityError as error:
        if not _one_is_active(error):
            raise
        going = version.runs.filter(state=Run.State.ACTIVE).first()
        if going is not None and (going.selection, going.probe, going.seed) == (run.selection, run.probe, run.seed):
            return going
        raise RunRefusedError(_still_going(version)) from None
    return run


def stop_run(run: Run) -> bool:
    """Stop a running run: what is being asked is still written down, nothing more is asked. Whether it was running."""
    return _move(run, Run.State.ACTIVE, Run.State.STOPPED)


def resume_run(run: Run, *, budget_usd: Decimal | None = None) -> bool:
    """Let a stopped run go on where it was, with another budget where one is given. Whether it was stopped.

    Raises
    ------
    RunRefusedError
        Where another run of its version is going, or nobody knows what a call costs.
    """
    if budget_usd is not None and run.state == Run.State.STOPPED:
        try:
            check_budget(build(run.judge_version), budget_usd)
        except JudgeUnavailableError as error:
            raise RunRefusedError(str(error)) from error
        Run.objects.filter(id=run.pk, state=Run.State.STOPPED).update(budget_usd=budget_usd)
        run.refresh_from_db(fields=["budget_usd"])
    return _move(run, Run.State.STOPPED, Run.State.ACTIVE)


def check_budget(ready: ReadyJudge, budget_usd: Decimal) -> None:
    """Refuse a budget that nobody could keep.

    Raises
    ------
    RunRefusedError
        Where the budget is no amount, or the judge's price is unknown.
    """
    if not (budget_usd.is_finite() and budget_usd >= 0):
        raise RunRefusedError(f"the budget is {budget_usd}; expected an amount of US dollars of at least 0")
    judge = ready.implementation
    if isinstance(judge, PaidJudge):
        if not judge.price_known:
            raise RunRefusedError(f"no budget can be kept: {judge.price_note}")
    elif ready.paid:
        raise RunRefusedError("no budget can be kept: this judge does not say beforehand what a call can cost")


def retry_failures(run: Run) -> int:
    """Set every failure of a run that is not running aside, kept readable, and open its claims again; their number.

    Raises
    ------
    RunRefusedError
        Where the run is still going, another run of its version is, or its judgements came by import.
    """
    _refuse_imported(run.judge_version)
    if run.state == Run.State.ACTIVE:
        raise RunRefusedError("the run is still going: stop it first, or wait until it has finished")
    with transaction.atomic():
        # The state moves first: from here on until the commit, no second retry and no worker gets in between.
        failed = run.judgements.filter(replaced=False, outcome__in=FAILURES)
        if not failed.exists() or not _move(run, run.state, Run.State.ACTIVE):
            return 0
        claims = set(failed.values_list("claim_id", flat=True))
        reopened = [
            chunk_id
            for chunk_id, ids in run.chunks.filter(state=Chunk.State.DONE).values_list("id", "claim_ids")
            if not claims.isdisjoint(ids)
        ]
        for some in _batches(reopened, 500):
            Chunk.objects.filter(id__in=some).update(state=Chunk.State.OPEN)
        return failed.update(replaced=True)


def sweep(*, now: datetime | None = None, joining: bool = False) -> list[int]:
    """Repair what was lost and give the ids of runs that have work and nobody working on them.

    Leases that ran out are opened again (a worker was killed), runs whose last chunk was done by a worker that did not
    live to say so are finished, and what is left without a worker is to be announced again (its message was lost).
    For a worker that is ``joining``, runs that others work on count too, where they have chunks to spare.
    """
    now = now or timezone.now()
    Chunk.objects.filter(state=Chunk.State.LEASED, leased_until__lt=now).update(
        state=Chunk.State.OPEN, leased_until=None, losses=F("losses") + 1
    )
    for run_id in Run.objects.filter(state=Run.State.ACTIVE).exclude(_undone()).values_list("id", flat=True):
        finish_if_done(run_id)
    waiting = Chunk.objects.filter(run=OuterRef("pk"), state=Chunk.State.OPEN)
    rows = Run.objects.filter(Exists(waiting), state=Run.State.ACTIVE)
    if not joining:
        rows = rows.exclude(Exists(Chunk.objects.filter(run=OuterRef("pk"), state=Chunk.State.LEASED)))
    return list(rows.order_by("id").values_list("id", flat=True))


def open_chunks(run_id: int) -> int:
    """How many chunks of the run nobody holds."""
    return Chunk.objects.filter(run=run_id, state=Chunk.State.OPEN).count()


def finish_if_done(run_id: int) -> bool:
    """Finish a running run once every chunk is done. Whether this call did it."""
    with transaction.atomic():
        # The row first: a statement that waits for it while failures are set aside would go on to look at the chunks
        # as they were before, and finish a run that has open ones.
        running = Run.objects.select_for_update().filter(id=run_id, state=Run.State.ACTIVE)
        if not running.exists():
            return False
        rows = Run.objects.filter(~_undone(), id=run_id, state=Run.State.ACTIVE)
        return bool(rows.update(state=Run.State.FINISHED, finished=timezone.now()))


def add_chunks(
    run: Run,
    claim_ids: Sequence[int],
    *,
    state: Chunk.State = Chunk.State.OPEN,
    at_once: int = 0,
    changes: Mapping[int, Mapping[str, object]] = _NO_CHANGES,
) -> None:
    """Cut claims into chunks of the run, after those that it has; no smaller than the judge wants at once.

    ``changes`` holds by claim what a test of the judge changes in it.
    """
    size = max(chunk_size(len(claim_ids)), at_once)
    first = run.chunks.count()
    # An answer that is asked about whole is asked about once a chunk, so its claims are not to be cut apart.
    whole = reads_whole_answers(run.judge_version)
    portions = _whole_answers(claim_ids, size) if whole else _batches(claim_ids, size)
    Chunk.objects.bulk_create(
        (
            Chunk(
                run=run,
                position=first + place,
                claim_ids=list(ids),
                changes={str(one): changes[one] for one in ids if one in changes},
                state=state,
            )
            for place, ids in enumerate(portions)
        ),
        batch_size=500,
    )


def chunk_size(claims: int) -> int:
    """Claims a chunk: small enough that two workers share a small run, large enough that a large run has few rows."""
    return max(SMALLEST_CHUNK, min(LARGEST_CHUNK, claims // 100))


def _refuse_imported(version: JudgeVersion) -> None:
    if version.judge.type == EXTERNAL and not version.config.get("base"):
        raise RunRefusedError(f"{version} came with its judgements by import: there is nothing to run")


def _undone() -> Exists:
    return Exists(Chunk.objects.filter(~Q(state=Chunk.State.DONE), run=OuterRef("pk")))


def _move(run: Run, before: str, after: str) -> bool:
    """Change the state if it still is what the caller saw, and tell whether it was."""
    finished = timezone.now() if after == Run.State.FINISHED else None
    try:
        with transaction.atomic():
            changed = Run.objects.filter(id=run.pk, state=before).update(
                state=after, finished=finished, over_budget=False
            )
    except IntegrityError as error:
        if not _one_is_active(error):
            raise
        raise RunRefusedError(_still_going(run.judge_version)) from None
    run.refresh_from_db(fields=["state", "finished", "over_budget"])
    return bool(changed)


def _one_is_active(error: IntegrityError) -> bool:
    """Whether it is the rule of one active run a version that was broken, and no other."""
    # PostgreSQL names the constraint, SQLite the columns of a unique one.
    return any(name in str(error) for name in ("run_active_once_a_version", "judges_run.judge_version_id"))


def _still_going(version: JudgeVersion) -> str:
    return f"another run of {version} is still going: stop it first, or wait until it has finished"


def _batches(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _whole_answers(claim_ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """The claims answer by answer, in portions of that size or a little more."""
    answer = answers_of(claim_ids)
    ids = sorted(claim_ids, key=lambda claim: (answer[claim], claim))
    start = 0
    while start < len(ids):
        end = start + size
        while end < len(ids) and answer[ids[end]] == answer[ids[end - 1]]:
            end += 1
        yield ids[start:end]
        start = end


def standing(run_id: int, claim_ids: Sequence[int]) -> set[int]:
    """Those of the claims that already have their judgement of the run."""
    rows = Judgement.objects.filter(run=run_id, claim__in=claim_ids, replaced=False)
    return set(rows.values_list("claim_id", flat=True))
