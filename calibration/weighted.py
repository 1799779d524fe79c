"""Figures over claims that were not all equally likely to be chosen.

Claims picked because judges disagreed or were unsure are no random sample. Where the probability with
which each was picked is known, each counts one over it: for itself and for the claims like it that were
not picked. Without a known probability a claim stays out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, codes, floats, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure, share_figure
from calibration.ceiling import NO_UNSUPPORTED
from calibration.intervals import LEVEL, effective_number
from calibration.results import Figure, Result
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, VERDICTS, unsupported, unsupported_classes

NO_FLAGGED = "no claims flagged"


@dataclass(frozen=True, slots=True)
class WeightedScore(Result):
    """Figures of a judge over claims that count one over their probability of being chosen.

    Attributes
    ----------
    n : int
        Claims with gold that are in the run.
    effective : float
        As how many equally likely claims they count; far below ``n`` where a few weigh most.
    share_unsupported, recall, precision, kappa_two, kappa_four : Figure
    """

    n: int
    effective: float
    share_unsupported: Figure
    recall: Figure
    precision: Figure
    kappa_two: Figure
    kappa_four: Figure


def weights_of(chance: ArrayLike) -> FloatArray:
    """Return one over the probability with which each claim was chosen.

    Raises
    ------
    ValueError
        Where a probability is missing, 0, or above 1.

    Examples
    --------
    >>> weights_of([0.1, 1.0]).tolist()
    [10.0, 1.0]
    """
    given = floats(chance, name="chance")
    wrong = given[~((given > 0) & (given <= 1))]
    if len(wrong):
        raise ValueError(f"chance: expected numbers above 0 and up to 1, found {wrong[0]:g}")
    return np.asarray(1.0 / given)


def weighted_score(
    answer: ArrayLike,
    gold: ArrayLike,
    verdict: ArrayLike,
    chance: ArrayLike,
    *,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> WeightedScore:
    """Return a judge's figures with each claim counted one over its probability of being chosen.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    gold : array_like of int, shape (n,)
        Codes 0 to 3, -1 for none.
    verdict : array_like of int, shape (n,)
        Codes 0 to 3, 4 for an outcome without a verdict (a miss), -1 for a claim outside the run.
    chance : array_like of float, shape (n,)
        Probability with which each claim was chosen; only that of claims with gold in the run is read.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Notes
    -----
    Hájek's ratio estimator: weighted hits over the sum of weights. Answers are drawn with their
    weights, so that the interval is as wide as unequal weights make it.

    Examples
    --------
    >>> made = weighted_score([1, 2, 3, 4], [2, 2, 0, 0], [2, 0, 0, 2], [1.0, 0.5, 0.5, 1.0], resamples=50)
    >>> round(made.recall.value, 4), made.share_unsupported.value
    (0.3333, 0.5)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
    said = codes(verdict, name="verdict", low=MISSING, high=NO_JUDGEMENT)
    chances = floats(chance, name="chance")
    same_length(answer=clusters, gold=reference, verdict=said, chance=chances)
    kept = (reference >= 0) & (said >= 0)
    clusters, reference, said, weight = clusters[kept], reference[kept], said[kept], weights_of(chances[kept])
    bad, flagged = unsupported(reference, partial_is_unsupported), unsupported(said, partial_is_unsupported)
    counted = Cells(clusters)
    shape = (len(VERDICTS), len(COLUMNS))
    counted.add("table", reference * len(COLUMNS) + said, shape=shape, weights=weight)
    drawn = counted.resample(resamples=resamples, seed=seed)
    classes, n = unsupported_classes(partial_is_unsupported), len(reference)

    def folded(statistic: stats.Statistic) -> stats.Statistic:
        return lambda tables: statistic(stats.collapse(tables, classes))

    def share(statistic: stats.Statistic, among: np.ndarray[tuple[int], np.dtype[np.bool_]], reason: str) -> Figure:
        value, replicates = drawn.values("table", folded(statistic))
        of_answer = np.bincount(counted.position[among], weights=weight[among])
        answers = int(effective_number(of_answer[of_answer > 0]))
        return share_figure(value, replicates, n=int(among.sum()), answers=answers, reason=reason, level=level)

    def kappa(statistic: stats.Statistic) -> Figure:
        value, replicates = drawn.values("table", statistic)
        reason = ONE_CLASS if n else NO_PAIRS
        return percentile_figure(value, replicates, n=n, answers=counted.answers, reason=reason, level=level)

    return WeightedScore(
        n=n,
        effective=effective_number(weight),
        share_unsupported=share(stats.share_unsupported, np.ones(n, dtype=np.bool_), "no claims"),
        recall=share(stats.recall, bad, NO_UNSUPPORTED),
        precision=share(stats.precision, flagged, NO_FLAGGED),
        kappa_two=kappa(folded(stats.kappa)),
        kappa_four=kappa(stats.kappa),
    )


def horvitz_thompson_total(
    answer: ArrayLike,
    outcome: ArrayLike,
    chance: ArrayLike,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Figure:
    """Return how many items of the whole have an outcome, from a sample with known probabilities.

    Divided by the size of the whole it is the Horvitz-Thompson rate. Hájek's, in `weighted_score`, is
    steadier where the size of the sample was left to chance.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each sampled item.
    outcome : array_like of 0 and 1, shape (n,)
        1 where it is counted.
    chance : array_like of float, shape (n,)
        Probability with which each was chosen.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Notes
    -----
    Horvitz and Thompson (1952), Journal of the American Statistical Association 47.

    Examples
    --------
    >>> horvitz_thompson_total([1, 2, 3], [1, 0, 1], [0.1, 0.1, 0.5], resamples=50).value
    12.0
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    happened = codes(outcome, name="outcome", low=0, high=1)
    weight = weights_of(chance)
    same_length(answer=clusters, outcome=happened, chance=weight)
    counted = Cells(clusters)
    counted.add("total", happened, shape=(1, 2), weights=weight)
    drawn = counted.resample(resamples=resamples, seed=seed)
    value, replicates = drawn.values("total", lambda tables: tables[..., 0, 1])
    if not len(happened):
        return Figure.undefined("no items")
    return percentile_figure(
        value, replicates, n=len(happened), answers=counted.answers, reason="no items", level=level
    )
