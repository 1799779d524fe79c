"""Small files for import tests."""

import json
from collections.abc import Sequence
from pathlib import Path

from labelling.importing.delivery import Options
from labelling.importing.engine import FileReport, import_file, labelling_handlers
from labelling.importing.files import Reading
from labelling.importing.mapping import ColumnMap, parse_columns, parse_values
from labelling.models import Project

SOURCE = {"type": "source", "id": "s1", "text": "Returns are taken back within 14 days."}
ANSWER = {"type": "answer", "id": "a1", "question": "How long?", "text": "You have 14 days."}
CLAIM = {"type": "claim", "id": "a1.1", "answer": "a1", "text": "You have 14 days.", "citation": {"source": "s1"}}
LABEL = {"type": "label", "claim": "a1.1", "annotator": "w1", "verdict": "stated"}


def native(path: Path, *lines: object) -> Path:
    """A native file; a line that is text is written as it is."""
    written = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8", newline="")
    return path


def bring(
    project: Project,
    path: Path,
    *,
    columns: Sequence[str] = (),
    values: Sequence[str] = (),
    reading: Reading | None = None,
    rejects: Path | None = None,
    update: bool = False,
    skip_bad: bool = False,
    dry_run: bool = False,
    missing_sources: bool = False,
) -> FileReport:
    """Import a file with the handlers of labelling alone."""
    return import_file(
        project=project,
        path=path,
        name=path.name,
        handlers=labelling_handlers(),
        columns=ColumnMap(parse_columns(columns), parse_values(values)),
        reading=reading,
        options=Options(update=update, skip_bad=skip_bad, dry_run=dry_run, missing_sources=missing_sources),
        rejects=rejects,
    )


def said(report: FileReport) -> str:
    """All messages of a report as one text."""
    return "\n".join([*(str(problem) for problem in report.problems), report.refused])
