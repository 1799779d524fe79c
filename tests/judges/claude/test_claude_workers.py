"""Workers that are killed in the middle of paid calls."""

import pytest
from pytest_django.fixtures import Settings

from judges.models import Intent, Run
from judges.services.paying import spending_of
from judges.tasks import announce
from tests.factories import make_project
from tests.judges.claude.test_claude_runs import claims_that_behave, claude, counts
from tests.judges.factories import start
from tests.judges.fake_messages_api import COST, FakeMessagesApi
from tests.judges.workers import Workers


def test_a_worker_killed_in_the_middle_of_its_calls_makes_nobody_pay_twice(
    api: FakeMessagesApi, workers: Workers, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("TOUCHSTONE_CALLS_AT_ONCE", "4")
    monkeypatch.setenv("TOUCHSTONE_CALL_SECONDS", "10")
    api.seconds = 0.1
    project = make_project()
    claims_that_behave(project, 60)
    run = start(claude(project))
    announce(run.pk)
    first = workers.start()
    workers.wait_until(lambda: run.judgements.count() >= 8)
    workers.kill(first)
    open_then = Intent.objects.filter(state=Intent.State.ASKED).count()
    workers.start()

    def finished() -> bool:
        run.refresh_from_db()
        return run.state == Run.State.FINISHED

    workers.wait_until(finished)
    assert 1 <= open_then <= 4
    assert counts(run) == {"judged": 60 - open_then, "failed": open_then}
    assert max(api.tries.values()) == 1
    assert spending_of(run).known == (60 - open_then) * COST
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()
