"""The comparison of judges with people: one call over columns of claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import BoolArray, IntArray, checked, floats, probability, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, Resampled, percentile_figure
from calibration.ceiling import (
    MARGIN,
    REFERENCES,
    Ceiling,
    Labels,
    Reference,
    Scope,
    add_judge,
    add_people,
    read_ceiling,
    read_like_with_like,
    scope_of,
)
from calibration.consensus import Rule
from calibration.differences import Difference, answers_of, holm_of, mcnemar_of, read_gap
from calibration.intervals import LEVEL
from calibration.judge_score import JudgeScore, read_agreement, read_beside_kappa, read_coverage
from calibration.reliability import label_counts
from calibration.results import Confusion, Figure, Result
from calibration.unsupported import UnsupportedScore, Without, add_answers, add_claims, read_unsupported
from calibration.verdicts import COLUMNS, MISSING, NO_JUDGEMENT, OUTCOMES, VERDICTS, unsupported_classes

_SHAPE = (len(VERDICTS), len(COLUMNS))


@dataclass(frozen=True, slots=True, eq=False)
class JudgeColumns:
    """What one run said, a value a claim.

    Attributes
    ----------
    verdict : int array of shape (n,)
        Codes 0 to 3; 4 for an outcome without a verdict; -1 for a claim outside the run.
    score : float array of shape (n,), optional
        Support score, NaN for none. The comparison does not use it; thresholds do.
    outcome : int array of shape (n,), optional
        Index into `verdicts.OUTCOMES`, -1 outside the run.
    """

    verdict: NDArray[np.integer]
    score: NDArray[np.floating] | None = None
    outcome: NDArray[np.integer] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonInput:
    """Columns of claims.

    Attributes
    ----------
    answer : int array of shape (n,)
        Which answer a claim belongs to. Stable codes (primary keys) keep intervals stable.
    gold : int array of shape (n,)
        Codes 0 to 3, -1 for none.
    labels : int array of shape (people, n)
        Codes 0 to 3, -1 where a person gave no label. ``shape (0, n)`` where there are no people.
    judges : mapping of str to JudgeColumns
        In the order in which results are wanted.

    Raises
    ------
    ValueError
        If lengths differ or a code leaves its range; the message names the column.
    """

    answer: NDArray[np.integer]
    gold: NDArray[np.integer]
    labels: NDArray[np.integer]
    judges: Mapping[str, JudgeColumns] = field(default_factory=dict)

    def __post_init__(self) -> None:
        gold = checked(self.gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
        answer = checked(self.answer, name="answer", low=-(2**62), high=2**62)
        labels = checked(self.labels, name="labels", low=MISSING, high=len(VERDICTS) - 1, ndim=2)
        columns: dict[str, NDArray[Any]] = {"answer": answer, "gold": gold, "labels": labels}
        for name, judge in self.judges.items():
            verdict = f"verdict of {name}"
            columns[verdict] = checked(judge.verdict, name=verdict, low=MISSING, high=NO_JUDGEMENT)
            if judge.score is not None:
                columns[f"score of {name}"] = floats(judge.score, name=f"score of {name}")
            if judge.outcome is not None:
                outcome = f"outcome of {name}"
                columns[outcome] = checked(judge.outcome, name=outcome, low=MISSING, high=len(OUTCOMES) - 1)
        same_length(**columns)


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """Judges beside people.

    Attributes
    ----------
    n_claims, n_answers : int
        Claims with gold or a label, and their answers: all that was resampled.
    n_gold, n_unsupported, n_people : int
    share_unsupported : Figure
        Unsupported claims among those with gold.
    individual, consensus : Ceiling
        Over all claims. A judge that ran over some of them has its own ceiling on those beside it.
    alpha : Figure
        Krippendorff's nominal alpha of the people.
    judges : tuple of JudgeScore
    differences : tuple of Difference
        Every pair of judges.
    """

    n_claims: int
    n_answers: int
    n_gold: int
    n_unsupported: int
    n_people: int
    share_unsupported: Figure
    individual: Ceiling
    consensus: Ceiling
    alpha: Figure
    judges: tuple[JudgeScore, ...]
    differences: tuple[Difference, ...]
    partial_is_unsupported: bool
    rule: Rule
    margin: float
    level: float
    resamples: int
    seed: int

    def judge(self, name: str) -> JudgeScore:
        """Return the score of a judge by name; KeyError if it was not compared."""
        for score in self.judges:
            if score.name == name:
                return score
        raise KeyError(name)


def compare(
    data: ComparisonInput,
    *,
    partial_is_unsupported: bool = True,
    rule: Rule = "plurality",
    margin: float = MARGIN,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Comparison:
    """Compare judges with gold and with people, all on the same resamples of answers.

    Parameters
    ----------
    data : ComparisonInput
        Columns of claims.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    rule : {"plurality", "majority", "unanimous"}
        How the consensus of the other people is formed.
    margin : float
        How far below people a judge may be and still be "at the ceiling".
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence of every interval.

    Examples
    --------
    >>> data = ComparisonInput(
    ...     answer=np.array([1, 1, 2, 3]),
    ...     gold=np.array([0, 2, 0, 2]),
    ...     labels=np.array([[0, 2, 0, 2], [0, 2, 0, 0]]),
    ...     judges={"checks": JudgeColumns(np.array([0, 2, 2, 2]))},
    ... )
    >>> result = compare(data)
    >>> result.judge("checks").unsupported.recall.k, result.n_unsupported
    (2, 2)
    """
    probability(level, name="level")
    return _Comparing(data, partial_is_unsupported, rule, margin, resamples, seed, level).result()


class _Comparing:
    """One comparison in the making: count everything, draw once, read everything."""

    def __init__(
        self,
        data: ComparisonInput,
        partial_is_unsupported: bool,
        rule: Rule,
        margin: float,
        resamples: int,
        seed: int,
        level: float,
    ) -> None:
        self.partial = partial_is_unsupported
        self.rule, self.margin, self.level = rule, margin, level
        self.resamples, self.seed = resamples, seed
        counts = label_counts(data.labels, categories=len(VERDICTS))
        # Claims that nobody labelled say nothing about a judge and take no part in the draw.
        kept = (np.asarray(data.gold) >= 0) | (counts.sum(axis=1) > 0)
        self.people = int((np.asarray(data.labels)[:, kept] >= 0).any(axis=1).sum())
        self.gold: IntArray = np.asarray(data.gold)[kept].astype(np.int64)
        self.labels = Labels(counts[kept], rule=rule)
        self.verdicts = {name: np.asarray(j.verdict)[kept].astype(np.int64) for name, j in data.judges.items()}
        self.outcomes = {name: np.asarray(j.outcome)[kept] for name, j in data.judges.items() if j.outcome is not None}
        self.unsupported: BoolArray = unsupported_classes(partial_is_unsupported)
        self.counted = Cells(np.asarray(data.answer)[kept])
        self.everything: BoolArray = np.ones(len(self.gold), dtype=np.bool_)
        # Numbers, since the name of a judge may hold anything.
        self.keys = {name: f"judge {number}" for number, name in enumerate(data.judges)}
        self.people_names: dict[bytes, str] = {}
        self.scopes: dict[str, dict[Reference, Scope]] = {}
        self.gaps: dict[tuple[str, str], tuple[str, str]] = {}

    def result(self) -> Comparison:
        self._count()
        drawn = self.counted.resample(resamples=self.resamples, seed=self.seed)
        name = self._people(self.everything)
        ceilings = {
            reference: read_ceiling(
                drawn, self.scopes[name][reference], name=name, unsupported=self.unsupported, level=self.level
            )
            for reference in REFERENCES
        }
        gold = self.gold[self.gold >= 0]
        return Comparison(
            n_claims=len(self.gold),
            n_answers=self.counted.answers,
            n_gold=len(gold),
            n_unsupported=int(self.unsupported[gold].sum()),
            n_people=self.people,
            share_unsupported=read_unsupported(
                drawn, "gold", unit="claims", classes=self.unsupported, level=self.level
            ).share_unsupported,
            individual=ceilings["individual"],
            consensus=ceilings["consensus"],
            alpha=self._alpha(drawn),
            judges=tuple(self._judge(drawn, judge) for judge in self.verdicts),
            differences=self._differences(drawn),
            partial_is_unsupported=self.partial,
            rule=self.rule,
            margin=self.margin,
            level=self.level,
            resamples=self.resamples,
            seed=self.seed,
        )

    def _people(self, mask: BoolArray) -> str:
        """Count people on the claims of a mask, once a mask: judges of the same coverage share it."""
        key = mask.tobytes()
        if key not in self.people_names:
            self.people_names[key] = f"people {len(self.people_names)}"
            name = self.people_names[key]
            add_people(self.counted, self.labels, mask, name=name)
            self.scopes[name] = {
                reference: scope_of(self.counted, self.labels, mask, reference, unsupported=self.unsupported)
                for reference in REFERENCES
            }
        return self.people_names[key]

    def _count(self) -> None:
        self._people(self.everything)
        with_gold = np.flatnonzero(self.gold >= 0)
        add_claims(self.counted, with_gold, self.gold[with_gold], self.gold[with_gold], name="gold")
        entry = self.labels.pairs(self.everything, alpha=True)
        self.counted.add(
            "alpha", entry.cell, shape=(4, 4), rows=entry.rows, weights=entry.weight, scale=self.labels.scale
        )
        for name, verdict in self.verdicts.items():
            self._people(verdict >= 0)
            add_judge(self.counted, self.labels, verdict >= 0, verdict, name=self.keys[name])
            rows = np.flatnonzero((verdict >= 0) & (self.gold >= 0))
            gold, said = self.gold[rows], verdict[rows]
            add_claims(self.counted, rows, gold, said, name=f"{self.keys[name]}:gold")
            add_answers(self.counted, rows, gold, said, classes=self.unsupported, name=f"{self.keys[name]}:answers")
        for first, second in combinations(self.verdicts, 2):
            self._count_gap(first, second)

    def _count_gap(self, first: str, second: str) -> None:
        one, two = self.verdicts[first] >= 0, self.verdicts[second] >= 0
        if np.array_equal(one & (self.gold >= 0), two & (self.gold >= 0)):
            self.gaps[first, second] = (f"{self.keys[first]}:gold", f"{self.keys[second]}:gold")
            return
        rows = np.flatnonzero(one & two & (self.gold >= 0))
        tables = (f"{self.keys[first]}, {self.keys[second]}:first", f"{self.keys[first]}, {self.keys[second]}:second")
        for table, name in zip(tables, (first, second), strict=True):
            add_claims(self.counted, rows, self.gold[rows], self.verdicts[name][rows], name=table)
        self.gaps[first, second] = tables

    def _alpha(self, drawn: Resampled) -> Figure:
        value, replicates = drawn.values("alpha", stats.krippendorff_nominal)
        paired = self.labels.enough("individual")
        n = int(paired.sum())
        answers = len(np.unique(self.counted.position[paired]))
        reason = ONE_CLASS if n else NO_PAIRS
        return percentile_figure(value, replicates, n=n, answers=answers, reason=reason, level=self.level)

    def _judge(self, drawn: Resampled, name: str) -> JudgeScore:
        verdict = self.verdicts[name]
        with_gold = self.gold >= 0
        mask = (verdict >= 0) & with_gold
        table, answers = f"{self.keys[name]}:gold", f"{self.keys[name]}:answers"
        people = self._people(verdict >= 0)
        counts = np.round(drawn.observed(table)).astype(np.int64)
        outcomes = self.outcomes.get(name)
        like = {
            reference: read_like_with_like(
                drawn,
                self.scopes[people][reference],
                people_name=people,
                judge_name=self.keys[name],
                unsupported=self.unsupported,
                level=self.level,
                margin=self.margin,
            )
            for reference in REFERENCES
        }
        level, bad = self.level, self.unsupported

        def claims(without: Without) -> UnsupportedScore:
            return read_unsupported(drawn, table, unit="claims", classes=bad, without_verdict=without, level=level)

        def whole(without: Without) -> UnsupportedScore:
            return read_unsupported(drawn, answers, unit="answers", classes=bad, without_verdict=without, level=level)

        return JudgeScore(
            name=name,
            n_claims=int(mask.sum()),
            n_answers=len(np.unique(self.counted.position[mask])),
            n_unsupported=int(bad[self.gold[mask]].sum()),
            n_without_verdict=int((verdict[mask] == NO_JUDGEMENT).sum()),
            n_outside_run=int((with_gold & (verdict < 0)).sum()),
            coverage=read_coverage(drawn, table, level=level),
            outcomes={} if outcomes is None else _outcome_counts(outcomes[mask]),
            confusion=Confusion(counts),
            agreement=read_agreement(drawn, table, unsupported=bad, judged_only=False, level=level),
            agreement_judged=read_agreement(drawn, table, unsupported=bad, judged_only=True, level=level),
            beside_kappa=read_beside_kappa(drawn, table, unsupported=bad, level=level),
            unsupported=claims("counted as misses"),
            unsupported_judged=claims("left out"),
            answers=whole("counted as misses"),
            answers_judged=whole("left out"),
            individual=like["individual"],
            consensus=like["consensus"],
        )

    def _differences(self, drawn: Resampled) -> tuple[Difference, ...]:
        tests = [mcnemar_of(self.gold, self.verdicts[one], self.verdicts[two]) for one, two in self.gaps]
        return tuple(
            Difference(
                first,
                second,
                n_claims=round(float(drawn.observed(tables[0]).sum())),
                n_answers=answers_of(drawn, tables[0]),
                gap=read_gap(drawn, *tables, unsupported=self.unsupported, level=self.level),
                mcnemar=test,
                p_holm=p_holm,
            )
            for ((first, second), tables), test, p_holm in zip(self.gaps.items(), tests, holm_of(tests), strict=True)
        )


def _outcome_counts(outcome: NDArray[np.integer]) -> dict[str, int]:
    counted = np.bincount(outcome[outcome >= 0].astype(np.int64), minlength=len(OUTCOMES))
    return dict(zip(OUTCOMES, counted.tolist(), strict=True))
