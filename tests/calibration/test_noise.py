from __future__ import annotations

import numpy as np
import pytest

from calibration.noise import noise_share
from calibration.stability import stability
from tests.calibration.factories import Ints


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


def test_no_verdict_both_times_is_no_pair_here_as_in_the_tests_of_a_judge() -> None:
    labels, first, second = wavering(seed=3, claims=400, waver=0.2)
    silent = np.arange(400) % 5 == 0
    once, twice = np.where(silent, 4, first), np.where(silent, 4, second)
    nothing = np.full(400, np.nan)
    made = noise_share(np.arange(400), labels, once, twice, resamples=20)
    said = stability(np.arange(400), once, twice, first_score=nothing, second_score=nothing, resamples=20)
    spoke = stability(
        np.arange(400)[~silent], first[~silent], second[~silent],
        first_score=nothing[~silent], second_score=nothing[~silent], resamples=20,
    )  # fmt: skip
    assert made.itself.value == said.kappa_two.value == spoke.kappa_two.value
