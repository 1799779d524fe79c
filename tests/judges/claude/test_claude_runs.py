"""Whole runs of the Claude judge: exact counts, exact cost, nothing asked twice, a budget that is not passed."""

import itertools
import logging
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.serializers import serialize
from django.test import Client
from pytest_django.fixtures import Settings

from judges.models import Chunk, Intent, Judgement, JudgeVersion, Run
from judges.prompted.judge import PromptedJudge
from judges.protocol import AT_MOST, ClaimInput, Opinion, Purse
from judges.services import chunks
from judges.services.forecasts import forecast_run
from judges.services.paying import spending_of
from judges.services.progress import progress_of
from judges.services.runs import RunRefusedError, resume_run, retry_failures, start_run, stop_run
from judges.services.selection import Selection
from judges.services.versions import build, create_version
from labelling.guide.cases import CASES
from labelling.models import Claim, Project, Role
from tests.factories import make_claim, make_member, make_project, make_source
from tests.judges.claude.factories import KEY, SOURCE
from tests.judges.factories import finish, make_version, start
from tests.judges.fake_messages_api import COST, FakeMessagesApi, statement_of

pytestmark = pytest.mark.django_db

ENDINGS = {
    "refused": "refused",
    "truncated": "truncated",
    "no-json": "unparseable",
    "null-content": "unparseable",
    "silent": "timed-out",
    "529": "failed",
    "429-once": "judged",
    "broken-body": "unparseable",
    "well": "judged",
    "cut-off": "failed",
}
CASE = next(case.key for case in CASES if case.switchable)
CHARGED = {"refused", "truncated", "no-json", "null-content", "429-once", "well"}
UNKNOWN = {"silent", "broken-body", "cut-off"}


def claims_that_behave(project: Project, number: int, behaviours: Sequence[str] = ("well",)) -> list[Claim]:
    source = make_source(project, text=SOURCE)
    names = itertools.cycle(behaviours)
    return [
        make_claim(project, source=source, text=f"Claim {place} is about refunds. behave:{next(names)}")
        for place in range(number)
    ]


def claude(project: Project, **config: object) -> JudgeVersion:
    return make_version(project, "claude", config=config)


def counts(run: Run) -> dict[str, int]:
    return {one.outcome: one.count for one in progress_of(run).outcomes}


