"""Real Celery workers on the test database, as processes that a test may kill."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import connection

from config import celery_app
from tests.judges.packages import SAMPLES

CELERY = [sys.executable, "-m", "celery", "-A", "config", "worker"]
CELERY += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]


def database_url() -> str:
    """The address of the test database, for another process."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    person = f"{found['USER']}:{found['PASSWORD']}" if found["PASSWORD"] else str(found["USER"])
    return f"postgres://{person}@{found['HOST']}:{found['PORT'] or 5432}/{found['NAME']}"


class Workers:
    """The workers of one test; whatever is left of them is killed when it ends."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "asked.txt"
        self._output = folder / "worker.log"
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, *, seconds_a_claim: float = 0.01, lease_seconds: float = 3) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "DATABASE_URL": database_url(),
            "PYTHONPATH": os.pathsep.join([str(SAMPLES), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "TOUCHSTONE_SWEEP_SECONDS": "0.3",
            "TOUCHSTONE_LEASE_SECONDS": str(lease_seconds),
            "SAMPLE_JUDGE_LOG": str(self.log),
            "SAMPLE_JUDGE_SECONDS": str(seconds_a_claim),
        }
        with self._output.open("ab") as output:
            process = subprocess.Popen(
                CELERY, env=environment, cwd=settings.BASE_DIR, stdout=output, stderr=output, stdin=subprocess.DEVNULL
            )
        self._running.append(process)
        return process

    def wait_until(self, true: Callable[[], bool], *, seconds: float = 40.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            for process in self._running:
                assert process.poll() is None, self._output.read_text()
            assert time.monotonic() < end, self._output.read_text()
            time.sleep(0.02)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """As `kill -9` does it: no last word, no clean-up."""
        process.send_signal(signal.SIGKILL)
        process.wait()
        self._running.remove(process)

    def stop(self, process: subprocess.Popen[bytes], *, seconds: float = 20.0) -> int:
        process.send_signal(signal.SIGTERM)
        self._running.remove(process)
        try:
            return process.wait(seconds)
        finally:
            process.kill()

    def asked(self) -> list[int]:
        return [int(line) for line in self.log.read_text().split()]

    def end(self) -> None:
        for process in list(self._running):
            self.kill(process)


def empty_broker() -> None:
    """Lose every message that waits."""
    if settings.CELERY_BROKER_URL.startswith("filesystem://"):
        for file in settings.BROKER_DIR.glob("*.msg"):
            file.unlink(missing_ok=True)
    else:
        with celery_app.connection_for_write() as broker:
            broker.default_channel.queue_purge("celery")
