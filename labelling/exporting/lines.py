"""Every row of a project as the native line that would make it again."""

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TypeVar

from django.db.models import Model, QuerySet

from labelling.models import Adjudication, Answer, AnswerLabel, Citation, Claim, Evidence, Label, Project, Source

CHUNK = 500
_EMPTY: tuple[object, ...] = (None, "", [], {})

Native = dict[str, object]
M = TypeVar("M", bound=Model)


def moment(value: dt.datetime | None) -> str | None:
    """A time in UTC, ISO form, to the microsecond where there is one."""
    return None if value is None else value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def plain(kind: str, meta: Mapping[str, object] | None = None, /, **values: object) -> Native:
    """A line of a type without its empty values, and with what was kept under `meta` back in its place."""
    line: Native = {"type": kind}
    line.update({key: value for key, value in values.items() if value not in _EMPTY or value is False})
    for key, value in (meta or {}).items():
        line.setdefault(key, value)
    return line


def source_line(source: Source) -> Native:
    return plain(
        "source",
        source.meta,
        id=source.external_id,
        title=source.title,
        collection=source.collection,
        version=source.version,
        effective_from=source.effective_from.isoformat() if source.effective_from else None,
        superseded_by=source.superseded_by,
        text=source.text,
        fields=source.fields,
    )


def answer_line(answer: Answer) -> Native:
    return plain(
        "answer",
        answer.meta,
        id=answer.external_id,
        question=answer.question,
        text=answer.text,
        system=answer.system,
        task_type=answer.task_type,
        model=answer.model,
        created=moment(answer.created),
        retrieved=answer.retrieved,
        should_abstain=answer.should_abstain,
        split=answer.split,
    )


def citation_object(citation: Citation) -> Native:
    """A citation by the id of its source, which must be at hand."""
    span = {} if citation.start is None else {"start": citation.start, "end": citation.end}
    return {"source": citation.source.external_id, **span}


def claim_line(claim: Claim, citations: list[Citation]) -> Native:
    meta = dict(claim.meta)
    extra = meta.pop("citation_meta", None) or [{}] * len(citations)
    cited = [citation_object(citation) for citation in citations]
    if len(extra) == len(cited):
        cited = [{**more, **one} for one, more in zip(cited, extra, strict=True)]
    return plain(
        "claim",
        meta,
        id=claim.external_id,
        answer=claim.answer.external_id,
        text=claim.text,
        kind=claim.kind,
        severity=claim.severity,
        stratum=claim.stratum,
        weight=None if claim.weight == 1.0 else claim.weight,
        targeted=claim.targeted or None,
        citation=cited[0] if len(cited) == 1 else None,
        citations=cited if len(cited) > 1 else None,
    )


def evidence_objects(evidence: list[Evidence]) -> list[Native]:
    """Spans with their quotes, in an order that does not depend on primary keys."""
    found = [
        {"source": span.source.external_id, "start": span.start, "end": span.end, "quote": span.quote}
        for span in evidence
    ]
    return sorted(found, key=lambda span: (span["source"], span["start"], span["end"]))


def label_line(label: Label, evidence: list[Evidence]) -> Native:
    return plain(
        "label",
        label.meta,
        claim=label.claim.external_id,
        annotator=label.annotator.pseudonym,
        verdict=label.verdict,
        invention=label.invention,
        severity=label.severity,
        confidence=label.confidence,
        seconds=label.seconds,
        note=label.note,
        flag=label.flag,
        source_opened=label.source_opened,
        assistance=label.assistance,
        occasion=label.occasion if label.occasion > 1 else None,
        surplus=label.surplus or None,
        withdrawn=label.withdrawn or None,
        evidence=evidence_objects(evidence),
        guide=label.guide_version.number if label.guide_version else None,
        created=moment(label.created),
        client_id=str(label.client_id),
    )


def adjudication_line(adjudication: Adjudication) -> Native:
    return plain(
        "adjudication",
        adjudication.meta,
        claim=adjudication.claim.external_id,
        by=adjudication.by.pseudonym,
        verdict=adjudication.verdict,
        reason=adjudication.reason,
        note=adjudication.note,
        guide=adjudication.guide_version.number if adjudication.guide_version else None,
        created=moment(adjudication.created),
        client_id=str(adjudication.client_id),
    )


def answer_label_line(label: AnswerLabel) -> Native:
    return plain(
        "answer_label",
        label.meta,
        answer=label.answer.external_id,
        annotator=label.annotator.pseudonym,
        correct=label.correct,
        answer_in_retrieved=label.answer_in_retrieved,
        abstained=label.abstained,
        created=moment(label.created),
    )


def citations_of(claims: list[Claim]) -> dict[int, list[Citation]]:
    """Citations by claim, in order, their sources at hand without their texts."""
    found: defaultdict[int, list[Citation]] = defaultdict(list)
    rows = Citation.objects.filter(claim__in=claims).select_related("source").defer("source__text")
    for citation in rows.order_by("claim", "order"):
        found[citation.claim_id].append(citation)
    return found


def evidence_of(labels: list[Label]) -> dict[int, list[Evidence]]:
    """Evidence by label, its sources at hand without their texts."""
    found: defaultdict[int, list[Evidence]] = defaultdict(list)
    for span in Evidence.objects.filter(label__in=labels).select_related("source").defer("source__text"):
        found[span.label_id].append(span)
    return found


def native_lines(project: Project) -> Iterator[Native]:
    """Every line of the project that people's data makes, a few hundred rows in memory at a time."""
    for source in Source.objects.filter(project=project).order_by("pk").iterator(chunk_size=20):
        yield source_line(source)
    for answer in Answer.objects.filter(project=project).order_by("pk").iterator(chunk_size=CHUNK):
        yield answer_line(answer)
    claims = Claim.objects.filter(project=project).select_related("answer").order_by("pk")
    for chunk in _chunks(claims):
        cited = citations_of(chunk)
        for claim in chunk:
            yield claim_line(claim, cited.get(claim.pk, []))
    labels = Label.objects.filter(claim__project=project).order_by(
        "claim", "annotator__pseudonym", "occasion", "revision"
    )
    for marks in _chunks(labels.select_related("claim", "annotator", "guide_version")):
        evidence = evidence_of(marks)
        for label in marks:
            yield label_line(label, evidence.get(label.pk, []))
    adjudications = Adjudication.objects.filter(claim__project=project).order_by("claim", "revision")
    for adjudication in adjudications.select_related("claim", "by", "guide_version").iterator(chunk_size=CHUNK):
        yield adjudication_line(adjudication)
    of_answers = AnswerLabel.objects.filter(answer__project=project)
    of_answers = of_answers.order_by("answer", "annotator__pseudonym", "revision").select_related("answer", "annotator")
    for answer_label in of_answers.iterator(chunk_size=CHUNK):
        yield answer_label_line(answer_label)


def _chunks(rows: QuerySet[M]) -> Iterator[list[M]]:
    """The rows in lists of bounded length, read by one cursor."""
    stream = rows.iterator(chunk_size=CHUNK)
    while chunk := list(itertools.islice(stream, CHUNK)):
        yield chunk
