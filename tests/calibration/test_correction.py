from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from calibration.correction import (
    classical_mean,
    prediction_powered_mean,
    prediction_powered_mean_tuned,
    rogan_gladen,
    rogan_gladen_delta,
    rogan_gladen_lang_reiczigel,
)
from calibration.learn_then_test import binomial_p, hoeffding_bentkus_p
from calibration.results import Figure
from calibration.scores import brier_score, reliability


def ends(figure: Figure) -> tuple[float, float]:
    assert figure.low is not None
    assert figure.high is not None
    return figure.low, figure.high


@pytest.mark.parametrize(
    ("flagged", "caught", "passed", "reason"),
    [
        ((5, 10), (5, 10), (5, 10), "near 1"),
        ((0, 0), (9, 10), (9, 10), "no judged"),
        ((5, 10), (0, 0), (9, 10), "no unsupported"),
        ((5, 10), (9, 10), (0, 0), "no supported"),
    ],
)
def test_a_correction_that_cannot_be_made_says_why(flagged: Any, caught: Any, passed: Any, reason: str) -> None:
    for function in (rogan_gladen_delta, rogan_gladen_lang_reiczigel):
        figure = function(flagged, caught=caught, passed=passed)
        assert figure.value is None
        assert reason in figure.reason


def test_a_corrected_rate_stays_a_rate() -> None:
    assert rogan_gladen(0.01, sensitivity=0.9, specificity=0.9).value == 0.0
    figure = rogan_gladen_delta((1, 100), caught=(90, 100), passed=(90, 100))
    assert figure.value == 0.0
    assert ends(figure)[0] == 0.0


def test_counts_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match="caught: counts do not fit: 11 of 10"):
        rogan_gladen_delta((1, 2), caught=(11, 10), passed=(1, 2))


def test_a_judge_that_is_not_used_leaves_the_labelled_items_alone() -> None:
    human, judged, rest = [1, 0, 0, 1, 0], [1, 1, 0, 0, 0], [1, 0, 0]
    assert prediction_powered_mean(human, judged, rest, weight=0.0).value == classical_mean(human).value
    useless = prediction_powered_mean_tuned(human, [1, 1, 1, 1, 1], [1, 1, 1])
    assert useless.value == classical_mean(human).value


@pytest.mark.parametrize(("labelled", "rest"), [(1, 5), (5, 1), (0, 0)])
def test_too_few_items_give_no_rate(labelled: int, rest: int) -> None:
    figure = prediction_powered_mean([0.0] * labelled, [0.0] * labelled, [0.0] * rest)
    assert figure.value is None
    assert "fewer than two" in figure.reason


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=1, max_size=40))
def test_brier_equals_scikit_learn(rows: list[tuple[int, float]]) -> None:
    outcome, score = zip(*rows, strict=True)
    expected = brier_score_loss(outcome, score, labels=[0, 1])
    assert brier_score(outcome, score, resamples=1).value == pytest.approx(expected)


def test_claims_without_a_score_are_left_out_and_not_called_badly_calibrated() -> None:
    figure = brier_score([1, 0], [1.0, float("nan")])
    assert (figure.value, figure.n) == (0.0, 1)
    assert reliability([1], [float("nan")]).expected.reason == "no scores"


def test_a_score_beyond_one_is_no_probability() -> None:
    with pytest.raises(ValueError, match=r"found 0.5 to 3"):
        brier_score([0, 1], [0.5, 3.0])


@given(st.integers(1, 120), st.data())
def test_p_values_grow_with_the_risk_and_never_pass_one(n: int, data: Any) -> None:
    lost = data.draw(st.integers(0, n - 1))
    for function in (hoeffding_bentkus_p, binomial_p):
        fewer, more = (function(k / n, n=n, limit=0.2) for k in (lost, lost + 1))
        assert 0.0 <= fewer <= more + 1e-12
        assert more <= 1.0 + 1e-12


def test_a_limit_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        hoeffding_bentkus_p(0.1, n=10, limit=1.0)
    with pytest.raises(ValueError, match="not a share"):
        binomial_p(0.123, n=10, limit=0.5)
