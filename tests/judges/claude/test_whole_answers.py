"""The question about a whole answer: forecast once, asked once, one by one and in batches, and never cut apart."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from judges.services import chunks, forecasts
from judges.services.forecasts import forecast_run
from judges.services.paying import LOST, spending_of
from judges.services.progress import progress_of
from judges.services.runs import add_chunks, sweep
from judges.services.selection import Selection
from labelling.models import Answer, Claim, Project
from tests.factories import make_answer, make_claim, make_project, make_source
from tests.judges.claude.factories import SOURCE
from tests.judges.claude.test_claude_runs import claims_that_behave, claude
from tests.judges.factories import finish, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi

pytestmark = pytest.mark.django_db


def answers_with_claims(project: Project, answers: int, claims: int) -> list[Claim]:
    """Claims answer by answer in turn, so that those of one answer do not stand side by side."""
    source = make_source(project, text=SOURCE)
    made: list[Answer] = [make_answer(project, f"Answer {n} is about refunds.") for n in range(answers)]
    return [make_claim(project, f"Claim {n}.", source=source, answer=one) for n in range(claims) for one in made]


@pytest.mark.parametrize("batch", [False, True])
def test_an_answer_is_forecast_once_and_paid_once(api: FakeMessagesApi, batch: bool) -> None:
    project = make_project()
    answers_with_claims(project, 3, 4)
    whole = claude(project, unit="answer", batch=batch)
    forecast = forecast_run(version=whole, selection=Selection())
    assert forecast.claims == 12
    one = forecast_run(
        version=claude(make_project_with_one_answer(), unit="answer", batch=batch), selection=Selection()
    )
    assert one.about is not None
    assert forecast.about is not None
    assert abs(forecast.about - 3 * one.about) <= Decimal("0.00001")
    run = finish(start(whole))
    assert run.judgements.count() == 12
    assert len(api.asked) + sum(map(len, api.batches.values())) == 3
    assert spending_of(run).known == 3 * COST * (Decimal("0.5") if batch else 1)
    assert forecast.at_most is not None
    assert spending_of(run).known <= forecast.at_most


def make_project_with_one_answer() -> Project:
    project = make_project()
    answers_with_claims(project, 1, 4)
    return project


def test_a_sample_holds_answers_whole(api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    answers_with_claims(project, 6, 4)
    whole = forecast_run(version=claude(project, unit="answer"), selection=Selection())
    monkeypatch.setattr(forecasts, "SAMPLE", 8)
    sampled = forecast_run(version=claude(project, unit="answer"), selection=Selection())
    assert (sampled.sampled, sampled.rough) == (8, True)
    assert sampled.about == whole.about


def test_the_claims_of_an_answer_that_is_asked_about_whole_stay_in_one_chunk(api: FakeMessagesApi) -> None:
    project = make_project()
    claims = answers_with_claims(project, 25, 4)
    run = start(claude(project, unit="answer"))
    run.chunks.all().delete()
    add_chunks(run, [claim.pk for claim in claims])
    answer_of = {claim.pk: claim.answer_id for claim in claims}
    places = [(answer_of[one], chunk.position) for chunk in run.chunks.all() for one in chunk.claim_ids]
    assert len(places) == 100
    assert len(set(places)) == 25
    assert run.chunks.count() == 2


def test_what_is_copied_for_nothing_is_not_to_come(api: FakeMessagesApi) -> None:
    project = make_project()
    asked_before = [claim.pk for claim in claims_that_behave(project, 6)]
    version = claude(project)
    finish(start(version))
    new = [claim.pk for claim in claims_that_behave(project, 3)]
    second = start(version)
    second.chunks.all().delete()
    add_chunks(second, new[:2])
    add_chunks(second, [*asked_before, new[2]])
    lease = chunks.take_chunk(second.pk)
    assert lease is not None
    chunks.work_chunk(lease)
    progress = progress_of(second)
    assert (progress.done, progress.left) == (2, 7)
    assert progress.to_come_usd == COST


@pytest.mark.parametrize("batch", [False, True])
def test_a_worker_lost_between_the_claims_of_an_answer_asks_about_it_once(
    api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch, batch: bool
) -> None:
    project = make_project()
    answers_with_claims(project, 1, 4)
    run = start(claude(project, unit="answer", batch=batch))
    keep = chunks._keep_paid
    left = iter(range(2))

    def keep_two(*given: Any) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt  # as good as a kill: nothing is written from here on
        keep(*given)

    monkeypatch.setattr(chunks, "_keep_paid", keep_two)
    with pytest.raises(KeyboardInterrupt):
        finish(run)
    monkeypatch.setattr(chunks, "_keep_paid", keep)
    assert run.judgements.count() == 2
    sweep(now=timezone.now() + timedelta(hours=1))
    run = finish(run)
    assert run.judgements.count() == 4
    asked = len(api.asked) + sum(map(len, api.batches.values()))
    lost = run.judgements.filter(reason=LOST).count()
    assert asked == 1
    assert lost == (0 if batch else 2), "a batch that was handed in is read again"
    spent = spending_of(run)
    assert spent.known == (COST / 2 if batch else 0)
    assert spent.at_most >= (COST / 2 if batch else COST)
