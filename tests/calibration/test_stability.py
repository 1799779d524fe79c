"""A judge's second word beside its first."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from calibration.stability import share_of, stability

FEW = 200
NONE = np.full(40, np.nan)


def random_words(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    first = random.integers(0, 4, n)
    second = np.where(random.random(n) < 0.7, first, random.integers(0, 4, n))
    return random.integers(0, 15, n), first, second


@pytest.mark.parametrize("seed", range(5))
def test_kappa_and_agreement_are_those_of_a_reference_library(seed: int) -> None:
    answer, first, second = random_words(seed)
    said = stability(answer, first, second, first_score=NONE, second_score=NONE, resamples=FEW)
    assert said.kappa_four.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    assert said.kappa_two.value == pytest.approx(cohen_kappa_score(first > 0, second > 0), abs=1e-12)
    assert said.same.clustered.value == pytest.approx((first == second).mean())
    assert said.table.sum() == len(first)
    assert np.trace(said.table) == (first == second).sum()


def test_a_judge_that_says_the_same_agrees_fully_and_the_interval_still_knows_how_few_answers_there_are() -> None:
    answer, first, _ = random_words(1)
    said = stability(answer, first, first, first_score=first / 4, second_score=first / 4, resamples=FEW)
    assert said.same.clustered.value == said.same.independent.value == said.kappa_four.value == 1.0
    assert said.same.clustered.low is not None
    assert said.same.clustered.low < 1.0
    assert said.score_change.value == 0.0


def test_no_opinion_both_times_is_the_same_word_and_no_verdict() -> None:
    said = stability([1, 2, 3], [4, 4, 0], [4, 2, 4], first_score=NONE[:3], second_score=NONE[:3], resamples=FEW)
    assert said.same.clustered.value == pytest.approx(1 / 3)
    assert said.kappa_four.n == 1
    assert said.table[4].tolist() == [0, 0, 1, 0, 1]


def test_score_change_is_the_mean_distance_over_claims_with_both() -> None:
    said = stability(
        [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0],
        first_score=[0.9, 0.5, np.nan, 0.1], second_score=[0.7, 0.5, 0.3, np.nan], resamples=FEW,
    )  # fmt: skip
    assert said.score_change.value == pytest.approx(0.1)
    assert said.score_change.n == 2


def test_nothing_is_no_data_with_a_reason() -> None:
    said = stability([], [], [], first_score=[], second_score=[], resamples=FEW)
    figures = (said.same.clustered, said.same.independent, said.kappa_four, said.kappa_two, said.score_change)
    assert [one.value for one in figures] == [None] * 5
    assert all(one.reason for one in figures)
    assert said.to_json()["table"] == [[0] * 5] * 5


def test_one_class_leaves_kappa_undefined_and_the_share_defined() -> None:
    said = stability([1, 2], [0, 0], [0, 0], first_score=NONE[:2], second_score=NONE[:2], resamples=FEW)
    assert said.kappa_four.value is None
    assert said.same.clustered.value == 1.0


def test_the_order_of_rows_changes_nothing() -> None:
    answer, first, second = random_words(3)
    turned = slice(None, None, -1)
    one = stability(answer, first, second, first_score=NONE, second_score=NONE, resamples=FEW)
    other = stability(answer[turned], first[turned], second[turned], first_score=NONE, second_score=NONE, resamples=FEW)
    assert one.to_json() == other.to_json()


def test_a_share_has_both_intervals_and_claims_of_one_answer_widen_the_one() -> None:
    answer = np.repeat(np.arange(10), 10)
    share = share_of(answer, answer < 3, resamples=1000)
    clustered, independent = share.clustered, share.independent
    assert clustered.value == independent.value == 0.3
    assert clustered.width is not None
    assert independent.width is not None
    assert clustered.width > 2 * independent.width


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        share_of([1, 2], [True])
    with pytest.raises(ValueError, match="length"):
        stability([1], [0], [0], first_score=[0.1, 0.2], second_score=[0.1])
