from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from calibration.intervals import clopper_pearson, clopper_pearson_lower, wilson


@given(st.integers(0, 200), st.integers(0, 200))
def test_both_intervals_equal_statsmodels(k: int, more: int) -> None:
    n = k + more
    if n == 0:
        return
    for function, method in ((wilson, "wilson"), (clopper_pearson, "beta")):
        figure = function(k, n)
        low, high = proportion_confint(k, n, method=method)
        # statsmodels leaves the ends of the beta interval undefined at the edges.
        assert figure.low == pytest.approx(np.nan_to_num(low, nan=0.0), abs=1e-12)
        assert figure.high == pytest.approx(np.nan_to_num(high, nan=1.0), abs=1e-12)


def test_no_items_is_no_data() -> None:
    for function in (wilson, clopper_pearson, clopper_pearson_lower):
        assert function(0, 0).value is None
        assert function(0, 0).reason == "no items"


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_counts_that_do_not_fit_are_named(k: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"k={k}, n={n}"):
        wilson(k, n)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.9, 0.97])
def test_exact_interval_covers_at_least_as_often_as_it_says(share: float) -> None:
    n = 40
    covered = [low_high_hold(clopper_pearson(k, n).low, clopper_pearson(k, n).high, share) for k in range(n + 1)]
    bounded = [low_high_hold(clopper_pearson_lower(k, n).low, 1.0, share) for k in range(n + 1)]
    chances = binom.pmf(np.arange(n + 1), n, share)
    assert chances @ np.array(covered) >= 0.95
    assert chances @ np.array(bounded) >= 0.95


def test_wilson_covers_about_as_often_as_it_says_on_average() -> None:
    n = 40
    ends = [wilson(k, n) for k in range(n + 1)]
    covered = [
        binom.pmf(np.arange(n + 1), n, share) @ np.array([low_high_hold(e.low, e.high, share) for e in ends])
        for share in np.linspace(0.05, 0.95, 91)
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)


def low_high_hold(low: float | None, high: float | None, share: float) -> bool:
    assert low is not None
    assert high is not None
    return low <= share <= high
