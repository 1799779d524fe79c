"""What a judge's score would do at every threshold, and people on the same axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration import cells as stats
from calibration.agreement import ONE_CLASS
from calibration.arrays import ArrayLike, FloatArray, IntArray, codes, floats, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, percentile_figure
from calibration.consensus import Rule, consensus_of_others
from calibration.intervals import LEVEL
from calibration.reliability import label_counts
from calibration.results import Figure, JsonValue, Result
from calibration.unsupported import UnsupportedScore, read_unsupported
from calibration.verdicts import (
    ABSENT,
    COLUMNS,
    MISSING,
    NO_JUDGEMENT,
    STATED,
    VERDICTS,
    unsupported,
    unsupported_classes,
)

_CLASSES = len(VERDICTS)
NO_SCORES = "no claim has both gold and a score"
STATISTICS = ("recall", "precision", "specificity", "kappa_two", "kappa_four", "share_flagged")


def verdicts_at(
    score: ArrayLike, threshold: float, *, verdict: ArrayLike | None = None, partial_is_unsupported: bool = True
) -> IntArray:
    """Return the verdicts that a threshold on the support score gives.

    A claim whose score is below the threshold is flagged, any other is `stated`. A flagged claim
    keeps the judge's own verdict where that is unsupported, and is `absent` otherwise.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Support, higher for better supported; NaN for none, which gives "no verdict".
    threshold : float
        Below it a claim is flagged.
    verdict : array_like of int, shape (n,), optional
        The judge's own verdicts, 4 for none and -1 outside the run; a claim outside stays outside.
    partial_is_unsupported : bool
        The project's rule for `partial`.

    Examples
    --------
    >>> verdicts_at([0.9, 0.4, 0.1, float("nan")], 0.5, verdict=[0, 0, 3, 0]).tolist()
    [0, 2, 3, 4]
    """
    support = floats(score, name="score")
    if np.isnan(threshold):
        raise ValueError("threshold: expected a number, got NaN")
    fallback = np.full(len(support), ABSENT, dtype=np.int64)
    outside = np.zeros(len(support), dtype=np.bool_)
    if verdict is not None:
        own = codes(verdict, name="verdict", low=MISSING, high=NO_JUDGEMENT)
        same_length(score=support, verdict=own)
        fallback = np.where(unsupported(own, partial_is_unsupported), own, ABSENT)
        outside = own == MISSING
    said = np.where(support < threshold, fallback, STATED)
    said = np.where(np.isnan(support), NO_JUDGEMENT, said)
    return np.where(outside, MISSING, said).astype(np.int64)


@dataclass(frozen=True, slots=True)
class CurvePoint(Result):
    """What one threshold would do: point estimates, for intervals see `threshold_score`."""

    threshold: float
    recall: float | None
    precision: float | None
    specificity: float | None
    kappa_two: float | None
    kappa_four: float | None
    share_flagged: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Result):
    """Every distinct thing that a threshold could do, from flagging nothing to flagging all.

    Attributes
    ----------
    thresholds : float array of shape (points,)
        Ascending: every distinct score (a claim is flagged if its score is *below* the threshold,
        so the first flags nothing), then one just above the largest, which flags all.
    tables : int array of shape (points, 4, 5)
        Gold by verdict at each threshold; claims in the run without a score have no verdict.
    n, n_unsupported, n_without_score : int
    partial_is_unsupported : bool
    reason : str
        Why the curve is empty, if it is.
    """

    thresholds: FloatArray
    tables: IntArray
    n: int
    n_unsupported: int
    n_without_score: int
    partial_is_unsupported: bool
    reason: str = ""

    def __len__(self) -> int:
        return len(self.thresholds)

    def folded(self) -> FloatArray:
        """Return the tables of supported or unsupported by passed, flagged, no verdict."""
        return stats.collapse(self.tables.astype(np.float64), unsupported_classes(self.partial_is_unsupported))

    def statistic(self, name: str) -> FloatArray:
        """Return one of `STATISTICS` at every threshold; NaN, for computing on, where undefined."""
        if name == "kappa_four":
            return stats.kappa(self.tables.astype(np.float64))
        made = {
            "recall": stats.recall,
            "precision": stats.precision,
            "specificity": stats.specificity,
            "kappa_two": stats.kappa,
            "share_flagged": stats.share_flagged,
        }
        return made[name](self.folded())

    def columns(self, *, most: int | None = None) -> dict[str, list[float | None]]:
        """Return the curve as columns, None where a figure is undefined.

        Parameters
        ----------
        most : int, optional
            At most about this many points, evenly spread and with both ends; all if not given.
        """
        at = self._chosen(most)
        columns: dict[str, list[float | None]] = {"threshold": list(self.thresholds[at].tolist())}
        for name in STATISTICS:
            columns[name] = [None if np.isnan(value) else value for value in self.statistic(name)[at].tolist()]
        return columns

    def _chosen(self, most: int | None) -> NDArray[np.intp]:
        if most is None or most >= len(self):
            return np.arange(len(self))
        return np.unique(np.linspace(0, len(self) - 1, max(most, 2)).round().astype(np.intp))

    def at(self, threshold: float) -> CurvePoint | None:
        """Return what a threshold, a point of the curve or not, would do; None on an empty curve."""
        if not len(self):
            return None
        index = min(int(np.searchsorted(self.thresholds, threshold, side="left")), len(self) - 1)
        one = Curve(
            np.array([threshold]),
            self.tables[index : index + 1],
            self.n,
            self.n_unsupported,
            self.n_without_score,
            self.partial_is_unsupported,
        ).columns()
        return CurvePoint(threshold, **{name: one[name][0] for name in STATISTICS})

    def expected_cost(self, *, miss: float, false_flag: float) -> FloatArray:
        """Return the cost a claim at every threshold; a claim without a verdict costs as a miss would."""
        folded = self.folded()
        missed = folded[..., 1, 0] + folded[..., 1, 2]
        return np.asarray((miss * missed + false_flag * folded[..., 0, 1]) / max(self.n, 1))

    def to_json(self) -> dict[str, JsonValue]:
        """Return the columns and the counts."""
        columns: dict[str, JsonValue] = {name: list(values) for name, values in self.columns().items()}
        return {
            **columns,
            "n": self.n,
            "n_unsupported": self.n_unsupported,
            "n_without_score": self.n_without_score,
            "partial_is_unsupported": self.partial_is_unsupported,
            "reason": self.reason,
        }


def threshold_curve(
    gold: ArrayLike, score: ArrayLike, *, verdict: ArrayLike | None = None, partial_is_unsupported: bool = True
) -> Curve:
    """Return the curve over every distinct score, in one pass over the sorted scores.

    Parameters
    ----------
    gold : array_like of int, shape (n,)
        Codes 0 to 3, -1 for none.
    score : array_like of float, shape (n,)
        Support, NaN for none.
    verdict : array_like of int, shape (n,), optional
        The judge's own verdicts, 4 for none and -1 outside the run. They say which unsupported
        verdict a flagged claim gets, and which claims are in the run; without them every claim is.
    partial_is_unsupported : bool
        The project's rule for `partial`.

    Examples
    --------
    >>> curve = threshold_curve([0, 0, 2, 3], [0.9, 0.6, 0.6, 0.1])
    >>> curve.columns()["recall"]
    [0.0, 0.5, 1.0, 1.0]
    >>> curve.columns()["threshold"][:3]
    [0.1, 0.6, 0.9]
    """
    reference = codes(gold, name="gold", low=MISSING, high=_CLASSES - 1)
    support = floats(score, name="score")
    same_length(gold=reference, score=support)
    flagged = verdicts_at(support, np.inf, verdict=verdict, partial_is_unsupported=partial_is_unsupported)
    kept = (reference >= 0) & (flagged != MISSING)
    reference, support, flagged = reference[kept], support[kept], flagged[kept]
    bad = unsupported(reference, partial_is_unsupported)
    scored = ~np.isnan(support)
    n, n_bad, without = len(reference), int(bad.sum()), int((~scored).sum())
    if not scored.any():
        empty = np.zeros((0, _CLASSES, len(COLUMNS)), dtype=np.int64)
        return Curve(np.zeros(0), empty, n, n_bad, without, partial_is_unsupported, reason=NO_SCORES)
    order = np.argsort(support[scored], kind="stable")
    ascending, of, as_flagged = support[scored][order], reference[scored][order], flagged[scored][order]
    # Below the first of each distinct score lie all smaller ones: those are flagged at it.
    first = np.flatnonzero(np.append(True, np.diff(ascending) > 0))
    ends = np.append(first, len(ascending))
    cell = np.zeros((len(ascending) + 1, _CLASSES * len(COLUMNS)), dtype=np.int32)
    rows = np.arange(1, len(ascending) + 1)
    cell[rows, of * len(COLUMNS) + as_flagged] += 1
    cell[rows, of * len(COLUMNS) + STATED] -= 1
    start = np.bincount(of * len(COLUMNS) + STATED, minlength=cell.shape[1])
    start += np.bincount(reference[~scored] * len(COLUMNS) + NO_JUDGEMENT, minlength=cell.shape[1])
    tables = start + np.cumsum(cell, axis=0)[ends]
    thresholds = np.append(ascending[first], np.nextafter(ascending[-1], np.inf))
    shaped = tables.reshape(-1, _CLASSES, len(COLUMNS)).astype(np.int64)
    return Curve(thresholds, shaped, n, n_bad, without, partial_is_unsupported)


Way = Literal["kappa", "recall", "promise", "cost"]


@dataclass(frozen=True, slots=True)
class ThresholdChoice(Result):
    """A threshold chosen on the rows given; report it on other rows.

    Attributes
    ----------
    threshold : float or None
        None where no threshold will do, and ``reason`` says why.
    value : float or None
        What was reached on these rows, too good for new ones: kappa, recall, or cost a claim.
    n : int
        Claims the value rests on: all of them, or the unsupported ones for a recall.
    way : {"kappa", "recall", "promise", "cost"}
        Largest kappa; least flagging with a recall on these rows; the same with a recall promised for
        new ones; least expected cost.
    target : float or None
        The recall asked for.
    level : float or None
        Confidence of the promise.
    low : float or None
        Lower bound of the recall of the threshold on new claims, at that confidence.
    effective : float or None
        As how many independent claims the unsupported ones count.
    missing : int or None
        Where nothing can be promised: how many more unsupported claims it takes, each from an answer of
        its own and all of them caught.
    """

    threshold: float | None
    value: float | None
    n: int
    reason: str = ""
    way: Way = "kappa"
    target: float | None = None
    level: float | None = None
    low: float | None = None
    effective: float | None = None
    missing: int | None = None


def threshold_at_max_kappa(curve: Curve, *, four_way: bool = False) -> ThresholdChoice:
    """Return the threshold with the largest kappa; among equals the one that flags least.

    Parameters
    ----------
    curve : Curve
        Of the development rows.
    four_way : bool
        Kappa over the four verdicts instead of over supported and unsupported.

    Examples
    --------
    >>> threshold_at_max_kappa(threshold_curve([0, 0, 2, 3], [0.9, 0.6, 0.4, 0.1])).threshold
    0.6
    """
    if not len(curve):
        return ThresholdChoice(None, None, curve.n, reason=curve.reason)
    kappa = curve.statistic("kappa_four" if four_way else "kappa_two")
    if np.all(np.isnan(kappa)):
        return ThresholdChoice(None, None, curve.n, reason=ONE_CLASS)
    best = int(np.nanargmax(kappa))
    return ThresholdChoice(float(curve.thresholds[best]), float(kappa[best]), curve.n)


@dataclass(frozen=True, slots=True)
class PersonPoint(Result):
    """One person against the consensus of the others, to stand on the axes of a curve.

    Attributes
    ----------
    person : int
        Row of the labels.
    score : UnsupportedScore
        ``share_flagged``, ``recall`` and the rest.
    """

    person: int
    kappa_four: Figure
    kappa_two: Figure
    score: UnsupportedScore


def people_points(
    answer: ArrayLike,
    labels: ArrayLike,
    *,
    least: int = 20,
    rule: Rule = "plurality",
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> tuple[PersonPoint, ...]:
    """Return each person against the consensus of the others.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    labels : array_like of int, shape (people, n)
        Codes 0 to 3, -1 where a person gave no label.
    least : int
        People with fewer claims that have a reference are left out.
    rule : Rule
        How the others' consensus is formed. At least two others are needed, and a tie is no
        reference.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> labels = [[0, 2, 0, 2], [0, 2, 0, 2], [0, 2, 2, 2]]
    >>> points = people_points([1, 2, 3, 4], labels, least=1, resamples=50)
    >>> [point.score.n for point in points]
    [3, 3, 4]
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    given = codes(labels, name="labels", low=MISSING, high=_CLASSES - 1, ndim=2)
    same_length(answer=clusters, labels=given)
    counts = label_counts(given, categories=_CLASSES)
    enough = counts.sum(axis=1) >= 3
    references = np.stack([consensus_of_others(counts, verdict, rule=rule) for verdict in range(_CLASSES)])
    classes = unsupported_classes(partial_is_unsupported)
    points = []
    for person, own in enumerate(given):
        rows = np.flatnonzero((own >= 0) & enough)
        reference = references[own[rows], rows]
        rows, reference = rows[reference >= 0], reference[reference >= 0]
        if len(rows) < max(least, 1):
            continue
        counted = Cells(clusters[rows])
        counted.add("others", reference * len(COLUMNS) + own[rows], shape=(_CLASSES, len(COLUMNS)))
        drawn = counted.resample(resamples=resamples, seed=seed)
        four, four_drawn = drawn.values("others", stats.kappa)
        two, two_drawn = drawn.values("others", lambda tables: stats.kappa(stats.collapse(tables, classes)))
        n, answers = len(rows), counted.answers
        points.append(
            PersonPoint(
                person,
                percentile_figure(four, four_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                percentile_figure(two, two_drawn, n=n, answers=answers, reason=ONE_CLASS, level=level),
                read_unsupported(drawn, "others", unit="claims", classes=classes, level=level),
            )
        )
    return tuple(points)
