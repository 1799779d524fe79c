from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import samplesize_confint_proportion

from calibration.intervals import clopper_pearson_lower, wilson
from calibration.planning import claims_for_promise, labels_for_share, more_for_figure, more_for_share
from calibration.results import Figure
from calibration.sentences import more_labels_sentence, promise_need_sentence
from calibration.unsupported import unsupported_score


def halves(share: float, items: int) -> list[float]:
    """Half of the width at the counts below and above a share of so many items."""
    below = math.floor(share * items)
    return [(wilson(min(count, items), items).width or 0.0) / 2 for count in (below, below + 1)]


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.02, 0.05, 0.1]))
def test_so_many_more_are_enough_and_one_fewer_is_not(k: int, other: int, half: float) -> None:
    n = k + other
    if n == 0:
        return
    plan = more_for_share(wilson(k, n), half_width=half)
    assert plan.more is not None
    assert plan.items == n + plan.more
    if plan.more:
        # A share falls between two counts: with so many items one of them is narrow enough, with one fewer not both.
        assert min(halves(k / n, plan.items)) <= half
        assert max(halves(k / n, plan.items - 1)) > half
        assert (plan.now or 0) > half
    else:
        assert (plan.now or 1) <= half


@pytest.mark.parametrize(("share", "half"), [(0.5, 0.05), (0.2, 0.03), (0.9, 0.02)])
def test_from_nothing_the_number_is_that_of_statsmodels(share: float, half: float) -> None:
    assert labels_for_share(half, share=share) == int(np.ceil(samplesize_confint_proportion(share, half)))
    assert labels_for_share(half, share=share, design_effect=2) == pytest.approx(
        2 * samplesize_confint_proportion(share, half), abs=1
    )


def recall_of(seed: int, answers: int) -> tuple[Figure, float]:
    """Return recall on unsupported claims, a third of all, that go together in answers of six; and their share."""
    random = np.random.default_rng(seed)
    answer = np.repeat(np.arange(answers), 6)
    gold = np.where(random.random(len(answer)) < 1 / 3, 2, 0)
    caught = random.random(len(answer)) < random.beta(1.6, 0.7, answers)[answer]
    score = unsupported_score(answer, gold, np.where((gold == 2) & caught, 2, 0), resamples=500)
    return score.recall, float((gold == 2).mean())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_claims_that_a_recall_takes_give_about_the_width_that_was_wanted(seed: int) -> None:
    figure, share = recall_of(seed, 200)
    plan = more_for_share(figure, half_width=0.025, per_claim=share)
    assert plan.more is not None
    assert plan.design_effect > 1.1
    then, _ = recall_of(seed + 10, 200 + round(plan.more / 6))
    assert (then.width or 0) / 2 == pytest.approx(0.025, rel=0.2)


def test_a_kappa_half_as_wide_takes_four_times_as_many() -> None:
    plan = more_for_figure(Figure(0.6, 0.5, 0.7, n=200), half_width=0.05)
    assert (plan.more, plan.items) == (600, 800)
    assert more_for_figure(Figure(0.6, 0.5, 0.7, n=200), half_width=0.1).more == 0


def test_without_an_interval_there_is_no_number_and_a_reason() -> None:
    nothing = Figure.undefined("no unsupported claims")
    for plan in (more_for_share(nothing, half_width=0.05), more_for_figure(nothing, half_width=0.05)):
        assert (plan.more, plan.reason) == (None, "no unsupported claims")
    assert more_for_figure(Figure(0.5, 0.0, 1.0, n=500), half_width=0.0001).reason == "more than 10,000,000 claims"


@pytest.mark.parametrize("given_", [{"half_width": 0.0}, {"half_width": 1.0}, {"half_width": 0.1, "per_claim": 0.0}])
def test_a_width_or_a_share_that_is_none_is_refused(given_: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected a number"):
        more_for_share(wilson(1, 2), **given_)


def test_words_say_how_many_random_claims_for_what_width() -> None:
    plan = more_for_share(wilson(80, 100), half_width=0.05, per_claim=0.3)
    assert (
        more_labels_sentence(plan, figure="recall") == f"Label {plan.more} more random claims for ±5 points on recall."
    )
    near = more_for_figure(Figure(0.6, 0.55, 0.65, n=500), half_width=0.05)
    assert more_labels_sentence(near, figure="kappa", points=False) == "The interval of kappa is within ±0.05 already."
    none = more_for_share(Figure.undefined("no claims"), half_width=0.05)
    assert more_labels_sentence(none, figure="recall") == (
        "How many more claims ±5 points on recall takes cannot be told: no claims."
    )


def test_from_too_few_items_nothing_is_reckoned_and_the_reason_says_how_many_it_takes() -> None:
    for plan in (
        more_for_share(wilson(3, 4), half_width=0.05, fewest=10),
        more_for_figure(Figure(0.5, 0.1, 0.9, n=4), half_width=0.05, fewest=10),
    ):
        assert plan.more is None
        assert plan.reason == "it rests on 4, and less than 10 is too little to reckon from"


@pytest.mark.parametrize(
    ("per_answer", "short", "more"),
    [([1] * 12, 17, 68), ([1] * 29, 0, 0), ([3] * 12, 17, 68), ([], 29, None), ([30], 28, 112)],
)
def test_a_promise_takes_29_unsupported_claims_from_answers_of_their_own(
    per_answer: list[int], short: int, more: int | None
) -> None:
    need = claims_for_promise(per_answer, target=0.9, per_claim=0.25 if per_answer else None)
    assert (need.needed, need.short, need.more) == (29, short, more)


@pytest.mark.parametrize("n", [29, 45, 46, 61, 100])
def test_as_many_misses_are_allowed_as_still_promise_and_not_one_more(n: int) -> None:
    misses = claims_for_promise([1] * n, target=0.9, per_claim=0.5).misses
    assert clopper_pearson_lower(n - misses, n).low >= 0.9 - 1e-9  # type: ignore[operator]
    assert clopper_pearson_lower(n - misses - 1, n).low < 0.9  # type: ignore[operator]


def test_words_say_what_a_promise_lacks_and_why_claims_of_one_answer_count_less() -> None:
    said = promise_need_sentence(claims_for_promise([6, 6], target=0.9, per_claim=0.5))
    assert "you have 12 that count as 2, since some are from the same answer. Label about 54 more" in said
    said = promise_need_sentence(claims_for_promise([], target=0.9, per_claim=None))
    assert said == "No unsupported claim is labelled yet: to promise a recall of 90% takes 29 without a miss."
