"""Every way in which a call can end is recorded as what it is, with what it cost, and makes no verdict."""

from decimal import Decimal

import pytest

from judges.prompted.retrying import retry_after
from judges.protocol import AT_MOST, Outcome, Verdict
from tests.judges.claude.factories import KEY, claim, judge, opinion
from tests.judges.fake_messages_api import COST, READ, WRITTEN, FakeMessagesApi


def test_a_good_reply_is_a_verdict_with_its_quotation_found_and_its_cost(api: FakeMessagesApi) -> None:
    one = opinion("well")
    assert (one.outcome, one.verdict, one.quote) == (Outcome.JUDGED, Verdict.STATED, "The refund is paid")
    assert one.cost_usd == COST
    assert one.detail["quote"] == {"state": "verified", "source": 1, "start": 0, "end": 18}
    assert one.detail["tokens"] == {"read": READ, "written": WRITTEN, "cache_written": 0, "cache_read": 0}
    assert one.score is None
    assert api.keys == {KEY}


@pytest.mark.parametrize(
    ("behaviour", "outcome", "says"),
    [
        ("refused", Outcome.REFUSED, "refused"),
        ("truncated", Outcome.TRUNCATED, "limit of tokens"),
        ("no-json", Outcome.UNPARSEABLE, "no JSON"),
        ("wrong-verdict", Outcome.UNPARSEABLE, "'not stated'; expected one of stated"),
        ("null-verdict", Outcome.UNPARSEABLE, "verdict is null; expected text"),
        ("null-content", Outcome.UNPARSEABLE, "without a text"),
    ],
)
def test_a_reply_that_is_no_verdict_costs_what_it_cost(
    api: FakeMessagesApi, behaviour: str, outcome: Outcome, says: str
) -> None:
    one = opinion(behaviour)
    assert (one.outcome, one.verdict, one.cost_usd) == (outcome, None, COST)
    assert says in one.reason
    assert len(api.asked) == 1


@pytest.mark.parametrize(
    ("behaviour", "outcome", "says", "tries", "may_cost"),
    [
        ("silent", Outcome.TIMED_OUT, "No answer within 1.5 seconds", 1, True),
        ("dripping", Outcome.TIMED_OUT, "No answer within 1.5 seconds", 1, True),
        ("cut-off", Outcome.FAILED, "broke off", 1, True),
        ("html", Outcome.UNPARSEABLE, "no JSON", 1, True),
        ("broken-body", Outcome.UNPARSEABLE, "broken JSON", 1, True),
        ("429", Outcome.FAILED, "answered 429: no: [key] Tried 3 times.", 3, False),
        ("529", Outcome.FAILED, "answered 529", 3, False),
        ("500", Outcome.FAILED, "answered 500", 3, False),
        ("400", Outcome.FAILED, "answered 400", 1, False),
        ("401", Outcome.FAILED, "answered 401", 1, False),
        ("404", Outcome.FAILED, "answered 404", 1, False),
        ("too-long", Outcome.TRUNCATED, "prompt is too long", 1, False),
    ],
)
def test_no_reply_is_asked_for_again_only_where_that_cannot_pay_twice(
    api: FakeMessagesApi, behaviour: str, outcome: Outcome, says: str, tries: int, may_cost: bool
) -> None:
    one = opinion(behaviour)
    assert (one.outcome, one.verdict, one.cost_usd) == (outcome, None, Decimal(0))
    assert says in one.reason
    assert len(api.asked) == tries
    assert (AT_MOST in one.detail) == may_cost


@pytest.mark.parametrize("behaviour", ["429-once", "529-once", "500-once"])
def test_one_refusal_of_the_service_is_got_over(api: FakeMessagesApi, behaviour: str) -> None:
    one = opinion(behaviour)
    assert (one.outcome, one.cost_usd, len(api.asked)) == (Outcome.JUDGED, COST, 2)


def test_a_wait_of_a_day_is_cut_to_the_longest_wait(api: FakeMessagesApi) -> None:
    one = opinion("429-forever")
    assert one.outcome is Outcome.JUDGED
    assert 0.09 < api.begun[1] - api.begun[0] < 5


def test_a_refused_key_ends_the_asking_and_every_claim_says_why(api: FakeMessagesApi) -> None:
    claims = [claim(number, f"Claim {number}. behave:401") for number in range(50)]
    opinions = list(judge().judge(claims))
    assert {one.outcome for one in opinions} == {Outcome.FAILED}
    assert all("401" in one.reason for one in opinions)
    assert len(api.asked) == 1


def test_a_reply_without_usage_has_a_verdict_and_an_upper_bound_of_its_cost(api: FakeMessagesApi) -> None:
    one = opinion("no-usage")
    assert (one.outcome, one.cost_usd) == (Outcome.JUDGED, Decimal(0))
    assert Decimal(str(one.detail[AT_MOST])) > COST


def test_a_quotation_that_is_not_there_is_recorded_or_by_setting_an_error(api: FakeMessagesApi) -> None:
    kept = opinion("invented-quote")
    assert (kept.verdict, kept.quote) == (Verdict.STATED, "")
    assert kept.detail["quote"] == {"state": "unverified", "text": "nobody wrote this"}
    refused = opinion("invented-quote", unverified_quote="error")
    assert (refused.outcome, refused.verdict, refused.cost_usd) == (Outcome.FAILED, None, COST)


def test_what_does_not_fit_is_not_sent_and_not_cut(api: FakeMessagesApi) -> None:
    (one,) = judge(longest_input=3_000).judge([claim(1, source="word " * 1_000)])
    assert one.outcome is Outcome.TRUNCATED
    assert "longest_input allows 3,000" in one.reason
    assert api.asked == []


def test_a_claim_that_cites_no_text_is_absent_without_a_call(api: FakeMessagesApi) -> None:
    (one,) = judge().judge([claim(1, source=" ")])
    assert (one.verdict, one.cost_usd) == (Verdict.ABSENT, Decimal(0))
    assert api.asked == []


def test_no_connection_at_all_is_tried_again_and_costs_nothing(
    api: FakeMessagesApi, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    one = opinion("well")
    assert one.outcome is Outcome.FAILED
    assert one.reason == "No connection to the service (ConnectError). Tried 3 times."
    assert AT_MOST not in one.detail


@pytest.mark.parametrize(("header", "seconds"), [(None, None), ("7", 7.0), ("soon", None), ("-1", None), ("inf", None)])
def test_retry_after_is_read_with_suspicion(header: str | None, seconds: float | None) -> None:
    assert retry_after(header) == seconds
