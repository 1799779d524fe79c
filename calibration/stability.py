"""Whether a judge says the same again: two words on the same claims, set beside each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import ArrayLike, IntArray, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure, share_figure
from calibration.intervals import LEVEL, NO_ITEMS, wilson
from calibration.results import Figure, Result
from calibration.verdicts import COLUMNS, NO_JUDGEMENT, VERDICTS, unsupported_classes

NO_SCORES = "no claim has a score both times"
_CLASSES, _COLUMNS = len(VERDICTS), len(COLUMNS)
_EXACT = 1_000_000


@dataclass(frozen=True, slots=True)
class Share(Result):
    """A share of claims with both of its intervals.

    Attributes
    ----------
    clustered : Figure
        With the interval that knows that claims of one answer go together.
    independent : Figure
        With Wilson's, which takes each claim for itself.
    """

    clustered: Figure
    independent: Figure


@dataclass(frozen=True, slots=True)
class Stability(Result):
    """A judge's second word beside its first.

    Attributes
    ----------
    same : Share
        Claims of which it said the same: the same verdict, or no opinion both times.
    kappa_four, kappa_two : Figure
        Cohen's kappa over the claims with a verdict the first time: over the four verdicts, and over supported against
        unsupported. No opinion the second time is a disagreement.
    score_change : Figure
        Mean distance between the two scores, over the claims that have both.
    table : int array of shape (5, 5)
        Claims by first word (rows) and second (columns): the four verdicts, then no opinion.
    """

    same: Share
    kappa_four: Figure
    kappa_two: Figure
    score_change: Figure
    table: IntArray


def share_of(
    answer: ArrayLike, hit: ArrayLike, *, resamples: int = RESAMPLES, seed: int = SEED, level: float = LEVEL
) -> Share:
    """Return the share of claims that something holds for, with a cluster-bootstrap and a Wilson interval.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    hit : array_like of bool, shape (n,)
        Whether it holds for the claim.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> share = share_of([1, 1, 2, 3], [True, False, False, False], resamples=50)
    >>> share.clustered.value, share.independent.k, share.independent.n
    (0.25, 1, 4)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    hits = codes(np.asarray(hit, dtype=np.int64), name="hit", low=0, high=1)
    same_length(answer=clusters, hit=hits)
    n, k = len(hits), int(hits.sum())
    counted = Cells(clusters)
    counted.add("hits", hits, shape=(2,))
    value, drawn = counted.resample(resamples=resamples, seed=seed).values(
        "hits", lambda tables: stats.ratio(tables[..., 1], tables.sum(axis=-1))
    )
    clustered = share_figure(value, drawn, n=n, k=k, answers=counted.answers, reason=NO_ITEMS, level=level)
    return Share(clustered=clustered, independent=wilson(k, n, level=level))


def stability(
    answer: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    first_score: ArrayLike,
    second_score: ArrayLike,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Stability:
    """Return how far a judge's second word agrees with its first on the same claims.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    first, second : array_like of int, shape (n,)
        Codes 0 to 3, and 4 for no opinion.
    first_score, second_score : array_like of float, shape (n,)
        Support scores, NaN where there is none.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> said = stability(
    ...     [1, 2, 3, 4], [0, 2, 0, 4], [0, 2, 2, 4], first_score=[1, 0, 1, 0], second_score=[1, 0, 0.6, 0], resamples=50
    ... )
    >>> said.same.clustered.value, round(said.score_change.value, 3), int(said.table[0, 2])
    (0.75, 0.1, 1)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    one = codes(first, name="first", low=0, high=NO_JUDGEMENT)
    two = codes(second, name="second", low=0, high=NO_JUDGEMENT)
    same_length(answer=clusters, first=one, second=two)
    score_one, score_two = np.asarray(first_score, dtype=float), np.asarray(second_score, dtype=float)
    same_length(answer=clusters, first_score=score_one, second_score=score_two)
    judged = np.flatnonzero(one < _CLASSES)
    counted = Cells(clusters)
    counted.add("verdicts", one[judged] * _COLUMNS + two[judged], shape=(_CLASSES, _COLUMNS), rows=judged)
    scored = np.flatnonzero(~np.isnan(score_one) & ~np.isnan(score_two))
    distance = np.rint(np.abs(score_one[scored] - score_two[scored]) * _EXACT)
    counted.add(
        "scores",
        np.repeat([0, 1], len(scored)),
        shape=(2,),
        rows=np.tile(scored, 2),
        weights=np.concatenate([distance, np.full(len(scored), float(_EXACT))]),
        scale=_EXACT,
    )
    drawn = counted.resample(resamples=resamples, seed=seed)
    everything = np.ones((_CLASSES, _COLUMNS), dtype=np.bool_)
    with_verdict = counted.answers_with("verdicts", everything)
    with_scores = counted.answers_with("scores", np.ones(2, dtype=np.bool_))
    classes = unsupported_classes(partial_is_unsupported)

    def kappa(statistic: stats.Statistic) -> Figure:
        value, replicates = drawn.values("verdicts", statistic)
        reason = ONE_CLASS if len(judged) else NO_PAIRS
        return percentile_figure(value, replicates, n=len(judged), answers=with_verdict, reason=reason, level=level)

    change, changes = drawn.values("scores", lambda tables: stats.ratio(tables[..., 0], tables[..., 1]))
    return Stability(
        same=share_of(clusters, one == two, resamples=resamples, seed=seed, level=level),
        kappa_four=kappa(stats.kappa),
        kappa_two=kappa(lambda tables: stats.kappa(stats.collapse(tables, classes))),
        score_change=percentile_figure(
            change, changes, n=len(scored), answers=with_scores, reason=NO_SCORES, level=level
        ),
        table=np.bincount(one * _COLUMNS + two, minlength=_COLUMNS**2).reshape(_COLUMNS, _COLUMNS),
    )
