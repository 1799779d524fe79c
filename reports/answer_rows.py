"""Answers and citations to arrays, beside the claims of `reports.bridge`: what the groundedness report needs more."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from django.db.models import Q
from django.db.models.functions import Length, Trim
from numpy.typing import NDArray

from calibration.groundedness import CRITICAL, INVENTIONS, MINOR
from calibration.verdicts import MISSING
from labelling.models import Answer, AnswerLabel, Citation, Claim, Label, Project, Severity, Source, Split
from reports.bridge import known, places_of, records

_CHUNK = 10_000
_SEVERITY = {Severity.CRITICAL.value: CRITICAL, Severity.MINOR.value: MINOR}
_INVENTION = {name: code for code, name in enumerate(INVENTIONS)}
_FLAGS = {None: MISSING, False: 0, True: 1}


@dataclass(frozen=True, slots=True, eq=False)
class AnswerRows:
    """The answers of a project in the order of their ids, and more columns of its claims.

    Attributes
    ----------
    answer : int64 array, shape (answers,)
        Primary keys.
    pair : int array, shape (answers,)
        Place in `pairs`.
    pairs : tuple of (system, task type)
    test : bool array, shape (answers,)
        In the test split.
    should_abstain, correct, in_retrieved, abstained : int8 array, shape (answers,)
        1 yes, 0 no, -1 not known; what most people said, where people said it.
    cited, resolvable : bool array, shape (claims,)
        In the order of the claims that were given; so are the next three.
    severity, invention, superseded : int8 array, shape (claims,)
        As in `calibration.groundedness.GroundednessInput`.
    citing, source, collection : int array, shape (citations,)
        Place of the claim, primary key of the source, place in `collections`.
    collections : tuple of str
    """

    answer: NDArray[np.int64]
    pair: NDArray[np.int64]
    pairs: tuple[tuple[str, str], ...]
    test: NDArray[np.bool_]
    should_abstain: NDArray[np.int8]
    correct: NDArray[np.int8]
    in_retrieved: NDArray[np.int8]
    abstained: NDArray[np.int8]
    cited: NDArray[np.bool_]
    resolvable: NDArray[np.bool_]
    severity: NDArray[np.int8]
    invention: NDArray[np.int8]
    superseded: NDArray[np.int8]
    citing: NDArray[np.int64]
    source: NDArray[np.int64]
    collection: NDArray[np.int64]
    collections: tuple[str, ...]


def read_answer_rows(project: Project, claim: NDArray[np.int64], answer: NDArray[np.int64]) -> AnswerRows:
    """Read answers, citations, sources and labels of answers of a project, in eight queries.

    Parameters
    ----------
    project : Project
        Whose.
    claim, answer : int64 array, shape (claims,)
        Claims in the order of their ids, and their answers.
    """
    found = Answer.objects.filter(project=project).order_by("id")
    rows = list(found.values_list("id", "system", "task_type", "split", "should_abstain", "created").iterator(_CHUNK))
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    pairs = sorted({(row[1], row[2]) for row in rows})
    place = {pair: code for code, pair in enumerate(pairs)}
    made = {row[0]: row[5] for row in rows}
    severity, invention = _said_of_claims(project, claim)
    said = _said_of_answers(project, ids)
    return AnswerRows(
        answer=ids,
        pair=np.array([place[row[1], row[2]] for row in rows], dtype=np.int64),
        pairs=tuple(pairs),
        test=np.array([row[3] == Split.TEST for row in rows], dtype=np.bool_),
        should_abstain=np.array([_FLAGS[row[4]] for row in rows], dtype=np.int8),
        correct=said[0],
        in_retrieved=said[1],
        abstained=said[2],
        severity=severity,
        invention=invention,
        **_read_citations(project, claim, answer, made),
    )


def _said_of_claims(project: Project, claim: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Severity (the claim's own, else what most labels say) and kind of invention (what most say), -1 where none."""
    labels = Label.objects.counted().filter(claim__project=project).exclude(invention="", severity="")
    given = records(
        (
            (claim_id, _INVENTION.get(kind, MISSING), _SEVERITY.get(grade, MISSING))
            for claim_id, kind, grade in labels.order_by()
            .values_list("claim_id", "invention", "severity")
            .iterator(_CHUNK)
        ),
        [("claim", "i8"), ("invention", "i1"), ("severity", "i1")],
    )
    given = known(claim, given)
    places = places_of(claim, given["claim"])
    severity = _most(places, given["severity"], size=len(claim), codes=2)
    own = Claim.objects.filter(project=project).exclude(severity="").order_by()
    graded = records(
        ((claim_id, _SEVERITY[grade]) for claim_id, grade in own.values_list("id", "severity").iterator(_CHUNK)),
        [("claim", "i8"), ("severity", "i1")],
    )
    graded = known(claim, graded)
    severity[places_of(claim, graded["claim"])] = graded["severity"]
    return severity, _most(places, given["invention"], size=len(claim), codes=len(INVENTIONS))


