"""Rows to arrays: the only place where stored labels and judgements become numbers.

A project is read in a handful of queries whatever the number of claims, and goes straight into arrays; filters then
work on the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.db.models import F, FloatField, Value
from django.db.models.functions import Cast, Coalesce
from numpy.typing import NDArray

from calibration.verdicts import MISSING, NO_JUDGEMENT, OUTCOMES, VERDICTS
from judges.models import Judgement, JudgeVersion
from judges.protocol import Outcome
from labelling.gold import consensus
from labelling.models import Adjudication, Claim, Label, Project
from reports.selection import Selection

VERDICT_CODE = {name: code for code, name in enumerate(VERDICTS)}
OUTCOME_CODE = {name: code for code, name in enumerate(OUTCOMES)}
_CHUNK = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class JudgeColumn:
    """What one judge version says of the claims, one entry a claim.

    Attributes
    ----------
    verdict : int8 array
        0 to 3, 4 for an outcome without a verdict, -1 where the claim was not in a run of this version.
    outcome : int8 array
        Index into `calibration.verdicts.OUTCOMES`, -1 likewise.
    score : float array
        Support score, NaN where there is none.
    cost, seconds : float array
        US dollars and wall time of the judging, NaN where not in a run. A judgement taken from the cache, or a stage of
        one, costs here what the original did, since that is what the next thousand claims would cost.
    """

    version_id: int
    verdict: NDArray[np.int8]
    outcome: NDArray[np.int8]
    score: NDArray[np.float64]
    cost: NDArray[np.float64]
    seconds: NDArray[np.float64]

    def where(self, kept: NDArray[np.bool_]) -> JudgeColumn:
        return JudgeColumn(
            self.version_id,
            self.verdict[kept],
            self.outcome[kept],
            self.score[kept],
            self.cost[kept],
            self.seconds[kept],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The claims of a project in the order of their ids, with gold, labels and judgements as columns.

    Attributes
    ----------
    claim, answer : int64 array, shape (claims,)
        Primary keys.
    targeted : bool array, shape (claims,)
        Chosen on purpose, not at random.
    gold : int8 array, shape (claims,)
        Verdict code, -1 where there is no gold.
    annotators : tuple of int
        Memberships, in the order of the rows of `labels`.
    labels : int8 array, shape (annotators, claims)
        Verdict code, -1 where this person has no counted label.
    targeted_left_out : int
        Targeted claims with a label or gold that `comparable` left out.
    """

    claim: NDArray[np.int64]
    answer: NDArray[np.int64]
    targeted: NDArray[np.bool_]
    gold: NDArray[np.int8]
    annotators: tuple[int, ...]
    labels: NDArray[np.int8]
    judges: tuple[JudgeColumn, ...]
    targeted_left_out: int = 0

    def judge(self, version_id: int) -> JudgeColumn:
        """The column of one judge version; StopIteration is a programming error of the caller."""
        return next(column for column in self.judges if column.version_id == version_id)

    def where(self, kept: NDArray[np.bool_]) -> Rows:
        """The rows that a mask keeps; people without a label among them are left out."""
        labels = self.labels[:, kept]
        present = (labels != MISSING).any(axis=1)
        return replace(
            self,
            claim=self.claim[kept],
            answer=self.answer[kept],
            targeted=self.targeted[kept],
            gold=self.gold[kept],
            annotators=tuple(who for who, here in zip(self.annotators, present, strict=True) if here),
            labels=labels[present],
            judges=tuple(column.where(kept) for column in self.judges),
        )

    def comparable(self, claim_ids: NDArray[np.int64] | None = None) -> Rows:
        """The rows that may enter a figure: among the ids, with a label or gold, and not targeted.

        Rule: claims chosen because judges disagreed never count as if they were a random sample. They are left out,
        and their number is kept so that it can be said.
        """
        judged = (self.gold != MISSING) | (self.labels != MISSING).any(axis=0)
        if claim_ids is not None:
            judged &= np.isin(self.claim, claim_ids, assume_unique=True)
        left_out = int((judged & self.targeted).sum())
        return replace(self.where(judged & ~self.targeted), targeted_left_out=left_out)


def read_rows(project: Project, *, version_ids: Sequence[int] = ()) -> Rows:
    """Read every claim of a project with its labels, gold and the judgements of the named versions, in four queries."""
    claims = records(
        Claim.objects.filter(project=project)
        .order_by("id")
        .values_list("id", "answer_id", "targeted")
        .iterator(_CHUNK),
        [("claim", "i8"), ("answer", "i8"), ("targeted", "?")],
    )
    claim: NDArray[np.int64] = claims["claim"].copy()
    annotators, labels = _read_labels(project, claim)
    gold = _consensus_codes(labels, rule=project.consensus_rule)
    settled = records(
        (
            (claim_id, VERDICT_CODE[verdict])
            for claim_id, verdict in Adjudication.objects.current()
            .filter(claim__project=project)
            .order_by()
            .values_list("claim_id", "verdict")
            .iterator(_CHUNK)
        ),
        [("claim", "i8"), ("verdict", "i1")],
    )
    settled = known(claim, settled)
    gold[places_of(claim, settled["claim"])] = settled["verdict"]
    return Rows(
        claim=claim,
        answer=claims["answer"].copy(),
        targeted=claims["targeted"].copy(),
        gold=gold,
        annotators=annotators,
        labels=labels,
        judges=read_judgements(claim, version_ids) if version_ids else (),
    )


def selected_ids(project: Project, selection: Selection) -> NDArray[np.int64]:
    """The ids of the claims that a selection picks, in one query."""
    ids = selection.claims(project).order_by().values_list("id", flat=True)
    return np.fromiter(ids.iterator(_CHUNK), dtype=np.int64)


