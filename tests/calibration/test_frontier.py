"""The frontier of cost against a figure, against the definition read out pair by pair."""

import numpy as np
import pytest

from calibration.frontier import on_frontier


@pytest.mark.parametrize("seed", range(5))
def test_a_judge_is_on_it_where_no_other_beats_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    cost, figure = random.integers(0, 4, 12).astype(float), random.integers(0, 5, 12).astype(float)
    expected = [
        not any(
            c <= cost[one] and f >= figure[one] and (c < cost[one] or f > figure[one])
            for c, f in zip(cost, figure, strict=True)
        )
        for one in range(12)
    ]
    assert on_frontier(cost, figure).tolist() == expected


def test_what_has_no_cost_or_no_figure_is_not_on_it_and_beats_nobody() -> None:
    nan = float("nan")
    assert on_frontier([nan, 1.0, 0.0], [0.9, 0.5, nan]).tolist() == [False, True, False]
    assert on_frontier([], []).tolist() == []
