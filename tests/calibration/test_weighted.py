from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

from calibration.unsupported import unsupported_score
from calibration.verdicts import unsupported
from calibration.weighted import horvitz_thompson_total, weighted_score, weights_of
from tests.calibration.factories import Floats, Ints, noisy

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.1, 0.25, 1.0])), min_size=3, max_size=40
)


@given(ROWS)
@settings(max_examples=30, deadline=None)
def test_figures_equal_scikit_learn_with_sample_weights(rows: list[tuple[int, int, float]]) -> None:
    gold, said, chance = map(np.array, zip(*rows, strict=True))
    made = weighted_score(np.arange(len(rows)), gold, said, chance, resamples=10)
    bad, flagged, weight = unsupported(gold), unsupported(said), 1 / chance
    assert made.share_unsupported.value == pytest.approx(np.average(bad, weights=weight))
    if bad.any():
        assert made.recall.value == pytest.approx(recall_score(bad, flagged, sample_weight=weight))
    if flagged.any():
        assert made.precision.value == pytest.approx(precision_score(bad, flagged, sample_weight=weight))
    for figure, one, two in ((made.kappa_four, gold, said), (made.kappa_two, bad, flagged)):
        if figure.value is not None:
            assert figure.value == pytest.approx(cohen_kappa_score(one, two, sample_weight=weight))


def test_claims_that_were_all_as_likely_have_the_figures_that_they_have_unweighted() -> None:
    random = np.random.default_rng(2)
    gold = random.integers(0, 4, 200)
    said, answer = noisy(random, gold, right=0.7), np.arange(200) // 3
    made = weighted_score(answer, gold, said, np.full(200, 0.25), resamples=200)
    plain = unsupported_score(answer, gold, said, resamples=200)
    assert made.effective == pytest.approx(200)
    for one, two in ((made.recall, plain.recall), (made.precision, plain.precision)):
        assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))


def test_a_few_heavy_claims_widen_the_interval_and_count_as_few() -> None:
    random = np.random.default_rng(2)
    gold = random.integers(0, 4, 400)
    said, answer = noisy(random, gold, right=0.7), np.arange(400)
    even = weighted_score(answer, gold, said, np.full(400, 0.5), resamples=200)
    uneven = weighted_score(answer, gold, said, np.where(answer % 20 == 0, 0.02, 1.0), resamples=200)
    assert uneven.effective < 60 < even.effective
    assert (uneven.recall.width or 0) > 1.5 * (even.recall.width or 1)


def test_a_recall_without_a_miss_takes_its_interval_from_as_many_answers_as_its_weights_count() -> None:
    chance = np.array([0.01] + [1.0] * 29)
    made = weighted_score(np.arange(30), np.full(30, 2), np.full(30, 2), chance, resamples=20)
    assert made.recall.method == "Wilson over 1 answers"


def test_without_a_claim_there_is_no_figure() -> None:
    made = weighted_score([1], [-1], [2], [0.5])
    assert (made.n, made.effective, made.recall.value, made.kappa_two.reason) == (0, 0.0, None, "no pairs")
    assert horvitz_thompson_total([], [], []).reason == "no items"


@pytest.mark.parametrize("chance", [0.0, -0.1, 1.5, float("nan")])
def test_a_claim_whose_probability_is_not_known_is_refused(chance: float) -> None:
    with pytest.raises(ValueError, match="chance: expected numbers above 0"):
        weights_of([0.5, chance])


def test_a_total_counts_each_item_for_those_like_it() -> None:
    figure = horvitz_thompson_total(np.arange(40), [1, 0] * 20, np.full(40, 0.1), resamples=200)
    assert figure.value == pytest.approx(200)
    assert figure.low is not None
    assert figure.low < 200


def targeted(random: np.random.Generator) -> tuple[Ints, Ints, Ints, Floats]:
    """Return claims of 600 answers of which the judge's doubtful ones were picked far more often."""
    answer = np.repeat(np.arange(600), 4)
    gold = np.where(random.random(2_400) < random.beta(2, 6, 600)[answer], 2, 0)
    said = np.where(random.random(2_400) < 0.85, gold, 2 - gold)
    chance = np.where(said == 2, 0.6, 0.1)
    picked = random.random(2_400) < chance
    return answer[picked], gold[picked], said[picked], chance[picked]


@pytest.mark.slow
def test_intervals_cover_the_truth_although_flagged_claims_were_picked_more_often() -> None:
    random, runs = np.random.default_rng(3), 150
    rate, recall, naive = 0, 0, 0
    for run in range(runs):
        answer, gold, said, chance = targeted(random)
        made = weighted_score(answer, gold, said, chance, resamples=200, seed=run)
        for figure in (made.share_unsupported, made.recall):
            assert figure.low is not None
            assert figure.high is not None
        rate += (made.share_unsupported.low or 0) <= 0.25 <= (made.share_unsupported.high or 0)
        recall += (made.recall.low or 0) <= 0.85 <= (made.recall.high or 0)
        plain = unsupported_score(answer, gold, said, resamples=100, seed=run).recall
        naive += (plain.low or 0) <= 0.85 <= (plain.high or 0)
    assert 0.90 <= rate / runs <= 0.99
    assert 0.90 <= recall / runs <= 0.99
    assert naive / runs < 0.1
