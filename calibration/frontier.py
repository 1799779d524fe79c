"""Which judges nobody beats on both cost and a figure."""

from __future__ import annotations

import numpy as np

from calibration.arrays import ArrayLike, BoolArray, floats, same_length


def on_frontier(cost: ArrayLike, figure: ArrayLike) -> BoolArray:
    """Return which are on the frontier: none of the others costs as little or less and reaches as much or more.

    Of equals in both all are on it. It goes by the points; whether two figures differ at all is for their interval.

    Parameters
    ----------
    cost, figure : array_like of float, shape (n,)
        What each costs, in any one unit, and the figure it reaches; NaN for what has none, which is never on it.

    Examples
    --------
    >>> on_frontier([0.0, 0.0, 2.0, 3.0], [0.6, 0.5, 0.9, 0.8]).tolist()
    [True, False, True, False]
    """
    spent, reached = floats(cost, name="cost"), floats(figure, name="figure")
    same_length(cost=spent, figure=reached)
    whole = ~(np.isnan(spent) | np.isnan(reached))
    # [i, j]: whether j beats i.
    no_worse = (spent[None, :] <= spent[:, None]) & (reached[None, :] >= reached[:, None])
    better = (spent[None, :] < spent[:, None]) | (reached[None, :] > reached[:, None])
    beaten = np.asarray((no_worse & better & whole[None, :]).any(axis=1))
    return np.asarray(whole & ~beaten)
