"""Many thresholds at once say what each would say alone."""

import numpy as np
import pytest

from calibration.curve_intervals import figures_at_thresholds
from calibration.threshold_score import score_at_threshold

THRESHOLDS = [0.1, 0.31, 0.35, 0.5, 0.8, 1.0]  # scores are tenths: two of them flag the same claims


def _claims(seed: int, n: int = 160) -> dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]]:
    random = np.random.default_rng(seed)
    score = random.random(n).round(1)
    score[random.random(n) < 0.08] = np.nan
    return {
        "answer": random.integers(0, 60, n),
        "gold": random.integers(-1, 4, n),
        "score": score,
        "verdict": random.integers(-1, 5, n),
    }


@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_each_threshold_has_the_figures_that_it_has_alone(seed: int, partial: bool) -> None:
    given = _claims(seed)
    answer, gold, score = given["answer"], given["gold"], given["score"]
    together = figures_at_thresholds(
        answer,
        gold,
        score,
        thresholds=THRESHOLDS,
        verdict=given["verdict"],
        partial_is_unsupported=partial,
        resamples=200,
    )
    for threshold, figures in zip(THRESHOLDS, together, strict=True):
        alone = score_at_threshold(
            answer,
            gold,
            score,
            threshold=threshold,
            verdict=given["verdict"],
            partial_is_unsupported=partial,
            resamples=200,
        )
        assert figures.threshold == threshold
        assert figures.recall == alone.unsupported.recall
        assert figures.precision == alone.unsupported.precision
        assert figures.share_flagged == alone.unsupported.share_flagged
        assert figures.kappa_two == alone.kappa_two
        assert figures.kappa_four == alone.kappa_four


def test_no_claims_gives_reasons_and_no_numbers() -> None:
    (figures,) = figures_at_thresholds([], [], [], thresholds=[0.5])
    assert figures.recall.value is None
    assert figures.recall.reason == "no unsupported claims"
    assert figures.kappa_two.value is None


def test_thresholds_must_ascend() -> None:
    with pytest.raises(ValueError, match="ascending"):
        figures_at_thresholds([1], [0], [0.5], thresholds=[0.5, 0.5])