def _most(places: NDArray[np.intp], said: NDArray[np.int8], *, size: int, codes: int) -> NDArray[np.int8]:
    """The code said most often at each place; -1 where nothing was said or two are level."""
    votes = np.zeros((size, codes), dtype=np.int32)
    some = said != MISSING
    np.add.at(votes, (places[some], said[some]), 1)
    best = votes.max(axis=1, initial=0)
    clear = (best > 0) & ((votes == best[:, None]).sum(axis=1) == 1)
    return np.where(clear, votes.argmax(axis=1) if size else 0, MISSING).astype(np.int8)


def _said_of_answers(project: Project, answer: NDArray[np.int64]) -> list[NDArray[np.int8]]:
    """Correct, answer among what was retrieved, abstained: each person's newest word, then what most said."""
    newest: dict[tuple[int, int], tuple[bool | None, ...]] = {}
    labels = AnswerLabel.objects.filter(answer__project=project).order_by("revision")
    columns = ("answer_id", "annotator_id", "correct", "answer_in_retrieved", "abstained")
    for answer_id, who, *said in labels.values_list(*columns).iterator(_CHUNK):
        newest[answer_id, who] = tuple(said)
    votes: defaultdict[int, tuple[Counter[bool], ...]] = defaultdict(lambda: (Counter(), Counter(), Counter()))
    for (answer_id, _), given in newest.items():
        for counted, word in zip(votes[answer_id], given, strict=True):
            if word is not None:
                counted[word] += 1
    result = [np.full(len(answer), MISSING, dtype=np.int8) for _ in range(3)]
    for answer_id, three in votes.items():
        place = int(np.searchsorted(answer, answer_id))
        if place == len(answer) or answer[place] != answer_id:
            continue
        for column, counted in zip(result, three, strict=True):
            if counted[True] != counted[False]:
                column[place] = int(counted[True] > counted[False])
    return result


def _read_citations(
    project: Project, claim: NDArray[np.int64], answer: NDArray[np.int64], made: dict[int, datetime | None]
) -> dict[str, Any]:
    # A source made for an id that nothing was known of has neither text nor a record: it resolves to nothing.
    sources = Source.objects.filter(project=project).annotate(size=Length("text"), trimmed=Length(Trim("text")))
    columns = ("id", "external_id", "collection", "size", "trimmed", "effective_from", "superseded_by", "version")
    facts = {row[0]: row[1:] for row in sources.order_by().values_list(*columns).iterator(_CHUNK)}
    bare = Source.objects.filter(Q(fields={}), project=project).order_by().values_list("id", flat=True)
    without_record = set(bare.iterator(_CHUNK))
    collections = sorted({fact[1] for fact in facts.values()})
    place = {name: code for code, name in enumerate(collections)}
    spans = Citation.objects.filter(claim__project=project).order_by("id")
    given = records(
        (
            (claim_id, source_id, MISSING if until is None else until)
            for claim_id, source_id, until in spans.values_list("claim_id", "source_id", "end").iterator(_CHUNK)
        ),
        [("claim", "i8"), ("source", "i8"), ("end", "i8")],
    )
    given = known(claim, given)
    given = given[np.isin(given["source"], np.fromiter(facts, dtype=np.int64, count=len(facts)))]
    citing = places_of(claim, given["claim"])
    there = [
        (facts[source][3] > 0 and until <= facts[source][2]) or (source not in without_record and until < 0)
        for source, until in zip(given["source"].tolist(), given["end"].tolist(), strict=True)
    ]
    starts = {fact[0]: fact[4] for fact in facts.values()}
    old = [
        _superseded(made.get(answer_id), *facts[source][4:], starts=starts)
        for source, answer_id in zip(given["source"].tolist(), answer[citing].tolist(), strict=True)
    ]
    return {
        "citing": citing,
        "source": given["source"].copy(),
        "collection": np.array([place[facts[source][1]] for source in given["source"].tolist()], dtype=np.int64),
        "collections": tuple(collections),
        "cited": _any(citing, np.ones(len(citing), dtype=np.bool_), len(claim)),
        "resolvable": _any(citing, np.array(there, dtype=np.bool_), len(claim)),
        "superseded": _of_citations(citing, np.array(old, dtype=np.int8), len(claim)),
    }


def _superseded(
    made: datetime | None, since: date | None, successor: str, version: str, *, starts: dict[str, date | None]
) -> int:
    """Whether a source was superseded when the answer was made: 1, 0, or -1 where the dates do not say.

    A source without a successor was not, provided that somebody keeps its versions at all.
    """
    if not successor:
        return 0 if since or version else MISSING
    replaced = starts.get(successor)
    if made is None or replaced is None:
        return MISSING
    return int(replaced <= made.astimezone(UTC).date())


def _any(place: NDArray[np.intp], where: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    return np.asarray(np.bincount(place[where], minlength=size) > 0)


def _of_citations(citing: NDArray[np.intp], old: NDArray[np.int8], size: int) -> NDArray[np.int8]:
    """1 where a claim cites a superseded source, 0 where it surely cites none, else -1."""
    yes, open_ = _any(citing, old == 1, size), _any(citing, old == MISSING, size)
    cited = _any(citing, np.ones(len(citing), dtype=np.bool_), size)
    return np.where(yes, 1, np.where(cited & ~open_, 0, MISSING)).astype(np.int8)
