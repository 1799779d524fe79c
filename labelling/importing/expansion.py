"""One object of a file to the plain lines that it stands for: nested claims and inline sources taken apart."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from labelling.importing.fields import Fault


class Piece(NamedTuple):
    """A line of one type, without any nesting."""

    kind: str
    data: Mapping[str, object]


class MalformedError(ValueError):
    """An object that cannot be taken apart."""

    def __init__(self, key: str, found: object, expected: str) -> None:
        super().__init__(expected)
        self.fault = Fault(key, found, expected)


def digest(*parts: object) -> str:
    """A short name that follows from the content alone, so that the same file names the same things twice."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def source_id_of(text: str) -> str:
    return f"source-{digest(text)}"


def expand(data: Mapping[str, object]) -> Iterator[Piece]:
    """Yield the pieces of a native object, each after what it refers to.

    Raises
    ------
    MalformedError
        Where the type is missing, or nested claims are no list of objects.
    """
    kind = data.get("type")
    if not isinstance(kind, str) or not kind:
        raise MalformedError("type", kind, "a type such as source, answer, claim or label")
    if kind == "answer":
        yield from _answer(data)
    elif kind == "claim":
        yield from _claim(data)
    elif kind == "golden_item":
        yield from _golden_item(data)
    else:
        yield Piece(kind, data)


def _answer(data: Mapping[str, object]) -> Iterator[Piece]:
    if "claims" not in data:
        yield Piece("answer", data)
        return
    claims = data["claims"]
    if not isinstance(claims, list) or not all(isinstance(claim, dict) for claim in claims):
        raise MalformedError("claims", claims, "a list of objects")
    plain = dict(data)
    del plain["claims"]
    yield Piece("answer", plain)
    for position, claim in enumerate(claims, 1):
        given = {"answer": data.get("id"), **claim}
        given.setdefault("id", f"{data.get('id')}.{position}")
        yield from _claim(given)


def _claim(data: Mapping[str, object]) -> Iterator[Piece]:
    text = data.get("source_text")
    if text is None:
        yield Piece("claim", data)
        return
    if not isinstance(text, str) or not text.strip():
        raise MalformedError("source_text", text, "text that is not blank")
    if "citation" in data or "citations" in data:
        raise MalformedError("source_text", text, "either source_text or a citation, not both")
    source = source_id_of(text)
    yield Piece("source", {"id": source, "text": text})
    plain = {key: value for key, value in data.items() if key != "source_text"}
    plain["citation"] = {"source": source}
    yield Piece("claim", plain)


def _golden_item(data: Mapping[str, object]) -> Iterator[Piece]:
    """The claim of a golden set with the labels and the adjudication that its gold rests on."""
    citations, labels, adjudication = (data.get(key) for key in ("citations", "labels", "adjudication"))
    lists = [("citations", citations or []), ("labels", labels or [])]
    for key, value in lists:
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise MalformedError(key, value, "a list of objects")
    left_out = {"type", "labels", "adjudication", "gold", "split", "answer", "answer_sha256", "citations"}
    claim = {key: value for key, value in data.items() if key not in left_out}
    claim["answer"] = data.get("answer")
    claim["citations"] = [
        {key: value for key, value in citation.items() if key in ("source", "start", "end")}
        for citation in (citations if isinstance(citations, list) else [])
    ]
    yield Piece("claim", claim)
    for label in labels if isinstance(labels, list) else []:
        yield Piece("label", {"claim": data.get("id"), **label})
    if isinstance(adjudication, dict):
        yield Piece("adjudication", {"claim": data.get("id"), **adjudication})
    elif adjudication is not None:
        raise MalformedError("adjudication", adjudication, "an object")
