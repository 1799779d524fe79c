"""The life of an extraction job: what it would cost, started, its lost work repaired.

Rows are the queue: a job is fixed when it starts, as one draft an answer, and whoever works on it takes drafts (see
``judges.services.extracting``). Whoever calls announces the job with ``judges.tasks.announce_extraction``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from judges.extraction.protocol import Extractor, PaidExtractor
from judges.extraction.registry import ExtractorUnavailableError, build, complete_config
from judges.models import AnswerDraft, Extraction, ExtractionJob
from judges.protocol import Outcome
from judges.services.extraction import answer_hash
from judges.services.paying import LOST, dollars
from labelling.models import Answer, Claim, Membership, Project

ATTEMPTS = 5  # workers that may be lost over an answer before it is called a failure
SAMPLE = 500
State = AnswerDraft.State


class ExtractionRefusedError(ValueError):
    """An extraction cannot be started; the message says why."""


@dataclass(frozen=True, slots=True)
class ExtractionForecast:
    """What an extraction is going to cost, in US dollars.

    ``asked_before`` answers cost nothing, since the same version has taken the same text apart. ``about`` and
    ``at_most`` are reckoned from ``sampled`` of the others, and ``None`` where the price is unknown.
    """

    answers: int
    asked_before: int
    sampled: int
    about: Decimal | None
    at_most: Decimal | None
    note: str


def without_claims(project: Project) -> QuerySet[Answer]:
    """The answers that have no claims, and no draft that is being made, reviewed or was accepted."""
    return Answer.objects.filter(
        ~Exists(Claim.objects.filter(answer=OuterRef("pk"))),
        ~Exists(AnswerDraft.objects.live().filter(answer=OuterRef("pk"))),
        project=project,
    )


def forecast_extraction(
    *, project: Project, extractor: str, config: Mapping[str, object], most: int | None = None
) -> ExtractionForecast:
    """Reckon what it would cost, from evenly spaced answers where there are many.

    Raises
    ------
    ExtractionRefusedError
        Where the extractor cannot work here.
    """
    ready, _ = _ready(extractor, config)
    rows = list(without_claims(project).order_by("id").values_list("id", "question", "text")[:most])
    if not isinstance(ready, PaidExtractor):
        return ExtractionForecast(len(rows), 0, len(rows), Decimal(0), Decimal(0), "It costs nothing.")
    names = {answer_hash(question, text): (question, text) for _, question, text in rows}
    before = set(Extraction.objects.filter(extractor=ready.fingerprint).values_list("answer_hash", flat=True))
    fresh = [texts for name, texts in names.items() if name not in before]
    sample = fresh[:: max(1, -(-len(fresh) // SAMPLE))]
    found = [ready.forecast(question=question, answer=text) for question, text in sample]
    scale = Decimal(len(fresh)) / max(1, len(sample))
    about = _sum([one.about for one in found], scale)
    at_most = _sum([one.at_most for one in found], scale)
    return ExtractionForecast(len(rows), len(rows) - len(fresh), len(sample), about, at_most, ready.price_note)


def start_extraction(
    *,
    project: Project,
    extractor: str,
    config: Mapping[str, object],
    by: Membership | None,
    most: int | None = None,
    budget_usd: Decimal | None = None,
) -> ExtractionJob:
    """Put the answers without claims, or the first ``most`` of them, in line for an extractor.

    The same start while everything is in line already gives the job that is going.

    Raises
    ------
    ExtractionRefusedError
        Where the extractor cannot work here, there is a budget that nobody could keep, or no answer lacks claims.
    """
    ready, complete = _ready(extractor, config)
    if isinstance(ready, PaidExtractor) and budget_usd is not None and not ready.price_known:
        raise ExtractionRefusedError(f"no budget can be kept: {ready.price_note}")
    if budget_usd is not None and not (budget_usd.is_finite() and budget_usd >= 0):
        raise ExtractionRefusedError(f"the budget is {budget_usd}; expected an amount of US dollars of at least 0")
    with transaction.atomic():
        job = ExtractionJob.objects.create(
            project=project,
            extractor=extractor,
            config=complete,
            fingerprint=ready.fingerprint,
            budget_usd=budget_usd,
            created_by=by,
        )
        answers = without_claims(project).order_by("id").values_list("id", flat=True)[:most]
        # A draft of the same answer that somebody else makes in this moment stands; this one is then left out.
        AnswerDraft.objects.bulk_create(
            (AnswerDraft(job=job, answer_id=answer) for answer in answers), ignore_conflicts=True, batch_size=500
        )
        if job.drafts.exists():
            return job
        transaction.set_rollback(True)
    going = ExtractionJob.objects.filter(Exists(_in_line()), project=project).first()
    if going is None:
        raise ExtractionRefusedError("every answer has claims, or drafts of them: there is nothing to extract")
    return going


def sweep(*, now: datetime | None = None) -> list[int]:
    """Repair what dead workers left, and give the ids of jobs that have answers in line and nobody at them.

    What was asked for money may have been charged, so it is not asked again: it becomes a failure that says so.
    """
    now = now or timezone.now()
    gone = AnswerDraft.objects.filter(leased_until__lt=now)
    failed = {"state": State.FAILED, "outcome": Outcome.FAILED.value, "leased_until": None}
    gone.filter(state=State.ASKED).update(reason=LOST, **failed)
    reason = f"{ATTEMPTS} workers in a row were lost while they took this answer apart."
    gone.filter(state=State.WORKING, attempt__gte=ATTEMPTS).update(reason=reason, **failed)
    gone.filter(state=State.WORKING).update(state=State.WAITING, leased_until=None)
    held = AnswerDraft.objects.filter(job=OuterRef("pk"), state__in=[State.WORKING, State.ASKED])
    jobs = ExtractionJob.objects.filter(Exists(_in_line())).exclude(Exists(held))
    return list(jobs.order_by("id").values_list("id", flat=True))


def stop_extraction(project: Project) -> int:
    """Take what nobody has begun out of the line: these answers are without a draft again. How many."""
    return AnswerDraft.objects.filter(job__project=project, state=State.WAITING).delete()[0]


def waiting(job_id: int) -> int:
    """How many answers of the job are in line."""
    return AnswerDraft.objects.filter(job=job_id, state=State.WAITING).count()


def spent_on(job: ExtractionJob) -> Decimal:
    """What the job counts against its budget: what it cost, and the most that is unsettled."""
    return dollars(sum(job.drafts.values_list("counted_usd", flat=True), Decimal(0)))


def leave_rest(job: ExtractionJob) -> None:
    """A further call could pass the budget: what was not asked is without a draft again, and the job says so."""
    with transaction.atomic():
        ExtractionJob.objects.filter(pk=job.pk, budget_usd__isnull=False).update(over_budget=True)
        AnswerDraft.objects.filter(job=job, state=State.WAITING).delete()


def lock(job: ExtractionJob) -> None:
    """Let nobody else count against the budget until the transaction is over; changes nothing."""
    ExtractionJob.objects.filter(pk=job.pk).update(over_budget=F("over_budget"))


def _in_line() -> QuerySet[AnswerDraft]:
    return AnswerDraft.objects.filter(job=OuterRef("pk"), state=State.WAITING)


def _ready(extractor: str, config: Mapping[str, object]) -> tuple[Extractor, dict[str, object]]:
    try:
        complete = complete_config(extractor, config)
        return build(extractor, complete), complete
    except (ValueError, ExtractorUnavailableError) as error:
        raise ExtractionRefusedError(str(error)) from error


def _sum(amounts: list[Decimal | None], scale: Decimal) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return dollars(sum(known, Decimal(0)) * scale) if len(known) == len(amounts) else None
