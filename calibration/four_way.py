"""Four verdicts from P(entailment) and P(contradiction): three thresholds chosen together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, IntArray, codes, floats, probability, same_length
from calibration.results import Result
from calibration.thresholds import NO_SCORES
from calibration.verdicts import ABSENT, COLUMNS, CONTRADICTED, MISSING, NO_JUDGEMENT, PARTIAL, STATED, VERDICTS

CUTS = 64
"""Values tried for each threshold: distinct ones of the sample, evenly spread over its claims."""


@dataclass(frozen=True, slots=True)
class FourWayThresholds(Result):
    """Three thresholds chosen on the rows given; report them on other rows.

    Attributes
    ----------
    entailment : float or None
        The lowest P(entailment) that means `stated`.
    contradiction : float or None
        The lowest P(contradiction) that means `contradicted`, where the claim is not stated.
    partial : float or None
        The lowest P(entailment) that means `partial`, where it is neither; the same as ``entailment``
        where there is no such band.
    kappa : float or None
        Four-way kappa on these rows, too good for new ones.
    n : int
        Claims with gold; those without both probabilities among them agree with nothing.
    reason : str
        Why nothing was chosen.
    """

    entailment: float | None
    contradiction: float | None
    partial: float | None
    kappa: float | None
    n: int
    reason: str = ""


def four_way_verdicts(
    entailment: ArrayLike,
    contradiction: ArrayLike,
    *,
    stated_from: float,
    contradicted_from: float,
    partial_from: float,
) -> IntArray:
    """Return the verdicts that three thresholds give; 4 where a probability is missing.

    Examples
    --------
    >>> four_way_verdicts(
    ...     [0.9, 0.4, 0.1, 0.1], [0.0, 0.1, 0.8, 0.2], stated_from=0.5, contradicted_from=0.5, partial_from=0.3
    ... ).tolist()
    [0, 1, 3, 2]
    """
    for name, value in {"stated": stated_from, "contradicted": contradicted_from, "partial": partial_from}.items():
        probability(value, name=f"{name}_from")
    supports, opposes = floats(entailment, name="entailment"), floats(contradiction, name="contradiction")
    same_length(entailment=supports, contradiction=opposes)
    said = np.select(
        [
            np.isnan(supports) | np.isnan(opposes),
            supports >= stated_from,
            opposes >= contradicted_from,
            supports >= partial_from,
        ],
        [NO_JUDGEMENT, STATED, CONTRADICTED, PARTIAL],
        default=ABSENT,
    )
    return np.asarray(said, dtype=np.int64)


def choose_four_way(
    gold: ArrayLike, entailment: ArrayLike, contradiction: ArrayLike, *, cuts: int = CUTS
) -> FourWayThresholds:
    """Return the three thresholds with the largest four-way kappa, chosen together.

    Claims are counted once by gold and by which cuts their probabilities reach; the table of every
    combination of thresholds is a sum over those counts. Among equals the simpler one is taken: without
    a band for `partial`, then the lowest threshold for `stated`, which flags least, then the highest for
    `contradicted`.

    Parameters
    ----------
    gold : array_like of int, shape (n,)
        Codes 0 to 3, -1 for none. Development rows.
    entailment, contradiction : array_like of float, shape (n,)
        Probabilities; NaN for none.
    cuts : int
        At most so many values are tried for each threshold, and 1 beside them.

    Examples
    --------
    >>> made = choose_four_way([0, 0, 1, 2, 3], [0.9, 0.8, 0.5, 0.1, 0.2], [0.0, 0.1, 0.2, 0.1, 0.9])
    >>> made.kappa, made.entailment, made.partial, made.contradiction
    (1.0, 0.8, 0.5, 0.9)
    """
    if cuts < 1:
        raise ValueError(f"cuts: expected at least 1, got {cuts}")
    reference = codes(gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
    supports, opposes = (_probabilities(entailment, "entailment"), _probabilities(contradiction, "contradiction"))
    same_length(gold=reference, entailment=supports, contradiction=opposes)
    kept = reference >= 0
    reference, supports, opposes = reference[kept], supports[kept], opposes[kept]
    scored = ~(np.isnan(supports) | np.isnan(opposes))
    n = len(reference)
    if not scored.any():
        return FourWayThresholds(None, None, None, None, n, reason=NO_SCORES)
    silent = np.bincount(reference[~scored], minlength=len(VERDICTS))
    at_support, at_oppose = _cuts(supports[scored], cuts), _cuts(opposes[scored], cuts)
    below = _below(reference[scored], supports[scored], opposes[scored], at_support, at_oppose)
    best, found = -np.inf, (0, 0, 0)
    for stated in range(len(at_support)):
        # Reversed, so that the first of equals has no band, then the highest bar for "contradicted".
        kappa = stats.kappa(_tables(below, silent, stated))[::-1, ::-1]
        if np.all(np.isnan(kappa)):
            continue
        place = np.unravel_index(int(np.nanargmax(kappa)), kappa.shape)
        partial, contradicted = stated - int(place[0]), len(at_oppose) - 1 - int(place[1])
        if kappa[place] > best + 1e-12 or (kappa[place] > best - 1e-12 and found[0] != found[2] and stated == partial):
            best, found = float(kappa[place]), (stated, contradicted, partial)
    if best == -np.inf:
        return FourWayThresholds(None, None, None, None, n, reason=ONE_CLASS)
    stated, contradicted, partial = found
    return FourWayThresholds(
        float(at_support[stated]), float(at_oppose[contradicted]), float(at_support[partial]), best, n
    )


def _probabilities(values: ArrayLike, name: str) -> FloatArray:
    made = floats(values, name=name)
    if np.any((made < 0) | (made > 1)):
        raise ValueError(f"{name}: expected probabilities, found {np.nanmin(made):g} to {np.nanmax(made):g}")
    return made


def _cuts(values: FloatArray, most: int) -> FloatArray:
    ordered = np.sort(values)
    places = np.linspace(0, len(ordered) - 1, min(most, len(ordered))).round().astype(np.intp)
    return np.unique(np.append(ordered[places], 1.0))


def _below(
    gold: IntArray, supports: FloatArray, opposes: FloatArray, at_support: FloatArray, at_oppose: FloatArray
) -> IntArray:
    """Count, for each verdict of gold and each two cuts, the claims that reach neither; the last of each is all."""
    shape = (len(VERDICTS), len(at_support) + 1, len(at_oppose) + 1)
    reached = (np.searchsorted(at_support, supports, side="right"), np.searchsorted(at_oppose, opposes, side="right"))
    cell = np.ravel_multi_index((gold, *reached), shape)
    counted = np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape)
    return np.asarray(counted.cumsum(axis=1).cumsum(axis=2))


def _tables(below: IntArray, silent: IntArray, stated: int) -> FloatArray:
    """Return the tables (partial cut up to the stated one, contradicted cut, 4, 5) at one cut for `stated`."""
    everything = below[:, -1, -1]
    neither = below[:, stated, :-1]
    left = below[:, : stated + 1, :-1]
    tables = np.zeros((stated + 1, below.shape[2] - 1, len(VERDICTS), len(COLUMNS)))
    tables[..., STATED] = everything - below[:, stated, -1]
    tables[..., CONTRADICTED] = (below[:, stated, -1][:, None] - neither).T
    tables[..., ABSENT] = left.transpose(1, 2, 0)
    tables[..., PARTIAL] = neither.T - tables[..., ABSENT]
    tables[..., NO_JUDGEMENT] = silent
    return tables
