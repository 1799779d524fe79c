from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import corrected_share as corrected
from calibration.bootstrap import METHOD
from calibration.corrected_share import CorrectedShare, corrected_shares
from calibration.correction import (
    NO_BETTER_THAN_CHANCE,
    prediction_powered_mean_tuned,
    rogan_gladen_delta,
    rogan_gladen_lang_reiczigel,
)

Ints = NDArray[np.int64]


def traffic(
    *, seed: int = 3, answers: int = 200, claims: int = 3, labelled: int = 60, right: float = 0.85, rate: float = 0.3
) -> tuple[Ints, Ints, Ints]:
    """Claims whose truth goes together in an answer, a judge that is right with a probability, some answers labelled."""
    random = np.random.default_rng(seed)
    answer = np.repeat(np.arange(answers), claims)
    truth = (random.random(len(answer)) < random.beta(2 * rate, 2 * (1 - rate), answers)[answer]).astype(np.int64)
    judge = np.where(random.random(len(answer)) < right, truth, 1 - truth)
    people = np.where(np.isin(answer, random.choice(answers, labelled, replace=False)), truth, -1)
    return answer, people, judge


def one(answer: Ints, people: Ints, judge: Ints) -> CorrectedShare:
    return corrected_shares(answer, {"x": (people, judge)}, resamples=200)["x"]


def test_values_are_those_of_the_two_corrections() -> None:
    answer, people, judge = traffic()
    both, rest = people >= 0, people < 0
    result = one(answer, people, judge)
    expected = rogan_gladen_delta(
        (int(judge.sum()), len(judge)),
        caught=(int(judge[people == 1].sum()), int((people == 1).sum())),
        passed=(int((judge[people == 0] == 0).sum()), int((people == 0).sum())),
    )
    powered = prediction_powered_mean_tuned(people[both], judge[both], judge[rest])
    assert result.rogan_gladen.value == pytest.approx(expected.value)
    assert result.prediction_powered.value == pytest.approx(powered.value)
    assert result.rogan_gladen.method == METHOD
    assert (result.n_labelled, result.n_judged) == (180, 600)


def test_claims_that_go_together_make_the_interval_wider_than_independent_ones_would() -> None:
    answer, people, judge = traffic(claims=6)
    both, rest = people >= 0, people < 0
    alone = prediction_powered_mean_tuned(people[both], judge[both], judge[rest])
    width = one(answer, people, judge).prediction_powered.width
    assert width is not None
    assert alone.width is not None
    assert width > 1.2 * alone.width


def test_one_item_an_answer_has_the_intervals_for_independent_items() -> None:
    answer, people, judge = traffic(claims=1, answers=400)
    result = one(answer, people, judge)
    expected = rogan_gladen_lang_reiczigel(
        (int(judge.sum()), len(judge)),
        caught=(int(judge[people == 1].sum()), int((people == 1).sum())),
        passed=(int((judge[people == 0] == 0).sum()), int((people == 0).sum())),
    )
    assert result.rogan_gladen == replace(expected, n=60)
    assert result.prediction_powered.method == "prediction-powered, tuned"


def test_a_judge_that_says_too_little_is_refused() -> None:
    answer, people, judge = traffic(right=0.5)
    result = one(answer, people, judge)
    assert result.rogan_gladen.reason == result.prediction_powered.reason == NO_BETTER_THAN_CHANCE


def test_labels_of_chosen_items_are_refused_as_no_random_sample() -> None:
    answer, _, judge = traffic()
    flagged = np.unique(answer[judge == 1])[:80]
    people = np.where(np.isin(answer, flagged), judge, -1)
    people[np.flatnonzero(people >= 0)[::7]] ^= 1
    result = one(answer, people, judge)
    assert "another mix" in result.rogan_gladen.reason
    assert "no random sample" in result.prediction_powered.reason


@pytest.mark.parametrize(
    ("people", "judge", "reason"),
    [
        ([-1] * 40, [-1] * 40, corrected.NOT_JUDGED),
        ([1, 0] * 20, [-1] * 40, corrected.NOT_JUDGED),
        ([-1] * 40, [1, 0] * 20, corrected.NOT_LABELLED),
        ([1, 0] * 20, [1, 0] * 20, corrected.ALL_LABELLED),
        ([1, 0] * 3 + [-1] * 34, [1, 0] * 20, "fewer than 10"),
        ([1] * 20 + [-1] * 20, [1, 0] * 20, "none of the labelled lack it"),
        ([0] * 20 + [-1] * 20, [1, 0] * 20, "none of the labelled have it"),
    ],
)
def test_what_cannot_be_corrected_says_why(people: list[int], judge: list[int], reason: str) -> None:
    result = one(np.arange(40), np.array(people), np.array(judge))
    assert reason in result.rogan_gladen.reason
    assert result.prediction_powered.value is None


@pytest.mark.slow
@pytest.mark.parametrize(("labelled", "least"), [(30, 0.89), (100, 0.91)])
def test_the_corrected_share_covers_the_truth_under_clustering(labelled: int, least: float) -> None:
    """Seeds 0 to 149. The judge alone reads 0.36 where the truth is 0.30, and its interval does not hold that."""
    hits = {"rogan_gladen": 0, "prediction_powered": 0}
    defined = 0
    for seed in range(150):
        answer, people, judge = traffic(seed=seed, answers=400, labelled=labelled)
        result = one(answer, people, judge)
        if result.rogan_gladen.low is None or result.prediction_powered.low is None:
            continue
        defined += 1
        for name in hits:
            figure = getattr(result, name)
            hits[name] += figure.low <= 0.3 <= figure.high
    assert defined > 130
    assert min(hits.values()) / defined >= least
