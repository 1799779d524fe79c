"""The only way a page gets a judge version or a run: out of the project that the person has a seat in."""

from judges.models import AnswerDraft, Judge, JudgeVersion, Run
from labelling.access import Seat, within


def judge_of(here: Seat, name: str) -> Judge:
    """The project's judge of this name; 404 where there is none."""
    return within(Judge.objects.filter(project=here.project), name=name)


def version_of(here: Seat, name: str, number: int) -> JudgeVersion:
    """The version of the project's judge; 404 where there is none."""
    rows = JudgeVersion.objects.filter(judge__project=here.project).select_related("judge__project", "based_on__judge")
    return within(rows, judge__name=name, number=number)


def run_of(here: Seat, run_id: int) -> Run:
    """The project's run; 404 where it is not one of its runs."""
    rows = Run.objects.filter(project=here.project).select_related("judge_version__judge", "created_by")
    return within(rows, pk=run_id)


def draft_of(here: Seat, draft_id: int) -> AnswerDraft:
    """The draft of one of the project's answers, once an extractor was heard; 404 where there is none."""
    rows = AnswerDraft.objects.filter(job__project=here.project, extraction__isnull=False)
    return within(rows.select_related("answer", "job__project", "extraction", "accepted_by"), pk=draft_id)
