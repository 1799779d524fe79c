"""What the ceiling page needs of claims and labels beside the arrays of `reports.bridge`: when, under which guide, again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from django.db.models import Max, Min
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from calibration.arrays import BoolArray, IntArray
from calibration.verdicts import MISSING
from labelling.models import Citation, Claim, Label, Project
from reports.bridge import VERDICT_CODE, Rows, known, places_of, records

MIXED = -2
"""In place of a guide version: labels of the claim were made under several."""
_CHUNK = 10_000
_EPOCH, _STEP = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, eq=False)
class CeilingRows:
    """More columns of the claims of `Rows`, in their order.

    Attributes
    ----------
    moment : datetime64[us] array, shape (claims,)
        When the newest of its counted labels was given, UTC; NaT without a label.
    guide : int array, shape (claims,)
        Number of the guide version that all of its labels were made under; -1 where that is not known, -2 where they
        were made under several.
    kind, severity : str array, shape (claims,)
        As stored, empty where not given.
    citing, collection : int array, shape (pairs of claim and collection,)
        Place of the claim, place in `collections`; a claim that cites a collection twice is there once.
    collections : tuple of str
    again_claim, again_who, again_verdict : int array, shape (later labels,)
        Labels of claims that the same person was shown again: place of the claim, membership, verdict.
    """

    moment: NDArray[np.datetime64]
    guide: IntArray
    kind: NDArray[np.str_]
    severity: NDArray[np.str_]
    citing: NDArray[np.int64]
    collection: NDArray[np.int64]
    collections: tuple[str, ...]
    again_claim: NDArray[np.int64]
    again_who: NDArray[np.int64]
    again_verdict: NDArray[np.int64]

    def at(self, places: NDArray[np.intp]) -> CeilingRows:
        """The columns of some claims, by their places in rising order."""
        new = np.full(len(self.moment), MISSING, dtype=np.int64)
        new[places] = np.arange(len(places))
        cited, again = new[self.citing] >= 0, new[self.again_claim] >= 0
        return CeilingRows(
            moment=self.moment[places],
            guide=self.guide[places],
            kind=self.kind[places],
            severity=self.severity[places],
            citing=new[self.citing[cited]],
            collection=self.collection[cited],
            collections=self.collections,
            again_claim=new[self.again_claim[again]],
            again_who=self.again_who[again],
            again_verdict=self.again_verdict[again],
        )

    def of_collection(self, place: int) -> BoolArray:
        """Which claims cite a source of a collection."""
        found = np.zeros(len(self.moment), dtype=np.bool_)
        found[self.citing[self.collection == place]] = True
        return found

    def twice(self, rows: Rows) -> tuple[IntArray, IntArray, IntArray]:
        """Place of the claim, first and later verdict of everybody who was shown a claim again, in the order of claims.

        `rows` are the claims that these columns are of. Whoever has no counted label from the first time is left out.
        """
        # One more than there are, for those who come after the last.
        annotators = np.array([*rows.annotators, MISSING], dtype=np.int64)
        who = np.searchsorted(annotators[:-1], self.again_who)
        here = annotators[who] == self.again_who
        claim, later = self.again_claim[here], self.again_verdict[here]
        first = rows.labels[who[here], claim].astype(np.int64)
        given = first != MISSING
        return claim[given], first[given], later[given]


def read_ceiling_rows(project: Project, claim: NDArray[np.int64]) -> CeilingRows:
    """Read these columns of the claims with the given ids, in rising order, in four queries."""
    moment, guide = _when_and_guide(project, claim)
    citing, collection, collections = _collections(project, claim)
    facts = {
        claim_id: (kind, severity)
        for claim_id, kind, severity in Claim.objects.filter(project=project)
        .order_by()
        .values_list("id", "kind", "severity")
        .iterator(_CHUNK)
    }
    empty = ("", "")
    again = _given_again(project, claim)
    return CeilingRows(
        moment=moment,
        guide=guide,
        kind=np.array([facts.get(claim_id, empty)[0] for claim_id in claim.tolist()], dtype=np.str_),
        severity=np.array([facts.get(claim_id, empty)[1] for claim_id in claim.tolist()], dtype=np.str_),
        citing=citing,
        collection=collection,
        collections=collections,
        again_claim=places_of(claim, again["claim"]),
        again_who=again["who"].copy(),
        again_verdict=again["verdict"].astype(np.int64),
    )


def _when_and_guide(project: Project, claim: NDArray[np.int64]) -> tuple[NDArray[np.datetime64], IntArray]:
    # Summed up in the database: a moment to read for every claim, instead of one for every label.
    number = Coalesce("guide_version__number", MISSING)
    labels = Label.objects.counted().filter(claim__project=project).order_by().values_list("claim_id")
    summed = labels.annotate(newest=Max("created"), lowest=Min(number), highest=Max(number))
    given = known(
        claim,
        records(
            (
                (claim_id, (newest - _EPOCH) // _STEP, low, high)
                for claim_id, newest, low, high in summed.iterator(_CHUNK)
            ),
            [("claim", "i8"), ("newest", "i8"), ("lowest", "i8"), ("highest", "i8")],
        ),
    )
    places = places_of(claim, given["claim"])
    moment = np.full(len(claim), np.datetime64("NaT"), dtype="datetime64[us]")
    moment[places] = given["newest"].view("datetime64[us]")
    guide = np.full(len(claim), MISSING, dtype=np.int64)
    guide[places] = np.where(given["lowest"] == given["highest"], given["highest"], MIXED)
    return moment, guide


def _collections(
    project: Project, claim: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    cited = Citation.objects.filter(claim__project=project).order_by().values_list("claim_id", "source__collection")
    pairs = sorted(set(cited.iterator(_CHUNK)))
    names = tuple(sorted({name for _, name in pairs}))
    place = {name: code for code, name in enumerate(names)}
    given = known(
        claim,
        records(
            ((claim_id, place[name]) for claim_id, name in pairs),
            [("claim", "i8"), ("collection", "i8")],
        ),
    )
    return places_of(claim, given["claim"]).astype(np.int64), given["collection"].copy(), names


def _given_again(project: Project, claim: NDArray[np.int64]) -> NDArray[np.void]:
    later = Label.objects.current().filter(claim__project=project, occasion__gt=1, surplus=False, withdrawn=False)
    given = records(
        (
            (claim_id, who, VERDICT_CODE[verdict])
            for claim_id, who, verdict in later.order_by("claim_id", "annotator_id", "occasion")
            .values_list("claim_id", "annotator_id", "verdict")
            .iterator(_CHUNK)
        ),
        [("claim", "i8"), ("who", "i8"), ("verdict", "i1")],
    )
    return known(claim, given)
