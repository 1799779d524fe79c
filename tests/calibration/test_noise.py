from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from calibration.noise import noise_share, self_agreement
from tests.calibration.factories import Ints


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40))
@settings(max_examples=30, deadline=None)
def test_agreement_with_oneself_is_kappa_of_both_times(rows: list[tuple[int, int]]) -> None:
    first, second = map(np.array, zip(*rows, strict=True))
    made = self_agreement(np.arange(len(rows)), first, second, resamples=10)
    assert made.raw_four.value == pytest.approx((first == second).mean())
    for figure, one, two in ((made.kappa_four, first, second), (made.kappa_two, first > 0, second > 0)):
        if figure.value is not None:
            assert figure.value == pytest.approx(cohen_kappa_score(one, two))


def test_no_verdict_twice_is_no_agreement_on_a_verdict() -> None:
    made = self_agreement([1, 2, 3, 4], [0, 2, 4, 4], [0, 2, 4, 0], resamples=10)
    assert (made.n, made.raw_four.k) == (4, 2)
    assert made.kappa_two.value is not None
    assert made.kappa_two.value < 1.0


def test_claims_shown_once_are_left_out_and_none_twice_is_no_data() -> None:
    made = self_agreement([1, 2], [0, -1], [-1, 2])
    assert (made.n, made.raw_four.value, made.kappa_four.reason) == (0, None, "no pairs")
    same = self_agreement([1, 2], [0, 0], [0, 0], resamples=10)
    assert same.kappa_four.reason == "one class only"
    assert same.raw_four.method == "Wilson over 2 answers"


def wavering(*, seed: int, claims: int, waver: float, steady: float = 0.9) -> tuple[Ints, Ints, Ints]:
    """Return people, and two runs of a judge that has an opinion and says something at random with a chance."""
    random = np.random.default_rng(seed)
    true = np.where(random.random(claims) < 0.5, 2, 0)

    def right(chance: float) -> Ints:
        return np.where(random.random(claims) < chance, true, 2 - true)

    opinion = right(steady)
    runs = [np.where(random.random(claims) < waver, random.choice([0, 2], claims), opinion) for _ in range(2)]
    return np.stack([right(0.9), right(0.9)]), runs[0], runs[1]


def test_a_judge_with_the_skill_of_people_that_wavers_falls_short_by_its_noise_alone() -> None:
    labels, first, second = wavering(seed=3, claims=60_000, waver=0.3)
    made = noise_share(np.arange(60_000), labels, first, second, resamples=20)
    # Kappa of people .8 * .8; of the judge with them .8 * .8 * .7; with itself .7 squared.
    assert made.people.value == pytest.approx(0.64, abs=0.01)
    assert made.judge.value == pytest.approx(0.448, abs=0.01)
    assert made.itself.value == pytest.approx(0.49, abs=0.01)
    assert made.steady.value == pytest.approx(0.64, abs=0.015)
    assert made.share.value == pytest.approx(1.0, abs=0.06)


def test_a_steady_judge_owes_nothing_to_noise() -> None:
    labels, first, _ = wavering(seed=3, claims=2_000, waver=0.0, steady=0.7)
    made = noise_share(np.arange(2_000) // 4, labels, first, first, resamples=50)
    assert made.itself.value == 1.0
    assert made.share.value == pytest.approx(0.0)


def test_a_judge_ahead_of_people_has_no_gap_to_explain() -> None:
    labels, first, second = wavering(seed=3, claims=2_000, waver=0.05, steady=1.0)
    made = noise_share(np.arange(2_000) // 4, labels, first, second, resamples=50)
    assert made.gap.value is not None
    assert made.gap.value < 0
    assert (made.share.value, made.share.reason) == (None, "people are not ahead of the judge")


def test_a_gap_that_may_be_none_gives_a_share_without_an_interval() -> None:
    labels, first, second = wavering(seed=5, claims=150, waver=0.2, steady=0.9)
    made = noise_share(np.arange(150) // 3, labels, first, second, resamples=100)
    assert made.gap.low is not None
    assert made.gap.low < 0 < (made.gap.value or 0)
    assert made.share.low is None
    assert "undefined in" in made.share.reason


def test_without_two_labels_there_is_nothing_to_stand_beside() -> None:
    made = noise_share([1, 2], [[0, 2]], [0, 2], [0, 2], resamples=10)
    assert made.people.reason == made.share.reason == "no pairs: no claim has two labels and both runs"


@pytest.mark.slow
def test_the_interval_of_agreement_with_oneself_covers_it() -> None:
    random, runs, covered = np.random.default_rng(6), 200, 0
    answer = np.repeat(np.arange(60), 5)
    for run in range(runs):
        true = random.random(300) < 0.4
        keeps = random.random(300) < random.beta(8, 2, 60)[answer]
        again = np.where(keeps, true, ~true)
        made = self_agreement(answer, true * 2, again * 2, resamples=200, seed=run).kappa_two
        # Kept with .8: both agree there, and the other cells follow from .4.
        truth = (0.8 - (0.4 * (0.4 * 0.8 + 0.6 * 0.2) + 0.6 * (0.6 * 0.8 + 0.4 * 0.2))) / (
            1 - (0.4 * (0.4 * 0.8 + 0.6 * 0.2) + 0.6 * (0.6 * 0.8 + 0.4 * 0.2))
        )
        assert made.low is not None
        assert made.high is not None
        covered += made.low <= truth <= made.high
    assert 0.90 <= covered / runs <= 0.98
