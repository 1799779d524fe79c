"""Workers that are lost, and workers side by side, while answers are taken apart for money."""

import json
from datetime import timedelta
from threading import Thread

import pytest
from django.db import connection
from django.utils import timezone

from judges.models import AnswerDraft, Extraction
from judges.services import extracting, extraction_jobs
from judges.services.extraction import answer_hash
from judges.services.extraction_jobs import spent_on
from judges.services.paying import LOST
from judges.tasks import announce_extraction
from tests.factories import make_project
from tests.judges.extraction.factories import finish, make_bare_answer, start
from tests.judges.extraction.test_paid_jobs import CLAIM
from tests.judges.fake_messages_api import COST, FakeMessagesApi
from tests.judges.workers import Workers

State = AnswerDraft.State


def test_a_worker_killed_in_the_middle_of_an_extraction_makes_nobody_pay_twice(
    workers: Workers, api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("TOUCHSTONE_CALLS_AT_ONCE", "4")
    api.reply, api.seconds = json.dumps({"claims": [CLAIM]}), 0.1
    project = make_project()
    for number in range(40):
        make_bare_answer(project, f"Answer {number} is here.")
    job = start(project, "claude")
    drafts = job.drafts.all()
    announce_extraction(job.pk)
    worker = workers.start(lease_seconds=60)  # long enough for a busy machine to import the SDK
    workers.wait_until(lambda: drafts.filter(state=State.DRAFTED).count() >= 6)
    workers.kill(worker)

    asked = drafts.filter(state=State.ASKED).count()
    found = drafts.filter(state=State.DRAFTED).count()
    assert 1 <= asked <= 4
    assert 6 <= found < 40
    assert Extraction.objects.count() == found, "what was found is kept with its draft or not at all"
    api.seconds = 0
    assert extraction_jobs.sweep(now=timezone.now() + timedelta(hours=1)) == [job.pk]
    finish(job)
    assert drafts.filter(state=State.DRAFTED).count() == 40 - asked
    lost = drafts.filter(state=State.FAILED)
    assert [draft.reason for draft in lost] == [LOST] * asked
    assert max(api.tries.values()) == 1
    assert sum(drafts.values_list("cost_usd", flat=True)) == (40 - asked) * COST
    assert spent_on(job) == (40 - asked) * COST + sum(lost.values_list("counted_usd", flat=True))


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_one_text_in_the_same_moment_pay_once(api: FakeMessagesApi) -> None:
    api.reply, api.seconds = json.dumps({"claims": [CLAIM]}), 0.2
    jobs = []
    for _ in range(3):
        project = make_project()
        make_bare_answer(project, "The same answer [1].")
        jobs.append(start(project, "claude"))
    trouble: list[Exception] = []

    def work(job_id: int) -> None:
        try:
            extracting.work_on_extraction(job_id, seconds=5)
        except Exception as error:  # noqa: BLE001  (a thread's error would be lost)
            trouble.append(error)
        finally:
            connection.close()

    threads = [Thread(target=work, args=(job.pk,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trouble == []
    for job_id in extraction_jobs.sweep():  # as a worker does every few seconds
        extracting.work_on_extraction(job_id, seconds=5)
    assert api.tries.total() == 1
    assert set(AnswerDraft.objects.values_list("state", flat=True)) == {State.DRAFTED}
    assert sum(AnswerDraft.objects.values_list("cost_usd", flat=True)) == COST


@pytest.mark.django_db
def test_a_text_that_another_worker_asks_about_is_left_to_it(api: FakeMessagesApi) -> None:
    api.reply = json.dumps({"claims": [CLAIM]})
    first, second = make_project(), make_project()
    make_bare_answer(first, "The same answer [1].")
    make_bare_answer(second, "The same answer [1].")
    make_bare_answer(second, "Another answer [1].")
    theirs, ours = start(first, "claude"), start(second, "claude")
    (draft,) = extracting._take(theirs)  # a worker that has got so far
    name = answer_hash(draft.answer.question, draft.answer.text)
    assert extracting._asked_by_us(theirs, {draft.pk: (name, [draft])})
    assert extracting.work_on_extraction(ours.pk, seconds=5) is False, "no use in coming back at once"
    assert list(ours.drafts.order_by("id").values_list("state", flat=True)) == [State.WAITING, State.DRAFTED]
    extraction_jobs.sweep(now=timezone.now() + timedelta(hours=1))  # the other is lost, and its text is free again
    finish(ours)
    finish(theirs)
    assert set(AnswerDraft.objects.values_list("state", flat=True)) == {State.DRAFTED}
    assert sorted(api.tries.values()) == [1, 1]
