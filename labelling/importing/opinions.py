"""Lines of what people said: labels, adjudications, answer labels. A change is a new revision, never an overwriting."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Max

from labelling.importing.bulk import insert_rows, reserve_ids, stored, to_json
from labelling.importing.delivery import Delivery, Line
from labelling.importing.documents import ANSWERS, CLAIMS
from labelling.importing.evidence import Span, cut_quotes, parse_evidence
from labelling.importing.expansion import digest
from labelling.importing.fields import Fields
from labelling.models import (
    Adjudication,
    AnswerLabel,
    Confidence,
    Evidence,
    Invention,
    Label,
    Membership,
    Role,
    Severity,
    Verdict,
)

_NAMESPACE = uuid.UUID("7d8f6a52-6b1f-4e0c-9a3b-5c2f1f0b9e11")
_VERDICTS, _INVENTIONS, _CONFIDENCES = Verdict.values, Invention.values, Confidence.values
PSEUDONYM_LIMIT = 100


class People:
    """Memberships by pseudonym; people who are not here yet get one without an account."""

    def __init__(self, role: Role) -> None:
        self._role = role
        self._known: dict[str, int] = {}

    def key(self, pseudonym: str, delivery: Delivery) -> int:
        if pseudonym not in self._known:
            member, _ = Membership.objects.get_or_create(
                project=delivery.project, pseudonym=pseudonym, defaults={"role": self._role}
            )
            self._known[pseudonym] = member.pk
        return self._known[pseudonym]


def submission_id(fields: Fields, *content: object) -> uuid.UUID:
    """The line's own `client_id`, else one that follows from what it says, so that the same again is the same."""
    given = fields.text("client_id").strip()
    if not given:
        return uuid.uuid5(_NAMESPACE, digest(*content))
    try:
        return uuid.UUID(given)
    except ValueError:
        fields.fault("client_id", given, "a UUID")
        return _NAMESPACE


class LabelLine(NamedTuple):
    """A label with its claim and its annotator still by name."""

    claim: str
    annotator: str
    occasion: int
    client_id: uuid.UUID
    created: dt.datetime | None
    row: tuple[Any, ...]
    evidence: tuple[Span, ...]


_LABEL = (
    "verdict",
    "invention",
    "severity",
    "confidence",
    "seconds",
    "note",
    "flag",
    "assistance",
    "source_opened",
    "surplus",
    "withdrawn",
    "meta",
)


