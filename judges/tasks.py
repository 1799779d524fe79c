"""The alarm clock of runs. A message says "look at run 7" and nothing else: what there is to do is in the rows."""

import logging
import threading
from functools import partial

from celery import shared_task
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from judges.services import chunks, runs

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
