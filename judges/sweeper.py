"""Looking for lost work, every so often, in a thread of each worker.

A thread and not a scheduled message: it also repairs what was lost with the broker's messages, and while all of the
worker's other threads are busy. Any number of workers may sweep at once, since every repair is a conditional UPDATE.
"""

import logging
import threading

from django.conf import settings
from django.db import DatabaseError, connection

from judges import tasks

logger = logging.getLogger(__name__)


def start() -> threading.Thread:
    """Sweep now, and again every `SWEEP_SECONDS` until the worker leaves."""
    thread = threading.Thread(target=_sweep_on, name="sweeper", daemon=True)
    thread.start()
    return thread


def leave() -> None:
    """The worker is asked to end: runs are let go after the judgement at hand, and another worker goes on with them."""
    tasks.leaving.set()


def _sweep_on() -> None:
    joining = True  # a worker that has just come is also told of runs that others are busy with
    while not tasks.leaving.is_set():
        try:
            tasks.sweep(joining=joining)
            joining = False
        except DatabaseError as error:
            logger.warning("the sweep could not look for lost work (%s) and will try again", error)
        except Exception:  # a thread that ended here would leave lost work lost, without a word
            logger.exception("the sweep failed and will try again")
        finally:
            connection.close()
        tasks.leaving.wait(settings.SWEEP_SECONDS)
