"""One worker, some answers: take drafts by a conditional UPDATE, take their answers apart, write down what was found.

A worker can be killed at any line here. A draft is a worker's own while nobody took it since, which its attempt number
tells; before a call is paid for, its draft says so, and what was found is kept by text and extractor version before
anything else, so that no text is paid for twice.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from judges.extraction.protocol import AnswerText, Extracted, ExtractionFailedError, Extractor, PaidExtractor
from judges.extraction.registry import ExtractorUnavailableError, build
from judges.models import AnswerDraft, Extraction, ExtractionJob
from judges.protocol import ClaimInput, FreePurse, Outcome, Reserved
from judges.services.extraction import answer_hash, keep, kept, text_key
from judges.services.extraction_jobs import leave_rest, lock, spent_on
from judges.services.judgements import storable

AT_ONCE = 64  # answers that a worker takes together
State = AnswerDraft.State


def work_on_extraction(job_id: int, *, seconds: float, leaving: Callable[[], bool] = bool) -> bool:
    """Take answers of the job until none is in line or the time is up. Whether there may be more to do."""
    job = ExtractionJob.objects.get(pk=job_id)
    end = time.monotonic() + seconds
    while time.monotonic() < end and not leaving():
        mine = _take(job)
        if not mine:
            return False
        if not _take_apart(job, mine, leaving):
            return leaving()  # what others are asking about is for the sweep to bring back
    return True


def _take(job: ExtractionJob) -> list[AnswerDraft]:
    """The first answers in line, now ours."""
    mine = []
    with transaction.atomic():
        for draft in job.drafts.filter(state=State.WAITING).select_related("answer").order_by("id")[:AT_ONCE]:
            rows = AnswerDraft.objects.filter(pk=draft.pk, state=State.WAITING, attempt=draft.attempt)
            if rows.update(state=State.WORKING, attempt=draft.attempt + 1, asking="", leased_until=_until()):
                draft.attempt += 1
                mine.append(draft)
    return mine


def _take_apart(job: ExtractionJob, drafts: Sequence[AnswerDraft], leaving: Callable[[], bool]) -> bool:
    """Take the answers apart; whether anything came of it, were it that one is no longer in line."""
    try:
        extractor = build(job.extractor, job.config, expected=job.fingerprint)
    except ExtractorUnavailableError as error:
        for draft in drafts:
            _fail(draft, ExtractionFailedError(Outcome.FAILED, str(error)))
        return True
    twins: dict[str, list[AnswerDraft]] = {}
    for draft in drafts:
        twins.setdefault(answer_hash(draft.answer.question, draft.answer.text), []).append(draft)
    for name in list(twins):
        row = kept(name, job.fingerprint)
        if row is not None:
            _settle(twins.pop(name), row)
    asking = {same[0].pk: (name, same) for name, same in twins.items()}
    if isinstance(extractor, PaidExtractor):
        _pay(job, extractor, _asked_by_us(job, asking), leaving)
    else:
        _work(job, extractor, asking, leaving)
    # What was not begun is left for whoever comes next.
    left = [_mine(draft).filter(state=State.WORKING).update(state=State.WAITING, leased_until=None) for draft in drafts]
    return sum(left) < len(drafts)


Asking = Mapping[int, tuple[str, list[AnswerDraft]]]


def _work(job: ExtractionJob, extractor: Extractor, asking: Asking, leaving: Callable[[], bool]) -> None:
    for name, same in asking.values():
        if leaving():
            return
        try:
            found = extractor.extract(question=same[0].answer.question, answer=same[0].answer.text)
        except ExtractionFailedError as error:
            _settle_failure(same, error)
        except Exception as error:  # noqa: BLE001  (whatever it is, it is this answer's, and costs no other)
            _settle_failure(same, ExtractionFailedError(Outcome.FAILED, f"{type(error).__name__}: {error}"))
        else:
            _settle(same, keep(name, job.fingerprint, found))


def _asked_by_us(job: ExtractionJob, asking: Asking) -> Asking:
    """The texts that no other worker is asking this extractor about, in any job: the others would be paid for twice."""
    ours = {}
    for key, (name, same) in asking.items():
        try:
            with transaction.atomic():
                _mine(same[0]).update(asking=text_key(name, job.fingerprint))
        except IntegrityError:
            continue
        # Only now is it certain that nobody finds it while we ask.
        row = kept(name, job.fingerprint)
        if row is None:
            ours[key] = (name, same)
        else:
            _settle(same, row)
    return ours


def _pay(job: ExtractionJob, extractor: PaidExtractor, asking: Asking, leaving: Callable[[], bool]) -> None:
    purse = DraftPurse(job, [draft for _, same in asking.values() for draft in same], leaving)
    texts = [AnswerText(key, same[0].answer.question, same[0].answer.text) for key, (_, same) in asking.items()]
    for key, found in extractor.ask(texts, purse):
        name, same = asking[key]
        if isinstance(found, ExtractionFailedError):
            _settle_failure(same, found)
        elif found is None:
            _mine(same[0]).update(state=State.WAITING, leased_until=None, counted_usd=0)
        else:
            _keep_paid(job, name, same, found)
    if purse.over:
        for _, same in asking.values():
            for draft in same:
                _mine(draft).filter(state=State.WORKING).update(state=State.WAITING, leased_until=None)
        leave_rest(job)


def _keep_paid(job: ExtractionJob, name: str, same: Sequence[AnswerDraft], found: Extracted) -> None:
    with transaction.atomic():
        row = keep(name, job.fingerprint, found)
        paid = {"cost_usd": found.cost_usd, "counted_usd": found.cost_usd + found.at_most_usd}
        _mine(same[0]).update(**paid)
        _settle(same, row)


class DraftPurse(FreePurse):
    """Leave for each paid call: the draft must still be ours, and the budget must allow the most that it can cost."""

    def __init__(self, job: ExtractionJob, drafts: Sequence[AnswerDraft], leaving: Callable[[], bool]) -> None:
        self.over = False
        self._job, self._leaving = job, leaving
        self._drafts = {draft.pk: draft for draft in drafts}
        self._renewed = time.monotonic()

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Write down that the answer is about to be asked."""
        if self._leaving():
            return Reserved.NO
        budget = self._job.budget_usd
        with transaction.atomic():
            lock(self._job)
            self.over = budget is not None and (at_most is None or spent_on(self._job) + at_most > budget)
            if self.over:
                return Reserved.LATER
            rows = _mine(self._drafts[claim.claim_id]).filter(state=State.WORKING)
            asked = rows.update(state=State.ASKED, counted_usd=at_most or Decimal(0), leased_until=_until())
        return Reserved.YES if asked else Reserved.NO

    def going(self) -> bool:
        """Whether to go on; says now and then that this worker is alive."""
        if time.monotonic() - self._renewed > settings.LEASE_SECONDS / 3:
            self._renewed = time.monotonic()
            for draft in self._drafts.values():
                _mine(draft).update(leased_until=_until())
        return not self._leaving()


def _mine(draft: AnswerDraft) -> QuerySet[AnswerDraft]:
    return AnswerDraft.objects.filter(pk=draft.pk, attempt=draft.attempt, state__in=[State.WORKING, State.ASKED])


def _settle(same: Sequence[AnswerDraft], row: Extraction) -> None:
    """All drafts of one text have what was found in it."""
    for draft in same:
        _mine(draft).update(state=State.DRAFTED, leased_until=None, extraction=row)


def _settle_failure(same: Sequence[AnswerDraft], error: ExtractionFailedError) -> None:
    paid = {"cost_usd": error.cost_usd, "counted_usd": error.cost_usd + error.at_most_usd}
    _mine(same[0]).update(**paid)
    for draft in same:
        _fail(draft, error)


def _fail(draft: AnswerDraft, error: ExtractionFailedError) -> None:
    _mine(draft).update(state=State.FAILED, leased_until=None, outcome=error.outcome.value, reason=storable(str(error)))


def _until() -> datetime:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
