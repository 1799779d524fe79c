"""The human ceiling, and a judge beside it on the same references.

Two ceilings. *Individual*: every person against every other person on the same claim. *Consensus*:
every person against the consensus of the others. A judge is always scored against the very
references that people are scored against: with the same people, on the same claims, with the same
weights.

A claim's weight is shared among its (person, reference) pairs by the number of its labels alone. It
must not be shared among the references that did not tie: whether those tie depends on the label of
the person who is scored, and people would look worse than a judge of the same skill.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import BoolArray, FloatArray, IntArray
from calibration.bootstrap import Cells, Resampled, percentile_figure, share_figure
from calibration.consensus import Rule, consensus_of_others
from calibration.results import Figure, Result
from calibration.verdicts import COLUMNS, VERDICTS

Reference = Literal["individual", "consensus"]
REFERENCES: tuple[Reference, ...] = ("individual", "consensus")
PeopleReference = Literal["individual", "consensus", "self"]
"""What people are scored against; a judge's word on a claim asked again is in `stability`."""
Measure = Literal["kappa_four", "kappa_two", "recall"]
MEASURES: tuple[Measure, ...] = ("kappa_four", "kappa_two", "recall")

MARGIN = 0.05
NO_UNSUPPORTED = "no unsupported claims"
NEVER_TIES = "a single person's label never ties"
_LABELS_NEEDED = {"individual": 2, "consensus": 3}
_TOO_FEW = {
    "individual": "no pairs: no claim has two labels",
    "consensus": "no pairs: no claim has three labels of which two agree",
    "self": "no pairs: nobody labelled a claim twice",
}
_CLASSES = len(VERDICTS)


class Standing(enum.Enum):
    """Where a judge stands to people, as far as the interval of the headroom tells."""

    ABOVE = "above"
    AT = "at"
    BELOW = "below"
    UNCLEAR = "unclear"
    NO_DATA = "no data"


@dataclass(frozen=True, slots=True)
class Measures(Result):
    """Four-way kappa, binary kappa and recall on unsupported, against one reference."""

    kappa_four: Figure
    kappa_two: Figure
    recall: Figure

    def get(self, measure: Measure) -> Figure:
        """Return one of the three by name."""
        figure: Figure = getattr(self, measure)
        return figure


@dataclass(frozen=True, slots=True)
class Ceiling(Result):
    """How well people do against a reference made by other people, or by themselves the first time.

    Attributes
    ----------
    reference : "individual", "consensus" or "self"
    people : Measures
    n_claims : int
        Claims with a reference: two labels for individual; for consensus three labels, and others
        who agree; for self, labels given twice.
    n_answers : int
        Answers that those claims come from.
    tie_share : Figure
        Share of references that tied and were left out; the individual reference never ties.
    """

    reference: PeopleReference
    people: Measures
    n_claims: int
    n_answers: int
    tie_share: Figure


@dataclass(frozen=True, slots=True)
class LikeWithLike(Result):
    """A judge beside people: same references, same claims, same weights, same resamples.

    Attributes
    ----------
    people, judge : Measures
    headroom : Measures
        People minus judge, with paired intervals: positive where people do better.
    margin : float
        How far below people still counts as "at the ceiling".
    """

    reference: Reference
    people: Measures
    judge: Measures
    headroom: Measures
    n_claims: int
    n_answers: int
    tie_share: Figure
    margin: float

    def standing(self, measure: Measure = "kappa_four") -> Standing:
        """Return where the judge stands, read off the interval of the headroom alone.

        Above: the whole interval is below zero. At: its upper end is at most the margin. Below: its
        lower end is above zero. Otherwise the interval does not say.
        """
        return standing(self.headroom.get(measure), margin=self.margin)


def standing(headroom: Figure, *, margin: float = MARGIN) -> Standing:
    """Return where a judge stands to people, from the interval of people minus judge.

    Examples
    --------
    >>> standing(Figure(0.01, -0.02, 0.04, n=500), margin=0.05)
    <Standing.AT: 'at'>
    >>> standing(Figure(0.01, -0.12, 0.14, n=30), margin=0.05)
    <Standing.UNCLEAR: 'unclear'>
    """
    if margin < 0:
        raise ValueError(f"margin: expected 0 or more, got {margin}")
    if headroom.value is None:
        return Standing.NO_DATA
    if headroom.low is None or headroom.high is None:
        return Standing.UNCLEAR
    if headroom.high < 0:
        return Standing.ABOVE
    if headroom.high <= margin:
        return Standing.AT
    return Standing.BELOW if headroom.low > 0 else Standing.UNCLEAR


@dataclass(frozen=True, slots=True)
class _Entry:
    """Weighted (reference, verdict) cells: which claims, which cell of the table, how much each."""

    rows: NDArray[np.intp]
    cell: IntArray
    weight: FloatArray


