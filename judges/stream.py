"""Checks over a stream of answers, one JSON object a line, with nothing kept but the indexes of sources.

Pure: no Django, no database, no network. An answer brings its sources along; its claims are nested, or its whole text is
checked against all its sources.
"""

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from judges import checks
from judges.checks.canon import NAME as CANON
from judges.checks.finding import Check, Finding
from judges.checks.prohibited import NAME as PROHIBITED
from judges.protocol import CitedText, ClaimInput, JudgeType

LONGEST_LINE = 32 * 1024 * 1024
"""Bytes that a line may have."""

Label = str | int | None

_NEED_SETTINGS = frozenset({CANON, PROHIBITED})


class LineError(ValueError):
    """A line that is no answer to check; the message names the key, what was found and what was expected."""


class StreamedClaim(NamedTuple):
    """A claim with the name that its flags carry: its id, else its place from 1; ``None`` for the whole text."""

    label: Label
    claim: ClaimInput


@dataclass(frozen=True, slots=True)
class StreamedAnswer:
    """An answer with what is to be checked of it."""

    id: str | int
    claims: tuple[StreamedClaim, ...]
    whole: ClaimInput | None


class CheckedLine(NamedTuple):
    """One line of the result."""

    text: str
    bad: bool


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Let the collector of reference cycles run seldom; reading a stream makes none, and each run walks all kept indexes."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def build_checks(names: Sequence[str], config: Mapping[str, object]) -> tuple[Check, ...]:
    """Build the named checks, or all where none is named, each with its settings.

    Checks that can do nothing without settings are left out where they are neither named nor given any.

    Raises
    ------
    ValueError
        Naming the check and the key, what was found and what was expected.
    """
    types: dict[str, JudgeType[Any]] = {kind.name: kind for kind in checks.JUDGE_TYPES}
    for name in [*names, *config]:
        if name not in types:
            msg = f"no check {name!r}; expected some of {', '.join(types)}"
            raise ValueError(msg)
    built: list[Check] = []
    for name in dict.fromkeys(names or types):
        if not names and name in _NEED_SETTINGS and name not in config:
            continue
        settings = config.get(name, {})
        if not isinstance(settings, Mapping):
            msg = f"{name} is {settings!r}; expected an object with the settings of the check"
            raise ValueError(msg)  # noqa: TRY004  (a configuration error like any other)
        try:
            check = types[name].from_data(settings)
        except ValueError as error:
            msg = f"{name}: {error}"
            raise ValueError(msg) from None
        assert isinstance(check, Check), "every type of judges.checks builds a Check"
        built.append(check)
    return tuple(built)


def check_lines(lines: Iterable[bytes], checks_to_run: Sequence[Check]) -> Iterator[CheckedLine]:
    """Yield one result for each line that is not empty, in their order."""
    for number, line in enumerate(lines, start=1):
        if line.isspace() or not line:
            continue
        try:
            answer = read_answer(_decode(line))
        except LineError as error:
            yield _bad_line(None, number, str(error))
            continue
        try:
            flags = flags_of(answer, checks_to_run)
        except Exception as error:  # noqa: BLE001  (a fault of a check's is this answer's and costs no other)
            yield _bad_line(answer.id, number, f"the checks failed on this answer ({type(error).__name__}: {error})")
        else:
            yield CheckedLine(_dumps({"id": answer.id, "flags": flags}), bad=False)


def _bad_line(answer: str | int | None, number: int, error: str) -> CheckedLine:
    return CheckedLine(_dumps({"id": answer, "line": number, "error": error}), bad=True)


def flags_of(answer: StreamedAnswer, checks_to_run: Sequence[Check]) -> list[dict[str, object]]:
    """Give what fires on an answer, claim by claim and in the order of the checks.

    What a project prohibits is looked for in the whole text as well, since it counts wherever it stands.
    """
    flags: list[dict[str, object]] = []
    for label, claim in answer.claims:
        for check in checks_to_run:
            for finding in check.findings(claim):
                flags.append(_flag(check, label, finding))  # noqa: PERF401  (a generator for each empty result costs more)
    if answer.whole is not None:
        told = {flag["value"] for flag in flags if flag["check"] == PROHIBITED}
        for check in checks_to_run:
            if check.type_name == PROHIBITED:
                found = check.findings(answer.whole)
                flags.extend(_flag(check, None, finding) for finding in found if finding.value not in told)
    return flags


def _flag(check: Check, label: Label, finding: Finding) -> dict[str, object]:
    return {
        "check": check.type_name,
        "claim": label,
        "value": finding.value,
        "nearest": finding.nearest,
        "verdict": finding.verdict.value,
        "reason": finding.reason,
    }


