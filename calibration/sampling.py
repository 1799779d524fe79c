"""Drawing the claims to label next, with the probability that each had of being drawn.

A random draw from all claims, and further draws from groups that are worth a closer look. Each is
independent of the others, so a claim is missed by all of them with the product of the probabilities of
being missed by each. That is exact, whatever groups overlap, and above 0 for every claim, since the random
draw may meet any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Claims drawn, in the random order in which they are to be labelled.

    The first so many are then a sample in the same way, with probabilities that are smaller by one factor,
    which a weighted share does not feel: figures may be read before all is labelled.

    Attributes
    ----------
    position : int array, shape (drawn,)
        Place of each drawn claim among those drawn from.
    chance : float array, shape (drawn,)
        Probability with which it was drawn, by any draw; above 0 and at most 1.
    at_random : bool array, shape (drawn,)
        Whether the random draw met it. These alone are a simple random sample.
    taken : tuple of int
        How many each group gave: what was asked, or all that it has.
    """

    position: IntArray
    chance: FloatArray
    at_random: BoolArray
    taken: tuple[int, ...]


def draw_sample(n: int, *, random: int, groups: Sequence[tuple[BoolArray, int]] = (), seed: int) -> Sample:
    """Draw claims at random, and more from groups.

    Parameters
    ----------
    n : int
        Claims to draw from.
    random : int
        Claims drawn from all of them, at least 1.
    groups : sequence of (bool array of shape (n,), int)
        For each group its members, and how many to draw from them. A smaller group is drawn whole.
    seed : int
        Of the random numbers: the same seed draws the same claims.

    Returns
    -------
    Sample
        A claim met by several draws is in it once, so that it may be smaller than all that was asked.

    Raises
    ------
    ValueError
        Where a number is out of range.

    Notes
    -----
    Horvitz and Thompson (1952); Lohr, Sampling: Design and Analysis, on multiple-frame designs.

    Examples
    --------
    >>> members = np.arange(10) < 4
    >>> made = draw_sample(10, random=5, groups=[(members, 2)], seed=1)
    >>> sorted(set(made.chance.round(2).tolist())), made.taken
    ([0.5, 0.75], (2,))
    """
    if not 1 <= random <= n:
        raise ValueError(f"random: expected a number from 1 to the {n} claims there are, got {random}")
    numbers = np.random.default_rng(seed)
    at_random = np.zeros(n, dtype=np.bool_)
    at_random[numbers.choice(n, size=random, replace=False)] = True
    drawn = at_random.copy()
    missed = np.full(n, 1.0 - random / n)
    taken = []
    for members, wanted in groups:
        if members.shape != (n,):
            raise ValueError(f"groups: expected members of shape ({n},), got {members.shape}")
        if wanted < 0:
            raise ValueError(f"groups: expected a number of 0 or more to draw, got {wanted}")
        inside = np.flatnonzero(members)
        size = min(wanted, len(inside))
        drawn[numbers.choice(inside, size=size, replace=False)] = True
        if size:
            missed[inside] *= 1.0 - size / len(inside)
        taken.append(size)
    position = numbers.permutation(np.flatnonzero(drawn))
    return Sample(position, 1.0 - missed[position], at_random[position], tuple(taken))
