from __future__ import annotations

from typing import Any

import numpy as np
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
from tests.calibration.factories import reference


def ends(figure: Figure) -> tuple[float, float]:
    assert figure.low is not None
    assert figure.high is not None
    return figure.low, figure.high


def test_rogan_gladen_worked_examples() -> None:
    known, counted = reference("rogan_gladen")
    figure = rogan_gladen(known["apparent"], sensitivity=known["sensitivity"], specificity=known["specificity"])
    assert figure.value == pytest.approx(known["value"])
    caught, passed = tuple(counted["sensitivity"]), tuple(counted["specificity"])
    for function, key in ((rogan_gladen_lang_reiczigel, "lang_reiczigel"), (rogan_gladen_delta, "delta")):
        made = function(tuple(counted["apparent"]), caught=caught, passed=passed)
        assert made.value == pytest.approx(counted["value"], abs=1e-6)
        assert ends(made) == pytest.approx(tuple(counted[key]), abs=1e-4)


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


def test_prediction_powered_worked_example() -> None:
    (entry,) = reference("prediction_powered_mean")
    cells = entry["labelled"]
    human = [1] * (cells["human1_judge1"] + cells["human1_judge0"])
    judged = [1] * cells["human1_judge1"] + [0] * cells["human1_judge0"]
    human += [0] * (cells["human0_judge1"] + cells["human0_judge0"])
    judged += [1] * cells["human0_judge1"] + [0] * cells["human0_judge0"]
    rest = np.zeros(entry["unlabelled"]["n"])
    rest[: entry["unlabelled"]["judge1"]] = 1
    made = {
        "ppi": prediction_powered_mean(human, judged, rest),
        "ppi_plus_plus": prediction_powered_mean_tuned(human, judged, rest),
        "classical": classical_mean(human),
    }
    for key, figure in made.items():
        expected = entry[key]
        assert (figure.value, *ends(figure)) == pytest.approx(
            (expected["value"], expected["low"], expected["high"]), abs=1e-6
        ), key


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


@pytest.mark.parametrize("entry", reference("brier"))
def test_brier_worked_example_and_scikit_learn(entry: dict[str, Any]) -> None:
    figure = brier_score(entry["outcome"], entry["probability"])
    assert figure.value == pytest.approx(entry["value"])
    assert figure.value == pytest.approx(brier_score_loss(entry["outcome"], entry["probability"]))


@pytest.mark.parametrize("entry", reference("expected_calibration_error"))
def test_calibration_error_worked_example(entry: dict[str, Any]) -> None:
    made = reliability(entry["outcome"], entry["probability"], bins=entry["bins"])
    assert made.expected.value == pytest.approx(entry["ece"], rel=1e-4)
    assert made.largest.value == pytest.approx(entry["max"], rel=1e-3)
    assert sum(one.n for one in made.bins) == len(entry["outcome"])


def test_claims_without_a_score_are_left_out_and_not_called_badly_calibrated() -> None:
    assert brier_score([1, 0], [1.0, float("nan")]) == Figure.point(0.0, n=1, method="Brier score")
    assert reliability([1], [float("nan")]).expected.reason == "no scores"


def test_a_score_beyond_one_is_no_probability() -> None:
    with pytest.raises(ValueError, match=r"found 0.5 to 3"):
        brier_score([0, 1], [0.5, 3.0])


@pytest.mark.parametrize("entry", reference("learn_then_test"))
def test_learn_then_test_worked_example(entry: dict[str, Any]) -> None:
    given_ = {"n": entry["n"], "limit": entry["alpha"]}
    bound = hoeffding_bentkus_p(entry["empirical_risk"], **given_)
    assert bound == pytest.approx(entry["hoeffding_bentkus_p"], rel=1e-3)
    assert binomial_p(entry["empirical_risk"], **given_) == pytest.approx(entry["binomial_p"], rel=1e-3)


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


@pytest.mark.slow
def test_corrected_rates_cover_the_true_rate() -> None:
    """Judged sample of 2,000, labelled of 300; sensitivity .85, specificity .92, true share .2."""
    random = np.random.default_rng(5)
    truth, runs = 0.2, 600
    covered = dict.fromkeys(("delta", "lang", "ppi", "tuned", "raw"), 0)
    for _ in range(runs):
        bad = random.random(2_300) < truth
        flagged = np.where(bad, random.random(2_300) < 0.85, random.random(2_300) < 0.08)
        labelled, rest = slice(0, 300), slice(300, None)
        caught = (int((flagged & bad)[labelled].sum()), int(bad[labelled].sum()))
        passed = (int((~flagged & ~bad)[labelled].sum()), int((~bad)[labelled].sum()))
        counts = (int(flagged[rest].sum()), 2_000)
        human, judged, others = bad[labelled], flagged[labelled], flagged[rest]
        made = {
            "delta": rogan_gladen_delta(counts, caught=caught, passed=passed),
            "lang": rogan_gladen_lang_reiczigel(counts, caught=caught, passed=passed),
            "ppi": prediction_powered_mean(human, judged, others),
            "tuned": prediction_powered_mean_tuned(human, judged, others),
            "raw": classical_mean(others),
        }
        for name, figure in made.items():
            low, high = ends(figure)
            covered[name] += low <= truth <= high
    for name in ("delta", "lang", "ppi", "tuned"):
        assert 0.92 <= covered[name] / runs <= 0.98, name
    assert covered["raw"] / runs < 0.6
