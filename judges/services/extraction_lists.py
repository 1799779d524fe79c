"""What the pages of extraction list, and how far the answers in line are."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, QuerySet, Sum

from judges.models import AnswerDraft, ExtractionJob
from judges.services.extraction_jobs import without_claims
from judges.services.paying import dollars
from labelling.models import Answer, Project

State = AnswerDraft.State


@dataclass(frozen=True, slots=True)
class ExtractionStanding:
    """Where the answers of a project stand on their way to claims, and what the last job cost.

    ``in_line`` counts answers that a worker has or is to have; ``done`` and ``failed`` those of the last job.
    """

    without: int
    in_line: int
    to_review: int
    reviewed: int
    job: ExtractionJob | None
    total: int
    done: int
    failed: int
    cost_usd: Decimal


def extraction_standing(project: Project) -> ExtractionStanding:
    """Count, in four queries."""
    drafts = AnswerDraft.objects.filter(job__project=project)
    busy = Q(state__in=[State.WAITING, State.WORKING, State.ASKED])
    counts = drafts.aggregate(in_line=Count("id", filter=busy), reviewed=Count("id", filter=Q(state=State.ACCEPTED)))
    job = ExtractionJob.objects.filter(project=project).first()
    last = drafts.filter(job=job).aggregate(
        total=Count("id"),
        busy=Count("id", filter=busy),
        failed=Count("id", filter=Q(state=State.FAILED)),
        cost=Sum("cost_usd"),
    )
    return ExtractionStanding(
        without=without_claims(project).count(),
        in_line=counts["in_line"],
        to_review=to_review(project).count(),
        reviewed=counts["reviewed"],
        job=job,
        total=last["total"],
        done=last["total"] - last["busy"],
        failed=last["failed"],
        cost_usd=dollars(last["cost"]),
    )


def to_review(project: Project) -> QuerySet[AnswerDraft]:
    """Drafts that wait for a person, in the order of their answers."""
    return _with_answer(AnswerDraft.objects.for_review().filter(job__project=project)).order_by("answer_id")


def reviewed(project: Project) -> QuerySet[AnswerDraft]:
    """Drafts that a person has accepted, the last one first."""
    rows = AnswerDraft.objects.filter(job__project=project, state=State.ACCEPTED)
    return _with_answer(rows).select_related("accepted_by").order_by("-accepted", "-id")


def still_without(project: Project) -> QuerySet[Answer]:
    """Answers without claims and without a draft."""
    return without_claims(project).order_by("id")


def failures_of(answers: Sequence[int]) -> dict[int, AnswerDraft]:
    """The last failed try of each of the answers that has one, by the answer's key."""
    rows = AnswerDraft.objects.filter(answer__in=answers, state=State.FAILED).select_related("job").order_by("id")
    return {row.answer_id: row for row in rows}


def next_to_review(draft: AnswerDraft) -> AnswerDraft | None:
    """The draft to review after this one: of the next answer in order, or the first that is left."""
    rows = to_review(draft.job.project).exclude(pk=draft.pk)
    return rows.filter(answer__gt=draft.answer_id).first() or rows.first()


def _with_answer(rows: QuerySet[AnswerDraft]) -> QuerySet[AnswerDraft]:
    return rows.select_related("answer", "job", "extraction")
