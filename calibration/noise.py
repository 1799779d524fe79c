"""How much of the gap between people and a judge is the judge not agreeing with itself.

How far it agrees with itself is in `stability`, and one rule serves both: a claim counts where the first word is a
verdict, and no verdict the second time is a disagreement. So no verdict both times is no pair, neither for nor against.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure
from calibration.ceiling import Labels, Scope, add_judge, add_people, scope_of
from calibration.intervals import LEVEL
from calibration.reliability import label_counts
from calibration.results import Figure, Result
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, VERDICTS, unsupported_classes

_CLASSES = len(VERDICTS)
TOO_FEW = "no pairs: no claim has two labels and both runs"
NO_GAP = "people are not ahead of the judge"
UNSTEADY = "the judge agrees with itself no better than by chance"


@dataclass(frozen=True, slots=True)
class NoiseShare(Result):
    """How much of the gap between people and a judge is the judge not agreeing with itself.

    Attributes
    ----------
    people, judge : Figure
        Kappa of people with one another, and of the judge with people, mean of its two runs.
    itself : Figure
        Kappa of the two runs.
    steady : Figure
        What the judge would reach if it always said what it says on average.
    gap : Figure
        People minus judge.
    share : Figure
        Part of the gap that would be gone with a steady judge; above 1 where it would be past people.
        Without a value where people are not ahead.
    n_answers : int
        Answers of the claims asked twice that two people labelled.
    """

    people: Figure
    judge: Figure
    itself: Figure
    steady: Figure
    gap: Figure
    share: Figure
    n_answers: int


def noise_share(
    answer: ArrayLike,
    labels: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> NoiseShare:
    """Return the noise of a judge beside that of people, in binary kappa on the same claims.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    labels : array_like of int, shape (people, n)
        Codes 0 to 3, -1 where a person gave no label.
    first, second : array_like of int, shape (n,)
        Two runs of one version: codes 0 to 3, 4 for no verdict, -1 outside the run.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Notes
    -----
    Spearman (1904), American Journal of Psychology 15: agreement with others is that of a steady judge
    times the root of its agreement with itself. Exact where what wavers does so independently in both
    runs and both call as many claims unsupported; else close.

    Examples
    --------
    >>> people = np.tile([[0, 2, 0, 2], [0, 2, 0, 2]], 10)
    >>> made = noise_share(np.arange(40), people, np.tile([0, 2, 0, 2], 10), np.tile([0, 2, 2, 0], 10), resamples=50)
    >>> made.judge.value, made.itself.value
    (0.5, 0.0)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    given = codes(labels, name="labels", low=MISSING, high=_CLASSES - 1, ndim=2)
    one = codes(first, name="first", low=MISSING, high=NO_JUDGEMENT)
    two = codes(second, name="second", low=MISSING, high=NO_JUDGEMENT)
    same_length(answer=clusters, labels=given, first=one, second=two)
    classes = unsupported_classes(partial_is_unsupported)
    people = Labels(label_counts(given, categories=_CLASSES))
    counted, mask = Cells(clusters), (one >= 0) & (two >= 0)
    add_people(counted, people, mask, name="people")
    for name, run in (("first", one), ("second", two)):
        add_judge(counted, people, mask, run, name=name)
    both = np.flatnonzero(mask & people.enough("individual") & (one < NO_JUDGEMENT))
    counted.add("self", one[both] * len(COLUMNS) + two[both], shape=(_CLASSES, len(COLUMNS)), rows=both)
    scope = scope_of(counted, people, mask, "individual", unsupported=classes)
    drawn = counted.resample(resamples=resamples, seed=seed)

    def kappas(name: str) -> FloatArray:
        """Return kappa of the sample, and after it of every resample."""
        value, replicates = drawn.values(name, lambda tables: stats.kappa(stats.collapse(tables, classes)))
        return np.append(value, replicates)

    ceiling, itself = kappas("people:people:individual"), kappas("self")
    judge = (kappas("first:judge:individual") + kappas("second:judge:individual")) / 2.0
    steady = stats.ratio(judge, np.sqrt(np.where(itself > 0, itself, np.nan)))
    gap = ceiling - judge
    share = stats.ratio(steady - judge, np.where(gap > 0, gap, np.nan))

    def figure(values: FloatArray, reason: str = ONE_CLASS) -> Figure:
        return _figure(values, scope, reason, level)

    unsteady = UNSTEADY if itself[0] <= 0 else ONE_CLASS
    return NoiseShare(
        figure(ceiling), figure(judge), figure(itself), figure(steady, unsteady), figure(gap),
        figure(share, NO_GAP if gap[0] <= 0 else unsteady), scope.answers,
    )  # fmt: skip


def _figure(values: FloatArray, scope: Scope, reason: str, level: float) -> Figure:
    if scope.claims == 0:
        return Figure.undefined(TOO_FEW)
    return percentile_figure(
        float(values[0]), values[1:], n=scope.claims, answers=scope.answers, reason=reason, level=level
    )
