"""Lines of sources, answers and claims."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from labelling.importing.bulk import EMPTY_OBJECT, in_chunks, insert_rows, reserve_ids, stored, to_json
from labelling.importing.delivery import Delivery, Line
from labelling.importing.fields import ID_LIMIT, Fields
from labelling.importing.keyed import Keyed, KeyedTable
from labelling.models import Answer, Citation, Claim, ClaimKind, PlannedClaim, Severity, Source, Split
from labelling.splits import split_of

_KINDS, _SEVERITIES, _SPLITS = (
    ClaimKind.values,
    Severity.values,
    Split.values,
)  # lists, so that messages name them in order
_CITATION_KEYS = frozenset(("source", "start", "end", "sha256"))

_SOURCE = ("title", "collection", "version", "effective_from", "superseded_by", "text", "fields", "meta")
_ANSWER = (
    "question",
    "text",
    "system",
    "task_type",
    "model",
    "created",
    "should_abstain",
    "retrieved",
    "split",
    "meta",
)
_CLAIM = ("answer", "text", "kind", "severity", "stratum", "weight", "targeted", "meta")


def _prepare_source(row: tuple[Any, ...]) -> tuple[object, ...]:
    *texts, effective_from, superseded_by, text, fields, meta = row
    return (
        *texts,
        stored(Source, "effective_from", effective_from),
        superseded_by,
        text,
        to_json(fields),
        to_json(meta),
    )


def _prepare_answer(row: tuple[Any, ...]) -> tuple[object, ...]:
    *texts, created, should_abstain, retrieved, split, meta = row
    return (*texts, stored(Answer, "created", created), should_abstain, to_json(retrieved), split, to_json(meta))


def _prepare_claim(row: tuple[Any, ...]) -> tuple[object, ...]:
    meta = row[-1]
    return (*row[:-1], to_json(meta) if meta else EMPTY_OBJECT)


SOURCES = KeyedTable(Source, _SOURCE, ("text",), "claim__citations__source", _prepare_source)
ANSWERS = KeyedTable(Answer, _ANSWER, ("text", "question"), "claim__answer", _prepare_answer)
CLAIMS = KeyedTable(Claim, _CLAIM, ("text", "answer"), "claim", _prepare_claim)


def _given(fields: Fields, columns: Iterable[str], meta: dict[str, object]) -> frozenset[str]:
    names = fields.data.keys() & set(columns)
    return frozenset(names | {"meta"}) if meta else frozenset(names - {"meta"})


class SourceLines:
    """Handles `source`: a document as it was given to the answering system."""

    kind = "source"

    def parse(self, fields: Fields) -> Keyed:
        identifier = fields.identifier("id")
        row = (
            fields.text("title"),
            fields.text("collection", limit=200),
            fields.text("version", limit=100),
            fields.date("effective_from"),
            fields.text("superseded_by", limit=300),
            fields.required("text"),
            fields.mapping("fields"),
        )
        meta = fields.rest()
        return Keyed(identifier, (*row, meta), _given(fields, _SOURCE, meta))

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        SOURCES.save(lines, delivery)
        return []

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        raise AssertionError(line)  # a source refers to nothing


class AnswerLines:
    """Handles `answer`: one response to one question. Its split follows from what it cites unless the line gives one."""

    kind = "answer"

    def parse(self, fields: Fields) -> Keyed:
        identifier = fields.identifier("id")
        split = fields.choice("split", _SPLITS)
        row = (
            fields.text("question"),
            fields.text("text"),
            fields.text("system", limit=200),
            fields.text("task_type", limit=200),
            fields.text("model", limit=200),
            fields.moment("created"),
            fields.boolean("should_abstain"),
            fields.texts("retrieved"),
            split or str(split_of(identifier)),
        )
        meta = fields.rest()
        given = _given(fields, _ANSWER, meta)
        return Keyed(identifier, (*row, meta), given if split else given - {"split"})

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        inserted = ANSWERS.save(lines, delivery)
        said = {line.value.identifier for line in lines if "split" in line.value.given}
        delivery.unsettled.extend(pk for identifier, pk in inserted.items() if identifier not in said)
        return []

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        raise AssertionError(line)  # an answer refers to nothing that must be there


class Cited(NamedTuple):
    """A citation by the id of its source; the span in code points, both ends None where it is not known."""

    source: str
    start: int | None
    end: int | None


class ClaimLine(NamedTuple):
    """A claim, its answer still by id, with what it cites; `citations` is None where the line says nothing of them."""

    identifier: str
    row: tuple[Any, ...]
    given: frozenset[str]
    citations: tuple[Cited, ...] | None


class ClaimLines:
    """Handles `claim`: one assertion of an answer, with what it cites."""

    kind = "claim"

    def parse(self, fields: Fields) -> ClaimLine:
        identifier = fields.identifier("id")
        weight = fields.number("weight")
        if weight is not None and weight <= 0:
            fields.fault("weight", weight, "a number above 0")
        row = (
            fields.identifier("answer"),
            fields.required("text"),
            fields.choice("kind", _KINDS),
            fields.choice("severity", _SEVERITIES),
            fields.text("stratum", limit=100),
            1.0 if weight is None else weight,
            bool(fields.boolean("targeted")),
        )
        said = "citation" in fields.data or "citations" in fields.data
        citations, extra = _citations(fields) if said else ((), [])
        meta = fields.rest()
        if any(extra):
            meta["citation_meta"] = extra
        return ClaimLine(identifier, (*row, meta), _given(fields, _CLAIM, meta), citations if said else None)

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        project_id = delivery.project.pk
        answers = ANSWERS.keys(project_id, (line.value.row[0] for line in lines))
        named = {cited.source for line in lines for cited in line.value.citations or ()}
        sources = SOURCES.keys(project_id, named)
        if delivery.options.missing_sources:
            sources |= _empty_sources(delivery, sorted(named - sources.keys()))
        ready: list[Line] = []
        waiting: list[Line] = []
        for line in lines:
            value: ClaimLine = line.value
            answer = answers.get(value.row[0])
            if answer is None or any(cited.source not in sources for cited in value.citations or ()):
                waiting.append(line)
            else:
                ready.append(Line(line.record, line.kind, value._replace(row=(answer, *value.row[1:]))))
        inserted = CLAIMS.save(_without_what_plans_say(ready, delivery), delivery)
        self._cite(ready, inserted, sources, delivery)
        return waiting

    def _cite(self, lines: list[Line], inserted: dict[str, int], sources: dict[str, int], delivery: Delivery) -> None:
        """Citations of the new claims are inserted; those of known ones must be the same."""
        rows: list[tuple[object, ...]] = []
        first: dict[str, tuple[Cited, ...] | None] = {}
        again: list[Line] = []
        for line in lines:
            value: ClaimLine = line.value
            pk = inserted.get(value.identifier)
            if pk is None or value.identifier in first:
                again.append(line)
                continue
            first[value.identifier] = value.citations
            for order, cited in enumerate(value.citations or (), 1):
                rows.append((pk, order, sources[cited.source], cited.start, cited.end))
        columns = ("id", "claim_id", "order", "source_id", "start", "end")
        if rows:
            keys = reserve_ids(Citation, len(rows))
            insert_rows(Citation, columns, ((key, *row) for key, row in zip(keys, rows, strict=True)))
        again = [line for line in again if line.value.citations is not None]
        if again:
            self._compare(again, delivery, sources)

    def _compare(self, lines: list[Line], delivery: Delivery, sources: dict[str, int]) -> None:
        keys = CLAIMS.keys(delivery.project.pk, (line.value.identifier for line in lines))
        there: dict[int, list[Cited]] = {pk: [] for pk in keys.values()}
        pks = list(there)
        for start in range(0, len(pks), 900):
            cited = Citation.objects.filter(claim__in=pks[start : start + 900]).order_by("claim", "order")
            for pk, source, first, last in cited.values_list("claim_id", "source__external_id", "start", "end"):
                there[pk].append(Cited(source, first, last))
        frozen = CLAIMS.frozen(there) if delivery.options.update else set()
        for line in lines:
            pk = keys[line.value.identifier]
            if tuple(there[pk]) == line.value.citations:
                continue
            if not delivery.options.update:
                delivery.conflict(line, "citation", _shown(line.value.citations), line.value.identifier)
                continue
            if pk in frozen:
                found = _shown(line.value.citations)
                delivery.problem(line.record, "citation", found, "the citations that a golden set has frozen")
                continue
            Citation.objects.filter(claim=pk).delete()
            Citation.objects.bulk_create(
                Citation(claim_id=pk, order=order, source_id=sources[cited.source], start=cited.start, end=cited.end)
                for order, cited in enumerate(line.value.citations, 1)
            )
            there[pk] = list(line.value.citations)
            delivery.count("claim", "updated")

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        answer = line.value.row[0]
        if not Answer.objects.filter(external_id=answer).exists():
            return "answer", answer, "the id of an answer in this file or in the project"
        known = set(
            Source.objects.filter(external_id__in=[cited.source for cited in line.value.citations or ()]).values_list(
                "external_id", flat=True
            )
        )
        missing = next((cited.source for cited in line.value.citations or () if cited.source not in known), "")
        return (
            "citation",
            missing,
            "the id of a source in this file or in the project (--missing-sources makes one without text)",
        )


def _without_what_plans_say(lines: list[Line], delivery: Delivery) -> list[Line]:
    """The lines; whether a claim that a plan drew is targeted is for the plan to say, whatever an update brings."""
    if not delivery.options.update:
        return lines  # what differs stays as it is
    drawn: set[str] = set()
    for chunk in in_chunks(line.value.identifier for line in lines):
        rows = PlannedClaim.objects.filter(plan__project=delivery.project, plan__undone=None).order_by()
        drawn.update(rows.filter(claim__external_id__in=chunk).values_list("claim__external_id", flat=True))
    return [
        line._replace(value=line.value._replace(given=line.value.given - {"targeted"}))
        if line.value.identifier in drawn
        else line
        for line in lines
    ]


def _citations(fields: Fields) -> tuple[tuple[Cited, ...], list[dict[str, object]]]:
    if fields.data.get("citation") not in (None, "") and fields.data.get("citations") not in (None, "", []):
        fields.fault("citations", None, "either citation or citations, not both")
    cited: list[Cited] = []
    extra: list[dict[str, object]] = []
    for data in (*fields.objects("citation"), *fields.objects("citations")):
        if _plain(data):
            cited.append(Cited(data["source"], data.get("start"), data.get("end")))  # type: ignore[arg-type]
            extra.append({})
            continue
        inner = Fields(data)
        source = inner.identifier("source")
        start, end = inner.offset("start"), inner.offset("end")
        if (start is None) != (end is None):
            inner.fault("end" if end is None else "start", None, "both start and end, or neither")
        elif start is not None and end is not None and start >= end:
            inner.fault("end", end, f"an end beyond the start, {start}")
        for fault in inner.faults:
            fields.fault(f"citation.{fault.key}", fault.found, fault.expected)
        cited.append(Cited(source, start, end))
        extra.append({key: value for key, value in data.items() if key not in _CITATION_KEYS})
    return tuple(cited), extra


def _plain(data: Mapping[str, object]) -> bool:
    """Whether a citation is as they nearly all are, so that it needs no closer look."""
    source, start, end = data.get("source"), data.get("start"), data.get("end")
    if type(source) is not str or not 0 < len(source) <= ID_LIMIT or source != source.strip():
        return False
    if len(data) == 1:
        return True
    return len(data) == 3 and type(start) is int and type(end) is int and 0 <= start < end < 2**31


def _shown(citations: Iterable[Cited]) -> str:
    return ", ".join(
        cited.source if cited.start is None else f"{cited.source} {cited.start}–{cited.end}" for cited in citations
    )


def _empty_sources(delivery: Delivery, identifiers: list[str]) -> dict[str, int]:
    """Sources that are cited and not known, without a text until a file brings it."""
    if not identifiers:
        return {}
    keys = reserve_ids(Source, len(identifiers))
    empty = _prepare_source(("", "", "", None, "", "", {}, {}))
    insert_rows(
        Source,
        ["id", "project_id", "external_id", *_SOURCE],
        ((pk, delivery.project.pk, name, *empty) for pk, name in zip(keys, identifiers, strict=True)),
    )
    delivery.count("source", "added", len(identifiers))
    return dict(zip(identifiers, keys, strict=True))