class LabelLines:
    """Handles `label`: one annotator's verdict on one claim."""

    kind = "label"

    def __init__(self) -> None:
        self._people = People(Role.ANNOTATOR)

    def parse(self, fields: Fields) -> LabelLine:
        claim = fields.identifier("claim")
        annotator = fields.required("annotator", limit=PSEUDONYM_LIMIT).strip()
        verdict = fields.choice("verdict", _VERDICTS, required=True)
        invention = fields.choice("invention", _INVENTIONS)
        if invention and verdict == Verdict.STATED:
            fields.fault("invention", invention, "no kind of invention where the verdict is stated")
        severity = fields.choice("severity", Severity.values)
        confidence = fields.choice("confidence", _CONFIDENCES)
        seconds = fields.number("seconds", low=0)
        note = fields.text("note")
        flag = fields.choice("flag", Label.Flag.values)
        opened = fields.boolean("source_opened")
        surplus, withdrawn = bool(fields.boolean("surplus")), bool(fields.boolean("withdrawn"))
        assistance = fields.texts("assistance")
        occasion = fields.offset("occasion") or 1
        created = fields.moment("created")
        fields.offset("revision")  # the order of the lines says it
        evidence = parse_evidence(fields)
        said = (claim, annotator, occasion, verdict, invention, severity, confidence, seconds, note, flag, withdrawn)
        client_id = submission_id(fields, "label", *said, evidence, created)
        meta = fields.rest()
        row = (
            verdict,
            invention,
            severity,
            confidence,
            seconds,
            note,
            flag,
            assistance,
            opened,
            surplus,
            withdrawn,
            meta,
        )
        return LabelLine(claim, annotator, occasion, client_id, created, row, evidence)

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        claims = CLAIMS.keys(delivery.project.pk, (line.value.claim for line in lines))
        waiting = [line for line in lines if line.value.claim not in claims]
        ready = [line for line in lines if line.value.claim in claims]
        new = self._unknown(ready, delivery)
        quoted = cut_quotes([(line, claims[line.value.claim], line.value.evidence) for line in new], delivery)
        new = [line for line in new if id(line) in quoted]
        if not new:
            return waiting
        revisions = _revisions(claims[line.value.claim] for line in new)
        keys = reserve_ids(Label, len(new))
        rows: list[tuple[object, ...]] = []
        evidence: list[tuple[object, ...]] = []
        for pk, line in zip(keys, new, strict=True):
            value: LabelLine = line.value
            claim, person = claims[value.claim], self._people.key(value.annotator, delivery)
            revisions[claim, person, value.occasion] += 1
            *said, assistance, opened, surplus, withdrawn, meta = value.row
            rows.append(
                (
                    pk,
                    claim,
                    person,
                    value.occasion,
                    revisions[claim, person, value.occasion],
                    stored(Label, "client_id", value.client_id),
                    *said,
                    to_json(assistance),
                    opened,
                    surplus,
                    withdrawn,
                    to_json(meta),
                    True,
                    stored(Label, "created", value.created or delivery.now),
                )
            )
            evidence += [(pk, *span) for span in quoted[id(line)]]
            delivery.labelled.add(claim)
        columns = (
            "id",
            "claim_id",
            "annotator_id",
            "occasion",
            "revision",
            "client_id",
            *_LABEL,
            "imported",
            "created",
        )
        insert_rows(Label, columns, rows)
        if evidence:
            keys = reserve_ids(Evidence, len(evidence))
            spans = ("id", "label_id", "source_id", "start", "end", "quote")
            insert_rows(Evidence, spans, ((key, *span) for key, span in zip(keys, evidence, strict=True)))
        delivery.count("label", "added", len(new))
        return waiting

    def _unknown(self, lines: list[Line], delivery: Delivery) -> list[Line]:
        """The labels that are not there yet; the same label again, in this file or another, is none."""
        there: dict[tuple[int, uuid.UUID], tuple[str, str]] = {}
        ids = [line.value.client_id for line in lines]
        people = {self._people.key(line.value.annotator, delivery) for line in lines}
        for start in range(0, len(ids), 900):
            # Both columns of one index: by the submission alone every label of the installation would be read.
            rows = Label.objects.filter(annotator__in=people, client_id__in=ids[start : start + 900]).order_by()
            said_before = rows.values_list("annotator_id", "client_id", "verdict", "claim__external_id")
            there.update({(person, client_id): (verdict, claim) for person, client_id, verdict, claim in said_before})
        new: list[Line] = []
        for line in lines:
            value: LabelLine = line.value
            key = (self._people.key(value.annotator, delivery), value.client_id)
            said = (value.row[0], value.claim)
            if key not in there:
                there[key] = said
                new.append(line)
            elif there[key] == said:
                delivery.count("label", "unchanged")
            else:
                delivery.problem(
                    line.record,
                    "client_id",
                    str(value.client_id),
                    f"one submission, not also {' on '.join(there[key])}",
                )
        return new

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        return "claim", line.value.claim, "the id of a claim in this file or in the project"


def _revisions(claims: Iterable[int]) -> defaultdict[tuple[int, int, int], int]:
    """The last revision of each person's label of each of the claims."""
    found: defaultdict[tuple[int, int, int], int] = defaultdict(int)
    keys = sorted(set(claims))
    for start in range(0, len(keys), 900):
        rows = Label.objects.filter(claim__in=keys[start : start + 900]).order_by()
        for *key, last in rows.values_list("claim_id", "annotator_id", "occasion").annotate(last=Max("revision")):
            found[key[0], key[1], key[2]] = last
    return found


class AdjudicationLine(NamedTuple):
    claim: str
    by: str
    client_id: uuid.UUID
    created: dt.datetime | None
    verdict: str
    reason: str
    note: str
    meta: dict[str, object]


