from decimal import Decimal

import pytest

from judges.checks import JUDGE_TYPES
from judges.lexical import LEXICAL
from judges.protocol import JudgeImplementation, JudgeType, Opinion, Outcome, Verdict, parse_no_config
from tests.judges.checks.factories import claim_input

ALL_TYPES: list[JudgeType[object]] = [*JUDGE_TYPES, LEXICAL]  # type: ignore[list-item]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.JUDGED])
def test_failure_never_carries_a_verdict(outcome: Outcome) -> None:
    with pytest.raises(ValueError, match="if and only if it is judged"):
        Opinion(outcome=outcome, verdict=Verdict.ABSENT)


def test_judged_opinion_has_a_verdict() -> None:
    with pytest.raises(ValueError, match="judged came with no verdict"):
        Opinion(outcome=Outcome.JUDGED)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), float("inf")])
def test_score_outside_its_range_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="expected a number from 0 to 1"):
        Opinion(outcome=Outcome.JUDGED, verdict=Verdict.STATED, score=score)


@pytest.mark.parametrize(("cost", "seconds"), [("-1", 0.0), ("NaN", 0.0), ("0", -1.0), ("0", float("nan"))])
def test_cost_and_time_are_finite_and_not_negative(cost: str, seconds: float) -> None:
    with pytest.raises(ValueError, match="expected a finite"):
        Opinion(outcome=Outcome.NO_OPINION, cost_usd=Decimal(cost), seconds=seconds)


def test_words_of_stored_rows_become_outcome_and_verdict() -> None:
    opinion = Opinion(outcome="judged", verdict="stated", cost_usd=0.1)  # type: ignore[arg-type]
    assert opinion.outcome is Outcome.JUDGED
    assert opinion.verdict is Verdict.STATED
    assert opinion.cost_usd == Decimal("0.1")


def test_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="supported"):
        Opinion(outcome=Outcome.JUDGED, verdict="supported")  # type: ignore[arg-type]


@pytest.mark.parametrize("judge_type", ALL_TYPES, ids=lambda judge_type: judge_type.name)
def test_each_type_builds_from_its_defaults_and_gives_one_opinion_a_claim_in_order(
    judge_type: JudgeType[object],
) -> None:
    judge = judge_type.from_data(judge_type.default_config())
    assert isinstance(judge, JudgeImplementation)
    assert judge.type_name == judge_type.name
    assert judge.limits == judge_type.limits
    claims = [claim_input("Within 30 days.", "Within 14 days."), claim_input("Free."), claim_input("", "")]
    assert len(list(judge.judge(claims))) == len(claims)


@pytest.mark.parametrize("judge_type", ALL_TYPES, ids=lambda judge_type: judge_type.name)
def test_complete_configuration_is_stable(judge_type: JudgeType[object]) -> None:
    complete = judge_type.complete_config({})
    assert judge_type.complete_config(complete) == complete


def test_judge_without_settings_refuses_any_key() -> None:
    with pytest.raises(ValueError, match="unknown key 'x'; expected no keys"):
        parse_no_config({"x": 1})
