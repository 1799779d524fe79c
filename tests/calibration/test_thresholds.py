from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

from calibration.agreement import confusion
from calibration.threshold_score import score_at_threshold
from calibration.thresholds import (
    people_points,
    threshold_at_max_kappa,
    threshold_curve,
    verdicts_at,
)
from calibration.unsupported import unsupported_score
from calibration.verdicts import unsupported
from tests.calibration.factories import noisy

CLAIM = st.tuples(
    st.integers(-1, 3), st.sampled_from([0.0, 0.1, 0.1 + 1e-12, 0.5, 0.9, float("nan")]), st.integers(-1, 4)
)
CLAIMS = st.lists(CLAIM, min_size=1, max_size=40)


def columns(rows: list[tuple[int, float, int]]) -> tuple[Any, Any, Any]:
    gold, score, verdict = zip(*rows, strict=True)
    return np.array(gold), np.array(score), np.array(verdict)


@given(CLAIMS, st.booleans())
def test_every_point_of_the_curve_equals_the_verdicts_at_its_threshold(
    rows: list[tuple[int, float, int]], partial: bool
) -> None:
    gold, score, verdict = columns(rows)
    curve = threshold_curve(gold, score, verdict=verdict, partial_is_unsupported=partial)
    for threshold, table in zip(curve.thresholds, curve.tables, strict=True):
        said = verdicts_at(score, threshold, verdict=verdict, partial_is_unsupported=partial)
        assert np.array_equal(table, confusion(gold, said).counts)


@given(CLAIMS)
def test_the_curve_runs_from_flagging_nothing_to_flagging_every_score(rows: list[tuple[int, float, int]]) -> None:
    gold, score, verdict = columns(rows)
    curve = threshold_curve(gold, score, verdict=verdict)
    kept = (gold >= 0) & (verdict >= 0)
    distinct = np.unique(score[kept & ~np.isnan(score)])
    if len(distinct) == 0:
        assert len(curve) == 0
        assert curve.reason
        return
    assert curve.thresholds[:-1].tolist() == distinct.tolist()
    share = curve.columns()["share_flagged"]
    assert share[0] == 0.0
    assert share[-1] == pytest.approx((kept & ~np.isnan(score)).sum() / kept.sum())
    recall = [value for value in curve.columns()["recall"] if value is not None]
    assert recall == sorted(recall)


def test_the_curve_equals_scikit_learn() -> None:
    random = np.random.default_rng(4)
    gold = random.choice(4, 300)
    score = np.clip(random.normal(0.7 - 0.3 * (gold > 0), 0.2), 0, 1).round(2)
    curve = threshold_curve(gold, score)
    made, bad = curve.columns(), unsupported(gold)
    for index in range(1, len(curve), 7):
        flagged = score < curve.thresholds[index]
        assert made["recall"][index] == pytest.approx(recall_score(bad, flagged))
        assert made["precision"][index] == pytest.approx(precision_score(bad, flagged))
        assert made["specificity"][index] == pytest.approx(recall_score(~bad, ~flagged))
        assert made["kappa_two"][index] == pytest.approx(cohen_kappa_score(bad, flagged))
        assert made["kappa_four"][index] == pytest.approx(cohen_kappa_score(gold, np.where(flagged, 2, 0)))


def test_a_claim_at_the_threshold_is_not_flagged() -> None:
    assert verdicts_at([0.5, np.nextafter(0.5, 0)], 0.5).tolist() == [0, 2]


def test_a_flagged_claim_keeps_an_unsupported_verdict_of_the_judge() -> None:
    score, verdict = [0.1] * 6, [0, 1, 2, 3, 4, -1]
    assert verdicts_at(score, 0.5, verdict=verdict).tolist() == [2, 1, 2, 3, 2, -1]
    lenient = verdicts_at(score, 0.5, verdict=verdict, partial_is_unsupported=False)
    assert lenient.tolist() == [2, 2, 2, 3, 2, -1]


def test_between_two_points_the_curve_is_read_at_the_next_one() -> None:
    curve = threshold_curve([0, 0, 2, 3], [0.9, 0.6, 0.6, 0.1])
    for threshold, recall in ((-1.0, 0.0), (0.1, 0.0), (0.3, 0.5), (0.6, 0.5), (0.61, 1.0), (7.0, 1.0)):
        point = curve.at(threshold)
        assert point is not None
        assert point.recall == recall
        assert point.threshold == threshold
    assert threshold_curve([], []).at(0.5) is None


