"""Answers without claims and their drafts, for tests."""

from typing import Any

from judges.models import AnswerDraft, ExtractionJob
from judges.services.extracting import work_on_extraction
from judges.services.extraction_jobs import start_extraction
from labelling.models import Answer, Project
from tests.factories import make_answer, make_source

TEXT = "Refunds take 14 days [1]. Gift cards are not refunded [2]. The shop opened in May."


def make_bare_answer(project: Project, text: str = TEXT, **fields: Any) -> Answer:
    """An answer without claims that retrieved the sources `s-one` and `s-two`."""
    for name in ("s-one", "s-two"):
        if not project.sources.filter(external_id=name).exists():
            make_source(project, f"What {name} says.", external_id=name)
    return make_answer(project, text, **{"retrieved": ["s-one", "s-two"], **fields})


def start(project: Project, extractor: str = "rules", **given: Any) -> ExtractionJob:
    return start_extraction(
        project=project, extractor=extractor, **{"config": {}, "by": None, "most": None, "budget_usd": None, **given}
    )


def finish(job: ExtractionJob) -> ExtractionJob:
    while work_on_extraction(job.pk, seconds=60):
        pass
    job.refresh_from_db()
    return job


def make_draft(project: Project, text: str = TEXT, **fields: Any) -> AnswerDraft:
    """The draft of one answer as the rules propose it."""
    answer = make_bare_answer(project, text, **fields)
    finish(start(project))
    return AnswerDraft.objects.select_related("answer", "job__project", "extraction").get(answer=answer)
