"""Uploaded files on their way in: kept under a random name, previewed, checked, imported by a worker."""

import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError
from django.db.models import F
from django.utils import timezone

from labelling.importing.delivery import Options
from labelling.importing.expansion import MalformedError
from labelling.importing.files import Reading, format_of, read_records
from labelling.importing.flat import blank, list_cell
from labelling.importing.mapping import LEAVE_OUT, ColumnMap, guess_columns, guess_value
from labelling.importing.problems import FileRefusedError, Problems
from labelling.models import Membership, Project, Verdict
from reports.models import ImportJob
from reports.services.importing import import_items

FIRST_ROWS = 5
LOOKED_AT = 5_000
WORDS = 40
NAME_LIMIT = 300
SILENT_SECONDS = 120.0
REPEAT_SECONDS = 10.0
_WAITING = (ImportJob.State.UPLOADED, ImportJob.State.CHECKED, ImportJob.State.FAILED)


def folder_of(job: ImportJob) -> Path:
    """Where a job's files lie; made of keys alone, never of what somebody called a file."""
    return Path(settings.MEDIA_ROOT) / "imports" / str(job.project_id) / job.token.hex


def data_path(job: ImportJob) -> Path:
    return folder_of(job) / "data"


def rejects_path(job: ImportJob) -> Path:
    return folder_of(job) / "rejects.jsonl"


def _progress_path(job: ImportJob) -> Path:
    return folder_of(job) / "progress"


def _write_progress(path: Path, records: int) -> None:
    path.write_text(str(records))


def store_upload(*, project: Project, member: Membership, file: "UploadedFile[bytes]") -> ImportJob:
    """Keep an uploaded file and the row that speaks of it."""
    name = " ".join((file.name or "file").split())[:NAME_LIMIT]
    job = ImportJob(project=project, member=member, token=uuid.uuid4(), name=name, size=file.size or 0)
    folder_of(job).mkdir(parents=True)
    with data_path(job).open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    job.save()
    return job