def test_a_thinned_curve_keeps_both_ends() -> None:
    random = np.random.default_rng(1)
    curve = threshold_curve(random.integers(0, 4, 5_000), random.random(5_000))
    thinned = curve.columns(most=200)["threshold"]
    assert len(thinned) == 200
    assert (thinned[0], thinned[-1]) == (curve.thresholds[0], curve.thresholds[-1])


def test_precision_is_undefined_where_nothing_is_flagged_and_never_nan() -> None:
    written = threshold_curve([0, 2], [0.4, 0.2]).to_json()
    assert written["precision"] == [None, 1.0, 0.5]


def test_cost_counts_misses_and_false_flags_a_claim() -> None:
    curve = threshold_curve([0, 0, 2, 2], [0.9, 0.3, 0.5, float("nan")])
    #  thresholds .3, .5, .9 and above: misses 2, 2, 1, 1 and false flags 0, 1, 1, 2
    assert curve.expected_cost(miss=10, false_flag=1).tolist() == [20 / 4, 21 / 4, 11 / 4, 12 / 4]


def test_the_largest_kappa_is_found_and_ties_flag_least() -> None:
    choice = threshold_at_max_kappa(threshold_curve([2, 0, 2, 0], [0.1, 0.2, 0.3, 0.4]))
    assert (choice.threshold, choice.value) == (0.2, 0.5)


@pytest.mark.parametrize(
    ("gold", "score", "reason"),
    [([], [], "no claim"), ([0, 2], [float("nan")] * 2, "no claim"), ([0, 0], [0.5, 0.5], "")],
)
def test_no_threshold_is_chosen_without_data(gold: list[int], score: list[float], reason: str) -> None:
    choice = threshold_at_max_kappa(threshold_curve(gold, score))
    if reason:
        assert choice.threshold is None
        assert choice.reason.startswith(reason)
    else:
        # Flagging all against gold that has none unsupported is defined, and zero.
        assert choice.value == 0.0


def test_figures_at_a_threshold_are_those_of_the_verdicts_it_gives() -> None:
    random = np.random.default_rng(6)
    answer, gold, score = random.integers(0, 30, 120), random.integers(-1, 4, 120), random.random(120).round(1)
    at = score_at_threshold(answer, gold, score, threshold=0.5, resamples=50)
    assert at.unsupported == unsupported_score(answer, gold, np.where(score < 0.5, 2, 0), resamples=50)
    point = threshold_curve(gold, score).at(0.5)
    assert point is not None
    assert at.kappa_two.value == pytest.approx(point.kappa_two)
    assert at.kappa_four.value == pytest.approx(point.kappa_four)


def test_people_meet_the_consensus_of_the_others() -> None:
    random = np.random.default_rng(2)
    true = random.choice(4, 400)
    labels = np.stack([noisy(random, true, right=right) for right in (0.95, 0.95, 0.95, 0.6)])
    points = people_points(np.arange(400) // 4, labels, resamples=50)
    assert [point.person for point in points] == [0, 1, 2, 3]
    kappas = [point.kappa_four.value or 0.0 for point in points]
    assert min(kappas[:3]) > kappas[3] + 0.2


def test_people_with_few_claims_or_without_two_others_have_no_point() -> None:
    labels = np.full((3, 40), -1)
    labels[:2] = 0
    labels[2, :5] = 0
    assert people_points(np.arange(40), labels) == ()


@given(CLAIMS, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_rows_changes_no_curve(rows: list[tuple[int, float, int]], random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = (
        threshold_curve(gold, score, verdict=verdict).to_json()
        for gold, score, verdict in map(columns, (rows, shuffled))
    )
    assert one == two


def test_scores_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="score: expected finite"):
        threshold_curve([0], [float("inf")])
    with pytest.raises(ValueError, match="threshold"):
        verdicts_at([0.1], float("nan"))
    with pytest.raises(ValueError, match="gold has 2, score has 1"):
        threshold_curve([0, 1], [0.5])
