"""Looking for lost work, every so often, in a thread of each worker.

A thread and not a scheduled message: it also repairs what was lost with the broker's messages, and while all of the
worker's other threads are busy. Any number of workers may sweep at once, since every repair is a conditional UPDATE.
"""

import logging
import threading
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection

from judges import tasks

logger = logging.getLogger(__name__)


def start(*others: Callable[[], None]) -> threading.Thread:
    """Sweep now, and again every `SWEEP_SECONDS` until the worker leaves; `others` are sweeps of other apps."""
    thread = threading.Thread(target=_sweep_on, args=(others,), name="sweeper", daemon=True)
    thread.start()
    return thread


def leave() -> None:
    """The worker is asked to end: runs are let go after the judgement at hand, and another worker goes on with them."""
    tasks.leaving.set()


def _sweep_on(others: tuple[Callable[[], None], ...]) -> None:
    joining = True  # a worker that has just come is also told of runs that others are busy with
    while not tasks.leaving.is_set():
        try:
            tasks.sweep(joining=joining)
            joining = False
            for other in others:
                other()
        except (DatabaseError, OSError) as error:
            logger.warning("the sweep could not look for lost work (%s) and will try again", error)
        except Exception:  # a thread that ended here would leave lost work lost, without a word
            logger.exception("the sweep failed and will try again")
        finally:
            connection.close()
        tasks.leaving.wait(settings.SWEEP_SECONDS)
