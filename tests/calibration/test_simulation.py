"""What intervals and promises are worth where the truth is known. The long runs are in `bench.simulations`."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.ceiling import REFERENCES, Standing
from calibration.simulation import (
    Tally,
    chances,
    corrected_coverage,
    kappa_coverage,
    planned_recall_coverage,
    recall_coverage,
    same_skill_standings,
)


@pytest.mark.slow
def test_the_interval_of_recall_covers_where_claims_of_an_answer_go_together() -> None:
    made = recall_coverage(runs=1_000, seed=8, resamples=600)
    assert 0.93 <= made["bootstrap"].share <= 0.97
    assert made["wilson"].share < 0.85


@pytest.mark.slow
def test_the_interval_of_kappa_covers_where_claims_of_an_answer_go_together() -> None:
    made = kappa_coverage(runs=500, seed=8, resamples=300, answers=100)
    assert 0.93 <= made["answers"].share <= 0.97
    assert made["claims"].share < 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("labelled", "judged"), [(300, 2_000), (150, 300)])
def test_corrected_rates_cover_the_true_rate(labelled: int, judged: int) -> None:
    made = corrected_coverage(runs=300, seed=5, labelled=labelled, judged=judged)
    for name in ("delta", "lang_reiczigel", "ppi", "ppi_tuned"):
        assert 0.92 <= made[name].share <= 0.985, name
    assert made["raw"].share < 0.8


@pytest.mark.slow
def test_a_judge_of_the_same_skill_is_at_the_ceiling_and_neither_above_nor_below() -> None:
    found = same_skill_standings(runs=20, seed=9, resamples=100, answers=1_500)
    for reference in REFERENCES:
        counts = found[reference]
        assert counts[Standing.AT] >= 18, counts
        assert counts[Standing.ABOVE] <= 2, counts
        assert counts[Standing.BELOW] == 0, counts


@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
def test_chances_have_the_mean_and_the_correlation_asked_for(correlation: float) -> None:
    made = chances(np.random.default_rng(1), truth=0.8, correlation=correlation, answers=100_000)
    assert made.mean() == pytest.approx(0.8, abs=0.01)
    assert made.var() / (0.8 * 0.2) == pytest.approx(correlation, abs=0.01)


def test_a_run_that_could_not_say_counts_as_not_held() -> None:
    tally = Tally()
    tally.note(True)
    tally.note(False)
    assert (tally.share, tally.runs) == (0.5, 2)


@pytest.mark.slow
def test_recall_over_a_plan_covers_that_of_all_claims_only_where_each_counts_by_its_probability() -> None:
    made = planned_recall_coverage(runs=200, seed=4, resamples=300)
    assert 0.9 <= made["weighted"].share <= 0.99
    assert 0.9 <= made["random"].share <= 0.99
    assert made["alike"].share < 0.1
