"""A worker of its own that is killed while its paid calls are going on."""

import os
import signal
import subprocess
import sys
import time

from django.conf import settings

from judges.models import Run
from tests.judges.fake_messages_api import FakeMessagesApi
from tests.judges.workers import database_url


def kill_in_the_middle(run: Run, judge: str, api: FakeMessagesApi) -> None:
    """Let a process take up this run, four calls at once, and kill it when it has a few judgements."""
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "ANTHROPIC_BASE_URL": api.url,
        "TOUCHSTONE_CALLS_AT_ONCE": "4",
    }
    # The same start is the same run, so this takes up the one that is going.
    command = [sys.executable, "manage.py", "run_judge", run.project.slug, judge, "--here"]
    process = subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR)
    try:
        end = time.monotonic() + 60
        while run.judgements.count() < 8:
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
