from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.agreement import cohen_kappa
from calibration.ceiling import MEASURES, Standing, standing
from calibration.comparison import Comparison, ComparisonInput, JudgeColumns, compare
from calibration.consensus import consensus, consensus_of_others
from calibration.pairs import pairs_of_people
from calibration.reliability import label_counts
from calibration.results import Figure
from calibration.simulation import same_skill_labels
from tests.calibration.factories import Ints, noisy


def side_by_side(labels: Ints, verdict: Ints, *, answer: Ints | None = None, resamples: int = 20) -> Comparison:
    claims = len(verdict)
    return compare(
        ComparisonInput(
            answer=np.arange(claims) if answer is None else answer,
            gold=consensus(label_counts(labels, categories=4)),
            labels=labels,
            judges={"judge": JudgeColumns(verdict)},
        ),
        resamples=resamples,
    )


def test_a_judge_of_the_same_skill_stands_exactly_where_people_stand() -> None:
    labels, verdict = same_skill_labels(claims=150_000, seed=11)
    score = side_by_side(labels, verdict, resamples=2).judge("judge")
    for like in (score.individual, score.consensus):
        for measure in MEASURES:
            assert like.headroom.get(measure).value == pytest.approx(0.0, abs=0.01), measure


@pytest.mark.parametrize("gaps", [0.0, 0.35])
def test_skill_compares_like_with_like_with_four_verdicts_and_uneven_numbers_of_labels(gaps: float) -> None:
    random = np.random.default_rng(3)
    true = random.choice(4, 150_000, p=[0.6, 0.1, 0.2, 0.1])
    labels = np.stack([noisy(random, true, right=0.8) for _ in range(5)])
    labels[random.random(labels.shape) < gaps] = -1
    score = side_by_side(labels, noisy(random, true, right=0.8), resamples=2).judge("judge")
    for like in (score.individual, score.consensus):
        assert like.headroom.kappa_four.value == pytest.approx(0.0, abs=0.01)
        assert like.headroom.recall.value == pytest.approx(0.0, abs=0.01)


def test_every_claim_weighs_the_same_whatever_its_number_of_labels() -> None:
    # One claim with six labels that agree, one with two that do not.
    labels = np.full((6, 2), -1)
    labels[:, 0] = 0
    labels[:2, 1] = [0, 2]
    made = side_by_side(labels, np.array([0, 2]))
    # Weighted table: (0,0) 1, (0,2) and (2,0) one half each: observed 1/2, expected 10/16.
    assert made.individual.people.kappa_four.value == pytest.approx((0.5 - 10 / 16) / (1 - 10 / 16))
    # Judge against people: (0,0) 1, (0,2) and (2,2) one half each.
    judge = made.judge("judge").individual.judge.kappa_four.value
    assert judge == pytest.approx((1.5 / 2 - 0.5) / (1 - 0.5))


def test_consensus_reference_leaves_out_the_own_vote_and_ties() -> None:
    # Labels 0, 0, 2: the two who said 0 face a tie, the third faces consensus 0.
    made = side_by_side(np.array([[0], [0], [2]]), np.array([2]))
    assert made.consensus.n_claims == 1
    assert made.consensus.tie_share.value == pytest.approx(2 / 3)
    table = made.judge("judge").consensus
    assert table.people.recall.reason == "no unsupported claims"
    assert table.n_claims == 1


def test_two_labels_make_an_individual_but_no_consensus_reference() -> None:
    made = side_by_side(np.array([[0, 2, 0], [0, 2, 2]]), np.array([0, 2, 2]))
    assert made.individual.n_claims == 3
    assert made.consensus.people.kappa_four.value is None
    assert "three labels" in made.consensus.people.kappa_four.reason


def test_single_labels_make_no_ceiling() -> None:
    made = side_by_side(np.array([[0, 2, 0]]), np.array([0, 2, 2]))
    like = made.judge("judge").individual
    assert like.people.kappa_four.reason == like.headroom.kappa_four.reason == "no pairs: no claim has two labels"
    assert like.standing() is Standing.NO_DATA


