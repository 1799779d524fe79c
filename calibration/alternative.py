"""The alternative-annotator test: is a judge as good a stand-in for a person as a person is?

Each person in turn steps aside. On every claim of theirs, the judge and the person are both compared
with the others: who agrees with more of them? The person loses where the judge does at least about as
well, within a margin that stands for what a person costs more than a judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from calibration.arrays import ArrayLike, FloatArray, IntArray, codes, probability, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, Resampled, percentile_figure
from calibration.cells import ratio
from calibration.intervals import LEVEL
from calibration.reliability import label_counts
from calibration.results import Figure, Result
from calibration.verdicts import MISSING, NO_JUDGEMENT, VERDICTS

EPSILON = 0.15
"""Margin for people who were trained for the task; .2 for experts, .1 for a crowd are usual."""
LEAST_CLAIMS, LEAST_ANSWERS = 30, 10
PASS = 0.5
"""Winning rate from which a judge may take the place of people."""
FALSE_DISCOVERY = 0.05
NOBODY = "no person has enough claims that others labelled too"

_JUDGE, _PERSON, _BOTH = range(3)


@dataclass(frozen=True, slots=True)
class StandIn(Result):
    """The judge in place of one person.

    Attributes
    ----------
    person : int
        Row of the labels.
    n : int
        Claims that the person, another person and the judge all have.
    judge, human : Figure
        Share of the claims on which the judge, or the person, agrees with the others at least as well
        as the other of the two.
    p : float
        Against "the judge falls short of the person by the margin or more".
    won : bool
        Whether that is ruled out, with the false discovery rate held over all people.
    """

    person: int
    n: int
    judge: Figure
    human: Figure
    p: float
    won: bool


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator(Result):
    """The test over all people.

    Attributes
    ----------
    winning_rate : Figure
        Share of people that the judge can stand in for: half or more is a pass.
    advantage : Figure
        Chance that the judge agrees with the others at least as well as a person does, mean over people.
    epsilon : float
        The margin.
    people : tuple of StandIn
        Those with enough claims.
    """

    winning_rate: Figure
    advantage: Figure
    epsilon: float
    people: tuple[StandIn, ...]


def alternative_annotator(
    answer: ArrayLike,
    labels: ArrayLike,
    verdict: ArrayLike,
    *,
    epsilon: float = EPSILON,
    least: int = LEAST_CLAIMS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> AlternativeAnnotator:
    """Return the winning rate and the advantage of a judge, with intervals resampled by answer.

    The test on each person takes its standard error from the resamples of answers, and Benjamini and
    Yekutieli's method over people. In the interval of the winning rate, the test is made anew in every
    resample, with the same standard errors.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    labels : array_like of int, shape (people, n)
        Codes 0 to 3, -1 where a person gave no label.
    verdict : array_like of int, shape (n,)
        The judge's: codes 0 to 3, 4 for no verdict, which agrees with nobody, -1 outside the run.
    epsilon : float
        Margin.
    least : int
        People with fewer claims, or with claims of fewer than ten answers, are left out.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence of the intervals.

    Notes
    -----
    Calderon, Reichart and Dror (2025), "The Alternative Annotator Test", which takes claims as
    independent and has no intervals.

    Examples
    --------
    >>> people = np.tile([[0, 0, 2], [0, 2, 2], [0, 0, 2]], 20)
    >>> made = alternative_annotator(np.arange(60), people, np.tile([0, 0, 2], 20), resamples=50)
    >>> made.winning_rate.value, made.people[1].human.value == 2 / 3
    (1.0, True)
    """
    several = alternative_annotators(
        answer, labels, {"judge": verdict}, epsilon=epsilon, least=least, resamples=resamples, seed=seed, level=level
    )
    return several["judge"]


def alternative_annotators(
    answer: ArrayLike,
    labels: ArrayLike,
    verdicts: Mapping[str, ArrayLike],
    *,
    epsilon: float = EPSILON,
    least: int = LEAST_CLAIMS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> dict[str, AlternativeAnnotator]:
    """Return the same for several judges, by name, on one draw: what each gets is what it gets alone.

    Parameters
    ----------
    answer, labels
        As for `alternative_annotator`.
    verdicts : mapping of str to array_like of int, shape (n,)
        What each judge says.
    epsilon, least, resamples, seed, level
        As for `alternative_annotator`.

    Examples
    --------
    >>> people = np.tile([[0, 0, 2], [0, 2, 2], [0, 0, 2]], 20)
    >>> judges = {"sharp": np.tile([0, 0, 2], 20), "deaf": np.zeros(60, dtype=np.int8)}
    >>> made = alternative_annotators(np.arange(60), people, judges, resamples=50)
    >>> made["sharp"].winning_rate.value, made["deaf"].winning_rate.value
    (1.0, 0.0)
    """
    margin = probability(epsilon, name="epsilon")
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    given = codes(labels, name="labels", low=MISSING, high=len(VERDICTS) - 1, ndim=2)
    same_length(answer=clusters, labels=given)
    counts, counted = np.pad(label_counts(given, categories=len(VERDICTS)), ((0, 0), (0, 1))), Cells(clusters)
    people = {}
    for number, (name, verdict) in enumerate(verdicts.items()):
        said = codes(verdict, name=f"verdict of {name}", low=MISSING, high=NO_JUDGEMENT)
        same_length(answer=clusters, said=said)
        people[name] = _count(counted, clusters, given, said, counts, key=f"{number}", least=least)
    drawn = counted.resample(resamples=resamples, seed=seed)
    return {
        name: _read(drawn, found, answers=counted.answers, margin=margin, level=level) for name, found in people.items()
    }


@dataclass(frozen=True, slots=True)
class _Counted:
    """One person with claims enough: row of the labels, table, claims and answers."""

    person: int
    table: str
    claims: int
    answers: int


def _count(
    counted: Cells, clusters: IntArray, given: IntArray, said: IntArray, counts: IntArray, *, key: str, least: int
) -> list[_Counted]:
    """Count, for each person with claims enough, on how many the judge, the person or both agree with the others best."""
    people = []
    usable = (said >= 0) & (counts.sum(axis=1) >= 2)
    for person, own in enumerate(given):
        rows = np.flatnonzero((own >= 0) & usable)
        answers = len(np.unique(clusters[rows]))
        if len(rows) < max(least, 1) or answers < LEAST_ANSWERS:
            continue
        by_judge = counts[rows, said[rows]] - (said[rows] == own[rows])
        by_person = counts[rows, own[rows]] - 1
        cell = np.where(by_judge > by_person, _JUDGE, np.where(by_person > by_judge, _PERSON, _BOTH))
        table = f"{key} {person}"
        counted.add(table, cell, shape=(1, 3), rows=rows)
        people.append(_Counted(person, table, len(rows), answers))
    return people


def _read(
    drawn: Resampled, people: list[_Counted], *, answers: int, margin: float, level: float
) -> AlternativeAnnotator:
    if not people:
        return AlternativeAnnotator(Figure.undefined(NOBODY), Figure.undefined(NOBODY), margin, ())
    judge, judge_drawn = _shares([drawn.values(one.table, _judge_share) for one in people])
    human, human_drawn = _shares([drawn.values(one.table, _human_share) for one in people])
    ahead, ahead_drawn = judge - human + margin, judge_drawn - human_drawn + margin
    error = np.nanstd(ahead_drawn, axis=0)
    p, p_drawn = _p(ahead, error), _p(ahead_drawn, error)
    won, won_drawn = _discovered(p), _discovered(p_drawn)

    def figure(value: float, replicates: FloatArray, *, n: int, answers: int) -> Figure:
        return percentile_figure(value, replicates, n=n, answers=answers, reason=NOBODY, level=level)

    return AlternativeAnnotator(
        winning_rate=figure(float(won.mean()), won_drawn.mean(axis=1), n=len(people), answers=answers),
        advantage=figure(float(judge.mean()), judge_drawn.mean(axis=1), n=len(people), answers=answers),
        epsilon=margin,
        people=tuple(
            StandIn(
                one.person,
                one.claims,
                judge=figure(float(judge[place]), judge_drawn[:, place], n=one.claims, answers=one.answers),
                human=figure(float(human[place]), human_drawn[:, place], n=one.claims, answers=one.answers),
                p=float(p[place]),
                won=bool(won[place]),
            )
            for place, one in enumerate(people)
        ),
    )


def _judge_share(tables: FloatArray) -> FloatArray:
    return ratio(tables[..., 0, _JUDGE] + tables[..., 0, _BOTH], tables.sum(axis=(-2, -1)))


def _human_share(tables: FloatArray) -> FloatArray:
    return ratio(tables[..., 0, _PERSON] + tables[..., 0, _BOTH], tables.sum(axis=(-2, -1)))


def _shares(values: list[tuple[float, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    return np.array([value for value, _ in values]), np.stack([drawn for _, drawn in values], axis=1)


def _p(ahead: FloatArray, error: FloatArray) -> FloatArray:
    """Return one-sided p values; without any spread, and where nothing was drawn, the sign alone decides."""
    sure = np.where(ahead > 0, 0.0, 1.0)
    z = ratio(ahead, np.broadcast_to(error, ahead.shape))
    return np.where(np.isnan(z), sure, stats.norm.sf(np.nan_to_num(z)))


def _discovered(p: FloatArray) -> FloatArray:
    adjusted = stats.false_discovery_control(p, axis=-1, method="by")
    return np.asarray(adjusted <= FALSE_DISCOVERY, dtype=np.float64)
