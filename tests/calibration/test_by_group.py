from __future__ import annotations

import numpy as np
import pytest

from calibration.agreement import confusion, kappa_from_table
from calibration.by_group import figures_by_group
from calibration.unsupported import unsupported_score
from tests.calibration.factories import noisy


def test_each_group_has_the_figures_of_its_claims() -> None:
    random = np.random.default_rng(1)
    gold, group = random.integers(-1, 4, 300), random.integers(-1, 3, 300)
    said, answer = noisy(random, np.maximum(gold, 0), right=0.7), np.arange(300) // 4
    said[:20], said[20:30] = 4, -1
    made = figures_by_group(answer, gold, said, group, resamples=20)
    assert [one.group for one in made] == [0, 1, 2]
    for one in made:
        here = group == one.group
        alone = unsupported_score(answer[here], gold[here], said[here], resamples=20)
        assert one.unsupported.counts == alone.counts
        assert one.unsupported.recall.value == alone.recall.value
        assert one.unsupported.recall_wilson == alone.recall_wilson
        expected = kappa_from_table(confusion(gold[here], said[here]).counts).value
        assert one.kappa_four.value == pytest.approx(expected)
        assert one.n_answers == len(np.unique(answer[here & (gold >= 0) & (said >= 0)]))


def test_one_group_of_everything_has_the_intervals_of_everything() -> None:
    random = np.random.default_rng(2)
    gold = random.integers(0, 4, 200)
    said, answer = noisy(random, gold, right=0.7), np.arange(200) // 4
    (one,) = figures_by_group(answer, gold, said, np.zeros(200, dtype=int), resamples=100)
    assert one.unsupported == unsupported_score(answer, gold, said, resamples=100)


def test_a_claim_may_be_in_two_groups_and_no_claim_is_no_group() -> None:
    made = figures_by_group([1, 1, 2], [2, 2, 0], [2, 2, 0], [0, 1, 1], resamples=10)
    assert [(one.group, one.n) for one in made] == [(0, 1), (1, 2)]
    assert figures_by_group([], [], [], []) == ()
    assert figures_by_group([1], [2], [2], [-1]) == ()


def test_a_group_without_unsupported_claims_says_so() -> None:
    one, two = figures_by_group([1, 2, 3, 4], [0, 0, 2, 2], [0, 0, 2, 0], [0, 0, 1, 1], resamples=10)
    assert one.unsupported.recall.reason == "no unsupported claims"
    assert one.kappa_four.reason == "one class only"
    assert two.unsupported.recall.k == 1
