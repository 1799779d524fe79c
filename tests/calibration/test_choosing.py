from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.choosing import (
    threshold_at_least_cost,
    threshold_at_recall,
    threshold_with_promise,
)
from calibration.intervals import effective_number
from calibration.learn_then_test import binomial_p, effective_binomial_p
from calibration.sentences import choice_sentence
from calibration.simulation import threshold_misses
from calibration.thresholds import ThresholdChoice, threshold_at_max_kappa, threshold_curve, verdicts_at
from calibration.verdicts import unsupported

ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(-1, 3), st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9, float("nan")])),
    min_size=1,
    max_size=60,
)
TARGETS = st.sampled_from([0.5, 0.8, 0.9])


def caught(gold: Any, score: Any, threshold: float) -> float:
    bad = unsupported(gold)
    return float(unsupported(verdicts_at(score, threshold))[bad].mean())


@given(ROWS, TARGETS)
def test_the_threshold_reaches_the_target_and_the_one_before_does_not(
    rows: list[tuple[int, int, float]], target: float
) -> None:
    _, gold, score = map(np.array, zip(*rows, strict=True))
    curve = threshold_curve(gold, score)
    choice = threshold_at_recall(curve, target=target)
    if choice.threshold is None:
        assert choice.reason
        return
    assert choice.value is not None
    assert choice.value == pytest.approx(caught(gold, score, choice.threshold))
    assert choice.value >= target - 1e-12
    for lower in curve.thresholds[curve.thresholds < choice.threshold]:
        assert caught(gold, score, lower) < target


@given(ROWS, TARGETS)
def test_a_promise_is_kept_by_the_exact_bound_and_costs_flags(
    rows: list[tuple[int, int, float]], target: float
) -> None:
    answer, gold, score = map(np.array, zip(*rows, strict=True))
    reached = threshold_at_recall(threshold_curve(gold, score), target=target)
    made = threshold_with_promise(answer, gold, score, target=target, level=0.8)
    if made.threshold is None:
        assert made.reason
        return
    assert reached.threshold is not None
    assert made.threshold >= reached.threshold
    assert made.low is not None
    assert made.value is not None
    assert made.effective is not None
    assert target - 1e-9 <= made.low <= made.value
    assert made.effective <= made.n


