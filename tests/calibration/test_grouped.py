from __future__ import annotations

import numpy as np

from calibration.bootstrap import METHOD
from calibration.grouped import worst_groups
from calibration.intervals import wilson


def test_the_group_that_is_surely_bad_comes_before_the_one_with_bad_luck() -> None:
    answer = np.arange(112)
    group = np.array([0] * 10 + [1] * 100 + [2] * 2)
    verdict = np.where(np.isin(np.arange(112), [*range(3), *range(10, 90), 110, 111]), 2, 0)
    scores = worst_groups(answer, verdict, group, resamples=300)
    assert [score.group for score in scores] == [1, 2, 0]
    worst = scores[0].unsupported
    assert worst == wilson(80, 100)
    assert scores[1].unsupported.value == 1.0
    assert scores[1].n_answers == 2


def test_partial_and_no_verdict_count_as_the_rule_says() -> None:
    rows = [0, 1, 2, 3], [1, 4, 0, 3], [0, 0, 0, 0]
    (strict,), (lenient,) = worst_groups(*rows), worst_groups(*rows, partial_is_unsupported=False)
    assert (strict.unsupported.k, lenient.unsupported.k) == (3, 2)
    assert strict.verdicts == (1, 1, 0, 1, 1)


def test_of_many_groups_the_worst_are_kept() -> None:
    group = np.repeat(np.arange(100), 10)
    verdict = np.where(group % 10 == 3, 2, 0)
    scores = worst_groups(np.arange(1000), verdict, group, most=10, resamples=50)
    assert sorted(score.group for score in scores) == list(range(3, 100, 10))


def test_a_group_in_one_answer_has_no_interval_and_comes_last() -> None:
    scores = worst_groups([0, 0, 0, 1, 2, 3], [2, 2, 0, 0, 0, 2], [0, 0, 0, 1, 1, 1], resamples=50)
    assert [score.group for score in scores] == [1, 0]
    assert scores[1].unsupported.low is None
    assert scores[1].unsupported.reason == "no interval: one answer only"


def test_claims_of_the_same_answer_are_drawn_together() -> None:
    answer, verdict = np.repeat(np.arange(30), 4), np.repeat(np.where(np.arange(30) % 3, 0, 2), 4)
    (score,) = worst_groups(answer, verdict, np.zeros(120, dtype=np.int64), resamples=300)
    assert score.unsupported.method == METHOD
    assert score.unsupported.width is not None
    assert score.unsupported.width > 1.5 * (wilson(40, 120).width or 0)


def test_no_rows_give_no_groups() -> None:
    assert worst_groups([], [], []) == ()
