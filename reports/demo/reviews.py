"""Answers of the demo that came without claims: taken apart by the rules, most of them reviewed, a few left open."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from judges.extraction import drafting, rules
from judges.extraction.drafting import Drafts
from judges.models import AnswerDraft
from judges.services.drafts import accept_draft, review_draft, standing_of
from judges.services.extracting import work_on_extraction
from judges.services.extraction_jobs import start_extraction
from labelling.models import Membership, Project

SECONDS = 60.0


def seed_reviews(*, project: Project, by: Membership, file: Path) -> None:
    """Extract the claims of every answer without any, and review those that the file has steps for."""
    job = start_extraction(project=project, extractor=rules.NAME, config={}, by=by)
    work_on_extraction(job.pk, seconds=SECONDS)
    drafts = AnswerDraft.objects.filter(job=job).select_related("answer__project", "job", "extraction")
    by_answer = {draft.answer.external_id: draft for draft in drafts}
    for line in file.read_text(encoding="utf-8").splitlines():
        review = json.loads(line)
        draft = by_answer[review["answer"]]
        for step in review["steps"]:
            _take(draft, step, by)
        accept_draft(draft=draft, have=standing_of(draft).number, by=by)


def _take(draft: AnswerDraft, step: Sequence[Any], by: Membership) -> None:
    """One step as it is written in the file: what is done, to which claim, and with what."""
    now = standing_of(draft)
    if step[0] == "add":
        claims, action, key = drafting.add(now.claims, **step[1]), "save", 0
    elif step[0] == "edit":
        given = {name: tuple(value) if name == "citations" else value for name, value in step[2].items()}
        claims, action, key = _changed(now.claims, step[1], **given), "save", step[1]
    else:
        claims, action, key = now.claims, step[0], step[1]
        if action == "split":
            claims = _changed(claims, key, text=step[2])
    number = review_draft(draft=draft, have=now.number, claims=claims, action=action, key=key, by=by).number
    if action == "merge":
        merged = _changed(standing_of(draft).claims, key, text=step[2])
        review_draft(draft=draft, have=number, claims=merged, action="save", by=by)


def _changed(drafts: Drafts, key: int, **fields: Any) -> Drafts:
    return tuple(replace(draft, **fields) if draft.key == key else draft for draft in drafts)