@pytest.mark.parametrize("number", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_tenth_of_each_misbehaviour_is_counted_exactly_and_paid_exactly(api: FakeMessagesApi, number: int) -> None:
    project = make_project()
    claims_that_behave(project, number, list(ENDINGS))
    tenth = number // 10
    run = finish(start(claude(project)))
    expected: dict[str, int] = {}
    for outcome in ENDINGS.values():
        expected[outcome] = expected.get(outcome, 0) + tenth
    assert counts(run) == expected
    assert run.state == Run.State.FINISHED
    assert not run.judgements.exclude(outcome="judged").exclude(verdict="").exists()
    spent = spending_of(run)
    assert spent.known == len(CHARGED) * tenth * COST == progress_of(run).cost_usd
    unknown = [Decimal(one.detail[AT_MOST]) for one in run.judgements.filter(detail__has_key=AT_MOST)]
    assert len(unknown) == len(UNKNOWN) * tenth
    assert spent.at_most == spent.known + sum(unknown)
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()
    # Asked once each, but for those that were turned away: these cost nothing.
    assert len(api.asked) == 8 * tenth + 3 * tenth + 2 * tenth


def test_a_second_run_of_the_version_asks_nothing(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 40)
    version = claude(project)
    finish(start(version))
    second = finish(start(version))
    assert len(api.asked) == 40
    assert (progress_of(second).cached, progress_of(second).cost_usd) == (40, Decimal(0))


def test_as_many_calls_go_on_at_once_as_the_settings_allow(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 65)
    api.seconds = 1.0
    finish(start(claude(project)))
    # What that is worth in time is measured by bench/claude.py.
    assert api.most_at_once == 32


def test_calls_at_once_and_calls_a_minute_are_kept(api: FakeMessagesApi, settings: Settings) -> None:
    settings.JUDGE_CALLS_AT_ONCE = 3
    settings.JUDGE_CALLS_PER_MINUTE = 3000
    project = make_project()
    claims_that_behave(project, 12)
    finish(start(claude(project)))
    assert api.most_at_once <= 3
    assert api.begun[-1] - api.begun[0] > 10 * 0.02


def test_what_a_lost_worker_asked_is_not_asked_again(api: FakeMessagesApi) -> None:
    project = make_project()
    claims = claims_that_behave(project, 5)
    run = start(claude(project))
    Intent.objects.create(run=run, claim=claims[1], counted_usd=Decimal("0.07"))
    run = finish(run)
    assert counts(run) == {"judged": 4, "failed": 1}
    lost = run.judgements.get(claim=claims[1])
    assert lost.reason.startswith("A worker was lost")
    assert len(api.asked) == 4
    assert spending_of(run).at_most == 4 * COST + Decimal("0.07")
    assert retry_failures(run) == 1
    assert counts(finish(run)) == {"judged": 5}
    assert len(api.asked) == 5


def test_an_intent_stands_in_the_database_before_the_call_arrives(
    api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project()
    claims_that_behave(project, 3)
    run = start(claude(project))
    seen: list[tuple[str, int]] = []
    original = chunks._keep_paid

    def look(lease: chunks.Lease, claim: ClaimInput, opinion: Opinion | None, purse: object) -> None:
        state = Intent.objects.get(run=run, claim=claim.claim_id).state
        seen.append((state, Judgement.objects.filter(claim=claim.claim_id).count()))
        original(lease, claim, opinion, purse)  # type: ignore[arg-type]

    monkeypatch.setattr(chunks, "_keep_paid", look)
    finish(run)
    assert seen == [("asked", 0)] * 3
    assert set(Intent.objects.values_list("state", "counted_usd")) == {("settled", COST)}


def test_a_budget_stops_the_run_before_it_is_passed_and_a_larger_one_lets_it_go_on(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 30)
    version = claude(project)
    ready = build(version).implementation
    assert isinstance(ready, PromptedJudge)
    # Room for five calls and the reservation of a sixth, not for its like once more.
    call = Decimal("0.2")
    budget = 5 * COST + call
    run = start_run(version=version, selection=Selection(), by=None, budget_usd=budget)
    run = finish(run)
    assert (run.state, run.over_budget) == (Run.State.STOPPED, True)
    done = run.judgements.count()
    assert 5 <= done < 30
    assert len(api.asked) == done
    assert spending_of(run).at_most == done * COST <= budget
    assert not run.chunks.exclude(state=Chunk.State.OPEN).exists()
    assert resume_run(run, budget_usd=Decimal(10)) is True
    run = finish(run)
    assert (run.state, run.over_budget, len(api.asked)) == (Run.State.FINISHED, False, 30)


def test_a_budget_counts_calls_whose_answer_never_came_at_the_most_they_can_cost(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 40, ["silent"])
    run = finish(
        start_run(version=claude(project), selection=Selection(), by=None, budget_usd=Decimal("0.5")),
    )
    spent = spending_of(run)
    assert (run.state, run.over_budget) == (Run.State.STOPPED, True)
    assert spent.known == 0
    assert 0 < spent.at_most <= Decimal("0.5")
    assert len(api.asked) == run.judgements.count() < 40


def test_a_budget_without_a_price_is_refused(api: FakeMessagesApi, settings: Settings) -> None:
    project = make_project()
    claims_that_behave(project, 1)
    version = claude(project, model="claude-nobody-1")
    with pytest.raises(RunRefusedError, match="The price of claude-nobody-1 is not known"):
        start_run(version=version, selection=Selection(), by=None, budget_usd=Decimal(1))
    settings.JUDGE_PRICES = {"claude-nobody-1": {"read": 1, "written": 2}}
    run = finish(start_run(version=version, selection=Selection(), by=None, budget_usd=Decimal(1)))
    assert progress_of(run).cost_usd == Decimal("0.0011")


def test_a_stopped_run_keeps_what_was_being_asked(api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    claims_that_behave(project, 100)
    api.seconds = 0.05
    run = start(claude(project))
    original = PromptedJudge.ask

    def stop_after_ten(
        self: PromptedJudge, claims: Sequence[ClaimInput], purse: Purse
    ) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        for place, pair in enumerate(original(self, claims, purse)):
            yield pair
            if place == 9:
                stop_run(run)

    monkeypatch.setattr(PromptedJudge, "ask", stop_after_ten)
    finish(run)
    assert run.state == Run.State.STOPPED
    assert 10 <= run.judgements.count() < 100
    assert run.judgements.count() == len(api.asked)
    assert not Intent.objects.filter(state=Intent.State.ASKED).exists()
    monkeypatch.undo()
    api.seconds = 0


def test_the_version_holds_the_policy_in_the_words_of_the_guide(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 1)
    first = claude(project)
    assert "Policy, strict" in first.config["wording"]
    finish(start(first))
    assert first.config["wording"] in api.asked[0]["system"][0]["text"]
    assert create_version(judge=first.judge, config={}, policy="strict", by=None) == first
    project.guide_versions.create(number=99, text="Otherwise.", policy="strict", cases={CASE: "contradicted"})
    second = create_version(judge=first.judge, config={}, policy="strict", by=None)
    assert second != first
    assert second.config["wording"] != first.config["wording"]


def test_the_key_is_nowhere_but_in_the_request(
    api: FakeMessagesApi, caplog: pytest.LogCaptureFixture, settings: Settings, client: Client
) -> None:
    caplog.set_level(logging.DEBUG)
    project = make_project()
    claims_that_behave(project, 8, ["well", "429", "500", "400"])
    run = finish(start(claude(project)))
    assert api.keys == {KEY}
    assert "[key]" in " ".join(run.judgements.values_list("reason", flat=True))
    rows = [*Judgement.objects.all(), *JudgeVersion.objects.all(), *Run.objects.all(), *Intent.objects.all()]
    assert KEY not in serialize("json", rows)
    assert KEY not in caplog.text
    assert KEY not in repr({name: getattr(settings, name) for name in dir(settings)})
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    here, version = f"/p/{project.slug}", "judges/claude/v1"
    for page in ("judges/", "new-judge/claude/", "judges/claude/new-version/", f"{version}/", f"{version}/prompt/",
                 f"{version}/dry-run/", f"{version}/forecast/", "judges/claude/versions/", "runs/", f"runs/{run.pk}/",
                 f"runs/{run.pk}/judgements/"):  # fmt: skip
        answer = client.get(f"{here}/{page}")
        assert answer.status_code == 200, page
        assert KEY not in answer.content.decode(), page


def test_without_a_key_a_run_does_not_start_and_says_why(api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    project = make_project()
    claims_that_behave(project, 1)
    with pytest.raises(RunRefusedError, match="ANTHROPIC_API_KEY is not set"):
        start(claude(project))


def test_without_the_sdk_a_run_does_not_start_and_says_what_is_missing(
    api: FakeMessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.claude.client.extra_installed", lambda: False)
    project = make_project()
    claims_that_behave(project, 1)
    with pytest.raises(
        RunRefusedError, match=r'the extra "claude" is not installed: pip install "touchstone\[claude\]"'
    ):
        start(claude(project))


def test_the_claims_of_an_answer_come_to_one_question_about_all_that_it_cites(api: FakeMessagesApi) -> None:
    project = make_project()
    source, other = make_source(project, text=SOURCE), make_source(project, text="Another source.")
    first = make_claim(project, source=source)
    second = make_claim(project, source=other, answer=first.answer)
    run = finish(start(claude(project, unit="answer")))
    (body,) = api.asked
    assert statement_of(body) == first.answer.text
    sources = body["messages"][0]["content"][0]["text"]
    assert re.findall(r"<<<source (\d)", sources) == ["1", "2"]
    assert SOURCE in sources
    assert "Another source." in sources
    assert set(run.judgements.values_list("claim", "outcome")) == {(first.pk, "judged"), (second.pk, "judged")}
    assert progress_of(run).cost_usd == COST
    other.text = "It has changed."
    other.save()
    finish(start(claude(project, unit="answer")))
    assert len(api.asked) == 2


def test_a_forecast_is_about_right_and_its_upper_bound_holds(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 12)
    version = claude(project)
    before = forecast_run(version=version, selection=Selection())
    assert (before.claims, before.asked_before, before.sampled) == (12, 0, 12)
    assert "$5 a million tokens read, $25 written" in before.note
    assert before.about is not None
    assert before.at_most is not None
    assert before.about < before.at_most
    run = finish(start(version))
    assert progress_of(run).cost_usd <= before.at_most
    after = forecast_run(version=version, selection=Selection())
    assert (after.asked_before, after.about, after.at_most) == (12, Decimal(0), Decimal(0))


def test_a_forecast_without_a_price_says_so(api: FakeMessagesApi) -> None:
    project = make_project()
    claims_that_behave(project, 1)
    found = forecast_run(version=claude(project, model="claude-nobody-1"), selection=Selection())
    assert (found.about, found.at_most) == (None, None)
    assert "not known" in found.note


def test_the_command_forecasts_keeps_a_budget_and_says_where_it_stopped(
    api: FakeMessagesApi, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project()
    claims_that_behave(project, 5)
    call_command("run_judge", project.slug, "claude", "--type", "claude", "--forecast")
    assert "5 claims. $5 a million" in capsys.readouterr().out
    assert api.asked == []
    with pytest.raises(CommandError, match=r"stopped at 0 claims: a further call could pass its budget of \$0\.0100"):
        call_command("run_judge", project.slug, "claude", "--here", "--budget", "0.01")
    assert api.asked == []
    with pytest.raises(CommandError, match="'much' is no amount"):
        call_command("run_judge", project.slug, "claude", "--here", "--budget", "much")
