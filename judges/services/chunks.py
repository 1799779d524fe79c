"""One worker, some claims: take a chunk by a conditional UPDATE, judge what lacks a judgement, write it down.

A worker can be killed, stopped, or overtaken at any line here. What keeps every claim at exactly one judgement: work is
always "the claims without one", a write first renews the lease under the worker's own attempt number in the same
transaction, and a unique constraint stands behind both.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Event, Lock, Thread

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from judges.asking import ask_each
from judges.models import Chunk, Judgement, JudgeVersion, Run
from judges.protocol import ClaimInput, Opinion, Outcome, PaidJudge
from judges.services.inputs import altered_inputs, claim_inputs, reads_whole_answers
from judges.services.judgements import judgement_row
from judges.services.kept import rows_from_kept
from judges.services.paying import RunPurse, lost_opinion, stop_over_budget
from judges.services.runs import finish_if_done, standing
from judges.services.versions import JudgeUnavailableError, ReadyJudge, build
from labelling.models import Claim

logger = logging.getLogger(__name__)

WRITE_SECONDS = 1.0  # free judgements gather this long before they are written; paid ones are written at once
LOSSES_ALLOWED = 3  # workers that may die on a chunk before the claim they died on is called a failure
BEATS_LEASES = 10  # leases that a worker may hold a chunk for without writing anything


@dataclass(frozen=True, slots=True)
class Lease:
    """A chunk that is ours while nobody else has taken it since: the attempt number tells."""

    run: Run
    chunk: Chunk
    attempt: int
    leaving: Callable[[], bool] = bool


class LeaseLostError(Exception):
    """Somebody else has the chunk by now."""


class LetGoError(Exception):
    """The run was stopped while we worked on it, or the worker is asked to end."""


def work_on_run(run_id: int, *, seconds: float, leaving: Callable[[], bool] = bool) -> bool:
    """Take chunks of the run until none is left or the time is up. Whether there may be more to do.

    Once ``leaving`` says yes, the worker lets go after the judgement at hand.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end and not leaving():
        lease = take_chunk(run_id, leaving=leaving)
        if lease is None:
            finish_if_done(run_id)
            return False
        work_chunk(lease)
    return True


def take_chunk(run_id: int, *, leaving: Callable[[], bool] = bool) -> Lease | None:
    """The first chunk of a running run that is open or whose lease ran out, now ours; None where there is none."""
    while True:
        now = timezone.now()
        run = Run.objects.select_related("judge_version__judge").filter(id=run_id, state=Run.State.ACTIVE).first()
        if run is None:
            return None
        free = Q(state=Chunk.State.OPEN) | Q(state=Chunk.State.LEASED, leased_until__lt=now)
        waiting = run.chunks.filter(free).order_by("position")[:10]
        for chunk in waiting:
            lost = chunk.state == Chunk.State.LEASED
            taken = Chunk.objects.filter(free, id=chunk.pk, attempt=chunk.attempt, state=chunk.state).update(
                losses=F("losses") + int(lost),
                state=Chunk.State.LEASED,
                attempt=F("attempt") + 1,
                leased_until=now + timedelta(seconds=settings.LEASE_SECONDS),
            )
            if taken:
                chunk.refresh_from_db()
                return Lease(run, chunk, chunk.attempt, leaving)
        if not waiting:
            return None


def work_chunk(lease: Lease) -> None:
    """Judge the claims of the chunk that have no judgement of this run yet, and say that it is done."""
    try:
        with _beating(lease):
            if not lease.run.probe:  # a test of the judge asks anew: that is what it is for
                _copy_known(lease)
            _judge_rest(lease)
        _close(lease)
    except LeaseLostError:
        logger.warning("run %s: chunk %s was taken over by another worker", lease.run.pk, lease.chunk.position)
    except LetGoError:
        _release(lease)
    finish_if_done(lease.run.pk)