def _read_labels(project: Project, claim: NDArray[np.int64]) -> tuple[tuple[int, ...], NDArray[np.int8]]:
    given = records(
        (
            (claim_id, who, VERDICT_CODE[verdict])
            for claim_id, who, verdict in Label.objects.counted()
            .filter(claim__project=project)
            .order_by()
            .values_list("claim_id", "annotator_id", "verdict")
            .iterator(_CHUNK)
        ),
        [("claim", "i8"), ("who", "i8"), ("verdict", "i1")],
    )
    given = known(claim, given)
    people, person = np.unique(given["who"], return_inverse=True)
    labels = np.full((len(people), len(claim)), MISSING, dtype=np.int8)
    labels[person, places_of(claim, given["claim"])] = given["verdict"]
    return tuple(int(who) for who in people), labels


def _consensus_codes(labels: NDArray[np.int8], *, rule: str) -> NDArray[np.int8]:
    """Consensus of each claim, by asking the project's rule once for every distinct count of verdicts."""
    votes = np.stack([(labels == code).sum(axis=0) for code in range(len(VERDICTS))], axis=1)
    patterns, pattern = np.unique(votes, axis=0, return_inverse=True)
    agreed = np.full(len(patterns), MISSING, dtype=np.int8)
    for place, counts in enumerate(patterns):
        verdict = consensus((name for name, n in zip(VERDICTS, counts, strict=True) for _ in range(n)), rule=rule)
        if verdict is not None:
            agreed[place] = VERDICT_CODE[verdict]
    return agreed[pattern.ravel()]


def read_judgements(claim: NDArray[np.int64], version_ids: Sequence[int]) -> tuple[JudgeColumn, ...]:
    """Read what the named versions say of the claims, which are in the order of their ids, in one query.

    A judge's say on a claim is the standing judgement of its newest run that reached the claim, so a later run over a
    few claims does not hide an earlier one over all.
    """
    nowhere = Value(float("-1"), output_field=FloatField())
    rows = (
        Judgement.objects.counted()
        .filter(run__judge_version__in=list(version_ids))
        .order_by("run_id")
        .values_list(
            "run__judge_version_id",
            "claim_id",
            "outcome",
            "verdict",
            "score",
            Cast(_anew("cost_usd", "reused_usd"), FloatField()),
            Coalesce(_anew("seconds", "reused_seconds"), nowhere),
        )
    )
    found = records(
        (
            (
                version,
                claim_id,
                OUTCOME_CODE[outcome],
                VERDICT_CODE.get(verdict, NO_JUDGEMENT),
                np.nan if score is None else score,
                cost,
                seconds,
            )
            for version, claim_id, outcome, verdict, score, cost, seconds in rows.iterator(_CHUNK)
        ),
        [
            ("version", "i8"),
            ("claim", "i8"),
            ("outcome", "i1"),
            ("verdict", "i1"),
            ("score", "f8"),
            ("cost", "f8"),
            ("seconds", "f8"),
        ],
    )
    found = known(claim, found)
    return tuple(_column(claim, version, found[found["version"] == version]) for version in version_ids)


def read_contradiction(claim: NDArray[np.int64], version: JudgeVersion) -> NDArray[np.float64]:
    """Read the P(contradiction) that an entailment judge keeps beside its score, NaN where there is none; one query.

    The claims are in the order of their ids.
    """
    rows = Judgement.objects.counted().filter(run__judge_version=version, outcome=Outcome.JUDGED).order_by("run_id")
    found = records(
        (
            (claim_id, value)
            for claim_id, value in rows.values_list("claim_id", "detail__contradiction").iterator(_CHUNK)
            if isinstance(value, int | float)
        ),
        [("claim", "i8"), ("value", "f8")],
    )
    found = known(claim, found)
    made = np.full(len(claim), np.nan)
    made[places_of(claim, found["claim"])] = found["value"]
    return made


def _anew(spent: str, reused: str) -> Coalesce:
    """What a judgement would come to with nothing there to be taken from earlier ones."""
    return Coalesce(F(f"cached_from__{spent}") + F(f"cached_from__{reused}"), F(spent) + F(reused))


def _column(claim: NDArray[np.int64], version_id: int, found: NDArray[Any]) -> JudgeColumn:
    places = places_of(claim, found["claim"])
    # Rows come in the order of the runs, and where a claim occurs twice the later entry stands.
    last = np.full(len(claim), -1, dtype=np.int64)
    last[places] = np.arange(len(places))
    here = last >= 0

    def spread(name: str, missing: float, dtype: type[np.generic]) -> NDArray[Any]:
        column = np.full(len(claim), missing, dtype=dtype)
        column[here] = found[name][last[here]]
        return column

    return JudgeColumn(
        version_id=version_id,
        verdict=spread("verdict", MISSING, np.int8),
        outcome=spread("outcome", MISSING, np.int8),
        score=spread("score", np.nan, np.float64),
        cost=spread("cost", np.nan, np.float64),
        seconds=spread("seconds", np.nan, np.float64),
    )


def known(claim: NDArray[np.int64], found: NDArray[Any]) -> NDArray[Any]:
    """The records whose claim is among the claims read: one that came in between two queries waits for the next."""
    return found[np.isin(found["claim"], claim)]


def places_of(claim: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.intp]:
    """Where the wanted ids stand among the claims read, which are in the order of their ids."""
    return np.searchsorted(claim, wanted)


def records(rows: Iterable[tuple[Any, ...]], dtype: list[tuple[str, str]]) -> NDArray[Any]:
    """Rows of a query as one array with named columns, without a list of them in between."""
    return np.fromiter(rows, dtype=np.dtype(dtype))
