"""How well people agree, against all three references, with all that is read beside kappa: one answer for any claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from calibration import cells as stats
from calibration.agreement import NO_PAIRS, ONE_CLASS
from calibration.arrays import ArrayLike, BoolArray, IntArray, codes, same_length
from calibration.bootstrap import RESAMPLES, SEED, Cells, Resampled, percentile_figure
from calibration.ceiling import (
    MARGIN,
    NEVER_TIES,
    Ceiling,
    Labels,
    LikeWithLike,
    Measures,
    Reference,
    Scope,
    add_judge,
    add_people,
    people_measures,
    read_ceiling,
    read_like_with_like,
    scope_of,
)
from calibration.consensus import Rule
from calibration.intervals import LEVEL
from calibration.judge_score import BesideKappa, beside_kappa
from calibration.pairs import apart_in
from calibration.reliability import label_counts
from calibration.results import Figure, Result
from calibration.verdicts import MISSING, NO_JUDGEMENT, VERDICTS, unsupported_classes

LEAST_ANSWERS = 10
BOTH_WAYS = "none: each pair counts both ways round"
FEW_ANSWERS = f"claims from fewer than {LEAST_ANSWERS} answers"
_FEW_CLAIMS = {
    "individual": "fewer than {least} claims with two labels",
    "consensus": "fewer than {least} claims with three labels of which two agree",
}
_CLASSES = len(VERDICTS)
_EVERYTHING = np.ones((_CLASSES, _CLASSES), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Against(Result):
    """People against one reference, and what is read beside kappa.

    Attributes
    ----------
    ceiling : Ceiling
    beside : BesideKappa
        The prevalence index is positive where supported is the larger class; the bias index where people call more
        unsupported than the reference does.
    """

    ceiling: Ceiling
    beside: BesideKappa


@dataclass(frozen=True, slots=True)
class PeopleAgreement(Result):
    """People on the same claims.

    Attributes
    ----------
    n_claims, n_answers, n_people : int
        Claims with a label, their answers, and who gave the labels.
    individual, consensus : Against
    alpha : Figure
        Krippendorff's nominal alpha.
    apart : tuple of (verdict, verdict, claims)
        Codes of two verdicts, and on how many claims both were given, the most frequent first. A claim with three
        verdicts is in three of them.
    """

    n_claims: int
    n_answers: int
    n_people: int
    individual: Against
    consensus: Against
    alpha: Figure
    apart: tuple[tuple[int, int, int], ...]


def people_agreement(
    answer: ArrayLike,
    labels: ArrayLike,
    *,
    least: int = 1,
    partial_is_unsupported: bool = True,
    rule: Rule = "plurality",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> PeopleAgreement:
    """Return how well people agree with each other, and with the consensus of the others.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim. All answers given take part in the draw.
    labels : array_like of int, shape (people, n)
        Codes 0 to 3, -1 where a person gave no label.
    least : int
        With fewer claims that have a reference, or above 1 with claims of fewer than ten answers, there are
        no figures but the reason: for small groups of claims, where chance would be read as a finding.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    rule : {"plurality", "majority", "unanimous"}
        How the consensus of the others is formed.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> made = people_agreement([1, 2, 3, 4], [[0, 2, 0, 2], [0, 2, 2, 2]], resamples=50)
    >>> made.individual.ceiling.n_claims, made.apart
    (4, ((0, 2, 1),))
    >>> people_agreement([1, 2], [[0, 2], [0, 2]], least=20).alpha.reason
    'fewer than 20 claims with two labels'
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    given = codes(labels, name="labels", low=MISSING, high=_CLASSES - 1, ndim=2)
    same_length(answer=clusters, labels=given)
    unsupported, everything = unsupported_classes(partial_is_unsupported), np.ones(len(clusters), dtype=np.bool_)
    people, counted = Labels(label_counts(given, categories=_CLASSES), rule=rule), Cells(clusters)
    add_people(counted, people, everything, name="all")
    entry = people.pairs(everything, alpha=True)
    counted.add("alpha", entry.cell, shape=_EVERYTHING.shape, rows=entry.rows, weights=entry.weight, scale=people.scale)
    drawn = counted.resample(resamples=resamples, seed=seed)
    shown, scopes = {}, {}
    for reference in ("individual", "consensus"):
        scope = scope_of(counted, people, everything, reference, unsupported=unsupported)
        made = _read(drawn, scope, reference, unsupported=unsupported, level=level)
        shown[reference] = _withheld(made, least=least)
        scopes[reference] = scope
    labelled = (given >= 0).any(axis=0)
    return PeopleAgreement(
        n_claims=int(labelled.sum()),
        n_answers=len(np.unique(clusters[labelled])),
        n_people=int((given >= 0).any(axis=1).sum()),
        individual=shown["individual"],
        consensus=shown["consensus"],
        alpha=_alpha(drawn, scopes["individual"], least=least, level=level),
        apart=_both_given(people.counts),
    )


def _read(drawn: Resampled, scope: Scope, reference: Reference, *, unsupported: BoolArray, level: float) -> Against:
    table = f"all:people:{reference}"
    beside = beside_kappa(
        drawn.observed(table),
        drawn.replicates(table),
        n=scope.claims,
        answers=scope.answers,
        unsupported=unsupported,
        level=level,
    )
    if reference == "individual":
        beside = replace(beside, bias_index=Figure.undefined(BOTH_WAYS, n=scope.claims))
    return Against(read_ceiling(drawn, scope, name="all", unsupported=unsupported, level=level), beside)