def _pending(lease: Lease) -> list[ClaimInput]:
    done = standing(lease.run.pk, lease.chunk.claim_ids)
    ids = [claim for claim in lease.chunk.claim_ids if claim not in done]
    claims = claim_inputs(ids, whole_answers=reads_whole_answers(lease.run.judge_version))
    return altered_inputs(claims, lease.chunk.changes, project=lease.run.project) if lease.chunk.changes else claims


def _copy_known(lease: Lease) -> None:
    """What is known already of the same claims and the same texts, at no cost."""
    if rows := rows_from_kept(lease.run, _pending(lease)):
        _write(lease, rows)


def _judge_rest(lease: Lease) -> None:
    claims = _pending(lease)
    if not claims:
        return
    purse = RunPurse(lease.run, claims, going=partial(_renew, lease), seconds=settings.RUN_TURN_SECONDS)
    claims = _without_lost(lease, claims, purse)
    if claims and lease.chunk.losses >= LOSSES_ALLOWED:
        reason = f"{lease.chunk.losses} workers in a row were lost while they judged this claim."
        _write(lease, [judgement_row(lease.run, claims.pop(0), Opinion(outcome=Outcome.FAILED, reason=reason))])
        # One more loss is one too many for the next claim as well: it is the same chunk that keeps killing.
        Chunk.objects.filter(id=lease.chunk.pk, attempt=lease.attempt).update(losses=LOSSES_ALLOWED - 1)
    try:
        # Somebody waits for a dry run, and a batch may take a day.
        ready = ready_judge(lease.run.judge_version, batches=lease.run.probe != Run.Probe.DRY_RUN)
    except JudgeUnavailableError as error:
        gone = Opinion(outcome=Outcome.FAILED, reason=str(error))
        _write(lease, [judgement_row(lease.run, claim, gone) for claim in claims])
        return
    if isinstance(ready.implementation, PaidJudge):
        _pay(lease, ready.implementation, claims, purse)
        return
    careful = lease.chunk.losses > 0
    gathered: list[Judgement] = []
    written = time.monotonic()
    for claim, opinion in ask_each(ready.implementation, claims, one_by_one=careful):
        gathered.append(judgement_row(lease.run, claim, opinion))
        if careful or ready.paid or time.monotonic() - written > WRITE_SECONDS:
            _write(lease, gathered)
            gathered, written = [], time.monotonic()
    if gathered:
        _write(lease, gathered)


def _without_lost(lease: Lease, claims: Sequence[ClaimInput], purse: RunPurse) -> list[ClaimInput]:
    """The claims but for those that may have been paid for without an answer; these become failures that say so."""
    lost = purse.lost()
    for claim in claims:
        if claim.claim_id in lost:
            _keep_paid(lease, claim, lost_opinion(lost[claim.claim_id]), purse)
    if lost:  # which claims the workers were lost over is known: they were these
        Chunk.objects.filter(id=lease.chunk.pk, attempt=lease.attempt).update(losses=0)
        lease.chunk.losses = 0
    return [claim for claim in claims if claim.claim_id not in lost]


def _pay(lease: Lease, judge: PaidJudge, claims: Sequence[ClaimInput], purse: RunPurse) -> None:
    """Ask a paid judge; what is being asked when the run is stopped is still waited for and written down."""
    for claim, opinion in judge.ask(claims, purse):
        _keep_paid(lease, claim, opinion, purse)
    if purse.over and stop_over_budget(lease.run):
        logger.info("run %s stopped: a further call could pass its budget", lease.run.pk)
    _look_up(lease)


def _keep_paid(lease: Lease, claim: ClaimInput, opinion: Opinion | None, purse: RunPurse) -> None:
    with transaction.atomic():
        if opinion is not None:
            _keep(lease, [judgement_row(lease.run, claim, opinion)])
        purse.settle(claim, opinion)


_built: dict[tuple[str, bool], ReadyJudge] = {}
_building = Lock()


