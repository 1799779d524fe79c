"""A share read off a judge, corrected by the claims that people labelled too, with clustering in answers.

`calibration.correction` has the two corrections for items that are independent. Claims of one answer are not, so
here answers are drawn again, the labelled and the judged claims of each together, and both corrections are made anew
in every draw. Where each answer has one item, the intervals are those of `calibration.correction`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import ArrayLike, BoolArray, FloatArray, codes, same_length
from calibration.bootstrap import FEW_UNDEFINED, RESAMPLES, SEED, Cells, Resampled, percentile_figure
from calibration.cells import ratio
from calibration.correction import (
    LEAST_YOUDEN,
    NO_BETTER_THAN_CHANCE,
    prediction_powered_mean_tuned,
    rogan_gladen_lang_reiczigel,
)
from calibration.results import Figure, Result
from calibration.verdicts import MISSING

LEAST_ANSWERS = 10
"""With fewer labelled answers, what is drawn again is too little to say how far the correction may be off."""
MIX_LEVEL, MIX_GAP = 0.99, 0.05
"""The labelled are no random sample where the judge's share differs by more than the gap, beyond chance."""

NOT_JUDGED = "nothing is judged"
NOT_LABELLED = "no judged item has a label of people"
ALL_LABELLED = "everything judged is labelled by people too: their figure needs no judge"


@dataclass(frozen=True, slots=True)
class CorrectedShare(Result):
    """Two corrections of one share.

    Attributes
    ----------
    rogan_gladen : Figure
        By how often the judge is right on each class.
    prediction_powered : Figure
        By the judge's mean error, the judge weighted as it deserves.
    n_labelled, n_judged : int
        Items with both; all items that the judge judged.
    """

    rogan_gladen: Figure
    prediction_powered: Figure
    n_labelled: int
    n_judged: int


