"""A message says "look at upload 7"; what there is to do stands in its row."""

import logging
from functools import partial

from celery import shared_task
from django.db import transaction
from kombu.exceptions import OperationalError

from reports.services import uploads

logger = logging.getLogger(__name__)


@shared_task(name="reports.tasks.import_upload")
def import_upload(job_id: int) -> None:
    uploads.run_upload(job_id)


def sweep() -> None:
    """Repair what dead workers and lost messages left, and remove the files that nobody came back for."""
    for job_id in uploads.repair_uploads():
        announce(job_id)
    uploads.remove_old_files()


def announce(job_id: int) -> None:
    """Wake a worker once the current transaction is committed; a broker that is away is told again by the sweep."""
    transaction.on_commit(partial(_send, job_id))


def _send(job_id: int) -> None:
    try:
        import_upload.apply_async((job_id,), retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("upload %s is kept, but no worker could be told (%s)", job_id, error)
