"""Intervals of a judge's figures at many thresholds at once, all on the same resamples of answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, IntArray, codes, floats, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure, share_figure
from calibration.intervals import LEVEL
from calibration.results import Figure, Result
from calibration.thresholds import NO_SCORES, verdicts_at
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, STATED, VERDICTS, unsupported, unsupported_classes

_CLASSES = len(VERDICTS)


@dataclass(frozen=True, slots=True)
class ThresholdFigures(Result):
    """What one threshold would do, with intervals. The same figures as `score_at_threshold` gives for it."""

    threshold: float
    recall: Figure
    precision: Figure
    kappa_two: Figure
    kappa_four: Figure
    share_flagged: Figure


def figures_at_thresholds(
    answer: ArrayLike,
    gold: ArrayLike,
    score: ArrayLike,
    *,
    thresholds: ArrayLike,
    verdict: ArrayLike | None = None,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> tuple[ThresholdFigures, ...]:
    """Return figures with cluster-bootstrap intervals at every threshold of a list, from one draw.

    Claims are counted by the first threshold that flags them. The table at a threshold is then a running sum over
    those counts, in the sample as in every resample. Thresholds between which no score lies flag the same claims, and
    are computed once.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    gold, score, verdict : array_like, shape (n,)
        As for `threshold_curve`.
    thresholds : array_like of float, shape (k,)
        Strictly ascending; a claim is flagged if its score is below the threshold.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Raises
    ------
    ValueError
        If the thresholds do not ascend, or the columns differ in length.

    Examples
    --------
    >>> at = figures_at_thresholds([1, 2, 3, 4], [0, 0, 2, 3], [0.9, 0.6, 0.6, 0.1], thresholds=[0.5, 0.7])
    >>> [(figures.recall.value, figures.precision.k) for figures in at]
    [(0.5, 1), (1.0, 2)]
    """
    at = floats(thresholds, name="thresholds")
    if np.any(np.isnan(at)) or np.any(np.diff(at) <= 0):
        raise ValueError("thresholds: expected ascending numbers without repeats")
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=_CLASSES - 1)
    support = floats(score, name="score")
    same_length(answer=clusters, gold=reference, score=support)
    flagged = verdicts_at(support, np.inf, verdict=verdict, partial_is_unsupported=partial_is_unsupported)
    kept = (reference >= 0) & (flagged != MISSING)
    below = np.searchsorted(np.sort(support[kept]), at, side="left")
    _, first, place = np.unique(below, return_index=True, return_inverse=True)
    made = _Sweep(
        clusters[kept], reference[kept], support[kept], flagged[kept], at[first], partial_is_unsupported, level
    ).figures(resamples=resamples, seed=seed)
    return tuple(replace(made[of], threshold=value) for of, value in zip(place.tolist(), at.tolist(), strict=True))


class _Sweep:
    def __init__(
        self,
        answer: IntArray,
        gold: IntArray,
        score: FloatArray,
        flagged: IntArray,
        thresholds: FloatArray,
        partial_is_unsupported: bool,
        level: float,
    ) -> None:
        self.thresholds, self.level = thresholds, level
        self.classes = unsupported_classes(partial_is_unsupported)
        self.n = len(gold)
        self.bad = unsupported(gold, partial_is_unsupported)
        # The first threshold above the score is the first that flags; without a score none does.
        self.first = np.where(
            np.isnan(score), len(thresholds), np.searchsorted(thresholds, score, side="right")
        ).astype(np.int64)
        self.counted = Cells(answer)
        # A row of cells for each first threshold, and the last for those that no threshold flags.
        shape = (len(thresholds) + 1, _CLASSES, len(COLUMNS))
        cell = np.ravel_multi_index((self.first, gold, flagged), shape)
        self.counted.add("first flagged", cell, shape=shape)
        self.n_bad, self.bad_answers = int(self.bad.sum()), len(np.unique(self.counted.position[self.bad]))
        flags = self.first < len(thresholds)
        self.first_of_answer = self._earliest(flags)

    def _earliest(self, mask: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> IntArray:
        """For every answer, the first threshold that flags one of the masked claims."""
        earliest = np.full(self.counted.answers, len(self.thresholds), dtype=np.int64)
        np.minimum.at(earliest, self.counted.position[mask], self.first[mask])
        return earliest

    def figures(self, *, resamples: int, seed: int) -> tuple[ThresholdFigures, ...]:
        drawn = self.counted.resample(resamples=resamples, seed=seed)
        observed = self._running(drawn.observed("first flagged"))
        replicates = self._running(drawn.replicates("first flagged"))
        return tuple(self._at(index, observed[index], replicates[:, index]) for index in range(len(self.thresholds)))

    def _running(self, counts: FloatArray) -> FloatArray:
        """Turn counts by first threshold (..., k + 1, 4, 5) into tables at each threshold (..., k, 4, 5)."""
        flagged = np.cumsum(counts, axis=-3)
        passed = (flagged[..., -1:, :, :] - flagged)[..., :_CLASSES].sum(axis=-1)
        tables = flagged.copy()
        tables[..., STATED] += passed
        # Claims without a score have no verdict at any threshold, and were counted at the end.
        tables[..., NO_JUDGEMENT] = flagged[..., -1:, :, NO_JUDGEMENT]
        return tables[..., :-1, :, :]

    def _at(self, index: int, table: FloatArray, replicates: FloatArray) -> ThresholdFigures:
        two, two_drawn = stats.collapse(table, self.classes), stats.collapse(replicates, self.classes)
        hits, flagged = int(two[1, 1]), int(two[:, 1].sum())
        level, answers = self.level, self.counted.answers
        undefined = ONE_CLASS if self.n else NO_SCORES
        return ThresholdFigures(
            threshold=float(self.thresholds[index]),
            recall=share_figure(
                float(stats.recall(two)),
                stats.recall(two_drawn),
                k=hits,
                n=self.n_bad,
                answers=self.bad_answers,
                reason="no unsupported claims",
                level=level,
            ),
            precision=share_figure(
                float(stats.precision(two)),
                stats.precision(two_drawn),
                k=hits,
                n=flagged,
                answers=int((self.first_of_answer <= index).sum()),
                reason="no claims flagged",
                level=level,
            ),
            kappa_two=percentile_figure(
                float(stats.kappa(two)),
                stats.kappa(two_drawn),
                n=self.n,
                answers=answers,
                reason=undefined,
                level=level,
            ),
            kappa_four=percentile_figure(
                float(stats.kappa(table)),
                stats.kappa(replicates),
                n=self.n,
                answers=answers,
                reason=undefined,
                level=level,
            ),
            share_flagged=share_figure(
                float(stats.share_flagged(two)),
                stats.share_flagged(two_drawn),
                k=flagged,
                n=self.n,
                answers=answers,
                reason="no claims",
                level=level,
            ),
        )
