from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.sampling import Sample, draw_sample
from calibration.verdicts import ABSENT, STATED
from calibration.weighted import weighted_score

N = 30
DOUBTFUL = np.arange(N) < 12
RARE = np.arange(N) % 10 == 0


def draws(seed: int) -> Sample:
    return draw_sample(N, random=6, groups=[(DOUBTFUL, 4), (RARE, 2)], seed=seed)


def test_each_claim_is_drawn_as_often_as_its_probability_says() -> None:
    times, said = np.zeros(N), np.zeros(N)
    runs = 4_000
    for seed in range(runs):
        made = draws(seed)
        times[made.position] += 1
        said[made.position] = made.chance
    assert said == pytest.approx(1 - (1 - 6 / N) * np.where(DOUBTFUL, 1 - 4 / 12, 1) * np.where(RARE, 1 - 2 / 3, 1))
    assert times / runs == pytest.approx(said, abs=4 * 0.5 / np.sqrt(runs))


def test_what_is_drawn_at_random_is_as_likely_inside_a_group_as_outside() -> None:
    met = np.zeros(N)
    for seed in range(4_000):
        made = draws(seed)
        met[made.position[made.at_random]] += 1
    assert met / 4_000 == pytest.approx(np.full(N, 6 / N), abs=4 * 0.4 / np.sqrt(4_000))


@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 30), st.integers(0, 99))
def test_a_sample_has_each_claim_once_and_as_many_at_random_as_were_asked_for(
    n: int, random: int, more: int, seed: int
) -> None:
    random = min(random, n)
    members = np.arange(n) % 3 == 0
    made = draw_sample(n, random=random, groups=[(members, more)], seed=seed)
    assert len(set(made.position.tolist())) == len(made.position) <= random + more
    assert made.at_random.sum() == random
    assert made.taken == (min(more, int(members.sum())),)
    assert ((made.chance > 0) & (made.chance <= 1)).all()
    assert members[made.position[~made.at_random]].all()


def test_the_same_seed_draws_the_same_claims_in_the_same_order_and_another_others() -> None:
    assert draws(1).position.tolist() == draws(1).position.tolist()
    assert draws(1).position.tolist() != draws(2).position.tolist()


def test_the_order_mixes_what_was_drawn_at_random_and_what_was_not() -> None:
    first = [draws(seed).at_random[0] for seed in range(300)]
    share = np.mean([draws(seed).at_random.mean() for seed in range(300)])
    assert np.mean(first) == pytest.approx(share, abs=0.12)


@pytest.mark.parametrize("random", [0, -1, N + 1])
def test_a_plan_without_a_random_part_or_with_more_than_there_is_is_refused(random: int) -> None:
    with pytest.raises(ValueError, match="random: expected a number from 1 to the 30 claims"):
        draw_sample(N, random=random, seed=1)


def test_a_group_of_another_shape_or_a_number_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="expected members of shape"):
        draw_sample(N, random=1, groups=[(DOUBTFUL[:4], 1)], seed=1)
    with pytest.raises(ValueError, match="expected a number of 0 or more"):
        draw_sample(N, random=1, groups=[(DOUBTFUL, -1)], seed=1)


def test_recall_over_targeted_claims_is_off_counted_alike_and_right_counted_by_their_probability() -> None:
    """Two judges disagree mostly where the first one misses: those claims are drawn far more often."""
    random = np.random.default_rng(11)
    n = 4_000
    gold = np.where(random.random(n) < 0.25, ABSENT, STATED)
    said = np.where(random.random(n) < 0.8, gold, ABSENT - gold + STATED)
    disagree = random.random(n) < np.where(said == gold, 0.05, 0.8)
    truth = float((said[gold == ABSENT] == ABSENT).mean())
    weighted, alike, covered, first_half = [], [], 0, []
    for seed in range(60):
        made = draw_sample(n, random=300, groups=[(disagree, 250)], seed=seed)
        at = made.position
        score = weighted_score(at, gold[at], said[at], made.chance, resamples=100, seed=seed)
        assert score.recall.value is not None
        weighted.append(score.recall.value)
        covered += (score.recall.low or 0) <= truth <= (score.recall.high or 0)
        alike.append(float((said[at][gold[at] == ABSENT] == ABSENT).mean()))
        half = at[: len(at) // 2]
        part = weighted_score(half, gold[half], said[half], made.chance[: len(half)], resamples=20, seed=seed)
        first_half.append(part.recall.value or 0.0)
    assert np.mean(weighted) == pytest.approx(truth, abs=0.015)
    assert np.mean(first_half) == pytest.approx(truth, abs=0.025)
    assert abs(np.mean(alike) - truth) > 0.1
    assert covered >= 53
