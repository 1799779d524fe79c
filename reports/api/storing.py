"""A posted answer into the project, by the importer's own way: its rules, its splits, its ids."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from django.utils import timezone

from judges.models import JudgeVersion
from judges.protocol import ClaimInput
from judges.services.inputs import claim_inputs, reads_whole_answers
from labelling.importing.delivery import Options
from labelling.models import Claim, Project
from reports.api.reading import Line, Posted
from reports.api.refusing import Problem, RefusedError, refused_for
from reports.services.importing import import_items

TRIES = 3
"""The same answer may be posted twice in one moment; the second finds it there once the first has finished."""


def store(project: Project, posted: Posted) -> str:
    """Keep the answer with its sources and claims; whether it was `added` or is `unchanged`.

    Sources that it cites and nobody knows are made without a text, as their citations are to be counted.

    Raises
    ------
    RefusedError
        Where the project knows something else under one of its ids; nothing is changed then.
    """
    lines = _with_time(posted)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "request.jsonl"
        path.write_text("".join(f"{json.dumps(line.data)}\n" for line in lines), encoding="utf-8")
        for left in reversed(range(TRIES)):
            report = import_items(project=project, path=path, name="request", options=Options(missing_sources=True))
            if not report.refused or not left:
                break
    if report.refused:
        raise RefusedError(409, f"Another request changed the same rows meanwhile: {report.refused}")
    if report.problems:
        # What an import could do about it is nothing to a program that posts.
        raise refused_for(
            (
                Problem(lines[one.line - 1].path(one.key), one.found, one.expected.partition(" (--")[0])
                for one in report.problems
            ),
            status=409,
        )
    counts = [report.counts.get(kind, {}) for kind in ("answer", "claim")]
    return "added" if any(count.get("added") for count in counts) else "unchanged"


def stored_inputs(project: Project, claims: Sequence[Line], version: JudgeVersion) -> list[ClaimInput]:
    """What a judge is given of the stored claims, in the order of the request: as any run of it would be."""
    keys = dict(
        Claim.objects.filter(project=project, external_id__in=[line.id for line in claims]).values_list(
            "external_id", "pk"
        )
    )
    found = claim_inputs(keys.values(), whole_answers=reads_whole_answers(version))
    by_key = {one.claim_id: one for one in found}
    return [by_key[keys[line.id]] for line in claims]


def _with_time(posted: Posted) -> tuple[Line, ...]:
    """The lines; an answer that does not say when it was given was given now."""
    if "created" in posted.answer.data:
        return posted.lines()
    now = timezone.now().isoformat(timespec="seconds")
    dated = Line(posted.answer.where, {**posted.answer.data, "created": now})
    return tuple(dated if line is posted.answer else line for line in posted.lines())