@dataclass(frozen=True, slots=True)
class Column:
    """One column of an uploaded table: its name, the key chosen for it, and its first cells."""

    position: int
    name: str
    key: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """One word found where verdicts stand, and the verdict chosen for it."""

    position: int
    word: str
    verdict: str
    count: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file looks like before it is read as a whole.

    Attributes
    ----------
    kinds : tuple of (str, int)
        Types of native lines among the first, most frequent first; empty for a table.
    columns, words : tuple
        Of a flat table.
    refused : str
        Why it cannot be read; everything else is then empty.
    """

    format: str = ""
    kinds: tuple[tuple[str, int], ...] = ()
    columns: tuple[Column, ...] = ()
    words: tuple[Word, ...] = ()
    refused: str = ""

    @property
    def flat(self) -> bool:
        return bool(self.columns)


def preview(job: ImportJob) -> Preview:
    """Look at the beginning of the file, with the columns and words as chosen so far, else as guessed."""
    reading = Reading(str(job.choices.get("encoding", "")))
    try:
        kind = format_of(data_path(job), encoding=reading.encoding)
        found = list(islice(read_records(data_path(job), job.name, Problems(), reading), LOOKED_AT))
    except FileRefusedError as fault:
        return Preview(refused=str(fault))
    rows = [record.content for record in found if isinstance(record.content, dict)]
    if not rows:
        return Preview(format=kind, refused=f"{job.name}: there is no readable line in it")
    if "type" in rows[0]:
        kinds = Counter(str(row.get("type", "no type")) for row in rows)
        return Preview(format=kind, kinds=tuple(kinds.most_common()))
    header = list(rows[0])
    chosen = job.choices.get("columns")
    keys = dict(chosen) if isinstance(chosen, dict) else guess_columns(header)
    columns = tuple(
        Column(place, name, keys.get(name, ""), tuple(_short(row.get(name)) for row in rows[:FIRST_ROWS]))
        for place, name in enumerate(header)
    )
    return Preview(format=kind, columns=columns, words=_words(rows, keys, job.choices.get("values")))


def _short(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return text if len(text) <= 160 else text[:159] + "…"


def _words(rows: Sequence[Mapping[str, object]], keys: Mapping[str, str], chosen: object) -> tuple[Word, ...]:
    said = chosen if isinstance(chosen, dict) else {}
    counts: Counter[str] = Counter()
    for column, key in keys.items():
        if key in ("verdict", "adjudication", "labels") or key.startswith(("label:", "judge:")):
            for row in rows:
                cell = row.get(column)
                if blank(cell):
                    continue
                try:
                    cells = list_cell(key, cell) if key == "labels" else [cell]
                except MalformedError:
                    continue
                counts.update(str(one).strip() for one in cells if not blank(one))
    ordered = [entry for entry in counts.most_common() if entry[0] not in Verdict.values][:WORDS]
    return tuple(Word(n, word, said.get(word, guess_value(word)), count) for n, (word, count) in enumerate(ordered))


def column_map(job: ImportJob) -> ColumnMap:
    """The columns and words chosen for a job, as the import takes them."""
    columns = job.choices.get("columns")
    values = job.choices.get("values")
    chosen = columns if isinstance(columns, dict) else {}
    pairs: dict[str, tuple[str, ...]] = {}
    for name, key in chosen.items():
        if key == LEAVE_OUT:
            pairs[name] = ()
        elif key and key != name:
            pairs[name] = (key,)
    return ColumnMap(pairs, dict(values) if isinstance(values, dict) else {})


def start_import(*, job: ImportJob, choices: Mapping[str, object], dry_run: bool) -> bool:
    """Put a job in line with what was chosen for it; false where it is in line, being read or done already."""
    started = ImportJob.objects.filter(pk=job.pk, state__in=_WAITING).update(
        state=ImportJob.State.QUEUED, choices=choices, dry_run=dry_run, report={}, started=None, finished=None
    )
    if started:
        (folder_of(job) / "announced").touch()
    return started == 1


def run_upload(job_id: int) -> None:
    """Read an uploaded file that is in line; a second call for the same job does nothing."""
    taken = ImportJob.objects.filter(pk=job_id, state=ImportJob.State.QUEUED).update(
        state=ImportJob.State.RUNNING, started=timezone.now(), attempt=F("attempt") + 1
    )
    if not taken:
        return
    job = ImportJob.objects.select_related("project").get(pk=job_id)
    options = Options(
        update=bool(job.choices.get("update")),
        skip_bad=bool(job.choices.get("skip_bad")),
        missing_sources=bool(job.choices.get("missing_sources")),
        dry_run=job.dry_run,
    )
    path = _progress_path(job)
    path.write_text("0")
    try:
        report = import_items(
            project=job.project,
            path=data_path(job),
            name=job.name,
            columns=column_map(job),
            reading=Reading(str(job.choices.get("encoding", ""))),
            options=options,
            rejects=rejects_path(job),
            # The import is one transaction, so a row could not tell anybody how far it is.
            progress=partial(_write_progress, path),
        )
    except (DatabaseError, OSError) as fault:
        _finish(job, ImportJob.State.FAILED, {"refused": f"{job.name}: {fault}; nothing was changed"})
        raise
    state = (
        ImportJob.State.FAILED if report.failed else ImportJob.State.CHECKED if job.dry_run else ImportJob.State.DONE
    )
    _finish(job, state, report.to_json())


def _finish(job: ImportJob, state: str, report: Mapping[str, object]) -> None:
    # Names the attempt: a worker that was given up for dead writes nothing over what came after it.
    ImportJob.objects.filter(pk=job.pk, state=ImportJob.State.RUNNING, attempt=job.attempt).update(
        state=state, report=report, finished=timezone.now()
    )


def records_read(job: ImportJob) -> int:
    """How many records the worker has read so far."""
    try:
        return int(_progress_path(job).read_text() or 0)
    except (OSError, ValueError):
        return 0


def revive(job: ImportJob) -> bool:
    """Put a job back in line whose worker has been silent for two minutes; true where that was done.

    The transaction of a killed worker is gone with it, so nothing of the file is in the project.
    """
    if job.state != ImportJob.State.RUNNING or job.started is None:
        return False
    try:
        silent = time.time() - _progress_path(job).stat().st_mtime
    except OSError:
        silent = (timezone.now() - job.started).total_seconds()
    if silent < SILENT_SECONDS:
        return False
    changed = ImportJob.objects.filter(pk=job.pk, state=ImportJob.State.RUNNING, attempt=job.attempt)
    return changed.update(state=ImportJob.State.QUEUED, attempt=F("attempt") + 1) == 1


def overdue(job: ImportJob) -> bool:
    """Whether a job has been in line for so long that its message may be lost; true once in ten seconds."""
    if job.state != ImportJob.State.QUEUED:
        return False
    stamp = folder_of(job) / "announced"
    if stamp.exists() and time.time() - stamp.stat().st_mtime < REPEAT_SECONDS:
        return False
    stamp.touch()
    return True