def corrected_shares(
    answer: ArrayLike,
    columns: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, CorrectedShare]:
    """Correct several shares at once, on the same draws.

    Parameters
    ----------
    answer : array_like of int, shape (items,)
        The answer of each item.
    columns : mapping of str to (people, judge)
        For each share, 1 and 0 by people and by the judge, -1 where they said nothing.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.

    Notes
    -----
    Refused, with the reason, where the judge is not shown to say enough (sensitivity + specificity near 1), where too few answers
    are labelled, and where the judge sees another mix of classes in the labelled items than in the others: they are
    then no random sample, and neither correction holds.

    Examples
    --------
    >>> answer = list(range(400))
    >>> people = [1, 1, 1, 0] * 25 + [-1] * 300
    >>> judge = [1, 1, 1, 0] * 100
    >>> corrected_shares(answer, {"stated": (people, judge)})["stated"].rogan_gladen.value
    0.75
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    cells = Cells(clusters)
    read = {name: _Pair(cells, name, people, judge) for name, (people, judge) in columns.items()}
    drawn = cells.resample(resamples=resamples, seed=seed)
    return {name: pair.corrected(drawn) for name, pair in read.items()}


class _Pair:
    """People beside the judge for one share: a table of both, and the judge alone where there is no label."""

    def __init__(self, cells: Cells, name: str, people: ArrayLike, judge: ArrayLike) -> None:
        self.name = name
        truth = codes(people, name=f"people of {name}", low=MISSING, high=1)
        said = codes(judge, name=f"judge of {name}", low=MISSING, high=1)
        same_length(answer=cells.position, people=truth, judge=said)
        judged = said != MISSING
        both = judged & (truth != MISSING)
        self.truth, self.beside, self.rest = truth[both], said[both], said[judged & ~both]
        self.answers = len(np.unique(cells.position[both]))
        self.single = _once(cells.position[judged])
        for part, rows, cell, size in (
            ("both", both, truth * 2 + said, 4),
            ("rest", judged & ~both, said, 2),
        ):
            where = np.flatnonzero(rows)
            cells.add(f"{name} {part}", cell[where], shape=(size // 2, 2) if size == 4 else (2,), rows=where)

    def corrected(self, drawn: Resampled) -> CorrectedShare:
        n_labelled, n_judged = len(self.truth), len(self.truth) + len(self.rest)

        def refused(reason: str) -> CorrectedShare:
            nothing = Figure.undefined(reason, n=n_labelled)
            return CorrectedShare(nothing, nothing, n_labelled, n_judged)

        reason = self._refusal(drawn)
        if reason:
            return refused(reason)
        if self.single:
            return CorrectedShare(self._rogan_gladen(), self._prediction_powered(), n_labelled, n_judged)
        observed = (drawn.observed(f"{self.name} both"), drawn.observed(f"{self.name} rest"))
        replicates = (drawn.replicates(f"{self.name} both"), drawn.replicates(f"{self.name} rest"))
        figures = [
            percentile_figure(
                float(statistic(*observed)),
                statistic(*replicates),
                n=n_labelled,
                answers=self.answers,
                reason=NO_BETTER_THAN_CHANCE,
            )
            for statistic in (_corrected_rate, _powered_mean)
        ]
        return CorrectedShare(figures[0], figures[1], n_labelled, n_judged)

    def _refusal(self, drawn: Resampled) -> str:
        if not len(self.truth):
            return NOT_LABELLED if len(self.rest) else NOT_JUDGED
        if len(self.rest) < 2:
            return ALL_LABELLED
        if self.answers < LEAST_ANSWERS:
            return f"the labelled are from {self.answers} answers, fewer than {LEAST_ANSWERS}"
        both = drawn.observed(f"{self.name} both")
        for code, word in ((1, "have it"), (0, "lack it")):
            if not both[code].sum():
                return f"none of the labelled {word}: how often the judge is right there is not known"
        weak = _youden(drawn.replicates(f"{self.name} both")) < LEAST_YOUDEN
        if float(_youden(both)) < LEAST_YOUDEN or weak.mean() > FEW_UNDEFINED:
            return NO_BETTER_THAN_CHANCE
        return self._other_mix(drawn)

    def _other_mix(self, drawn: Resampled) -> str:
        def gap(both: FloatArray, rest: FloatArray) -> FloatArray:
            labelled = ratio(both[..., 1].sum(axis=-1), both.sum(axis=(-2, -1)))
            return np.asarray(labelled - ratio(rest[..., 1], rest.sum(axis=-1)))

        names = (f"{self.name} both", f"{self.name} rest")
        value = float(gap(*(drawn.observed(name) for name in names)))
        replicates = gap(*(drawn.replicates(name) for name in names))
        tail = (1 - MIX_LEVEL) / 2
        low, high = np.nanquantile(replicates, [tail, 1 - tail])
        if abs(value) <= MIX_GAP or low <= 0 <= high:
            return ""
        return (
            f"the judge sees another mix in the labelled ({self.beside.mean():.0%}) than in the others "
            f"({self.rest.mean():.0%}): they are no random sample"
        )

    def _rogan_gladen(self) -> Figure:
        hits = self.truth == 1
        judged = int(self.beside.sum() + self.rest.sum()), len(self.beside) + len(self.rest)
        caught = int((self.beside[hits] == 1).sum()), int(hits.sum())
        passed = int((self.beside[~hits] == 0).sum()), int((~hits).sum())
        # What it rests on are the labelled ones, as in every other way.
        return replace(rogan_gladen_lang_reiczigel(judged, caught=caught, passed=passed), n=len(self.truth))

    def _prediction_powered(self) -> Figure:
        figure = prediction_powered_mean_tuned(self.truth, self.beside, self.rest)
        if figure.low is None or figure.high is None:
            return figure
        value, low, high = (min(max(end or 0.0, 0.0), 1.0) for end in (figure.value, figure.low, figure.high))
        return Figure(value, low, high, n=figure.n, method=figure.method)


def _once(position: NDArray[np.intp]) -> bool:
    return len(np.unique(position)) == len(position)


def _corrected_rate(both: FloatArray, rest: FloatArray) -> FloatArray:
    """Rogan and Gladen's rate from tables of people by judge, NaN where the judge says too little."""
    n = both.sum(axis=(-2, -1)) + rest.sum(axis=-1)
    flagged = ratio(both[..., 1].sum(axis=-1) + rest[..., 1], n)
    specificity = ratio(both[..., 0, 0], both[..., 0, :].sum(axis=-1))
    youden = _youden(both)
    usable: BoolArray = np.nan_to_num(youden, nan=-1.0) >= LEAST_YOUDEN
    value = ratio(flagged + specificity - 1, np.where(usable, youden, 0.0))
    return np.asarray(np.clip(value, 0.0, 1.0))


def _youden(both: FloatArray) -> FloatArray:
    """Return sensitivity + specificity - 1."""
    caught = ratio(both[..., 1, 1], both[..., 1, :].sum(axis=-1))
    return np.asarray(caught + ratio(both[..., 0, 0], both[..., 0, :].sum(axis=-1)) - 1)


def _powered_mean(both: FloatArray, rest: FloatArray) -> FloatArray:
    """The prediction-powered mean with its tuned weight, from tables of people by judge."""
    labelled, others = both.sum(axis=(-2, -1)), rest.sum(axis=-1)
    truth = ratio(both[..., 1, :].sum(axis=-1), labelled)
    beside = ratio(both[..., 1].sum(axis=-1), labelled)
    everyone = ratio(both[..., 1].sum(axis=-1) + rest[..., 1], labelled + others)
    spread = everyone * (1 - everyone) * ratio(labelled + others, labelled + others - 1) * (1 + ratio(labelled, others))
    together = ratio(both[..., 1, 1], labelled) - truth * beside
    weight = np.clip(np.nan_to_num(ratio(together, spread)), 0.0, 1.0)
    return np.asarray(np.clip(weight * ratio(rest[..., 1], others) + truth - weight * beside, 0.0, 1.0))
