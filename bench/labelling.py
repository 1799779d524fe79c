"""Next claim and submit with 100,000 claims and 40 people at once, through gunicorn, beside a trivial view.

    python -m bench.labelling [--claims 100000] [--people 40] [--seconds 20]

Works in a scratch database of its own: a temporary SQLite file or, where DATABASE_URL names a PostgreSQL server, the
test database beside the one it names. One request saves a label *and* brings the next claim; the baseline is one
request to a view that looks up the session, the user and one row, through the same server, in the same run.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit, urlunsplit

ANSWER = 4
GOAL_MS = {"postgresql": 50.0, "sqlite": 100.0}
TEXT = "Most items can be returned within 14 days of delivery. Members have a longer window of 28 days. " * 20


@dataclass
class Times:
    """Seconds of each request, and the wall time they took together."""

    each: list[float] = field(default_factory=list)
    wall: float = 0.0

    def at(self, share: float) -> float:
        """The quantile in milliseconds."""
        ordered = sorted(self.each)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000

    @property
    def rate(self) -> float:
        return len(self.each) / self.wall


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="touchstone-bench-")
    try:
        return measure(options.claims, options.people, options.seconds, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def measure(claims: int, people: int, seconds: float, scratch: str) -> int:
    os.environ.update(DJANGO_SETTINGS_MODULE="bench.labelling_settings", TOUCHSTONE_DEMO="1", TOUCHSTONE_VAR=scratch)
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    if connection.vendor == "sqlite":
        url = f"sqlite:///{name}"
    else:
        url = urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}"))
    try:
        began = time.perf_counter()
        cookies, slug = fill(claims, people)
        print(f"{claims:,} claims with 3 places each, {people} people: filled in {time.perf_counter() - began:.0f} s")
        connection.close()
        with served(url) as port:
            thinking, flat_out, baseline_thinking, baseline = drive(port, slug, cookies, seconds, claims)
        report(connection.vendor, people, thinking, flat_out, baseline_thinking, baseline)
        return 0
    finally:
        connection.creation.destroy_test_db(settings.DATABASES["default"]["NAME"], verbosity=0)


def fill(claims: int, people: int) -> tuple[list[str], str]:
    """The project and its people; their session cookies."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client

    from labelling.models import Answer, Citation, Claim, GuideVersion, Membership, Project, Source
    from labelling.services.slots import open_slots

    project = Project.objects.create(slug="bench", name="Bench", overlap=3)
    GuideVersion.objects.create(project=project, number=1, policy="strict", text="# Guide")
    sources = Source.objects.bulk_create(
        Source(project=project, external_id=f"s{i}", title=f"Source {i}", text=TEXT) for i in range(200)
    )
    for begin in range(0, claims, 10_000):
        numbers = range(begin, min(begin + 10_000, claims))
        answers = Answer.objects.bulk_create(
            Answer(project=project, external_id=f"a{i}", question="How long?", text=TEXT[:200], split="test")
            for i in numbers[::ANSWER]
        )
        made = Claim.objects.bulk_create(
            Claim(project=project, answer=answers[j // ANSWER], external_id=f"c{i}", text=f"Claim {i} says 14 days.")
            for j, i in enumerate(numbers)
        )
        Citation.objects.bulk_create(
            Citation(claim=claim, order=1, source=sources[claim.pk % 200], start=0, end=54) for claim in made
        )
    open_slots(project=project)
    cookies = []
    for i in range(people):
        user = User.objects.create(username=f"person-{i}")
        Membership.objects.create(project=project, user=user, role="annotator", pseudonym=f"person-{i}")
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        cookies.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return cookies, project.slug


@contextmanager
def served(database_url: str) -> Iterator[int]:
    """Gunicorn over the scratch database; its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"]
    command += ["--workers", "4", "--threads", "2", "--keep-alive", "30"]
    server = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": database_url})
    try:
        for _ in range(200):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield port
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


class Person:
    """One annotator at one browser, with what their page knows."""

    def __init__(self, port: int, slug: str, session: str) -> None:
        self.port, self.slug, self.session = port, slug, session
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.token = ""
        self.claims: list[int] = []
        self.left: re.Match[str] | None = None

    def request(self, method: str, path: str, fields: list[tuple[str, str]] | None = None) -> bytes:
        cookie = f"sessionid={self.session}" + (f"; csrftoken={self.token}" if self.token else "")
        headers = {"Cookie": cookie, "Accept": "application/json", "X-CSRFToken": self.token}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self.connection.request(method, path, urlencode(fields) if fields is not None else None, headers)
            response = self.connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            self.connection.close()  # the server may drop an idle connection at any time: dial again, as browsers do
            self.connection.request(method, path, urlencode(fields) if fields is not None else None, headers)
            response = self.connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{method} {path} answered {response.status}: {body[:300]!r}")
        for name, value in response.getheaders():
            if name.lower() == "set-cookie" and value.startswith("csrftoken="):
                self.token = value.split(";")[0].split("=", 1)[1]
        return body

    def open(self) -> None:
        html = self.request("GET", f"/p/{self.slug}/label/").decode()
        self.claims = [int(pk) for pk in re.findall(r'data-claim="(\d+)"', html)]
        self.progress = re.search(r'data-carried="([^"]*)"', html)

    def label(self) -> None:
        """Save a label of the claim on the screen and get the claim after the next."""
        claim, *rest = self.claims
        fields = [("client_id", str(uuid.uuid4())), ("verdict", "stated"), ("seconds", "1.0")]
        fields += [("have", str(pk)) for pk in rest]
        fields += [("progress", self.progress[1])] if self.progress else []
        body = json.loads(self.request("POST", f"/p/{self.slug}/label/{claim}/", fields))
        self.claims = [*rest, body["next"]["claim"]]
        self.progress = re.search(r'data-carried="([^"]*)"', body["progress"])

    def look(self, claims: int) -> None:
        self.request("GET", f"/bench/baseline/{random.randint(1, claims)}/")


def drive(port: int, slug: str, cookies: list[str], seconds: float, claims: int) -> tuple[Times, Times, Times, Times]:
    people = [Person(port, slug, cookie) for cookie in cookies]
    for person in people:
        person.open()
    baseline_thinking = together(people, lambda person: person.look(claims), seconds / 2, think=1.0)
    thinking = together(people, Person.label, seconds, think=1.0)
    baseline = together(people, lambda person: person.look(claims), seconds / 3, think=0.0)
    flat_out = together(people, Person.label, seconds / 2, think=0.0)
    return thinking, flat_out, baseline_thinking, baseline


def together(people: list[Person], act: Callable[[Person], None], seconds: float, *, think: float) -> Times:
    """Everybody acts again and again for so long; the times of all of them."""
    times = Times()
    failures: list[BaseException] = []
    began = time.perf_counter()

    def work(person: Person) -> None:
        try:
            time.sleep(random.random() * think)
            while time.perf_counter() - began < seconds:
                start = time.perf_counter()
                act(person)
                times.each.append(time.perf_counter() - start)
                if think:
                    time.sleep(think * random.uniform(0.5, 1.5))
        except BaseException as failure:  # noqa: BLE001 - told by the main thread
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    times.wall = time.perf_counter() - began
    return times


def report(vendor: str, people: int, thinking: Times, flat_out: Times, base_thinking: Times, base: Times) -> None:
    print(f"labelling on {vendor}, {people} people, gunicorn with 4 workers of 2 threads")
    print(f"{'':34}{'requests':>9}{'p50 ms':>9}{'p95 ms':>9}{'per s':>9}")
    for title, times in (
        ("trivial view, thinking 1 s", base_thinking),
        ("submit and next, thinking 1 s", thinking),
        ("trivial view, flat out", base),
        ("submit and next, flat out", flat_out),
    ):
        print(f"{title:34}{len(times.each):>9,}{times.at(0.5):>9.1f}{times.at(0.95):>9.1f}{times.rate:>9.1f}")
    print(f"p95 over the trivial view's, thinking: {thinking.at(0.95) / base_thinking.at(0.95):.1f} times")
    print(f"throughput below the trivial view's, flat out: {base.rate / flat_out.rate:.1f} times")
    goal = GOAL_MS.get(vendor)
    if goal is not None:
        verdict = "met" if thinking.at(0.95) < goal else "missed"
        print(f"goal: p95 of submit and next under {goal:.0f} ms while thinking: {verdict}")


if __name__ == "__main__":
    sys.exit(main())
