"""Where uploaded files lie and what lies beside them; all of it under names that nobody chose."""

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from reports.models import ImportJob


def _root() -> Path:
    return Path(settings.MEDIA_ROOT) / "imports"


def folder_of(job: ImportJob) -> Path:
    """Where a job's files lie; made of keys alone, never of what somebody called a file."""
    return _root() / str(job.project_id) / job.token.hex


def data_path(job: ImportJob) -> Path:
    return folder_of(job) / "data"


def rejects_path(job: ImportJob) -> Path:
    return folder_of(job) / "rejects.jsonl"


def remove_data(job: ImportJob) -> None:
    """Remove everything but the lines that were left out, which somebody may still want to put right."""
    for path in (data_path(job), _progress_path(job), _stamp_path(job)):
        path.unlink(missing_ok=True)
    with suppress(OSError):  # not empty: the rejects stay
        folder_of(job).rmdir()


def remove_folder(job: ImportJob) -> None:
    shutil.rmtree(folder_of(job), ignore_errors=True)


def tokens_on_disk() -> Iterator[uuid.UUID]:
    """The tokens of the jobs that have a folder."""
    for folder in _root().glob("*/*"):
        with suppress(ValueError):
            yield uuid.UUID(hex=folder.name)


def _progress_path(job: ImportJob) -> Path:
    return folder_of(job) / "progress"


def _stamp_path(job: ImportJob) -> Path:
    return folder_of(job) / "announced"


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a worker has read: records, and the percentage of the file, or None where that is not known."""

    records: int = 0
    percent: int | None = None

    @property
    def records_said(self) -> str:
        return f"{self.records:,}"


class ProgressFile:
    """How far an import is, in a file: it is one transaction, so a row could not tell anybody."""

    def __init__(self, job: ImportJob) -> None:
        self._path = _progress_path(job)
        self(0, None)

    def __call__(self, records: int, share: float | None) -> None:
        part = self._path.with_suffix(".part")
        part.write_text(f"{records} {'' if share is None else int(share * 100)}")
        os.replace(part, self._path)  # noqa: PTH105  whoever reads it meanwhile finds all of it


def progress_of(job: ImportJob) -> Reached:
    """What the worker last said."""
    try:
        records, _, percent = _progress_path(job).read_text().partition(" ")
        return Reached(int(records), int(percent) if percent else None)
    except (OSError, ValueError):
        return Reached()


def silent_for(job: ImportJob) -> float | None:
    """Seconds since the worker last said something; None where it never did."""
    return _age(_progress_path(job))


def announced(job: ImportJob) -> None:
    """Remember that a worker is told of the job now."""
    with suppress(OSError):
        _stamp_path(job).touch()


def announced_for(job: ImportJob) -> float | None:
    """Seconds since a worker was last told of the job; None where nobody remembers."""
    return _age(_stamp_path(job))


def _age(path: Path) -> float | None:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return None
