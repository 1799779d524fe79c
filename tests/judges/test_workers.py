import time
from collections import Counter
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from judges.models import Chunk, Judge, Run
from judges.services import chunks
from judges.services.runs import resume_run, stop_run, sweep
from judges.tasks import announce
from tests.factories import make_claims, make_project
from tests.judges.factories import make_version, start
from tests.judges.workers import Workers, empty_broker


def state_of(run: Run) -> str:
    run.refresh_from_db(fields=["state"])
    return run.state


def judged_once(run: Run) -> bool:
    """Whether every claim of the run has exactly one judgement."""
    counts = Counter(run.judgements.values_list("claim_id", flat=True))
    return len(counts) == run.claims_total and set(counts.values()) == {1}


@pytest.mark.django_db(transaction=True)
def test_two_workers_side_by_side_share_a_run() -> None:
    project = make_project()
    make_claims(project, 400, slots=False)
    run = start(make_version(project, "leaning"))
    done: Counter[int] = Counter()
    trouble: list[Exception] = []

    def work(name: int) -> None:
        try:
            while (lease := chunks.take_chunk(run.pk)) is not None:
                chunks.work_chunk(lease)
                done[name] += 1
        except Exception as error:  # noqa: BLE001  (a thread's error would be lost)
            trouble.append(error)
        finally:
            connection.close()

    threads = [Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trouble == []
    assert judged_once(run)
    assert done.total() == run.chunks.count() == 8
    assert state_of(run) == Run.State.FINISHED


@pytest.mark.django_db(transaction=True)
def test_a_judge_that_is_slower_than_a_lease_keeps_its_chunk(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.LEASE_SECONDS = 0.6
    monkeypatch.setenv("SAMPLE_JUDGE_LOG", str(tmp_path / "asked.txt"))
    monkeypatch.setenv("SAMPLE_JUDGE_SECONDS", "2")
    project = make_project()
    make_claims(project, 1, slots=False)
    run = start(make_version(project, "logging"))
    lease = chunks.take_chunk(run.pk)
    assert lease is not None

    def work() -> None:
        try:
            chunks.work_chunk(lease)
        finally:
            connection.close()

    worker = Thread(target=work)
    worker.start()
    time.sleep(1.2)
    assert chunks.take_chunk(run.pk) is None
    assert sweep() == []
    worker.join()
    assert state_of(run) == Run.State.FINISHED
    assert judged_once(run)
    assert run.chunks.get().attempt == 1
    assert len((tmp_path / "asked.txt").read_text().split()) == 1


def test_killed_worker_and_lost_messages_leave_every_claim_with_one_judgement(workers: Workers) -> None:
    project = make_project()
    make_claims(project, 300, slots=False)
    run = start(make_version(project, "logging"))
    announce(run.pk)
    first = workers.start()
    workers.wait_until(lambda: run.judgements.count() >= 30)
    workers.kill(first)
    empty_broker()
    assert run.chunks.filter(state=Chunk.State.LEASED).exists()
    assert not judged_once(run)
    for _ in range(2):
        workers.start()
    workers.wait_until(lambda: state_of(run) == Run.State.FINISHED)
    assert judged_once(run)
    # Each of the two threads may have asked one claim whose answer died with it; nothing else is asked twice.
    assert len(workers.asked()) - run.claims_total <= 2


def test_stopped_run_and_ended_worker_pay_for_nothing_twice(workers: Workers) -> None:
    project = make_project()
    make_claims(project, 120, slots=False)
    run = start(make_version(project, "logging"))
    first = workers.start(seconds_a_claim=0.05)
    workers.wait_until(run.judgements.exists)
    assert stop_run(run)
    workers.wait_until(lambda: not run.chunks.filter(state=Chunk.State.LEASED).exists())
    assert run.judgements.count() == len(workers.asked()) < 120
    assert resume_run(run)
    announce(run.pk)
    paid = run.judgements.count()
    workers.wait_until(lambda: run.judgements.count() > paid)
    assert workers.stop(first) == 0
    assert not run.chunks.filter(state=Chunk.State.LEASED).exists()
    assert run.judgements.count() == len(workers.asked()) < 120
    workers.start(seconds_a_claim=0.0)
    workers.wait_until(lambda: state_of(run) == Run.State.FINISHED)
    assert judged_once(run)
    assert sorted(workers.asked()) == sorted(set(workers.asked()))


def test_the_command_waits_for_a_worker_and_ends_with_the_outcomes(workers: Workers) -> None:
    project = make_project()
    make_claims(project, 20, slots=False)
    workers.start()
    out = StringIO()
    call_command("run_judge", project.slug, "mine", type="badly", wait=True, stdout=out)
    lines = [line.strip() for line in out.getvalue().splitlines()]
    assert lines[1:4] == ["judged: 10", "refused: 2", "2 × Ended refused."]
    assert state_of(Run.objects.get()) == Run.State.FINISHED


@pytest.mark.django_db
class TestCommand:
    def test_it_works_here_without_a_worker(self) -> None:
        project = make_project()
        make_claims(project, 20)
        out = StringIO()
        call_command(
            "run_judge", project.slug, "lean", type="leaning", config='{"threshold": 0.2}', here=True, stdout=out
        )
        run = Run.objects.get()
        assert run.state == Run.State.FINISHED
        assert run.judge_version.config["threshold"] == 0.2
        assert "judged: 20" in out.getvalue()

    def test_it_runs_the_version_that_is_named(self) -> None:
        project = make_project()
        make_claims(project, 2)
        make_version(project, "leaning")
        make_version(project, "leaning", config={"threshold": 0.9})
        for number in (1, 2):
            call_command("run_judge", project.slug, "leaning", "--version", str(number), here=True, stdout=StringIO())
        assert list(Run.objects.order_by("id").values_list("judge_version__number", flat=True)) == [1, 2]
        with pytest.raises(CommandError, match="has no version 3; expected one of 1, 2"):
            call_command("run_judge", project.slug, "leaning", "--version", "3")

    def test_a_run_whose_every_call_failed_is_an_error(self) -> None:
        from tests.judges.sample_types import broken

        project = make_project()
        broken.update(claim.pk for claim in make_claims(project, 2))
        with pytest.raises(CommandError, match="every call failed"):
            call_command("run_judge", project.slug, "b", type="breaking", here=True, stdout=StringIO())

    def test_it_names_what_it_does_not_know(self) -> None:
        project = make_project()
        with pytest.raises(CommandError, match="no project 'nowhere'; expected one of"):
            call_command("run_judge", "nowhere", "x")
        with pytest.raises(CommandError, match=f"no judge 'x' in {project.slug}; there: none yet"):
            call_command("run_judge", project.slug, "x")
        with pytest.raises(CommandError, match="--config is no JSON"):
            call_command("run_judge", project.slug, "x", type="leaning", config="{")
        with pytest.raises(CommandError, match="expected a JSON object"):
            call_command("run_judge", project.slug, "x", type="leaning", config="[]")
        with pytest.raises(CommandError, match="unknown key 'treshold'"):
            call_command("run_judge", project.slug, "x", type="leaning", config='{"treshold": 1}')
        with pytest.raises(CommandError, match="name is 'my judge'; expected 1 to 100 letters"):
            call_command("run_judge", project.slug, "my judge", type="leaning")
        assert not Judge.objects.exists(), "a judge without a version"
