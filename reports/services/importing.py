"""Import with the handlers of every app: the one place that sees people's lines and judges' lines alike."""

from pathlib import Path

from judges.importing import JudgementLines
from labelling.importing.delivery import LineHandler, Options
from labelling.importing.engine import FileReport, Progress, import_file, labelling_handlers
from labelling.importing.files import Reading
from labelling.importing.mapping import ColumnMap
from labelling.models import Project


def all_handlers() -> list[LineHandler]:
    """A fresh handler for every type of line."""
    return [*labelling_handlers(), JudgementLines()]


def import_items(
    *,
    project: Project,
    path: Path,
    name: str = "",
    columns: ColumnMap | None = None,
    reading: Reading | None = None,
    options: Options | None = None,
    rejects: Path | None = None,
    progress: Progress = lambda _records, _share: None,
) -> FileReport:
    """Import one file of any format into a project; see :func:`labelling.importing.engine.import_file`."""
    return import_file(
        project=project,
        path=path,
        name=name or path.name,
        handlers=all_handlers(),
        columns=columns,
        reading=reading,
        options=options,
        rejects=rejects,
        progress=progress,
    )
