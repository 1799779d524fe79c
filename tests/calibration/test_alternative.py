from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from calibration.alternative import alternative_annotator, alternative_annotators
from tests.calibration.factories import Ints, labels_with_gaps, noisy


def shares(labels: Ints, verdict: Ints, person: int) -> tuple[float, float]:
    """Return, claim by claim as published, how often judge and person agree with the others at least as well."""
    judge, human = [], []
    for claim in range(labels.shape[1]):
        others = [labels[p, claim] for p in range(len(labels)) if p != person and labels[p, claim] >= 0]
        if labels[person, claim] < 0 or verdict[claim] < 0 or not others:
            continue
        of_judge = np.mean([other == verdict[claim] for other in others])
        of_human = np.mean([other == labels[person, claim] for other in others])
        judge.append(of_judge >= of_human)
        human.append(of_human >= of_judge)
    return float(np.mean(judge)), float(np.mean(human))


def people_and_judge(*, seed: int, right: float, claims: int = 400, people: int = 4) -> tuple[Ints, Ints]:
    random = np.random.default_rng(seed)
    true = random.choice(4, claims, p=[0.6, 0.1, 0.2, 0.1])
    labels = labels_with_gaps(random, true, people=people, right=0.8, gaps=0.2)
    return labels, noisy(random, true, right=right)


@given(st.integers(0, 2**31))
@settings(max_examples=10, deadline=None)
def test_shares_are_those_of_a_loop_over_claims(seed: int) -> None:
    labels, verdict = people_and_judge(seed=seed, right=0.7, claims=80)
    verdict[:5], verdict[5:10] = 4, -1
    made = alternative_annotator(np.arange(80) // 2, labels, verdict, least=10, resamples=20)
    assert [one.person for one in made.people] == [0, 1, 2, 3]
    for one in made.people:
        assert (one.judge.value, one.human.value) == pytest.approx(shares(labels, verdict, one.person))
    assert made.advantage.value == pytest.approx(np.mean([one.judge.value for one in made.people]))
    held = multipletests([one.p for one in made.people], alpha=0.05, method="fdr_by")[0]
    assert [one.won for one in made.people] == held.tolist()
    assert made.winning_rate.value == pytest.approx(held.mean())


def test_a_judge_of_the_same_skill_stands_in_for_everybody_and_a_poor_one_for_nobody() -> None:
    answer = np.arange(900) // 3
    for right, rate in ((0.8, 1.0), (0.3, 0.0)):
        labels, verdict = people_and_judge(seed=4, right=right, claims=900)
        made = alternative_annotator(answer, labels, verdict, resamples=200)
        assert made.winning_rate.value == rate
        assert made.epsilon == 0.15


def test_without_a_margin_a_judge_of_the_same_skill_is_not_shown_to_be_better() -> None:
    labels, verdict = people_and_judge(seed=4, right=0.8, claims=900)
    made = alternative_annotator(np.arange(900) // 3, labels, verdict, epsilon=0.0, resamples=200)
    assert made.winning_rate.value == 0.0


def test_claims_that_go_together_make_the_test_more_careful() -> None:
    labels, verdict = people_and_judge(seed=6, right=0.72, claims=60)
    once = alternative_annotator(np.arange(60), labels, verdict, resamples=400)
    # Each claim ten times over says nothing new where the copies are of one answer.
    copied = alternative_annotator(
        np.repeat(np.arange(60), 10), np.repeat(labels, 10, axis=1), np.repeat(verdict, 10), resamples=400
    )
    for one, again in zip(once.people, copied.people, strict=True):
        assert again.p == pytest.approx(one.p, abs=0.02)
        assert again.judge.low == pytest.approx(one.judge.low)


@pytest.mark.parametrize(("claims", "people", "answers"), [(0, 3, 1), (20, 3, 20), (100, 1, 100), (100, 3, 5)])
def test_too_little_gives_no_rate_and_a_reason(claims: int, people: int, answers: int) -> None:
    made = alternative_annotator(
        np.arange(claims) % answers, np.zeros((people, claims), dtype=int), np.zeros(claims, dtype=int)
    )
    assert made.winning_rate.value is None
    assert made.advantage.reason.startswith("no person has enough")
    assert made.people == ()


def test_where_all_agree_everybody_is_matched_without_an_interval_that_would_be_made_up() -> None:
    made = alternative_annotator(np.arange(40), np.zeros((3, 40), dtype=int), np.zeros(40, dtype=int), resamples=20)
    assert (made.winning_rate.value, made.advantage.value) == (1.0, 1.0)
    assert made.advantage.low is None
    assert made.advantage.reason


@pytest.mark.slow
def test_the_interval_of_the_advantage_covers_it() -> None:
    random, runs, covered = np.random.default_rng(5), 150, 0
    answer = np.repeat(np.arange(60), 4)

    def drawn(answers: int) -> tuple[Ints, Ints]:
        true = random.choice(4, answers * 4, p=[0.6, 0.1, 0.2, 0.1])
        hard = np.repeat(random.beta(6, 2, answers), 4)
        right = random.random((4, answers * 4)) < hard
        said = np.where(right, true, (true + random.integers(1, 4, (4, answers * 4))) % 4)
        return said[:3], said[3]

    labels, verdict = drawn(20_000)
    truth = float(np.mean([shares_at_once(labels, verdict, person) for person in range(3)]))
    for run in range(runs):
        labels, verdict = drawn(60)
        figure = alternative_annotator(answer, labels, verdict, resamples=200, seed=run).advantage
        assert figure.low is not None
        assert figure.high is not None
        covered += figure.low <= truth <= figure.high
    assert 0.90 <= covered / runs <= 0.99


def shares_at_once(labels: Ints, verdict: Ints, person: int) -> float:
    others = np.delete(labels, person, axis=0)
    return float(((others == verdict).sum(axis=0) >= (others == labels[person]).sum(axis=0)).mean())


def test_several_judges_get_what_each_gets_alone() -> None:
    labels, one = people_and_judge(seed=1, right=0.8)
    _, two = people_and_judge(seed=1, right=0.5)
    two[:100] = -1
    answer = np.arange(400) // 4
    made = alternative_annotators(answer, labels, {"one": one, "two": two}, resamples=100)
    assert made["one"] == alternative_annotator(answer, labels, one, resamples=100)
    assert made["two"] == alternative_annotator(answer, labels, two, resamples=100)
    with pytest.raises(ValueError, match="verdict of odd"):
        alternative_annotators(answer, labels, {"odd": np.full(400, 7)})
