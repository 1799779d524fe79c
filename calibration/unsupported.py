"""How well unsupported claims, and answers that hold one, are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration import cells as stats
from calibration.arrays import ArrayLike, BoolArray, FloatArray, IntArray, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, Resampled, percentile_figure, share_figure
from calibration.intervals import LEVEL, wilson
from calibration.results import Figure, Result
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, VERDICTS, unsupported_classes

Unit = Literal["claims", "answers"]
Without = Literal["counted as misses", "left out"]

PASSED, FLAGGED, UNDECIDED = range(3)
_SHAPE = (2, 3)
_REASONS = {
    "recall": "no unsupported {unit}",
    "precision": "no {unit} flagged",
    "specificity": "no supported {unit}",
    "f1": "no unsupported {unit} or none flagged",
    "balanced_accuracy": "no unsupported or no supported {unit}",
    "share_flagged": "no {unit}",
    "share_unsupported": "no {unit}",
}
_MASKS = {
    "recall": np.array([[0, 0, 0], [1, 1, 1]], dtype=np.bool_),
    "precision": np.array([[0, 1, 0], [0, 1, 0]], dtype=np.bool_),
    "specificity": np.array([[1, 1, 1], [0, 0, 0]], dtype=np.bool_),
}
_EVERYTHING = np.ones(_SHAPE, dtype=np.bool_)
_HITS = {
    "recall": np.array([[0, 0, 0], [0, 1, 0]], dtype=np.bool_),
    "precision": np.array([[0, 0, 0], [0, 1, 0]], dtype=np.bool_),
    "specificity": np.array([[1, 0, 0], [0, 0, 0]], dtype=np.bool_),
    "share_flagged": _MASKS["precision"],
    "share_unsupported": _MASKS["recall"],
}


@dataclass(frozen=True, slots=True)
class UnsupportedScore(Result):
    """Figures on unsupported claims or answers, bootstrap first and Wilson beside it.

    Attributes
    ----------
    unit : "claims" or "answers"
    without_verdict : "counted as misses" or "left out"
        What was done with outcomes that hold no verdict. Counted as misses, such a claim is right
        for neither class: unsupported, it was not caught; supported, it was not let through.
    n, n_unsupported, n_flagged, n_without_verdict : int
    counts : int array of shape (2, 3)
        Supported and unsupported (rows) by passed, flagged, no verdict.
    """

    unit: Unit
    without_verdict: Without
    n: int
    n_unsupported: int
    n_flagged: int
    n_without_verdict: int
    counts: tuple[tuple[int, int, int], tuple[int, int, int]]
    recall: Figure
    precision: Figure
    specificity: Figure
    f1: Figure
    balanced_accuracy: Figure
    share_flagged: Figure
    share_unsupported: Figure
    recall_wilson: Figure
    precision_wilson: Figure
    specificity_wilson: Figure


def _left_out(tables: FloatArray) -> FloatArray:
    kept = tables.copy()
    kept[..., UNDECIDED] = 0.0
    return kept


def read_unsupported(
    drawn: Resampled,
    table: str,
    *,
    unit: Unit,
    classes: BoolArray,
    without_verdict: Without = "counted as misses",
    level: float = LEVEL,
) -> UnsupportedScore:
    """Read the figures off a table that was counted before the draw.

    Claims are in a table of gold by judge, shape (4, 5), which is folded by ``classes`` (which
    verdicts are unsupported); answers are in one of shape (2, 3).
    """
    counts, replicates = drawn.observed(table), drawn.replicates(table)
    row, column = np.arange(2), np.arange(3)
    if unit == "claims":
        counts, replicates = stats.collapse(counts, classes), stats.collapse(replicates, classes)
        row = classes.astype(np.int64)
        column = np.append(row, UNDECIDED)
    undecided = int(counts[:, UNDECIDED].sum())
    usable = _EVERYTHING.copy()
    if without_verdict == "left out":
        counts, replicates = _left_out(counts), _left_out(replicates)
        usable[:, UNDECIDED] = False

    def share(name: str, statistic: stats.Statistic) -> Figure:
        within = _MASKS.get(name, _EVERYTHING) & usable
        return share_figure(
            float(statistic(counts)),
            statistic(replicates),
            k=int(counts[_HITS[name]].sum()),
            n=int(counts[within].sum()),
            answers=drawn.cells.answers_with(table, within[np.ix_(row, column)]),
            reason=_REASONS[name].format(unit=unit),
            level=level,
        )

    def other(name: str, statistic: stats.Statistic) -> Figure:
        return percentile_figure(
            float(statistic(counts)),
            statistic(replicates),
            n=int(counts.sum()),
            answers=drawn.cells.answers_with(table, usable[np.ix_(row, column)]),
            reason=_REASONS[name].format(unit=unit),
            level=level,
        )

    def beside(name: str) -> Figure:
        n = int(counts[_MASKS[name]].sum())
        if n == 0:
            return Figure.undefined(_REASONS[name].format(unit=unit))
        return wilson(int(counts[_HITS[name]].sum()), n, level=level)

    whole = counts.astype(int).tolist()
    return UnsupportedScore(
        unit=unit,
        without_verdict=without_verdict,
        n=int(counts.sum()),
        n_unsupported=int(counts[1].sum()),
        n_flagged=int(counts[:, FLAGGED].sum()),
        n_without_verdict=undecided,
        counts=(tuple(whole[0]), tuple(whole[1])),
        recall=share("recall", stats.recall),
        precision=share("precision", stats.precision),
        specificity=share("specificity", stats.specificity),
        f1=other("f1", stats.f1),
        balanced_accuracy=other("balanced_accuracy", stats.balanced_accuracy),
        share_flagged=share("share_flagged", stats.share_flagged),
        share_unsupported=share("share_unsupported", stats.share_unsupported),
        recall_wilson=beside("recall"),
        precision_wilson=beside("precision"),
        specificity_wilson=beside("specificity"),
    )


def add_claims(counted: Cells, rows: IntArray, gold: IntArray, verdict: IntArray, *, name: str) -> None:
    """Count claims, which have gold and are in the run, into a table of gold by judge."""
    counted.add(name, gold * len(COLUMNS) + verdict, shape=(len(VERDICTS), len(COLUMNS)), rows=rows)


def add_answers(
    counted: Cells, rows: IntArray, gold: IntArray, verdict: IntArray, *, classes: BoolArray, name: str
) -> None:
    """Count answers from their claims, which have gold and are in the run.

    An answer is unsupported if any of its claims is. It is flagged if any claim is flagged, without
    a verdict if none is flagged and some claim has no verdict, and passed otherwise.
    """
    position = counted.position[rows]

    def any_of(where: BoolArray) -> BoolArray:
        return np.asarray(np.bincount(position[where], minlength=counted.answers) > 0)

    first = np.full(counted.answers, MISSING, dtype=np.int64)
    first[position[::-1]] = rows[::-1]
    present = first >= 0
    flagged = any_of(np.append(classes, False)[verdict])
    said = np.where(flagged, FLAGGED, np.where(any_of(verdict == NO_JUDGEMENT), UNDECIDED, PASSED))
    cell = any_of(classes[gold]) * 3 + said
    counted.add(name, cell[present], shape=_SHAPE, rows=first[present])


def unsupported_score(
    answer: ArrayLike,
    gold: ArrayLike,
    verdict: ArrayLike,
    *,
    unit: Unit = "claims",
    partial_is_unsupported: bool = True,
    without_verdict: Without = "counted as misses",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> UnsupportedScore:
    """Return recall, precision and the rest for one judge.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    gold : array_like of int, shape (n,)
        Codes 0 to 3, -1 for none.
    verdict : array_like of int, shape (n,)
        Codes 0 to 3, 4 for an outcome without a verdict, -1 for a claim outside the run.
    unit : {"claims", "answers"}
        Count claims, or answers with at least one unsupported claim.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    without_verdict : {"counted as misses", "left out"}
        What becomes of outcomes without a verdict.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> score = unsupported_score([0, 0, 1, 2], [0, 2, 2, 3], [0, 2, 4, 0])
    >>> score.recall.k, score.recall.n, score.n_without_verdict
    (1, 3, 1)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
    said = codes(verdict, name="verdict", low=MISSING, high=NO_JUDGEMENT)
    same_length(answer=clusters, gold=reference, verdict=said)
    kept = (reference >= 0) & (said >= 0)
    classes = unsupported_classes(partial_is_unsupported)
    counted = Cells(clusters[kept])
    rows = np.arange(int(kept.sum()))
    if unit == "claims":
        add_claims(counted, rows, reference[kept], said[kept], name="table")
    else:
        add_answers(counted, rows, reference[kept], said[kept], classes=classes, name="table")
    drawn = counted.resample(resamples=resamples, seed=seed)
    return read_unsupported(drawn, "table", unit=unit, classes=classes, without_verdict=without_verdict, level=level)
