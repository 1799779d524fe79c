"""Scores as probabilities: intervals by answer, what chance alone shows, and curves fitted without the claim."""

import numpy as np
import pytest

from calibration.recalibration import cross_fitted, fit_platt
from calibration.scores import brier_score, reliability


def _claims(seed: int, n: int, *, power: float = 1.0) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    random = np.random.default_rng(seed)
    score = random.random(n)
    return np.arange(n) // 2, (random.random(n) < score**power).astype(np.int64), score  # type: ignore[return-value]


def test_claims_of_one_answer_that_go_together_widen_the_intervals() -> None:
    _, outcome, score = _claims(1, 100)
    outcome, score = np.repeat(outcome, 4), np.repeat(score, 4)
    alone, together = (
        brier_score(outcome, score, answer=answer) for answer in (np.arange(400), np.repeat(np.arange(100), 4))
    )
    assert alone.value == together.value
    assert 1.5 < (together.width or 0) / (alone.width or 1) < 2.5
    bins = [reliability(outcome, score, answer=np.repeat(np.arange(100), 4), resamples=300).bins]
    assert all(one.figure.n == one.n and one.figure.low is not None for one in bins[0])


def test_chance_alone_covers_a_score_that_is_right_and_not_one_that_is_wrong() -> None:
    inside = []
    for seed in range(40):
        _, outcome, score = _claims(seed, 200)
        made = reliability(outcome, score, resamples=200)
        inside.append((made.by_chance.low or 0) <= (made.expected.value or 0) <= (made.by_chance.high or 0))
    assert sum(inside) >= 34
    _, outcome, score = _claims(1, 200, power=3.0)
    wrong = reliability(outcome, score, resamples=200)
    assert (wrong.expected.value or 0) > (wrong.by_chance.high or 1)


@pytest.mark.parametrize("kind", ["platt", "isotonic"])
def test_the_outcomes_of_an_answer_have_no_part_in_its_own_probability(kind: str) -> None:
    answer, outcome, score = _claims(2, 120)
    before = cross_fitted(answer, outcome, score, kind=kind)  # type: ignore[arg-type]
    turned = outcome.copy()
    turned[answer == 7] = 1 - turned[answer == 7]
    after = cross_fitted(answer, turned, score, kind=kind)  # type: ignore[arg-type]
    assert before[answer == 7].tolist() == after[answer == 7].tolist()
    assert before.tolist() != after.tolist()


def test_cross_fitting_mends_a_score_and_leaves_out_what_has_none() -> None:
    answer, outcome, score = _claims(3, 600, power=3.0)
    made = cross_fitted(answer, outcome, score, kind="platt")
    assert (brier_score(outcome, made).value or 1) < (brier_score(outcome, score).value or 0)
    assert np.abs(made - fit_platt(outcome, score).apply(score)).max() < 0.1
    score[5] = np.nan
    assert np.flatnonzero(np.isnan(cross_fitted(answer, outcome, score, kind="platt"))).tolist() == [5]


def test_where_nothing_can_be_fitted_there_is_no_probability() -> None:
    assert np.isnan(cross_fitted([1, 2, 3], [1, 1, 1], [0.1, 0.2, 0.3], kind="isotonic")).all()
    assert len(cross_fitted([], [], [], kind="platt")) == 0
    with pytest.raises(ValueError, match="folds"):
        cross_fitted([1, 2], [0, 1], [0.1, 0.2], kind="platt", folds=1)