def _few(reference: str, *, claims: int, answers: int, least: int) -> str:
    """Return why a figure is not given, nothing where it is."""
    if claims < least:
        return _FEW_CLAIMS[reference].format(least=least)
    return FEW_ANSWERS if least > 1 and answers < LEAST_ANSWERS else ""


def _withheld(made: Against, *, least: int) -> Against:
    ceiling = made.ceiling
    few = _few(ceiling.reference, claims=ceiling.n_claims, answers=ceiling.n_answers, least=least)
    if not few or ceiling.n_claims == 0:
        return made
    nothing = Figure.undefined(few, n=ceiling.n_claims)
    return Against(
        replace(ceiling, people=Measures(nothing, nothing, nothing)),
        BesideKappa(**{field.name: nothing for field in fields(BesideKappa)}),
    )


def _alpha(drawn: Resampled, scope: Scope, *, least: int, level: float) -> Figure:
    few = _few("individual", claims=scope.claims, answers=scope.answers, least=least)
    if few and scope.claims:
        return Figure.undefined(few, n=scope.claims)
    value, replicates = drawn.values("alpha", stats.krippendorff_nominal)
    reason = ONE_CLASS if scope.claims else NO_PAIRS
    return percentile_figure(value, replicates, n=scope.claims, answers=scope.answers, reason=reason, level=level)


def _both_given(counts: IntArray) -> tuple[tuple[int, int, int], ...]:
    there = (counts > 0).astype(np.int64)
    return apart_in(np.triu(there.T @ there))


def judges_beside_people(
    answer: ArrayLike,
    labels: ArrayLike,
    verdicts: Mapping[str, ArrayLike],
    *,
    least: int = 1,
    partial_is_unsupported: bool = True,
    margin: float = MARGIN,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> dict[str, LikeWithLike]:
    """Return each judge beside people, both against each other person, on the claims of its run.

    Parameters
    ----------
    answer, labels
        As for `people_agreement`.
    verdicts : mapping of str to array_like of int, shape (n,)
        What each judge says: codes 0 to 3, 4 for no verdict, -1 outside the run.
    least : int
        As for `people_agreement`.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    margin : float
        How far below people a judge may be and still be "at the ceiling".
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> people = [[0, 2, 0, 2], [0, 2, 2, 2]]
    >>> made = judges_beside_people([1, 2, 3, 4], people, {"judge": [0, 2, 0, 0]}, resamples=50)
    >>> made["judge"].headroom.recall.value > 0
    True
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    given = codes(labels, name="labels", low=MISSING, high=_CLASSES - 1, ndim=2)
    same_length(answer=clusters, labels=given)
    unsupported = unsupported_classes(partial_is_unsupported)
    people, counted = Labels(label_counts(given, categories=_CLASSES)), Cells(clusters)
    scopes = {}
    for number, (name, verdict) in enumerate(verdicts.items()):
        said = codes(verdict, name=f"verdict of {name}", low=MISSING, high=NO_JUDGEMENT)
        same_length(answer=clusters, said=said)
        add_people(counted, people, said >= 0, name=f"{number}")
        add_judge(counted, people, said >= 0, said, name=f"{number}")
        scopes[name] = scope_of(counted, people, said >= 0, "individual", unsupported=unsupported)
    drawn = counted.resample(resamples=resamples, seed=seed)
    made = {}
    for number, (name, scope) in enumerate(scopes.items()):
        like = read_like_with_like(
            drawn,
            scope,
            people_name=f"{number}",
            judge_name=f"{number}",
            unsupported=unsupported,
            level=level,
            margin=margin,
        )
        few = _few("individual", claims=scope.claims, answers=scope.answers, least=least)
        if few and scope.claims:
            nothing = Figure.undefined(few, n=scope.claims)
            three = Measures(nothing, nothing, nothing)
            like = replace(like, people=three, judge=three, headroom=three)
        made[name] = like
    return made


def people_again(
    answer: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    partial_is_unsupported: bool = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Against:
    """Return the agreement of people with themselves, on claims that they were shown again.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim; a row for each person and claim.
    first, second : array_like of int, shape (n,)
        Codes 0 to 3: what the person said the first time, and later.
    partial_is_unsupported : bool
        The project's rule for `partial`.
    resamples, seed : int
        How many draws of answers, and the seed of the random numbers.
    level : float
        Two-sided confidence.

    Examples
    --------
    >>> made = people_again([1, 2, 3, 4], [0, 0, 2, 2], [0, 0, 2, 0], resamples=50)
    >>> made.ceiling.n_claims, made.ceiling.people.kappa_four.value, made.ceiling.people.recall.value
    (4, 0.5, 0.5)
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    one = codes(first, name="first", low=0, high=_CLASSES - 1)
    two = codes(second, name="second", low=0, high=_CLASSES - 1)
    same_length(answer=clusters, first=one, second=two)
    unsupported, counted = unsupported_classes(partial_is_unsupported), Cells(clusters)
    counted.add("self", one * _CLASSES + two, shape=_EVERYTHING.shape)
    drawn = counted.resample(resamples=resamples, seed=seed)
    bad = unsupported[one]
    scope = Scope("self", len(one), int(bad.sum()), counted.answers, len(np.unique(clusters[bad])))
    table, replicates = drawn.observed("self"), drawn.replicates("self")
    return Against(
        Ceiling(
            "self",
            people_measures(table, replicates, scope, unsupported=unsupported, level=level),
            scope.claims,
            scope.answers,
            Figure.point(0.0, n=scope.claims, reason=NEVER_TIES),
        ),
        beside_kappa(table, replicates, n=scope.claims, answers=scope.answers, unsupported=unsupported, level=level),
    )
