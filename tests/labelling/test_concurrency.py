"""Many people at once. Real threads and connections; the large run needs a PostgreSQL server."""

import os
import signal
import subprocess
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, connections
from django.db.models import Count

from labelling.access import Seat
from labelling.models import Answer, Citation, Claim, Label, PlannedClaim, Project, SamplingPlan, Slot, Split
from labelling.services.labels import Submission, submit_label
from labelling.services.queue import take_next
from labelling.services.sampling import PlanRefusedError, queue_plan, undo_plan
from labelling.services.slots import open_slots
from tests.factories import make_claims, make_member, make_project, make_source

pytestmark = pytest.mark.django_db(transaction=True)
VERDICTS = ("stated", "partial", "absent", "contradicted")


def many_claims(project: Project, count: int) -> None:
    source = make_source(project)
    answers = Answer.objects.bulk_create(
        Answer(project=project, external_id=f"a{i}", split=Split.TEST) for i in range(count)
    )
    claims = Claim.objects.bulk_create(
        Claim(project=project, answer=answer, external_id=answer.external_id, text="It is.") for answer in answers
    )
    Citation.objects.bulk_create(Citation(claim=claim, order=1, source=source, start=0, end=7) for claim in claims)
    open_slots(project=project)


def in_threads(count: int, work: Callable[[int], None]) -> None:
    def run(i: int) -> None:
        try:
            work(i)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(run, range(count)))


def work_until_nothing_is_left(seat: Seat) -> None:
    while claims := take_next(seat=seat).claims:
        claim = Claim.objects.prefetch_related("citations__source").get(pk=claims[0])
        given = Submission(client_id=uuid.uuid4(), verdict=VERDICTS[claim.pk % 4])
        submit_label(seat=seat, claim=claim, given=given)
        if claim.pk % 10 == 0:
            submit_label(seat=seat, claim=claim, given=given)


def assert_every_claim_has_exactly(project: Project, target: int, claims: int) -> None:
    counted = Label.objects.counted().filter(claim__project=project)
    per_claim = Counter(counted.values_list("claim_id", flat=True))
    assert Counter(per_claim.values()) == {target: claims}
    assert not Label.objects.filter(surplus=True).exists()
    twice = Label.objects.values("claim", "annotator").annotate(n=Count("id")).filter(n__gt=1)
    assert not twice.exists()
    assert set(Slot.objects.values_list("state", flat=True)) == {"done"}


def label_everything(threads: int, claims: int) -> None:
    project = make_project(overlap=3)
    many_claims(project, claims)
    seats = [Seat(project, make_member(project)) for _ in range(threads)]
    in_threads(threads, lambda i: work_until_nothing_is_left(seats[i]))
    assert_every_claim_has_exactly(project, 3, claims)


def test_fifty_people_at_once_give_each_of_a_thousand_claims_exactly_three_labels() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs DATABASE_URL to name a PostgreSQL database")
    label_everything(threads=50, claims=1000)


def test_eight_people_at_once_give_each_of_a_hundred_claims_exactly_three_labels() -> None:
    label_everything(threads=8, claims=100)


def test_one_submission_sent_many_times_at_once_is_one_label() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    seat = Seat(project, make_member(project))
    given = Submission(client_id=uuid.uuid4(), verdict="absent")
    together = threading.Barrier(6)

    def send(_: int) -> None:
        together.wait()
        submit_label(seat=seat, claim=claim, given=given)

    in_threads(6, send)
    assert Label.objects.count() == 1
    assert Slot.objects.filter(state="done").count() == 1


def test_two_changes_sent_at_once_are_two_revisions() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    seat = Seat(project, make_member(project))
    together = threading.Barrier(2)

    def send(_: int) -> None:
        together.wait()
        submit_label(seat=seat, claim=claim, given=Submission(client_id=uuid.uuid4(), verdict="absent"))

    in_threads(2, send)
    assert sorted(Label.objects.values_list("revision", flat=True)) == [1, 2]
    assert Slot.objects.filter(state="done").count() == 1


def test_the_same_plan_asked_for_many_times_at_once_is_one() -> None:
    project = make_project(overlap=2)
    many_claims(project, 40)
    together = threading.Barrier(4)
    made = []

    def ask(_: int) -> None:
        together.wait()
        made.append(queue_plan(project=project, by=None, number=1, random=10, labels=1, seed=1).pk)

    in_threads(4, ask)
    assert len(set(made)) == 1
    assert PlannedClaim.objects.count() == 10
    assert Slot.objects.exclude(turn=None).count() == 10


def test_a_plan_is_undone_or_labelled_and_never_both() -> None:
    project = make_project(overlap=1)
    many_claims(project, 6)
    for seed in range(6):
        plan = queue_plan(project=project, by=None, number=seed + 1, random=1, labels=1, seed=seed)
        seat = Seat(project, make_member(project))
        claim = Claim.objects.get(pk=take_next(seat=seat, want=1).claims[0])
        together = threading.Barrier(2)

        def race(number: int, plan: SamplingPlan = plan, claim: Claim = claim, seat: Seat = seat) -> None:
            together.wait()  # noqa: B023  the threads end within this turn of the loop
            if number:
                submit_label(seat=seat, claim=claim, given=Submission(client_id=uuid.uuid4(), verdict="absent"))
            else:
                with suppress(PlanRefusedError):
                    undo_plan(plan)

        in_threads(2, race)
        plan.refresh_from_db()
        assert Label.objects.filter(claim=claim).count() == 1
        assert not Label.objects.filter(surplus=True).exists()
        # A filled place keeps its turn, an open one loses it when its plan is undone: which of the two came first.
        assert Slot.objects.filter(claim=claim, turn__isnull=False).exists() == (plan.undone is None)


# A process of its own that saves a label and is killed with the transaction still open.
KILLED = """
import os, sys, time, uuid
import django
from django.conf import settings
django.setup()
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from django.db import connections, transaction
connections["default"].settings_dict["NAME"] = sys.argv[1]
from labelling.access import Seat
from labelling.models import Claim, Membership
from labelling.services.labels import Submission, submit_label
member = Membership.objects.select_related("project").get(pk=int(sys.argv[2]))
claim = Claim.objects.get(pk=int(sys.argv[3]))
with transaction.atomic():
    submit_label(
        seat=Seat(member.project, member), claim=claim, given=Submission(client_id=uuid.UUID(sys.argv[4]), verdict="absent")
    )
    print("saved, not committed", flush=True)
    time.sleep(60)
"""


def test_a_server_killed_in_mid_submit_leaves_all_or_nothing_and_the_retry_makes_one_label() -> None:
    project = make_project(overlap=1)
    (claim,) = make_claims(project, 1)
    seat = Seat(project, make_member(project))
    take_next(seat=seat)
    client_id = uuid.uuid4()
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", KILLED),
            *(str(connection.settings_dict["NAME"]), str(seat.member.pk), str(claim.pk), str(client_id)),
        ],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        cwd=Path(settings.BASE_DIR),
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "saved, not committed\n"
        process.send_signal(signal.SIGKILL)
    assert not Label.objects.exists()
    assert Slot.objects.get().state == "leased"
    given = Submission(client_id=client_id, verdict="absent")
    assert not submit_label(seat=seat, claim=claim, given=given).again
    assert submit_label(seat=seat, claim=claim, given=given).again
    assert Label.objects.count() == 1
    assert Slot.objects.get().state == "done"
