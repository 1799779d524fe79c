"""The Celery application: `celery -A config worker`.

Each worker sweeps for lost work by itself, in a thread, so there is no beat process to start, to keep single, or to find
still running after its worker was killed.
"""

import os
import warnings
from typing import Any

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import worker_ready, worker_shutting_down
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery warns of root because of pickled messages; ours are JSON, and the file broker belongs to whoever runs this.
warnings.filterwarnings("ignore", category=SecurityWarning)

TRANSPORT_ALIASES["filesystem"] = "config.folder_broker:Transport"

app = Celery("touchstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def start_sweeping(**_: Any) -> None:
    from judges import sweeper  # noqa: PLC0415  (the models are not there yet when this module is read)
    from reports import tasks  # noqa: PLC0415

    sweeper.start(tasks.sweep)


@worker_shutting_down.connect
def let_go(**_: Any) -> None:
    from judges import sweeper  # noqa: PLC0415

    sweeper.leave()
