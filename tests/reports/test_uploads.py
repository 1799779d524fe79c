"""What becomes of uploaded files whatever happens to people, workers and messages."""

import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from pytest_django import Settings

from labelling.importing.files import Reading, read_records
from labelling.importing.meter import Meter
from labelling.importing.problems import Problems
from labelling.models import Claim, Project, Role
from reports import tasks
from reports.models import ImportJob
from reports.services.upload_files import (
    ProgressFile,
    Reached,
    data_path,
    folder_of,
    progress_of,
    rejects_path,
)
from reports.services.uploads import (
    LOSSES,
    remove_old_files,
    repair_uploads,
    run_upload,
    start_import,
    store_upload,
)
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
TABLE = b"claim,source_text,kind\r\nIt is open.,The shop is open.,\r\nIt is shut.,The shop is open.,nonsense\r\n"
State = ImportJob.State


@pytest.fixture(autouse=True)
def uploads(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def uploaded(content: bytes = TABLE, project: Project | None = None) -> ImportJob:
    project = project or make_project()
    member = make_member(project, Role.ENGINEER)
    return store_upload(project=project, member=member, file=SimpleUploadedFile("claims.csv", content))


def started(job: ImportJob, *, dry_run: bool = False, **choices: object) -> ImportJob:
    assert start_import(job=job, choices=choices, dry_run=dry_run)
    return now(job)


def now(job: ImportJob) -> ImportJob:
    return ImportJob.objects.get(pk=job.pk)


def age(job: ImportJob, **by: float) -> None:
    long_ago = timezone.now() - timedelta(**by)
    ImportJob.objects.filter(pk=job.pk).update(created=long_ago)
    ImportJob.objects.filter(pk=job.pk, finished__isnull=False).update(finished=long_ago)


def dead(job: ImportJob) -> None:
    """As a killed worker leaves it, ten minutes later."""
    long_ago = timezone.now() - timedelta(minutes=10)
    ImportJob.objects.filter(pk=job.pk).update(state=State.RUNNING, started=long_ago)


def test_file_of_an_import_that_is_done_is_gone_at_once() -> None:
    job = started(uploaded(TABLE.replace(b"nonsense", b"")))
    run_upload(job.pk)
    assert now(job).state == State.DONE
    assert not folder_of(job).exists()


def test_lines_left_out_stay_for_a_week_after_the_file_is_gone() -> None:
    job = started(uploaded(), skip_bad=True)
    run_upload(job.pk)
    assert now(job).state == State.DONE
    assert [path.name for path in folder_of(job).iterdir()] == ["rejects.jsonl"]
    age(job, days=6)
    remove_old_files()
    assert rejects_path(job).exists()
    age(job, days=8)
    assert remove_old_files() == 1
    assert not folder_of(job).exists()
    assert now(job).state == State.DONE


@pytest.mark.parametrize("state", [State.UPLOADED, State.CHECKED, State.FAILED])
def test_file_that_waited_for_a_day_is_removed_and_cannot_be_imported(state: ImportJob.State) -> None:
    job = uploaded()
    ImportJob.objects.update(state=state)
    age(job, hours=23)
    assert remove_old_files() == 0
    age(job, hours=25)
    assert remove_old_files() == 1
    assert now(job).state == State.REMOVED
    assert not folder_of(job).exists()
    assert not start_import(job=now(job), choices={}, dry_run=False)


@pytest.mark.parametrize("state", [State.QUEUED, State.RUNNING])
def test_file_that_a_worker_needs_is_never_removed(state: ImportJob.State) -> None:
    job = uploaded()
    ImportJob.objects.update(state=state)
    age(job, days=30)
    assert remove_old_files() == 0
    assert data_path(job).exists()


def test_a_check_an_hour_ago_keeps_an_old_file() -> None:
    job = started(uploaded(TABLE.replace(b"nonsense", b"")), dry_run=True)
    run_upload(job.pk)
    ImportJob.objects.update(created=timezone.now() - timedelta(days=3))
    assert remove_old_files() == 0
    assert data_path(job).exists()


def test_folders_that_belong_to_no_job_are_left_alone(tmp_path: Path) -> None:
    for name in (uuid.uuid4().hex, "notes"):
        (tmp_path / "imports" / "1" / name).mkdir(parents=True)
    assert remove_old_files() == 0
    assert len(list((tmp_path / "imports" / "1").iterdir())) == 2


def test_a_dead_workers_file_is_taken_up_by_the_sweep_with_nobody_watching() -> None:
    job = started(uploaded(TABLE.replace(b"nonsense", b"")))
    dead(job)
    assert repair_uploads() == [job.pk]
    run_upload(job.pk)
    assert now(job).state == State.DONE
    assert Claim.objects.count() == 2


def test_a_file_that_kills_its_worker_each_time_is_given_up() -> None:
    job = started(uploaded())
    for _ in range(LOSSES):
        dead(job)
        repair_uploads()
    assert now(job).state == State.FAILED
    assert "3 workers ended" in now(job).report["refused"]


def test_a_worker_that_was_given_up_for_dead_says_nothing_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    job = started(uploaded(TABLE.replace(b"nonsense", b"")))

    def meanwhile(progress: ProgressFile, records: int, share: float | None) -> None:
        ImportJob.objects.filter(pk=job.pk).update(state=State.QUEUED)

    monkeypatch.setattr(ProgressFile, "__call__", meanwhile)
    run_upload(job.pk)
    assert now(job).state == State.QUEUED
    assert data_path(job).exists()


def test_a_lost_message_is_sent_again_and_not_more_often_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    job = started(uploaded())
    assert repair_uploads() == []
    (folder_of(job) / "announced").unlink()
    told: list[int] = []
    monkeypatch.setattr(tasks, "announce", told.append)
    tasks.sweep()
    tasks.sweep()
    assert told == [job.pk]


def test_an_upload_that_cannot_be_kept_leaves_no_row(tmp_path: Path) -> None:
    (tmp_path / "imports").write_text("in the way")
    with pytest.raises(OSError, match="imports"):
        uploaded()
    assert not ImportJob.objects.exists()


def test_missing_file_is_said_without_its_path(tmp_path: Path) -> None:
    job = started(uploaded())
    data_path(job).unlink()
    run_upload(job.pk)
    assert "No such file" in now(job).report["refused"]
    assert str(tmp_path) not in str(now(job).report)


def test_progress_is_told_as_records_and_percent() -> None:
    job = uploaded()
    assert progress_of(job) == Reached(0, None)
    report = ProgressFile(job)
    report(12_345, 0.426)
    assert progress_of(job) == Reached(12_345, 42)
    assert progress_of(job).records_said == "12,345"
    report(7, None)
    assert progress_of(job) == Reached(7, None)


def test_share_of_a_file_grows_to_one(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("claim\n" + "It is open.\n" * 200_000)
    meter = Meter()
    assert meter.share() is None
    shares = [meter.share() for _ in read_records(path, "many.csv", Problems(), Reading(), meter=meter)]
    known = [share for share in shares if share is not None]
    assert len(known) == 200_000
    assert known == sorted(known)
    assert known[0] < 0.1
    assert 0.4 < known[100_000] < 0.6
    assert meter.share() == 1.0
