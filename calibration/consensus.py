"""The verdict that several labels agree on, for all of them and with one person left out."""

from __future__ import annotations

from typing import Literal

import numpy as np

from calibration.arrays import ArrayLike, IntArray, codes
from calibration.verdicts import MISSING

Rule = Literal["plurality", "majority", "unanimous"]


def consensus(counts: ArrayLike, *, rule: Rule = "plurality") -> IntArray:
    """Return the consensus of each claim, -1 where labels tie or there is none.

    Parameters
    ----------
    counts : array_like of int, shape (claims, 4)
        How many people gave each verdict.
    rule : {"plurality", "majority", "unanimous"}
        The one most frequent verdict; more than half of the labels; all of them.

    Examples
    --------
    >>> consensus([[2, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]).tolist()
    [0, -1, -1]
    >>> consensus([[2, 1, 1, 0]], rule="majority").tolist()
    [-1]
    """
    array = codes(counts, name="counts", low=0, high=2**31, ndim=2)
    best = array.max(axis=1, initial=0)
    needed = array.sum(axis=1)
    if rule == "plurality":
        agreed = (array == best[:, None]).sum(axis=1) == 1
    elif rule == "majority":
        agreed = 2 * best > needed
    elif rule == "unanimous":
        agreed = best == needed
    else:
        raise ValueError(f"rule: expected plurality, majority or unanimous, got {rule!r}")
    return np.where(agreed & (best > 0), array.argmax(axis=1), MISSING).astype(np.int64)


def consensus_of_others(counts: ArrayLike, verdict: int, *, rule: Rule = "plurality") -> IntArray:
    """Return the consensus that is left when one person who gave ``verdict`` steps out.

    Claims on which nobody gave the verdict get -1.

    Examples
    --------
    >>> consensus_of_others([[2, 1, 0, 0], [3, 0, 0, 0]], 1).tolist()
    [0, -1]
    """
    array = codes(counts, name="counts", low=0, high=2**31, ndim=2).copy()
    present = array[:, verdict] > 0
    array[present, verdict] -= 1
    return np.where(present, consensus(array, rule=rule), MISSING).astype(np.int64)
