"""The body of a request to an answer with its sources and claims, as lines that the importer takes; or every fault of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, islice

from labelling.importing.documents import AnswerLines, ClaimLines, SourceLines
from labelling.importing.expansion import MalformedError, expand
from labelling.importing.fields import Fault, Fields
from labelling.importing.jsonlines import decode_json, unstorable
from reports.api.contract import REQUEST
from reports.api.refusing import MOST_PROBLEMS, not_as_expected
from reports.api.shapes import faults_of

DEEPEST = 32
"""Levels of lists and objects in a body."""

_OURS = ("type", "sources", "claims", "judge", "budget_usd", "store")
_HANDLERS = {handler.kind: handler for handler in (SourceLines(), AnswerLines(), ClaimLines())}


@dataclass(frozen=True, slots=True)
class Line:
    """A native line without nesting, and where in the request it stands: ``claims[0]``."""

    where: str
    data: Mapping[str, object]

    @property
    def id(self) -> str:
        return str(self.data["id"])

    def path(self, key: str) -> str:
        """Where in the request one of its keys stands."""
        return f"{self.where}.{key}" if self.where else key


@dataclass(frozen=True, slots=True)
class Posted:
    """What a request asks.

    Attributes
    ----------
    answer : Line
    sources, claims : tuple of Line
        In the order of the request; texts that claims brought along are among the sources, and cited by their ids.
    judge : str
        As it is named; empty for checks alone.
    budget_usd : Decimal or None
        What a judge that is paid for may cost.
    store : bool
    """

    answer: Line
    sources: tuple[Line, ...]
    claims: tuple[Line, ...]
    judge: str
    budget_usd: Decimal | None
    store: bool

    def lines(self) -> tuple[Line, ...]:
        """All lines, each after what it refers to."""
        return (*self.sources, self.answer, *self.claims)


def read_request(raw: bytes) -> Posted:
    """Read a body.

    Raises
    ------
    RefusedError
        With every fault, up to a limit: the key's path, what was found and what was expected.
    """
    data = _decode(raw)
    _refuse(faults_of(data, REQUEST))
    posted = Posted(
        answer=_answer(data),
        sources=tuple(chain(_sources(data), _brought_along(data))),
        claims=tuple(_claims(data)),
        judge=str(data.get("judge") or "").strip(),
        budget_usd=Decimal(str(data["budget_usd"])) if "budget_usd" in data else None,
        store=data.get("store") is True,
    )
    _refuse(chain(_parse_faults(posted.lines()), _repeated(posted.sources), _repeated(posted.claims), _empty(posted)))
    return posted


def _decode(raw: bytes) -> Mapping[str, object]:
    try:
        data = decode_json(raw.decode().removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        raise not_as_expected([Fault("", f"byte {error.start + 1} is none", "UTF-8")]) from None
    except ValueError as error:
        raise not_as_expected([Fault("", str(error), "one JSON object")]) from None
    if not isinstance(data, dict):
        raise not_as_expected([Fault("", data, "one JSON object")])
    if _deeper(data, DEEPEST):
        raise not_as_expected([Fault("", None, f"lists and objects in each other at most {DEEPEST} deep")])
    if fault := unstorable(data):
        raise not_as_expected([Fault(fault[0], None, fault[1])])
    return _given(data)


def _deeper(value: object, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return any(isinstance(one, dict | list) for one in level)


def _given(data: Mapping[str, object]) -> dict[str, object]:
    """Without what is null, which is as if it were left out."""
    return {key: value for key, value in data.items() if value is not None}


def _answer(data: Mapping[str, object]) -> Line:
    answer = {key: value for key, value in data.items() if key not in _OURS}
    sources = [source["id"] for source in _objects(data, "sources")]
    if sources:
        answer.setdefault("retrieved", sources)
    return Line("", {"type": "answer", **answer})


def _sources(data: Mapping[str, object]) -> Iterator[Line]:
    for place, source in enumerate(_objects(data, "sources")):
        yield Line(f"sources[{place}]", {"type": "source", **_given(source)})


def _brought_along(data: Mapping[str, object]) -> Iterator[Line]:
    """The texts of ``source_text``, each once."""
    known = {source["id"] for source in _objects(data, "sources")}
    found = {line.id: line for line in _claim_lines(data) if line.data["type"] == "source"}
    yield from (line for name, line in found.items() if name not in known)


def _claims(data: Mapping[str, object]) -> Iterator[Line]:
    return (line for line in _claim_lines(data) if line.data["type"] == "claim")


def _claim_lines(data: Mapping[str, object]) -> Iterator[Line]:
    for place, claim in enumerate(_objects(data, "claims")):
        where = f"claims[{place}]"
        given = {"type": "claim", "answer": data["id"], "id": f"{data['id']}.{place + 1}", **_given(claim)}
        try:
            for piece in expand(given):
                yield Line(where, {"type": piece.kind, **piece.data})
        except MalformedError as error:
            raise not_as_expected([error.fault._replace(key=f"{where}.{error.fault.key}")]) from None


def _objects(data: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    value = data.get(key, [])
    assert isinstance(value, list), "the shape says so"
    return value


def _parse_faults(lines: Sequence[Line]) -> Iterator[Fault]:
    """What the importer has against the lines."""
    for line in lines:
        fields = Fields(line.data)
        _HANDLERS[str(line.data["type"])].parse(fields)
        for fault in fields.faults:
            yield fault._replace(key=line.path(fault.key))


def _repeated(lines: Sequence[Line]) -> Iterator[Fault]:
    seen: set[str] = set()
    for line in lines:
        if line.id in seen:
            yield Fault(line.path("id"), line.id, "each id once")
        seen.add(line.id)


def _empty(posted: Posted) -> Iterator[Fault]:
    if not posted.claims and not str(posted.answer.data.get("text", "")).strip():
        yield Fault("text", posted.answer.data.get("text"), "text that is not blank, or claims")


def _refuse(faults: Iterator[Fault]) -> None:
    found = list(islice(faults, MOST_PROBLEMS))
    if found:
        raise not_as_expected(found)
