"""The alarm clock of runs and extractions. A message says "look at run 7": what there is to do is in the rows."""

import logging
import threading
from functools import partial

from celery import shared_task
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from judges.services import chunks, extracting, extraction_jobs, runs

logger = logging.getLogger(__name__)


leaving = threading.Event()  # set once this worker is asked to end


@shared_task(name="judges.tasks.work_on_run")
def work_on_run(run_id: int) -> None:
    if chunks.work_on_run(run_id, seconds=settings.RUN_TURN_SECONDS, leaving=leaving.is_set):
        work_on_run.delay(run_id)


def sweep(*, joining: bool = False) -> None:
    """Repair what was lost and announce what nobody works on; each worker does so by itself (`judges.sweeper`)."""
    for run_id in runs.sweep(joining=joining):
        announce(run_id)
    for job_id in extraction_jobs.sweep():
        announce_extraction(job_id)


def announce(run_id: int) -> None:
    """Wake workers up for a run once the current transaction is committed: as many as it has use for.

    A broker that cannot be reached is no error here. The run is in its rows, and the sweep announces it again.
    """
    transaction.on_commit(partial(_send, run_id))


def _send(run_id: int) -> None:
    try:
        for _ in range(min(settings.RUN_WORKERS, max(1, runs.open_chunks(run_id)))):
            work_on_run.apply_async((run_id,), retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("run %s is kept, but no worker could be told (%s): the sweep will", run_id, error)


@shared_task(name="judges.tasks.work_on_extraction")
def work_on_extraction(job_id: int) -> None:
    if extracting.work_on_extraction(job_id, seconds=settings.RUN_TURN_SECONDS, leaving=leaving.is_set):
        work_on_extraction.delay(job_id)


def announce_extraction(job_id: int) -> None:
    """Wake workers up for an extraction job once the current transaction is committed; the sweep does so again."""
    transaction.on_commit(partial(_send_extraction, job_id))


def _send_extraction(job_id: int) -> None:
    wanted = -(-extraction_jobs.waiting(job_id) // extracting.AT_ONCE)
    try:
        for _ in range(min(settings.RUN_WORKERS, max(1, wanted))):
            work_on_extraction.apply_async((job_id,), retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("extraction %s is kept, but no worker could be told (%s): the sweep will", job_id, error)
