from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

from calibration.recalibration import Recalibration, fit_isotonic, fit_platt
from calibration.scores import brier_score, reliability
from tests.calibration.factories import Floats, Ints

ROWS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.35, 0.5, 0.8, 1.0])), min_size=4, max_size=40)


def overconfident(seed: int, n: int) -> tuple[Ints, Floats]:
    """Return outcomes and scores that go too far to both sides."""
    random = np.random.default_rng(seed)
    chance = random.random(n)
    return (random.random(n) < chance).astype(np.int64), 1.0 / (1.0 + ((1.0 - chance) / chance) ** 3)


@given(ROWS)
def test_isotonic_equals_scikit_learn_and_never_falls(rows: list[tuple[int, float]]) -> None:
    outcome, score = map(np.array, zip(*rows, strict=True))
    made = fit_isotonic(outcome, score)
    if made.reason:
        assert outcome.min() == outcome.max()
        return
    at = np.linspace(-0.2, 1.2, 40)
    expected = IsotonicRegression(out_of_bounds="clip").fit(score, outcome).predict(at)
    assert made.apply(at) == pytest.approx(expected)
    assert np.all(np.diff(made.apply(at)) >= -1e-12)


def test_platt_equals_the_curve_of_scikit_learn() -> None:
    outcome, score = overconfident(1, 300)
    expected = _SigmoidCalibration().fit(score, outcome)
    at = np.linspace(0, 1, 21)
    assert fit_platt(outcome, score).apply(at) == pytest.approx(expected.predict(at), abs=1e-4)


@pytest.mark.parametrize("fit", [fit_platt, fit_isotonic])
def test_what_is_fitted_on_development_is_better_on_test(fit: Any) -> None:
    fitted = fit(*overconfident(1, 1_000))
    outcome, score = overconfident(2, 2_000)
    mended = fitted.apply(score)
    assert (brier_score(outcome, mended).value or 1) < (brier_score(outcome, score).value or 0)
    assert (reliability(outcome, mended).expected.value or 1) < 0.5 * (reliability(outcome, score).expected.value or 0)


@pytest.mark.parametrize("fit", [fit_platt, fit_isotonic])
def test_scores_that_part_the_classes_cleanly_stay_finite(fit: Any) -> None:
    fitted = fit([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
    made = fitted.apply([0.0, 0.5, 1.0, float("nan")])
    assert np.all(np.isfinite(made[:3]))
    assert np.isnan(made[3])
    assert made[0] < 0.5 <= made[2] + 1e-9


def test_platt_stays_short_of_certainty() -> None:
    made = fit_platt([0] * 5 + [1] * 5, [0.1] * 5 + [0.9] * 5).apply([0.1, 0.9])
    assert made == pytest.approx([1 / 7, 6 / 7], abs=1e-3)


@pytest.mark.parametrize("fit", [fit_platt, fit_isotonic])
@pytest.mark.parametrize(
    ("outcome", "score", "reason"),
    [([], [], "no scores"), ([1, 0], [float("nan")] * 2, "no scores"), ([1, 1], [0.2, 0.9], "one class only")],
)
def test_without_data_nothing_is_fitted_or_applied(fit: Any, outcome: Any, score: Any, reason: str) -> None:
    made: Recalibration = fit(outcome, score)
    assert made.reason == reason
    with pytest.raises(ValueError, match=reason):
        made.apply([0.5])


def test_a_fit_can_be_written_down() -> None:
    assert fit_platt([0, 1], [0.2, 0.7]).to_json()["kind"] == "platt"
    assert fit_isotonic([0, 1], [0.2, 0.7]).to_json()["knots"] == [0.2, 0.7]