def _dumps(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def _refuse_constant(name: str) -> object:
    raise LineError(f"the line has {name}; expected numbers that JSON knows")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _decode(line: bytes) -> Mapping[str, object]:
    if len(line) > LONGEST_LINE:
        raise LineError(f"the line is longer than {LONGEST_LINE:,} bytes; expected one answer")
    try:
        text = line.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise LineError(f"byte {error.start + 1} of the line is no UTF-8; expected UTF-8") from None
    try:
        data = _DECODER.decode(text)
    except LineError:
        raise
    except RecursionError:
        raise LineError("the line is nested too deeply; expected one answer") from None
    except json.JSONDecodeError as error:
        raise LineError(
            f"the line is no JSON ({error.msg} at character {error.pos + 1}); expected one object"
        ) from None
    except ValueError as error:  # among them numbers of more digits than Python converts
        raise LineError(f"the line cannot be read ({error}); expected one object") from None
    if not isinstance(data, dict):
        raise LineError(f"the line is {_short(data)}; expected one object")
    if "\\u" in text and _has_lone_surrogate(data):
        raise LineError("the line has an unpaired surrogate; expected text")
    return data


def _has_lone_surrogate(data: object) -> bool:
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def read_answer(data: Mapping[str, object]) -> StreamedAnswer:
    """Read an ``answer`` object with its ``sources`` and its nested ``claims``.

    Raises
    ------
    LineError
        Naming the key, what was found and what was expected.
    """
    if data.get("type", "answer") != "answer":
        raise LineError(f"type is {_short(data['type'])}; expected 'answer'")
    answer_id = data.get("id")
    if isinstance(answer_id, bool) or not isinstance(answer_id, str | int):
        raise LineError(f"id is {_short(answer_id)}; expected a text or a whole number")
    text = _text(data, "text", "")
    question = _text(data, "question", "")
    sources = _read_sources(data)
    claims = _list(data, "claims", "")
    if not claims:
        if not text.strip():
            raise LineError("text is missing or empty and there are no claims; expected one of them")
        whole = _claim(text, tuple(sources.values()), question, text)
        return StreamedAnswer(answer_id, (StreamedClaim(None, whole),), None)
    read = tuple(
        _read_claim(claim, place, sources, question=question, answer=text) for place, claim in enumerate(claims)
    )
    return StreamedAnswer(answer_id, read, _claim(text, (), question, text) if text.strip() else None)


def _claim(
    text: str, cited: tuple[CitedText, ...], question: str, answer: str, *, kind: str = "", severity: str = ""
) -> ClaimInput:
    return ClaimInput(
        claim_id=0, text=text, kind=kind, severity=severity, cited=cited, question=question, answer=answer
    )


def _read_sources(data: Mapping[str, object]) -> dict[str, CitedText]:
    sources: dict[str, CitedText] = {}
    for place, entry in enumerate(_list(data, "sources", "")):
        where = f"sources[{place}]"
        source = _object(entry, where, "id and text")
        source_id = _required_text(source, "id", where)
        if source_id in sources:
            raise LineError(f"{where}.id is {_short(source_id)} again; expected each source once")
        sources[source_id] = CitedText(
            source_id=source_id,
            order=place + 1,
            title=_text(source, "title", where),
            text=_required_text(source, "text", where),
            fields=_fields(source, where),
            collection=_text(source, "collection", where),
        )
    return sources


def _read_claim(
    entry: object, place: int, sources: Mapping[str, CitedText], *, question: str, answer: str
) -> StreamedClaim:
    where = f"claims[{place}]"
    claim = _object(entry, where, "text")
    label = claim.get("id", place + 1)
    if isinstance(label, bool) or not isinstance(label, str | int):
        raise LineError(f"{where}.id is {_short(label)}; expected a text or a whole number")
    text = _required_text(claim, "text", where)
    cited = tuple(_read_citations(claim, where, sources))
    if claim.get("source_text") is not None:
        own = CitedText(
            source_id=f"{where}.source_text",
            order=len(cited) + 1,
            title="",
            text=_required_text(claim, "source_text", where),
        )
        cited = (*cited, own)
    kind, severity = _text(claim, "kind", where), _text(claim, "severity", where)
    return StreamedClaim(label, _claim(text, cited, question, answer, kind=kind, severity=severity))


def _read_citations(claim: Mapping[str, object], where: str, sources: Mapping[str, CitedText]) -> Iterator[CitedText]:
    single = claim.get("citation")
    entries = _list(claim, "citations", where) if single is None else [single]
    for place, entry in enumerate(entries):
        name = f"{where}.citation" if single is not None else f"{where}.citations[{place}]"
        citation = _object(entry, name, "source")
        source_id = _required_text(citation, "source", name)
        start, end = _offset(citation, "start", name), _offset(citation, "end", name)
        source = sources.get(source_id)
        if source is not None and start is None and end is None:
            yield source
        elif source is not None:
            yield CitedText(
                source_id=source_id,
                order=place + 1,
                title=source.title,
                text=source.text,
                start=start,
                end=end,
                fields=source.fields,
                collection=source.collection,
            )
        else:
            # An answer that points at a source it was not given is for the checks to flag.
            yield CitedText(source_id=source_id, order=place + 1, title="", text="", resolved=False)


def _fields(source: Mapping[str, object], where: str) -> Mapping[str, object]:
    fields = source.get("fields")
    return {} if fields is None else _object(fields, f"{where}.fields", "its fields")


def _offset(data: Mapping[str, object], key: str, where: str) -> int | None:
    value = data.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise LineError(f"{where}.{key} is {_short(value)}; expected a whole number")


def _object(value: object, where: str, keys: str) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise LineError(f"{where} is {_short(value)}; expected an object with {keys}")


def _list(data: Mapping[str, object], key: str, where: str) -> list[object]:
    value = data.get(key)
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise LineError(f"{_named(key, where)} is {_short(value)}; expected a list")


def _text(data: Mapping[str, object], key: str, where: str) -> str:
    value = data.get(key)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise LineError(f"{_named(key, where)} is {_short(value)}; expected a text")


def _required_text(data: Mapping[str, object], key: str, where: str) -> str:
    value = data.get(key)
    if isinstance(value, str) and value.strip():
        return value
    raise LineError(
        f"{_named(key, where)} is {_short(value) if key in data else 'missing'}; expected a text that is not empty"
    )


def _named(key: str, where: str) -> str:
    return f"{where}.{key}" if where else key


def _short(value: object) -> str:
    written = json.dumps(value, ensure_ascii=True)
    return written if len(written) <= 60 else written[:57] + "..."