def ready_judge(version: JudgeVersion, *, batches: bool = True) -> ReadyJudge:
    """The built judge, kept for the next chunk: a model takes longer to load than a chunk to judge."""
    with _building:  # a worker's threads share it, and two of them must not load one model twice
        key = (version.fingerprint, batches)
        ready = _built.get(key)
        if ready is None:
            ready = build(version, batches=batches)
            while len(_built) >= 4:
                _built.pop(next(iter(_built)))
            _built[key] = ready
        return ready


def forget_built() -> None:
    """Build judges anew from here on."""
    _built.clear()


def _write(lease: Lease, rows: Sequence[Judgement]) -> None:
    """Write judgements while the chunk is ours; what was asked for is kept even where the run was stopped meanwhile."""
    _keep(lease, rows)
    _look_up(lease)


def _keep(lease: Lease, rows: Sequence[Judgement]) -> None:
    with transaction.atomic():
        _hold(lease)
        for row in rows:
            if change := lease.chunk.changes.get(str(row.claim_id)):
                row.detail = {**row.detail, "probe": change}
        Judgement.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)


def _hold(lease: Lease) -> None:
    """Say that this worker is alive and still at its chunk."""
    until = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
    mine = Chunk.objects.filter(id=lease.chunk.pk, attempt=lease.attempt).exclude(state=Chunk.State.DONE)
    if not mine.update(state=Chunk.State.LEASED, leased_until=until):
        raise LeaseLostError


@contextmanager
def _beating(lease: Lease) -> Iterator[None]:
    """Hold on to the chunk while a judge is long over its first word: it may load a model before that.

    Not for ever: a judge that hangs is to lose its chunk to another worker in the end.
    """
    if connection.in_atomic_block:  # the lease is not there for others yet, and a beat would wait for its own worker
        yield
        return
    over = Event()
    beat = Thread(target=_beat, args=(lease, over), name=f"beat of chunk {lease.chunk.pk}", daemon=True)
    beat.start()
    try:
        yield
    finally:
        over.set()
        beat.join()  # a late beat would take a chunk that was let go


def _beat(lease: Lease, over: Event) -> None:
    end = time.monotonic() + BEATS_LEASES * settings.LEASE_SECONDS
    try:
        while not over.wait(settings.LEASE_SECONDS / 3) and time.monotonic() < end:
            try:
                _hold(lease)
            except LeaseLostError:
                return
            except DatabaseError as error:
                logger.warning("run %s: chunk %s missed a beat (%s)", lease.run.pk, lease.chunk.position, error)
    finally:
        connection.close()


def _look_up(lease: Lease) -> None:
    """Let go where the worker is asked to end, or the run is no longer running."""
    if lease.leaving() or not Run.objects.filter(id=lease.run.pk, state=Run.State.ACTIVE).exists():
        raise LetGoError


def _renew(lease: Lease) -> bool:
    """Hold on to the chunk, and say whether to go on with it."""
    try:
        _hold(lease)
        _look_up(lease)
    except (LeaseLostError, LetGoError):
        return False
    return True


def _close(lease: Lease) -> None:
    """Done, if every claim that is still there has its judgement; else open again for the next worker."""
    mine = Chunk.objects.filter(id=lease.chunk.pk, attempt=lease.attempt).exclude(state=Chunk.State.DONE)
    with transaction.atomic():
        if not mine.update(state=Chunk.State.OPEN, leased_until=None):
            raise LeaseLostError
        ids = lease.chunk.claim_ids
        there = set(Claim.objects.filter(id__in=ids).values_list("id", flat=True))
        if there <= standing(lease.run.pk, ids):
            mine.update(state=Chunk.State.DONE, losses=0)


def _release(lease: Lease) -> None:
    Chunk.objects.filter(id=lease.chunk.pk, attempt=lease.attempt, state=Chunk.State.LEASED).update(
        state=Chunk.State.OPEN, leased_until=None
    )
