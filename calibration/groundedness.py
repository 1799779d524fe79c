"""Groundedness of a system's answers: what share of what it says is asserted by what it cites.

Figures over claims have a cluster bootstrap over answers; where each answer counts once, they have Wilson's interval.
A claim is *settled* where it has a verdict, or an outcome without one that counts as a miss. An answer counts as a
whole only where all its claims are settled: one that is judged in part would look better, or worse, than it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import ArrayLike, BoolArray, FloatArray, IntArray, checked, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, Resampled, percentile_figure, share_figure
from calibration.cells import Statistic, ratio
from calibration.intervals import wilson
from calibration.results import Figure, Result
from calibration.unsupported import Without
from calibration.verdicts import ABSENT, COLUMNS, MISSING, NO_JUDGEMENT, STATED, unsupported_classes

CRITICAL, MINOR = range(2)
SEVERITY_WEIGHTS = (3.0, 1.0)
"""How much an unsupported critical and an unsupported minor claim weigh; one without a severity weighs as minor."""
INVENTIONS = ("plausible-specific", "bridging-inference", "confident-generalisation", "fabricated-provenance")
QUADRANTS = ("goal", "source is wrong", "right by luck", "invention")
"""Grounded and correct; grounded, not correct; not grounded, correct; neither."""

NO_CLAIMS = "no claims"
NO_CITED = "no claim carries a citation"
NO_VERDICTS = "no cited claim has a verdict"
NO_RESOLVABLE = "no claim with a verdict cites a source that is there"
NO_SEVERITY = "no claim with a verdict has a severity"
NO_WHOLE_ANSWER = "no answer has a verdict on each of its claims"
NO_KIND = "no claim that is not stated has a kind of invention"
NO_DATE = "of no stated claim are the dates of its answer and of its sources known"
NO_CORRECTNESS = "no answer with a verdict on each claim is labelled as correct or not"
NO_ABSTENTION = "no answer that should abstain is labelled as abstaining or not"
NO_OVER_ABSTENTION = "no answer that should not abstain is labelled as abstaining or not"
NO_RETRIEVAL = "no ungrounded answer is labelled with whether the right answer was retrieved"


@dataclass(frozen=True, slots=True, eq=False)
class GroundednessInput:
    """Columns of claims, and of answers.

    Attributes
    ----------
    answer : int array, shape (claims,)
        The answer of each claim.
    verdict : int array, shape (claims,)
        0 to 3; 4 for an outcome without a verdict; -1 for none.
    cited, resolvable : bool array, shape (claims,)
        Whether it carries a citation; whether one of them points at something that is there.
    targeted : bool array, shape (claims,)
        Chosen on purpose: left out of every rate, and its answer out of those over answers.
    severity : int array, shape (claims,)
        0 critical, 1 minor, -1 not given.
    invention : int array, shape (claims,)
        Place in `INVENTIONS`, -1 for none.
    superseded : int array, shape (claims,)
        1 where a cited source was superseded when the answer was made, 0 where none was, -1 where dates are missing.
    answers : int array, shape (answers,)
        Every answer, those without claims too.
    correct, in_retrieved, abstained, should_abstain : int array, shape (answers,)
        1 yes, 0 no, -1 not known.
    """

    answer: NDArray[np.integer]
    verdict: NDArray[np.integer]
    cited: BoolArray
    resolvable: BoolArray
    targeted: BoolArray
    severity: NDArray[np.integer]
    invention: NDArray[np.integer]
    superseded: NDArray[np.integer]
    answers: NDArray[np.integer]
    correct: NDArray[np.integer]
    in_retrieved: NDArray[np.integer]
    abstained: NDArray[np.integer]
    should_abstain: NDArray[np.integer]

    def __post_init__(self) -> None:
        checked(self.verdict, name="verdict", low=MISSING, high=NO_JUDGEMENT)
        checked(self.severity, name="severity", low=MISSING, high=MINOR)
        checked(self.invention, name="invention", low=MISSING, high=len(INVENTIONS) - 1)
        checked(self.superseded, name="superseded", low=MISSING, high=1)
        claims = ("answer", "verdict", "cited", "resolvable", "targeted", "severity", "invention", "superseded")
        same_length(**{name: getattr(self, name) for name in claims})
        known = ("correct", "in_retrieved", "abstained", "should_abstain")
        for name in known:
            checked(getattr(self, name), name=name, low=MISSING, high=1)
        same_length(answers=self.answers, **{name: getattr(self, name) for name in known})
        if not np.isin(self.answer, self.answers).all():
            raise ValueError("answer: expected every claim's answer among `answers`")

    def without_misses(self) -> GroundednessInput:
        """Return the same with outcomes that hold no verdict left out."""
        return replace(self, verdict=np.where(self.verdict == NO_JUDGEMENT, MISSING, self.verdict))


@dataclass(frozen=True, slots=True)
class Groundedness(Result):
    """Figures of one system, or of several together.

    Attributes
    ----------
    n_claims, n_answers : int
        Claims that count, targeted ones left out, and all answers.
    n_cited, n_settled, n_without_verdict : int
        Claims with a citation; of these, settled; of these, outcomes without a verdict.
    n_targeted, n_answers_left_out : int
        Targeted claims; answers with claims that are not all settled.
    verdicts : mapping of str to int
        Cited claims by verdict.
    claim_level : Figure
        Claims stated by their cited source. A claim without a citation is not. Where only some of the cited claims are
        settled, it is their share stated times the share cited, and then it has no numerator.
    answer_level : Figure
        Answers whose claims are all stated by their cited source.
    invention_rate : Figure
        Answers with at least one absent claim.
    coverage, entailment, grounding_score : Figure
        Claims with a citation; cited claims that their source supports; the harmonic mean of the two.
    miscitation : Figure
        Claims that cite a source that is there and does not support them, of those that cite one that is there.
    unresolvable : Figure
        Cited claims none of whose citations points at something that is there.
    unsupported_weighted, unsupported_critical, unsupported_minor : Figure
        Unsupported cited claims: weighted by severity, and of each severity.
    inventions : mapping of str to Figure
        Shares of the kinds, of the cited claims that are not stated and have one.
    quadrants : mapping of str to Figure
        The four cells of grounded by correct.
    abstention, over_abstention : Figure
        Abstained, of the answers that should; and of those that should not.
    retrieval_failure, generation_failure : Figure
        Ungrounded answers by whether the right answer was in what was retrieved.
    superseded : Figure
        Stated claims that cite a source superseded when the answer was made.
    """

    without_verdict: Without
    partial_is_unsupported: bool
    severity_weights: tuple[float, float]
    n_claims: int
    n_answers: int
    n_cited: int
    n_settled: int
    n_without_verdict: int
    n_targeted: int
    n_answers_left_out: int
    n_without_severity: int
    n_without_invention: int
    n_undated: int
    verdicts: Mapping[str, int]
    claim_level: Figure
    answer_level: Figure
    invention_rate: Figure
    coverage: Figure
    entailment: Figure
    grounding_score: Figure
    miscitation: Figure
    unresolvable: Figure
    unsupported_weighted: Figure
    unsupported_critical: Figure
    unsupported_minor: Figure
    inventions: Mapping[str, Figure]
    quadrants: Mapping[str, Figure]
    abstention: Figure
    over_abstention: Figure
    retrieval_failure: Figure
    generation_failure: Figure
    superseded: Figure

    def named(self) -> dict[str, Figure]:
        """Return every figure by its name; those that are shares of one whole as `quadrants.goal`."""
        found: dict[str, Figure] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Figure):
                found[field.name] = value
            elif field.name in ("inventions", "quadrants"):
                found |= {f"{field.name}.{part}": figure for part, figure in value.items()}
        return found


@dataclass(frozen=True, slots=True, eq=False)
class WholeAnswers:
    """The answers whose claims are all settled.

    Attributes
    ----------
    answer : int array, shape (whole,)
    grounded, invented : bool array, shape (whole,)
        All claims stated by their cited source; at least one absent.
    n_left_out : int
        Answers with claims that are not all settled.
    """

    answer: IntArray
    grounded: BoolArray
    invented: BoolArray
    n_left_out: int


def whole_answers(data: GroundednessInput) -> WholeAnswers:
    """Find the answers whose claims are all settled, and which of them are grounded.

    A claim without a citation needs no verdict: nothing was cited that could state it. An outcome without a verdict
    counts as not stated and as absent.
    """
    found, place = np.unique(np.asarray(data.answer, dtype=np.int64), return_inverse=True)

    def any_of(where: BoolArray) -> BoolArray:
        return np.asarray(np.bincount(place[where], minlength=len(found)) > 0)

    open_ = any_of(data.targeted | (data.cited & (data.verdict == MISSING)))
    grounded = ~any_of(~data.cited | (data.verdict != STATED))
    invented = any_of((data.verdict == ABSENT) | (data.verdict == NO_JUDGEMENT))
    return WholeAnswers(found[~open_], grounded[~open_], invented[~open_], int(open_.sum()))


def groundedness(
    data: GroundednessInput,
    *,
    partial_is_unsupported: bool = True,
    severity_weights: tuple[float, float] = SEVERITY_WEIGHTS,
    without_verdict: Without = "counted as misses",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Groundedness:
    """Return all figures of the section "Groundedness report".

    Parameters
    ----------
    data : GroundednessInput
        Columns of claims and answers.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    severity_weights : (float, float)
        Of critical and of minor claims.
    without_verdict : {"counted as misses", "left out"}
        What becomes of outcomes without a verdict.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    """
    if without_verdict == "left out":
        data = data.without_misses()
    tables = _Tables(data, unsupported_classes(partial_is_unsupported), severity_weights)
    drawn = tables.cells.resample(resamples=resamples, seed=seed)
    whole = whole_answers(data)
    kept, cited, settled = ~data.targeted, tables.cited, tables.settled
    said = np.bincount(data.verdict[settled], minlength=len(COLUMNS)).tolist()
    not_stated = settled & (data.verdict != STATED) & (data.verdict != NO_JUDGEMENT)
    stated = settled & (data.verdict == STATED)
    return Groundedness(
        without_verdict=without_verdict,
        partial_is_unsupported=partial_is_unsupported,
        severity_weights=severity_weights,
        n_claims=int(kept.sum()),
        n_answers=len(data.answers),
        n_cited=int(cited.sum()),
        n_settled=int(settled.sum()),
        n_without_verdict=int((data.verdict[settled] == NO_JUDGEMENT).sum()),
        n_targeted=int(data.targeted.sum()),
        n_answers_left_out=whole.n_left_out,
        n_without_severity=int((data.severity[settled] == MISSING).sum()),
        n_without_invention=int((data.invention[not_stated] == MISSING).sum()),
        n_undated=int((data.superseded[stated] == MISSING).sum()),
        verdicts=dict(zip(COLUMNS, said, strict=True)),
        claim_level=tables.claim_level(drawn),
        coverage=_share(drawn, "coverage", NO_CLAIMS),
        entailment=_share(drawn, "supported", NO_VERDICTS),
        grounding_score=tables.grounding_score(drawn),
        miscitation=_share(drawn, "miscited", NO_RESOLVABLE),
        unresolvable=_share(drawn, "unresolvable", NO_CITED),
        unsupported_weighted=tables.weighted(drawn),
        unsupported_critical=_share(drawn, "critical", "no critical claim has a verdict"),
        unsupported_minor=_share(drawn, "minor", "no minor claim has a verdict"),
        inventions={name: _part(drawn, "inventions", code, NO_KIND) for code, name in enumerate(INVENTIONS)},
        superseded=_share(drawn, "superseded", NO_DATE),
        **_of_answers(data, whole),
    )


class _Tables:
    """The cells of each answer, added before the draw, and the figures that need more than one of them."""

    def __init__(self, data: GroundednessInput, classes: BoolArray, weights: tuple[float, float]) -> None:
        kept = ~data.targeted
        self.cited: BoolArray = data.cited & kept
        self.settled: BoolArray = self.cited & (data.verdict != MISSING)
        # An outcome without a verdict is not support.
        self.bad: BoolArray = np.append(classes, [True, False])[data.verdict]
        self.weights = np.array([weights[CRITICAL], weights[MINOR], weights[MINOR]])
        self.cells = Cells(np.asarray(data.answer, dtype=np.int64))
        stated = data.verdict == STATED
        self._add("coverage", kept, data.cited)
        self._add("stated", self.settled, stated)
        self._add("supported", self.settled, ~self.bad)
        self._add("miscited", self.settled & data.resolvable, self.bad)
        self._add("unresolvable", self.cited, ~data.resolvable)
        self._add("critical", self.settled & (data.severity == CRITICAL), self.bad)
        self._add("minor", self.settled & (data.severity == MINOR), self.bad)
        self._add("superseded", self.settled & stated & (data.superseded != MISSING), data.superseded == 1)
        weighed = self.settled & bool((data.severity[self.settled] != MISSING).any())
        self._add("weighted", weighed, (data.severity % 3) * 2 + self.bad, shape=(3, 2))
        kinds = self.settled & ~stated & (data.invention != MISSING)
        self._add("inventions", kinds, data.invention, shape=(len(INVENTIONS),))

    def _add(self, name: str, rows: BoolArray, cell: ArrayLike, *, shape: tuple[int, ...] = (2,)) -> None:
        where = np.flatnonzero(rows)
        self.cells.add(name, np.asarray(cell)[where].astype(np.int64), shape=shape, rows=where)

    def claim_level(self, drawn: Resampled) -> Figure:
        stated, cited = drawn.observed("stated"), drawn.observed("coverage")
        k, settled, uncited, n_cited = (int(n) for n in (stated[1], stated.sum(), *cited))
        if settled == 0 and n_cited:
            return Figure.undefined(NO_VERDICTS)
        if uncited == 0:
            return _share(drawn, "stated", NO_CLAIMS)
        exact = settled == n_cited
        n = settled + uncited if exact else settled
        behind = "coverage" if exact else "stated"

        def both(stated: FloatArray, cited: FloatArray) -> FloatArray:
            share = _hit_share(stated) * _hit_share(cited)
            return np.where(cited[..., 0] == cited.sum(axis=-1), 0.0 * _hit_share(cited), share)

        figure = share_figure(
            float(both(stated, cited)),
            both(drawn.replicates("stated"), drawn.replicates("coverage")),
            n=n,
            k=k if exact else None,
            answers=drawn.cells.answers_with(behind, np.ones(2, dtype=np.bool_)),
            reason=NO_CLAIMS,
        )
        return figure if exact else replace(figure, method=f"{figure.method}; share stated × share cited")

    def grounding_score(self, drawn: Resampled) -> Figure:
        def harmonic(coverage: FloatArray, supported: FloatArray) -> FloatArray:
            first, second = _hit_share(coverage), _hit_share(supported)
            return np.asarray(np.where(first + second == 0, 0.0, ratio(2 * first * second, first + second)))

        names = ("coverage", "supported")
        reason = NO_VERDICTS if drawn.observed("coverage").sum() else NO_CLAIMS
        return percentile_figure(
            float(harmonic(*(drawn.observed(name) for name in names))),
            harmonic(*(drawn.replicates(name) for name in names)),
            n=int(drawn.observed("coverage").sum()),
            answers=drawn.cells.answers_with("supported", np.ones(2, dtype=np.bool_)),
            reason=reason,
        )

    def weighted(self, drawn: Resampled) -> Figure:
        def share(table: FloatArray) -> FloatArray:
            weighed = table * self.weights[:, None]
            return ratio(weighed[..., 1].sum(axis=-1), weighed.sum(axis=(-2, -1)))

        return _figure(drawn, "weighted", share, NO_SEVERITY)


def _hit_share(table: FloatArray) -> FloatArray:
    return ratio(table[..., 1], table.sum(axis=-1))


def _share(drawn: Resampled, name: str, reason: str) -> Figure:
    return _part(drawn, name, 1, reason)


def _part(drawn: Resampled, name: str, cell: int, reason: str) -> Figure:
    def share(table: FloatArray) -> FloatArray:
        return ratio(table[..., cell], table.sum(axis=-1))

    return _figure(drawn, name, share, reason, k=int(drawn.observed(name)[cell]))


def _figure(drawn: Resampled, name: str, share: Statistic, reason: str, *, k: int | None = None) -> Figure:
    observed = drawn.observed(name)
    n, answers = int(observed.sum()), drawn.cells.answers_with(name, np.ones(observed.shape, dtype=np.bool_))
    if k is not None and n == answers > 0:
        return wilson(k, n)
    return share_figure(float(share(observed)), share(drawn.replicates(name)), n=n, k=k, answers=answers, reason=reason)


def _wilson(hits: BoolArray, reason: str) -> Figure:
    return wilson(int(hits.sum()), len(hits)) if len(hits) else Figure.undefined(reason)


def _of_answers(data: GroundednessInput, whole: WholeAnswers) -> dict[str, Any]:
    """Figures that count each answer once."""
    order = np.argsort(data.answers)
    place = order[np.searchsorted(data.answers, whole.answer, sorter=order)]
    correct, retrieved = data.correct[place], data.in_retrieved[place]
    known = correct != MISSING
    cell = (2 * ~whole.grounded + (correct == 0))[known]
    split = retrieved[~whole.grounded & (retrieved != MISSING)]
    abstained = data.abstained != MISSING
    return {
        "answer_level": _wilson(whole.grounded, NO_WHOLE_ANSWER),
        "invention_rate": _wilson(whole.invented, NO_WHOLE_ANSWER),
        "quadrants": {name: _wilson(cell == code, NO_CORRECTNESS) for code, name in enumerate(QUADRANTS)},
        "abstention": _wilson(data.abstained[abstained & (data.should_abstain == 1)] == 1, NO_ABSTENTION),
        "over_abstention": _wilson(data.abstained[abstained & (data.should_abstain == 0)] == 1, NO_OVER_ABSTENTION),
        "retrieval_failure": _wilson(split == 0, NO_RETRIEVAL),
        "generation_failure": _wilson(split == 1, NO_RETRIEVAL),
    }
