"""Uploaded files on their way in: kept, checked, imported by a worker, and removed when nobody needs them any more."""

import uuid
from collections.abc import Mapping
from datetime import timedelta

from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from labelling.importing.bulk import in_chunks
from labelling.importing.delivery import Options
from labelling.importing.files import Reading
from labelling.models import Membership, Project
from reports.models import ImportJob
from reports.services.importing import import_items
from reports.services.previews import column_map
from reports.services.upload_files import (
    ProgressFile,
    announced,
    announced_for,
    data_path,
    folder_of,
    rejects_path,
    remove_data,
    remove_folder,
    silent_for,
    tokens_on_disk,
)

NAME_LIMIT = 300
SILENT_SECONDS = 120.0
REPEAT_SECONDS = 10.0
LOSSES = 3
ABANDONED_AFTER = timedelta(days=1)
REJECTS_KEPT = timedelta(days=7)
_WAITING = (ImportJob.State.UPLOADED, ImportJob.State.CHECKED, ImportJob.State.FAILED)


def store_upload(*, project: Project, member: Membership, file: "UploadedFile[bytes]") -> ImportJob:
    """Keep an uploaded file and the row that speaks of it."""
    name = " ".join((file.name or "file").split())[:NAME_LIMIT]
    # The row comes first: a folder without one would never be removed.
    job = ImportJob.objects.create(project=project, member=member, token=uuid.uuid4(), name=name, size=file.size or 0)
    try:
        folder_of(job).mkdir(parents=True)
        with data_path(job).open("wb") as out:
            for chunk in file.chunks():
                out.write(chunk)
    except OSError:
        job.delete()
        remove_folder(job)
        raise
    return job


def keep_choices(*, job: ImportJob, choices: Mapping[str, object]) -> bool:
    """Keep what was chosen so far, for another look at the file; what was said of it before is forgotten."""
    return (
        ImportJob.objects.filter(pk=job.pk, state__in=_WAITING).update(
            state=ImportJob.State.UPLOADED, choices=choices, report={}, finished=None, created=timezone.now()
        )
        == 1
    )


def start_import(*, job: ImportJob, choices: Mapping[str, object], dry_run: bool) -> bool:
    """Put a job in line with what was chosen for it; false where it is in line, being read, done or removed already."""
    started = ImportJob.objects.filter(pk=job.pk, state__in=_WAITING).update(
        state=ImportJob.State.QUEUED, choices=choices, dry_run=dry_run, report={}, started=None, finished=None
    )
    if started:
        announced(job)
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
    try:
        report = import_items(
            project=job.project,
            path=data_path(job),
            name=job.name,
            columns=column_map(job),
            reading=Reading(str(job.choices.get("encoding", ""))),
            options=options,
            rejects=rejects_path(job),
            progress=ProgressFile(job),
        )
    except (DatabaseError, OSError) as fault:
        why = getattr(fault, "strerror", None) or fault  # never where the file lies
        _finish(job, ImportJob.State.FAILED, {"refused": f"{job.name}: {why}; nothing was changed"})
        raise
    state = (
        ImportJob.State.FAILED if report.failed else ImportJob.State.CHECKED if job.dry_run else ImportJob.State.DONE
    )
    if _finish(job, state, report.to_json()) and state == ImportJob.State.DONE:
        remove_data(job)


def _finish(job: ImportJob, state: str, report: Mapping[str, object]) -> bool:
    # Names the attempt: a worker that was given up for dead writes nothing over what came after it.
    held = ImportJob.objects.filter(pk=job.pk, state=ImportJob.State.RUNNING, attempt=job.attempt)
    return held.update(state=state, report=report, finished=timezone.now()) == 1


def repair_uploads() -> list[int]:
    """Take up what dead workers and lost messages left behind; the ids of the jobs that a worker is to be told of."""
    busy = ImportJob.objects.filter(state__in=[ImportJob.State.QUEUED, ImportJob.State.RUNNING])
    return [job.pk for job in busy.defer("choices") if revive(job) or overdue(job)]


def revive(job: ImportJob) -> bool:
    """Put a job back in line whose worker has been silent for two minutes; true where that was done.

    The transaction of a killed worker is gone with it, so nothing of the file is in the project. A file that three
    workers were lost over is given up.
    """
    if job.state != ImportJob.State.RUNNING or job.started is None:
        return False
    silent = silent_for(job)
    if silent is None:
        silent = (timezone.now() - job.started).total_seconds()
    if silent < SILENT_SECONDS:
        return False
    losses = int(job.report.get("losses", 0)) + 1
    held = ImportJob.objects.filter(pk=job.pk, state=ImportJob.State.RUNNING, attempt=job.attempt)
    if losses >= LOSSES:
        refused = f"{job.name}: {losses} workers ended in the middle of it, so it is given up; nothing was changed"
        held.update(state=ImportJob.State.FAILED, report={"refused": refused}, finished=timezone.now())
        return False
    return held.update(state=ImportJob.State.QUEUED, report={"losses": losses}) == 1


def overdue(job: ImportJob) -> bool:
    """Whether a job has been in line for so long that its message may be lost; true once in ten seconds."""
    if job.state != ImportJob.State.QUEUED:
        return False
    age = announced_for(job)
    if age is not None and age < REPEAT_SECONDS:
        return False
    announced(job)
    return True


def remove_old_files() -> int:
    """Remove files that wait for a day, and lines left out of an import a week ago; how many jobs lost theirs."""
    now = timezone.now()
    last = Coalesce("finished", "created")
    removed = 0
    for tokens in in_chunks((token.hex for token in tokens_on_disk()), 500):
        known = ImportJob.objects.filter(token__in=tokens).annotate(last=last)
        for job in known.filter(state__in=_WAITING, last__lt=now - ABANDONED_AFTER):
            # The state first: an import that starts in this moment finds its file, or is not started.
            held = ImportJob.objects.filter(pk=job.pk, state=job.state, attempt=job.attempt)
            if held.update(state=ImportJob.State.REMOVED):
                remove_folder(job)
                removed += 1
        settled = (ImportJob.State.DONE, ImportJob.State.REMOVED)
        for job in known.filter(state__in=settled, last__lt=now - REJECTS_KEPT):
            remove_folder(job)
            removed += 1
    return removed