@given(ROWS, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_neither_the_order_of_claims_nor_the_names_of_answers_matter(
    rows: list[tuple[int, int, float]], random: Any
) -> None:
    shuffled = [(answer + 100, gold, score) for answer, gold, score in rows]
    random.shuffle(shuffled)
    one, two = (
        threshold_with_promise(*map(np.array, zip(*order, strict=True)), target=0.5, level=0.6)
        for order in (rows, shuffled)
    )
    assert one == two


@pytest.mark.parametrize(("target", "needed"), [(0.8, 14), (0.9, 29), (0.95, 59)])
def test_the_number_of_claims_that_a_promise_takes_is_the_published_one(target: float, needed: int) -> None:
    for n in (needed - 1, needed):
        gold, score = [2] * n + [0] * 10, [0.2] * n + [0.7] * 10
        made = threshold_with_promise(np.arange(n + 10), gold, score, target=target)
        assert (made.threshold is None) is (n < needed)
    few = threshold_with_promise([1], [2], [0.1], target=target)
    assert (few.missing, few.effective) == (needed - 1, 1.0)
    none = threshold_with_promise([1], [0], [0.1], target=target)
    assert (none.missing, none.reason) == (needed, "no unsupported claims")


def test_claims_of_the_same_answers_count_as_their_answers_do() -> None:
    gold, score = np.full(140, 2), np.full(140, 0.2)
    together = threshold_with_promise(np.arange(140) // 5, gold, score, target=0.9)
    assert together.effective == pytest.approx(28)
    assert (together.threshold, together.missing) == (None, 1)
    assert threshold_with_promise(np.arange(140), gold, score, target=0.9).threshold is not None


def test_claims_that_no_threshold_catches_are_misses_of_every_promise() -> None:
    score = np.array([0.2] * 30 + [np.nan] * 5)
    made = threshold_with_promise(np.arange(35), np.full(35, 2), score, target=0.9)
    assert made.threshold is None
    assert made.reason == "5 of 35 unsupported claims have no score, which no threshold catches"
    assert made.missing is not None
    enough = np.append(score, np.full(made.missing, 0.2))
    for n, allowed in ((len(enough), True), (len(enough) - 1, False)):
        again = threshold_with_promise(np.arange(n), np.full(n, 2), enough[:n], target=0.9)
        assert (again.threshold is not None) is allowed


def test_claims_outside_the_run_do_not_count() -> None:
    verdict = np.array([2] * 29 + [-1] * 5)
    made = threshold_with_promise(
        np.zeros(34, dtype=int), np.full(34, 2), np.full(34, 0.1), target=0.9, verdict=verdict
    )
    assert (made.n, made.effective) == (29, 1.0)


@given(st.integers(1, 200), st.data())
def test_the_p_value_of_an_effective_number_is_the_exact_one_at_whole_numbers(n: int, data: Any) -> None:
    lost = data.draw(st.integers(0, n))
    assert effective_binomial_p(lost, n=n, limit=0.1) == pytest.approx(binomial_p(lost / n, n=n, limit=0.1), abs=1e-12)


@given(st.lists(st.integers(0, 20), max_size=20))
def test_an_effective_number_lies_between_one_and_the_number_of_clusters(sizes: list[int]) -> None:
    made, filled = effective_number(sizes), sum(size > 0 for size in sizes)
    assert min(filled, 1) - 1e-9 <= made <= filled + 1e-9


def test_least_cost_is_the_least_of_a_plain_loop_and_ties_flag_least() -> None:
    random = np.random.default_rng(3)
    gold, score = random.integers(0, 4, 200), random.random(200).round(2)
    bad = gold > 0
    for miss, false_flag in ((1.0, 1.0), (10.0, 1.0), (1.0, 5.0)):
        costs = {
            t: miss * (bad & (score >= t)).sum() + false_flag * (~bad & (score < t)).sum()
            for t in [*np.unique(score), 1.01]
        }
        best = min(costs.values())
        made = threshold_at_least_cost(threshold_curve(gold, score), miss=miss, false_flag=false_flag)
        assert made.value == pytest.approx(best / 200)
        assert made.threshold is not None
        least = min(t for t, cost in costs.items() if cost == best)
        assert (score < made.threshold).tolist() == (score < least).tolist()


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_a_cost_that_is_none_is_refused(price: float) -> None:
    with pytest.raises(ValueError, match="miss: expected a cost"):
        threshold_at_least_cost(threshold_curve([0, 2], [0.9, 0.1]), miss=price, false_flag=1)


def test_a_target_or_confidence_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="target"):
        threshold_at_recall(threshold_curve([0, 2], [0.9, 0.1]), target=1.0)
    with pytest.raises(ValueError, match="level"):
        threshold_with_promise([1], [2], [0.1], target=0.9, level=1.0)


@pytest.mark.parametrize(("gold", "score", "reason"), [([], [], "no claim has"), ([2], [np.nan], "no claim has")])
def test_no_scores_give_no_threshold_and_a_reason(gold: list[int], score: list[float], reason: str) -> None:
    curve = threshold_curve(gold, score)
    for made in (
        threshold_at_recall(curve, target=0.9),
        threshold_with_promise(range(len(gold)), gold, score, target=0.9),
        threshold_at_least_cost(curve, miss=1, false_flag=1),
    ):
        assert made.threshold is None
        assert made.reason.startswith(reason)


def test_words_promise_what_was_tested_and_nothing_else() -> None:
    gold, score = np.array([2] * 60 + [0] * 40), np.array([0.2] * 60 + [0.70001] * 40)
    curve, answer = threshold_curve(gold, score), np.arange(100) // 2
    said = choice_sentence(threshold_with_promise(answer, gold, score, target=0.9))
    assert said == (
        "With 95% confidence, flagging below 0.7001 catches at least 90% of unsupported claims like these "
        "(60 unsupported claims that count as 30 independent ones)."
    )
    short = choice_sentence(threshold_with_promise(answer, gold, score, target=0.95))
    assert short == (
        "No threshold can be promised to catch 95% with 95% confidence: too few unsupported claims (60 unsupported claims "
        "that count as 30 independent ones). It takes at least 29 more unsupported claims, from answers of their own and "
        "all of them caught."
    )
    assert "about half of such thresholds miss it" in choice_sentence(threshold_at_recall(curve, target=0.9))
    assert "promises nothing" in choice_sentence(threshold_at_max_kappa(curve))
    assert "least expected cost" in choice_sentence(threshold_at_least_cost(curve, miss=1, false_flag=1))
    nothing = ThresholdChoice(None, None, 0, reason="no unsupported claims", way="recall", target=0.9)
    assert choice_sentence(nothing) == "No threshold catches 90% here: no unsupported claims."


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "correlation"), [((4, 6), 0.6), ((1, 12), 0.99)])
def test_a_promise_holds_where_claims_go_together_and_the_others_do_not(
    sizes: tuple[int, int], correlation: float
) -> None:
    made = threshold_misses(runs=200, seed=3, answers=60, sizes=sizes, correlation=correlation)
    assert made["answers"].share <= 0.05
    assert made["claims"].share > 0.07
    assert made["reached"].share > 0.35
