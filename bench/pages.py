"""Pages of a project with 100,000 claims, three people's labels and five judges, beside the same pages of an empty one.

    python -m bench.pages [--claims 100000] [--views 30]

Works in a scratch database of its own: a temporary SQLite file or, where DATABASE_URL names a PostgreSQL server, the
test database beside the one it names. Pages are asked for by the test client, in this process: middleware, session,
view, database and template, without the network. Every tenth view is preceded by a label saved by the service that
the labelling page uses; what the page then does is in the figures. On a machine that does other things too, the processor
time of a page says more than the time on the clock.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from django.test import Client

GOAL_MS = 300.0
PEOPLE, JUDGES, PER_ANSWER, SOURCES = 3, 5, 3, 500
BATCH = 10_000
VERDICTS = ("stated", "partial", "absent", "contradicted")
SHARES = (70, 10, 14, 6)
PAGES = {
    "comparison": "/p/{slug}/compare/",
    "judge": "/p/{slug}/compare/judge-0/v1/",
    "project": "/p/{slug}/",
    "groundedness": "/p/{slug}/report/",
    "ceiling": "/p/{slug}/ceiling/",
}


class View(NamedTuple):
    """Milliseconds that one view of a page took, by the clock and of a processor."""

    clock: float
    processor: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--views", type=int, default=30, help="views of each page")
    options = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="touchstone-bench-")
    try:
        return measure(options.claims, options.views, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def measure(claims: int, views: int, scratch: str) -> int:
    os.environ.update(DJANGO_SETTINGS_MODULE="config.settings", TOUCHSTONE_DEMO="1", TOUCHSTONE_VAR=scratch)
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    from labelling import keeping

    settings.ALLOWED_HOSTS = ["*"]
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    # The process that makes figures beside the pages finds the same database.
    os.environ["DATABASE_URL"] = (
        f"sqlite:///{name}"
        if connection.vendor == "sqlite"
        else urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}"))
    )
    making: list[subprocess.Popen[bytes]] = []
    start = keeping.start_making

    def started(token: str) -> subprocess.Popen[bytes]:
        making.append(start(token))
        return making[-1]

    keeping.start_making = started
    try:
        began = time.perf_counter()
        fill("full", claims)
        fill("empty", 0)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        print(f"{claims:,} claims on {connection.vendor}: filled in {time.perf_counter() - began:.0f} s")
        return look(views)
    finally:
        for process in making:
            process.wait()
        connection.creation.destroy_test_db(settings.DATABASES["default"]["NAME"], verbosity=0)


def fill(slug: str, claims: int) -> None:
    """A project with its owner, who may see every page, and the rows that figures are made of."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from judges.models import Judge, Judgement, JudgeVersion, Run
    from labelling.models import Answer, Citation, Claim, GuideVersion, Label, Membership, Project, Source
    from labelling.services.slots import open_slots

    project = Project.objects.create(slug=slug, name=slug, overlap=PEOPLE + 1)
    GuideVersion.objects.create(project=project, number=1, policy="strict", text="# Guide")
    owner = User.objects.create(username=f"owner-{slug}")
    Membership.objects.create(project=project, user=owner, role="owner", pseudonym="owner")
    people = [
        Membership.objects.create(
            project=project, user=User.objects.create(username=f"{slug}-{n}"), role="annotator", pseudonym=f"p{n}"
        )
        for n in range(PEOPLE + 1)
    ]
    versions = [
        JudgeVersion.objects.create(
            judge=Judge.objects.create(project=project, name=f"judge-{n}", type="lexical"),
            number=1,
            config={"threshold": 0.6},
            policy="strict",
            fingerprint=f"{slug}-{n}",
        )
        for n in range(JUDGES)
    ]
    runs = [
        Run.objects.create(project=project, judge_version=version, state="finished", claims_total=claims)
        for version in versions
    ]
    sources = Source.objects.bulk_create(
        Source(project=project, external_id=f"s{n}", collection=f"c{n % 5}", text="Items can be returned. " * 20)
        for n in range(SOURCES)
    )
    picked, now = random.Random(1), timezone.now()
    for begin in range(0, claims, BATCH):
        numbers = range(begin, min(begin + BATCH, claims))
        answers = Answer.objects.bulk_create(
            Answer(
                project=project,
                external_id=f"a{n}",
                text="You may return it. " * 5,
                system=f"bot-{n % 2}",
                task_type="help",
                created=now,
                split="test" if n % 5 == 0 else "development",
            )
            for n in numbers[::PER_ANSWER]
        )
        made = Claim.objects.bulk_create(
            Claim(
                project=project,
                answer=answers[place // PER_ANSWER],
                external_id=f"c{n}",
                text=f"Claim {n} says 14 days.",
                kind="date" if n % 2 else "",
            )
            for place, n in enumerate(numbers)
        )
        Citation.objects.bulk_create(
            Citation(claim=claim, order=1, source=sources[claim.pk % SOURCES], start=0, end=20) for claim in made
        )
        gold = picked.choices(VERDICTS, SHARES, k=len(made))
        Label.objects.bulk_create(
            Label(claim=claim, annotator=who, client_id=uuid.uuid4(), created=now, verdict=_said(picked, verdict, 0.88))
            for who in people[:PEOPLE]
            for claim, verdict in zip(made, gold, strict=True)
        )
        Judgement.objects.bulk_create(
            Judgement(
                run=run,
                claim=claim,
                outcome="judged",
                verdict=_said(picked, verdict, 0.9 - 0.08 * place),
                score=round(picked.random(), 3),
                input_hash="0" * 64,
            )
            for place, run in enumerate(runs)
            for claim, verdict in zip(made, gold, strict=True)
        )
    open_slots(project=project)


def _said(picked: random.Random, verdict: str, right: float) -> str:
    return verdict if picked.random() < right else picked.choice(VERDICTS)


def look(views: int) -> int:
    from django.contrib.auth.models import User
    from django.test import Client

    times: dict[tuple[str, str], list[View]] = defaultdict(list)
    first: dict[str, View] = {}
    after: dict[str, list[View]] = defaultdict(list)
    for slug in ("empty", "full"):
        client = Client()
        client.force_login(User.objects.get(username=f"owner-{slug}"), "django.contrib.auth.backends.ModelBackend")
        for name, path in PAGES.items():
            spent = _view(client, path.format(slug=slug))
            if slug == "full":
                first[name] = spent
        order = [name for name in PAGES for _ in range(views)]
        random.Random(1).shuffle(order)
        for turn, name in enumerate(order):
            changed = turn % 10 == 9 and slug == "full"
            if changed:
                save_label(turn)
            spent = _view(client, PAGES[name].format(slug=slug))
            times[slug, name].append(spent)
            if changed:
                after[name].append(spent)
    return report(times, first, after)


def _view(client: Client, path: str) -> View:
    began, busy = time.perf_counter(), time.process_time()
    response = client.get(path)
    seen = View((time.perf_counter() - began) * 1000, (time.process_time() - busy) * 1000)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answered {response.status_code}")
    return seen


def save_label(turn: int) -> None:
    """One more label of a claim by the fourth person, as the labelling page saves it."""
    from labelling.access import Seat
    from labelling.models import Claim, Membership
    from labelling.services.labels import Submission, submit_label

    member = Membership.objects.get(project__slug="full", pseudonym=f"p{PEOPLE}")
    claim = Claim.objects.filter(project__slug="full").order_by("id")[turn]
    submit_label(seat=Seat(member.project, member), claim=claim, given=Submission(uuid.uuid4(), "stated"))


def report(times: dict[tuple[str, str], list[View]], first: dict[str, View], after: dict[str, list[View]]) -> int:
    print(f"{'':14}{'':>6}{'clock, ms':>18}{'empty':>9}{'':>7}{'processor, ms':>18}{'cold, s':>9}{'after a label':>15}")
    print(
        f"{'page':14}{'views':>6}{'p50':>9}{'p95':>9}{'p95':>9}{'times':>7}{'p50':>9}{'p95':>9}{'clock':>9}{'clock, ms':>15}"
    )
    for name in PAGES:
        clock = [seen.clock for seen in times["full", name]]
        busy = [seen.processor for seen in times["full", name]]
        empty = _at([seen.clock for seen in times["empty", name]], 0.95)
        late = f"{statistics.median(seen.clock for seen in after[name]):.0f}" if after[name] else "-"
        print(
            f"{name:14}{len(clock):>6}{_at(clock, 0.5):>9.0f}{_at(clock, 0.95):>9.0f}{empty:>9.0f}"
            f"{_at(clock, 0.95) / empty:>7.1f}{_at(busy, 0.5):>9.0f}{_at(busy, 0.95):>9.0f}"
            f"{first[name].clock / 1000:>9.1f}{late:>15}"
        )
    everything = [seen.clock for (slug, _), each in times.items() if slug == "full" for seen in each]
    held = _at(everything, 0.95) < GOAL_MS
    print(f"all pages: p95 {_at(everything, 0.95):.0f} ms; goal under {GOAL_MS:g} ms: {'met' if held else 'MISSED'}")
    return 0


def _at(each: list[float], share: float) -> float:
    ordered = sorted(each)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    sys.exit(main())