class AdjudicationLines:
    """Handles `adjudication`: the verdict that outranks the consensus."""

    kind = "adjudication"

    def __init__(self) -> None:
        self._people = People(Role.OWNER)

    def parse(self, fields: Fields) -> AdjudicationLine:
        claim = fields.identifier("claim")
        by = fields.required("by", limit=PSEUDONYM_LIMIT).strip()
        verdict = fields.choice("verdict", _VERDICTS, required=True)
        reason = fields.choice("reason", Adjudication.Reason.values)
        note = fields.text("note")
        created = fields.moment("created")
        fields.offset("revision")
        client_id = submission_id(fields, "adjudication", claim, by, verdict, reason, note, created)
        return AdjudicationLine(claim, by, client_id, created, verdict, reason, note, fields.rest())

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        claims = CLAIMS.keys(delivery.project.pk, (line.value.claim for line in lines))
        waiting = [line for line in lines if line.value.claim not in claims]
        ready = [line for line in lines if line.value.claim in claims]
        there: set[tuple[int, uuid.UUID]] = set()
        revisions: defaultdict[int, int] = defaultdict(int)
        keys = sorted({claims[line.value.claim] for line in ready})
        for start in range(0, len(keys), 900):
            rows = Adjudication.objects.filter(claim__in=keys[start : start + 900]).order_by()
            for by, client_id, claim, revision in rows.values_list("by_id", "client_id", "claim_id", "revision"):
                there.add((by, client_id))
                revisions[claim] = max(revisions[claim], revision)
        new: list[Adjudication] = []
        for line in ready:
            value: AdjudicationLine = line.value
            person, claim = self._people.key(value.by, delivery), claims[value.claim]
            if (person, value.client_id) in there:
                delivery.count("adjudication", "unchanged")
                continue
            there.add((person, value.client_id))
            revisions[claim] += 1
            new.append(
                Adjudication(
                    claim_id=claim,
                    by_id=person,
                    revision=revisions[claim],
                    client_id=value.client_id,
                    verdict=value.verdict,
                    reason=value.reason,
                    note=value.note,
                    imported=True,
                    created=value.created or delivery.now,
                    meta=value.meta,
                )
            )
        Adjudication.objects.bulk_create(new, batch_size=500)
        delivery.count("adjudication", "added", len(new))
        return waiting

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        return "claim", line.value.claim, "the id of a claim in this file or in the project"


class AnswerLabelLine(NamedTuple):
    answer: str
    annotator: str
    said: tuple[bool | None, bool | None, bool | None]
    created: dt.datetime | None
    meta: dict[str, object]


class AnswerLabelLines:
    """Handles `answer_label`: what a person said of a whole answer."""

    kind = "answer_label"

    def __init__(self) -> None:
        self._people = People(Role.ANNOTATOR)

    def parse(self, fields: Fields) -> AnswerLabelLine:
        answer = fields.identifier("answer")
        annotator = fields.required("annotator", limit=PSEUDONYM_LIMIT).strip()
        said = (fields.boolean("correct"), fields.boolean("answer_in_retrieved"), fields.boolean("abstained"))
        if said == (None, None, None) and not fields.faults:
            fields.fault("correct", None, "at least one of correct, answer_in_retrieved, abstained")
        created = fields.moment("created")
        fields.offset("revision")
        return AnswerLabelLine(answer, annotator, said, created, fields.rest())

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        answers = ANSWERS.keys(delivery.project.pk, (line.value.answer for line in lines))
        waiting = [line for line in lines if line.value.answer not in answers]
        there: defaultdict[tuple[int, int], list[tuple[object, ...]]] = defaultdict(list)
        keys = sorted(set(answers.values()))
        for start in range(0, len(keys), 900):
            rows = AnswerLabel.objects.filter(answer__in=keys[start : start + 900]).order_by("revision")
            for answer, person, *said in rows.values_list(
                "answer_id", "annotator_id", "correct", "answer_in_retrieved", "abstained", "created"
            ):
                there[answer, person].append(tuple(said))
        new: list[AnswerLabel] = []
        for line in lines:
            value: AnswerLabelLine = line.value
            if value.answer not in answers:
                continue
            key = (answers[value.answer], self._people.key(value.annotator, delivery))
            if any(known[:3] == value.said and value.created in (None, known[3]) for known in there[key]):
                delivery.count("answer_label", "unchanged")
                continue
            there[key].append((*value.said, value.created or delivery.now))
            correct, in_retrieved, abstained = value.said
            new.append(
                AnswerLabel(
                    answer_id=key[0],
                    annotator_id=key[1],
                    revision=len(there[key]),
                    correct=correct,
                    answer_in_retrieved=in_retrieved,
                    abstained=abstained,
                    created=value.created or delivery.now,
                    meta=value.meta,
                )
            )
        AnswerLabel.objects.bulk_create(new, batch_size=500)
        delivery.count("answer_label", "added", len(new))
        return waiting

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        return "answer", line.value.answer, "the id of an answer in this file or in the project"
