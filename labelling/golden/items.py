"""What one item of a golden set is, and the hash over all of them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from labelling.exporting.lines import citations_of, evidence_objects, evidence_of, moment
from labelling.gold import Gold
from labelling.models import Adjudication, Citation, Claim, Evidence, Label, Project, Source

CHUNK = 500
Item = dict[str, object]


def canonical(value: object) -> str:
    """One spelling for equal data: sorted keys, no white space, plain UTF-8 text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def answer_hash(question: str, text: str) -> str:
    """SHA-256 over the canonical JSON of question and text."""
    return text_hash(canonical([question, text]))


class SetHash:
    """SHA-256 of the canonical JSON of a list of items, fed one at a time in the order of their ids.

    Examples
    --------
    >>> running = SetHash()
    >>> running.add({"id": "a"})
    >>> running.hexdigest() == text_hash('[{"id":"a"}]')
    True
    """

    def __init__(self) -> None:
        self._running = hashlib.sha256(b"[")
        self._last: str | None = None

    def add(self, item: Mapping[str, object]) -> None:
        """Add an item; its id must come after the one before.

        Raises
        ------
        ValueError
            Where it does not.
        """
        identifier = str(item["id"])
        if self._last is not None:
            if identifier <= self._last:
                raise ValueError(f"id {identifier!r} does not come after {self._last!r}")
            self._running.update(b",")
        self._last = identifier
        self._running.update(canonical(item).encode())

    def hexdigest(self) -> str:
        closed = self._running.copy()
        closed.update(b"]")
        return closed.hexdigest()


def hash_of(items: Iterable[Mapping[str, object]]) -> str:
    """The hash of items that are in the order of their ids."""
    running = SetHash()
    for item in items:
        running.add(item)
    return running.hexdigest()


def build_items(project: Project, gold: Mapping[int, Gold]) -> Iterator[tuple[int, Item]]:
    """Yield primary key and item of every cited claim that has gold, in the order of their ids.

    The order is that of Unicode code points, whatever the database's own.
    """
    cited = Claim.objects.filter(project=project, citations__isnull=False).values_list("external_id", "pk").distinct()
    wanted = sorted((name, pk) for name, pk in cited.order_by() if pk in gold)
    sources: dict[int, str] = {}
    for start in range(0, len(wanted), CHUNK):
        keys = [pk for _, pk in wanted[start : start + CHUNK]]
        claims = {claim.pk: claim for claim in Claim.objects.filter(pk__in=keys).select_related("answer")}
        citations = citations_of(list(claims.values()))
        _hash_sources(citations.values(), sources)
        labels = _labels(keys)
        evidence = evidence_of([label for given in labels.values() for label in given])
        adjudications = _adjudications(keys)
        for pk in keys:
            claim = claims[pk]
            item: Item = {
                "type": "golden_item",
                "id": claim.external_id,
                "answer": claim.answer.external_id,
                "answer_sha256": answer_hash(claim.answer.question, claim.answer.text),
                "split": claim.answer.split,
                "text": claim.text,
                "kind": claim.kind,
                "severity": claim.severity,
                "stratum": claim.stratum,
                "weight": _number(claim.weight),
                "targeted": claim.targeted,
                "citations": [_citation(citation, sources) for citation in citations[pk]],
                "gold": {"verdict": gold[pk].verdict, "basis": gold[pk].basis},
                "labels": [_label(label, evidence.get(label.pk, [])) for label in labels.get(pk, [])],
            }
            if pk in adjudications:
                item["adjudication"] = _adjudication(adjudications[pk])
            yield pk, {key: value for key, value in item.items() if value not in ("", [])}


def _number(value: float | None) -> float | None:
    """A whole float as an integer, as JSON has only one kind of number and some readers make it the other."""
    return int(value) if value is not None and value.is_integer() else value


def _hash_sources(citations: Iterable[list[Citation]], known: dict[int, str]) -> None:
    new = {citation.source_id for cited in citations for citation in cited} - known.keys()
    texts = Source.objects.filter(pk__in=new).values_list("pk", "text")
    known.update((pk, text_hash(text)) for pk, text in texts.iterator(chunk_size=20))


def _citation(citation: Citation, sources: Mapping[int, str]) -> Item:
    span = {} if citation.start is None else {"start": citation.start, "end": citation.end}
    return {"source": citation.source.external_id, "sha256": sources[citation.source_id], **span}


def _labels(claims: list[int]) -> dict[int, list[Label]]:
    found: defaultdict[int, list[Label]] = defaultdict(list)
    for label in Label.objects.counted().filter(claim__in=claims).select_related("annotator"):
        found[label.claim_id].append(label)
    for given in found.values():
        given.sort(key=lambda label: label.annotator.pseudonym)
    return found


def _label(label: Label, evidence: list[Evidence]) -> Item:
    said: Item = {
        "annotator": label.annotator.pseudonym,
        "verdict": label.verdict,
        "invention": label.invention,
        "severity": label.severity,
        "confidence": label.confidence,
        "seconds": _number(label.seconds),
        "note": label.note,
        "flag": label.flag,
        "source_opened": label.source_opened,
        "evidence": evidence_objects(evidence),
        "created": moment(label.created),
    }
    return {key: value for key, value in said.items() if value not in (None, "", [])}


def _adjudications(claims: list[int]) -> dict[int, Adjudication]:
    rows = Adjudication.objects.current().filter(claim__in=claims).select_related("by")
    return {adjudication.claim_id: adjudication for adjudication in rows}


def _adjudication(adjudication: Adjudication) -> Item:
    said: Item = {
        "by": adjudication.by.pseudonym,
        "verdict": adjudication.verdict,
        "reason": adjudication.reason,
        "note": adjudication.note,
        "created": moment(adjudication.created),
    }
    return {key: value for key, value in said.items() if value not in (None, "", [])}
