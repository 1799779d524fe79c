"""The real web server, killed while a label is being saved."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from labelling.access import Seat
from labelling.models import Label, Project, Slot
from labelling.services.queue import take_next
from tests.factories import make_claims, make_member, make_project
from tests.judges.workers import database_url

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = "a" * 32


@contextmanager
def served(log: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Gunicorn over the test database, answering, in a process group of its own; and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}", "--threads", "2"]
    with log.open("ab") as output:
        server = subprocess.Popen(
            command,
            env={**os.environ, "DATABASE_URL": database_url()},
            cwd=settings.BASE_DIR,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        end = time.monotonic() + 40
        while not answers(port):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield server, port
    finally:
        kill(server)


def answers(port: int) -> bool:
    try:
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        asked.request("GET", "/sign-in/")
        return asked.getresponse().status == 200
    except OSError:
        return False


def kill(server: subprocess.Popen[bytes]) -> None:
    """Kill master and workers at once, with the signal that nobody can catch."""
    if server.poll() is None:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def post(port: int, project: Project, claim_id: int, client_id: uuid.UUID, session: str) -> dict[str, object]:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=40)
    headers = {
        "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; csrftoken={TOKEN}",
        "X-CSRFToken": TOKEN,
    }
    fields = urlencode({"client_id": client_id, "verdict": "absent"})
    asked.request("POST", f"/p/{project.slug}/label/{claim_id}/", fields, headers)
    answer = asked.getresponse()
    body = answer.read()
    assert answer.status == 200, body
    saved = json.loads(body)["saved"]
    assert isinstance(saved, dict)
    return saved


def hold_what_a_label_writes() -> None:
    """Take a lock, until the end of this transaction, that a label being saved runs into half-way.

    On SQLite an open transaction is that lock. On PostgreSQL the place is taken by then, and the label waits.
    """
    if connection.vendor != "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE labelling_label IN SHARE ROW EXCLUSIVE MODE")


def test_web_server_killed_in_mid_submit_saves_nothing_and_the_same_submit_again_makes_one_label(
    tmp_path: Path,
) -> None:
    project = make_project(overlap=1)
    (claim,) = make_claims(project, 1)
    member = make_member(project)
    take_next(seat=Seat(project, member))
    client_id = uuid.uuid4()
    client = Client()
    assert member.user is not None
    client.force_login(member.user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    lost: list[BaseException] = []

    def submit() -> None:
        try:
            post(port, project, claim.pk, client_id, session)
        except (OSError, http.client.HTTPException) as error:
            lost.append(error)

    log = tmp_path / "server.log"
    with served(log) as (server, port):
        submitting = threading.Thread(target=submit)
        with transaction.atomic():
            hold_what_a_label_writes()
            submitting.start()
            submitting.join(1.5)
            assert submitting.is_alive(), "the submit came through, so nothing was killed in the middle of it"
            kill(server)
            submitting.join(20)
    assert len(lost) == 1
    assert not Label.objects.exists()
    assert Slot.objects.get().state == "leased"

    with served(log) as (_, port):
        assert post(port, project, claim.pk, client_id, session)["again"] is False
        assert post(port, project, claim.pk, client_id, session)["again"] is True
    assert Label.objects.get().client_id == client_id
    assert Slot.objects.get().state == "done"
