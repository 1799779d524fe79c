"""A judge's figures at one threshold, with intervals."""

from __future__ import annotations

from dataclasses import dataclass

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure
from calibration.intervals import LEVEL
from calibration.results import Figure, Result
from calibration.thresholds import NO_SCORES, verdicts_at
from calibration.unsupported import UnsupportedScore, read_unsupported
from calibration.verdicts import COLUMNS, MISSING, VERDICTS, unsupported_classes

_CLASSES = len(VERDICTS)


@dataclass(frozen=True, slots=True)
class ThresholdScore(Result):
    """Figures of a judge at one threshold, with intervals."""

    threshold: float
    kappa_four: Figure
    kappa_two: Figure
    unsupported: UnsupportedScore


def score_at_threshold(
    answer: ArrayLike,
    gold: ArrayLike,
    score: ArrayLike,
    *,
    threshold: float,
    verdict: ArrayLike | None = None,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> ThresholdScore:
    """Return the figures at one threshold with cluster-bootstrap intervals.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    gold, score, verdict : array_like, shape (n,)
        As for `threshold_curve`.
    threshold : float
        A claim is flagged if its score is below it.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> at = score_at_threshold([1, 2, 3, 4], [0, 0, 2, 3], [0.9, 0.6, 0.6, 0.1], threshold=0.7)
    >>> at.unsupported.recall.value, at.unsupported.precision.k
    (1.0, 2)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=_CLASSES - 1)
    said = verdicts_at(score, threshold, verdict=verdict, partial_is_unsupported=partial_is_unsupported)
    same_length(answer=clusters, gold=reference, score=said)
    kept = (reference >= 0) & (said >= 0)
    counted = Cells(clusters[kept])
    counted.add("gold", reference[kept] * len(COLUMNS) + said[kept], shape=(_CLASSES, len(COLUMNS)))
    drawn = counted.resample(resamples=resamples, seed=seed)
    classes = unsupported_classes(partial_is_unsupported)
    n = int(kept.sum())

    def kappa(statistic: stats.Statistic) -> Figure:
        value, replicates = drawn.values("gold", statistic)
        reason = ONE_CLASS if n else NO_SCORES
        return percentile_figure(value, replicates, n=n, answers=counted.answers, reason=reason, level=level)

    return ThresholdScore(
        threshold=threshold,
        kappa_four=kappa(stats.kappa),
        kappa_two=kappa(lambda tables: stats.kappa(stats.collapse(tables, classes))),
        unsupported=read_unsupported(drawn, "gold", unit="claims", classes=classes, level=level),
    )