def _joined(parts: list[tuple[NDArray[np.intp], IntArray, FloatArray]]) -> _Entry:
    if not parts:
        return _Entry(np.zeros(0, np.intp), np.zeros(0, np.int64), np.zeros(0))
    return _Entry(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class Labels:
    """Label counts of claims, ready to be counted into reference tables.

    Parameters
    ----------
    counts : int array of shape (claims, 4)
        How many people gave each verdict.
    rule : Rule
        How the others' consensus is formed.
    """

    def __init__(self, counts: IntArray, *, rule: Rule = "plurality") -> None:
        self.counts = counts
        self.people = counts.sum(axis=1)
        present = np.unique(self.people[self.people >= 2])
        # A common multiple makes every weight a whole number, and every sum exact in any order.
        multiple = math.lcm(*(int(m) * (int(m) - 1) for m in present)) if len(present) else 1
        self.scale = float(multiple) if multiple * max(len(counts), 1) < 2**40 else 1.0
        self._references = [consensus_of_others(counts, verdict, rule=rule) for verdict in range(_CLASSES)]

    def enough(self, reference: Reference) -> BoolArray:
        """Return which claims have labels enough for a reference."""
        return np.asarray(self.people >= _LABELS_NEEDED[reference], dtype=np.bool_)

    def pairs(self, mask: BoolArray, *, alpha: bool = False) -> _Entry:
        """Return person against other person; for alpha, each label weighs one instead of each claim."""
        rows = np.flatnonzero(mask & self.enough("individual"))
        counts, people = self.counts[rows], self.people[rows]
        weight = self.scale / ((people - 1) * (1 if alpha else people))
        parts = []
        for other in range(_CLASSES):
            for person in range(_CLASSES):
                times = counts[:, other] * (counts[:, person] - (other == person))
                at = np.flatnonzero(times > 0)
                cell = np.full(len(at), other * _CLASSES + person, dtype=np.int64)
                parts.append((rows[at], cell, times[at] * weight[at]))
        return _joined(parts)

    def judge_pairs(self, mask: BoolArray, verdict: IntArray) -> _Entry:
        """Return judge against each person."""
        rows = np.flatnonzero(mask & self.enough("individual"))
        counts, weight = self.counts[rows], self.scale / self.people[rows]
        parts = []
        for other in range(_CLASSES):
            at = np.flatnonzero(counts[:, other] > 0)
            cell = other * len(COLUMNS) + verdict[rows[at]]
            parts.append((rows[at], cell, counts[at, other] * weight[at]))
        return _joined(parts)

    def against_others(self, mask: BoolArray, verdict: IntArray | None = None) -> _Entry:
        """Return person, or judge if ``verdict`` is given, against the consensus of the others."""
        base = mask & self.enough("consensus")
        width = _CLASSES if verdict is None else len(COLUMNS)
        parts = []
        for person, reference in enumerate(self._references):
            at = np.flatnonzero(base & (reference >= 0))
            said = np.full(len(at), person, dtype=np.int64) if verdict is None else verdict[at]
            weight = self.counts[at, person] * (self.scale / self.people[at])
            parts.append((at, reference[at] * width + said, weight))
        return _joined(parts)

    def ties(self, mask: BoolArray) -> _Entry:
        """Return references that hold (cell 0) and that tie (cell 1)."""
        base = mask & self.enough("consensus")
        parts = []
        for person, reference in enumerate(self._references):
            at = np.flatnonzero(base & (self.counts[:, person] > 0))
            weight = self.counts[at, person] * (self.scale / self.people[at])
            parts.append((at, (reference[at] < 0).astype(np.int64), weight))
        return _joined(parts)


def _add(counted: Cells, name: str, entry: _Entry, *, shape: tuple[int, ...], scale: float) -> None:
    counted.add(name, entry.cell, shape=shape, rows=entry.rows, weights=entry.weight, scale=scale)


def add_people(counted: Cells, labels: Labels, mask: BoolArray, *, name: str) -> None:
    """Count people against both references, on the claims of a mask, under a name."""
    square = (_CLASSES, _CLASSES)
    _add(counted, f"{name}:people:individual", labels.pairs(mask), shape=square, scale=labels.scale)
    _add(counted, f"{name}:people:consensus", labels.against_others(mask), shape=square, scale=labels.scale)
    _add(counted, f"{name}:ties", labels.ties(mask), shape=(1, 2), scale=labels.scale)


def add_judge(counted: Cells, labels: Labels, mask: BoolArray, verdict: IntArray, *, name: str) -> None:
    """Count a judge against both references, on the claims of a mask, under a name."""
    wide = (_CLASSES, len(COLUMNS))
    entry = labels.judge_pairs(mask, verdict)
    _add(counted, f"{name}:judge:individual", entry, shape=wide, scale=labels.scale)
    entry = labels.against_others(mask, verdict)
    _add(counted, f"{name}:judge:consensus", entry, shape=wide, scale=labels.scale)


@dataclass(frozen=True, slots=True)
class Scope:
    """How many claims and answers stand behind the figures of one reference."""

    reference: PeopleReference
    claims: int
    unsupported: int
    answers: int
    unsupported_answers: int


def scope_of(counted: Cells, labels: Labels, mask: BoolArray, reference: Reference, *, unsupported: BoolArray) -> Scope:
    """Count the claims of a mask that have a reference, and those that have an unsupported one."""
    entry = labels.pairs(mask) if reference == "individual" else labels.against_others(mask)
    bad = entry.rows[unsupported[entry.cell // _CLASSES]]

    def distinct(positions: NDArray[np.intp]) -> int:
        return int(np.count_nonzero(np.bincount(positions, minlength=1)))

    return Scope(
        reference,
        claims=distinct(entry.rows),
        unsupported=distinct(bad),
        answers=distinct(counted.position[entry.rows]),
        unsupported_answers=distinct(counted.position[bad]),
    )


def _three(tables: FloatArray, unsupported: BoolArray) -> dict[Measure, FloatArray]:
    folded = stats.collapse(tables, unsupported)
    return {"kappa_four": stats.kappa(tables), "kappa_two": stats.kappa(folded), "recall": stats.recall(folded)}


def _measures(
    sample: dict[Measure, FloatArray], replicates: dict[Measure, FloatArray], scope: Scope, *, level: float, gap: bool
) -> Measures:
    made = {}
    for measure in MEASURES:
        value = float(sample[measure])
        if scope.claims == 0:
            made[measure] = Figure.undefined(_TOO_FEW[scope.reference])
        elif measure == "recall":
            make = percentile_figure if gap else share_figure
            made[measure] = make(
                value,
                replicates[measure],
                n=scope.unsupported,
                answers=scope.unsupported_answers,
                reason=NO_UNSUPPORTED,
                level=level,
            )
        else:
            made[measure] = percentile_figure(
                value, replicates[measure], n=scope.claims, answers=scope.answers, reason=ONE_CLASS, level=level
            )
    return Measures(**made)


def people_measures(
    table: FloatArray, replicates: FloatArray, scope: Scope, *, unsupported: BoolArray, level: float
) -> Measures:
    """Return the three measures of people from a (4, 4) table of reference by person, and its resamples."""
    return _measures(_three(table, unsupported), _three(replicates, unsupported), scope, level=level, gap=False)


def _tie_share(drawn: Resampled, scope: Scope, *, name: str, level: float) -> Figure:
    if scope.reference == "individual":
        return Figure.point(0.0, n=scope.claims, reason=NEVER_TIES)
    value, replicates = drawn.values(f"{name}:ties", lambda t: stats.ratio(t[..., 0, 1], stats.total(t)))
    mask = np.ones((1, 2), dtype=np.bool_)
    answers = drawn.cells.answers_with(f"{name}:ties", mask)
    n = round(float(drawn.observed(f"{name}:ties").sum()))
    return share_figure(value, replicates, n=n, answers=answers, reason=NO_PAIRS, level=level)


def read_ceiling(drawn: Resampled, scope: Scope, *, name: str, unsupported: BoolArray, level: float) -> Ceiling:
    """Read the ceiling of one reference off the tables that `add_people` counted."""
    table = f"{name}:people:{scope.reference}"
    people = people_measures(
        drawn.observed(table), drawn.replicates(table), scope, unsupported=unsupported, level=level
    )
    tie_share = _tie_share(drawn, scope, name=name, level=level)
    return Ceiling(scope.reference, people, scope.claims, scope.answers, tie_share)


def read_like_with_like(
    drawn: Resampled,
    scope: Scope,
    *,
    people_name: str,
    judge_name: str,
    unsupported: BoolArray,
    level: float,
    margin: float,
) -> LikeWithLike:
    """Read a judge beside people off the tables that `add_people` and `add_judge` counted."""
    if scope.reference == "self":
        raise ValueError("reference: expected individual or consensus; a judge that is asked again is in `stability`")
    people_table = f"{people_name}:people:{scope.reference}"
    judge_table = f"{judge_name}:judge:{scope.reference}"
    people = _three(drawn.observed(people_table), unsupported)
    judge = _three(drawn.observed(judge_table), unsupported)
    people_drawn = _three(drawn.replicates(people_table), unsupported)
    judge_drawn = _three(drawn.replicates(judge_table), unsupported)
    gap = {measure: people[measure] - judge[measure] for measure in MEASURES}
    gap_drawn = {measure: people_drawn[measure] - judge_drawn[measure] for measure in MEASURES}
    return LikeWithLike(
        scope.reference,
        people=_measures(people, people_drawn, scope, level=level, gap=False),
        judge=_measures(judge, judge_drawn, scope, level=level, gap=False),
        headroom=_measures(gap, gap_drawn, scope, level=level, gap=True),
        n_claims=scope.claims,
        n_answers=scope.answers,
        tie_share=_tie_share(drawn, scope, name=people_name, level=level),
        margin=margin,
    )
