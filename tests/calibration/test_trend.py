from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from calibration.intervals import wilson
from calibration.results import Figure
from calibration.sentences import change_sentence
from calibration.trend import by_chance, chance_outside, changes, difference_of


@pytest.mark.parametrize(("first", "second"), [((48, 80), (56, 70)), ((0, 20), (0, 10)), ((3, 9), (9, 10))])
def test_the_interval_of_a_difference_is_that_of_statsmodels(first: tuple[int, int], second: tuple[int, int]) -> None:
    made = difference_of(wilson(*first), wilson(*second))
    low, high = confint_proportions_2indep(*second, *first, method="newcomb")
    assert (made.low, made.high) == pytest.approx((low, high))


def test_a_value_outside_the_interval_before_is_flagged_and_periods_without_data_are_passed_over() -> None:
    figures = [wilson(10, 100), Figure.undefined("no claims"), wilson(11, 100), wilson(30, 100), wilson(29, 100)]
    found = changes(figures)
    assert [(change.before, change.period) for change in found] == [(0, 2), (2, 3), (3, 4)]
    assert [change.flagged for change in found] == [False, True, False]
    assert [change.clear for change in found] == [False, True, False]
    assert found[1].figure_before is figures[2]


def test_a_value_just_outside_is_flagged_and_not_clear() -> None:
    (change,) = changes([wilson(10, 100), wilson(18, 100)])
    assert (change.flagged, change.clear) == (True, False)
    assert "leave open whether by chance" in change_sentence(change, figure="rate")


def test_a_period_without_an_interval_is_beside_others_but_none_is_beside_it() -> None:
    figures = [wilson(10, 100), Figure.point(0.9, n=1, reason="no interval: one answer only"), wilson(12, 100)]
    found = changes(figures)
    assert [(change.before, change.period) for change in found] == [(0, 1), (0, 2)]
    assert (found[0].flagged, found[0].clear) == (True, False)
    assert change_sentence(found[0], figure="rate") == (
        "Whether the rate changed is open: no interval: one answer only."
    )


def test_nothing_and_one_period_have_no_change() -> None:
    assert changes([]) == changes([wilson(1, 2)]) == ()


@pytest.mark.parametrize(
    ("second", "said"),
    [((40, 100), "The rate rose by 7 to 32 points."), ((5, 100), "The rate fell by 5 to 25 points."),
     ((21, 100), "The rate stayed within the interval of the period before.")],
)  # fmt: skip
def test_words_say_how_far_at_least_and_at_most(second: tuple[int, int], said: str) -> None:
    (change,) = changes([wilson(20, 100), wilson(*second)])
    assert change_sentence(change, figure="rate") == said


def test_where_nothing_changed_one_in_six_is_flagged_and_one_in_twenty_clear() -> None:
    random = np.random.default_rng(4)
    found = changes([wilson(int(k), 400) for k in random.binomial(400, 0.3, 3_000)])
    assert np.mean([change.flagged for change in found]) == pytest.approx(1 / 6, abs=0.03)
    assert np.mean([change.clear for change in found]) == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize(("before", "after"), [(400, 400), (400, 100), (400, 40), (100, 400)])
def test_how_many_are_flagged_by_chance_follows_the_sizes_of_both_periods(before: int, after: int) -> None:
    random = np.random.default_rng(7)
    drawn = zip(random.binomial(before, 0.3, 1_500), random.binomial(after, 0.3, 1_500), strict=True)
    found = [change for old, new in drawn for change in changes([wilson(int(old), before), wilson(int(new), after)])]
    flagged, clear = by_chance(found)
    assert sum(change.flagged for change in found) == pytest.approx(flagged, rel=0.12)
    assert sum(change.clear for change in found) == pytest.approx(clear, abs=45)


def test_a_period_without_an_interval_is_taken_to_spread_as_its_size_says() -> None:
    old = wilson(10, 100)
    (change,) = changes([old, Figure.point(0.9, n=1, reason="no interval: one answer only")])
    assert chance_outside(change) == pytest.approx(0.845, abs=0.001)
    assert by_chance([change]) == (chance_outside(change), 0)