def test_a_judge_that_ran_on_some_claims_meets_people_on_those_claims() -> None:
    labels, verdict = same_skill_labels(claims=4_000, seed=5)
    # People disagree everywhere on the claims that the judge was not given.
    hard = np.arange(4_000) >= 2_000
    labels[0, hard], labels[1, hard], labels[2, hard] = 0, 2, 3
    made = side_by_side(labels, np.where(hard, -1, verdict))
    like = made.judge("judge").individual
    assert like.n_claims == 2_000
    assert made.individual.n_claims == 4_000
    ceiling, own = made.individual.people.kappa_two.value, like.people.kappa_two.value
    assert ceiling is not None
    assert own is not None
    assert own > ceiling + 0.2


def test_headroom_is_paired_and_narrower_than_its_parts_would_give() -> None:
    random = np.random.default_rng(8)
    answer = np.repeat(np.arange(200), 3)
    hard = np.repeat(random.random(200) < 0.4, 3)
    true = np.where(random.random(600) < 0.4, 2, 0)
    # Person and judge fail together on hard answers.
    chance = np.where(hard, 0.55, 0.97)
    said = np.stack([np.where(random.random(600) < chance, true, 2 - true) for _ in range(4)])
    like = side_by_side(said[:3], said[3], answer=answer, resamples=500).judge("judge").individual
    widths = [figure.kappa_two.width for figure in (like.headroom, like.people, like.judge)]
    paired, people, judge = (width or 0.0 for width in widths)
    assert 0.0 < paired < 0.9 * np.hypot(people, judge)


@given(st.integers(0, 2**31))
def test_leaving_out_one_person_leaves_the_consensus_of_the_rest(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 4, (4, 10))
    counts = label_counts(labels, categories=4)
    for person in range(4):
        rest = consensus(label_counts(np.delete(labels, person, axis=0), categories=4))
        for claim, verdict in enumerate(labels[person]):
            assert consensus_of_others(counts, int(verdict))[claim] == rest[claim]


@pytest.mark.parametrize(
    ("counts", "plurality", "majority", "unanimous"),
    [([2, 1, 1, 0], 0, -1, -1), ([3, 1, 0, 0], 0, 0, -1), ([0, 0, 2, 0], 2, 2, 2), ([1, 1, 0, 0], -1, -1, -1)],
)
def test_rules_of_consensus(counts: list[int], plurality: int, majority: int, unanimous: int) -> None:
    assert consensus([counts]).tolist() == [plurality]
    assert consensus([counts], rule="majority").tolist() == [majority]
    assert consensus([counts], rule="unanimous").tolist() == [unanimous]


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="rule"):
        consensus([[1, 0, 0, 0]], rule="loudest")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("low", "high", "where"),
    [
        (-0.20, -0.01, Standing.ABOVE),
        (-0.02, 0.05, Standing.AT),
        (0.01, 0.04, Standing.AT),
        (-0.02, 0.06, Standing.UNCLEAR),
        (0.01, 0.06, Standing.BELOW),
        (None, None, Standing.UNCLEAR),
    ],
)
def test_standing_is_read_off_the_interval_alone(low: float | None, high: float | None, where: Standing) -> None:
    assert standing(Figure(0.0, low, high, n=100), margin=0.05) is where


def test_pairs_that_share_too_little_are_left_out() -> None:
    random = np.random.default_rng(2)
    true = random.integers(0, 4, 90)
    labels = np.stack([noisy(random, true, right=0.8) for _ in range(3)])
    labels[2, :75] = -1
    pairs = pairs_of_people(np.arange(90) // 3, labels, least=20, resamples=50)
    assert [(pair.first, pair.second, pair.n_claims) for pair in pairs] == [(0, 1, 90)]
    assert pairs[0].kappa_four.value == pytest.approx(cohen_kappa(labels[0], labels[1]).value)
    assert len(pairs_of_people(np.arange(90), labels, least=1, resamples=5)) == 3
