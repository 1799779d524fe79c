"""A worker that is killed in the middle of paid calls."""

from datetime import timedelta

import pytest
from django.utils import timezone

from judges.models import Intent, Run
from judges.services.paying import spending_of
from judges.services.runs import sweep
from tests.factories import make_project
from tests.judges.claude.killing import kill_in_the_middle
from tests.judges.claude.test_claude_runs import claims_that_behave, claude, counts
from tests.judges.factories import finish, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_of_its_calls_makes_nobody_pay_twice(api: FakeMessagesApi) -> None:
    api.seconds = 0.05
    project = make_project()
    claims_that_behave(project, 60)
    run = start(claude(project))
    kill_in_the_middle(run, "claude", api)
    open_then = Intent.objects.filter(state=Intent.State.ASKED).count()
    done_then = run.judgements.count()
    assert 1 <= open_then <= 4
    assert done_then < 60
    assert sweep(now=timezone.now() + timedelta(hours=1)) == [run.pk]
    run = finish(run)
    assert run.state == Run.State.FINISHED
    assert counts(run) == {"judged": 60 - open_then, "failed": open_then}
    assert max(api.tries.values()) == 1
    assert spending_of(run).known == (60 - open_then) * COST
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()
