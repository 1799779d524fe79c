"""JSON Lines: one object a line, each with the line it stands on."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

from labelling.importing.decoding import open_text
from labelling.importing.meter import Meter
from labelling.importing.problems import Problems, Record

_SURROGATE = re.compile("[\ud800-\udfff]")
NUL_EXPECTED = "text without a NUL character"
SURROGATE_EXPECTED = "text without an unpaired surrogate"


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):  # written back it would be no JSON any more
        raise ValueError(f"{text} is beyond any number")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


def unstorable(value: object, key: str = "") -> tuple[str, str] | None:
    """Find text that no database or file can hold: its key and what was expected instead."""
    if isinstance(value, str):
        if "\x00" in value:
            return key, NUL_EXPECTED
        return (key, SURROGATE_EXPECTED) if _SURROGATE.search(value) else None
    if isinstance(value, dict):
        for name, inner in value.items():
            path = f"{key}.{name}" if key else str(name)
            fault = unstorable(str(name), path) or unstorable(inner, path)
            if fault:
                return fault[0].encode("ascii", "replace").decode(), fault[1]
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            fault = unstorable(inner, f"{key}[{place}]")
            if fault:
                return fault
    return None


def decode_json(text: str) -> object:
    """The JSON value of a text.

    Raises
    ------
    ValueError
        Where it is none, or has a number that JSON does not know.
    """
    try:
        value: object = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def decode_cell(text: str) -> object:
    """The JSON value that stands in a cell.

    Raises
    ------
    ValueError
        Where it is none, or holds text that no database can.
    """
    value = decode_json(text)
    refuse_unstorable(value)
    return value


def refuse_unstorable(value: object) -> None:
    """Raise a `ValueError` where a value holds text that no database can."""
    fault = unstorable(value)
    if fault:
        raise ValueError(f"expected {fault[1]}")


def read_json_lines(
    path: Path, name: str, problems: Problems, *, encoding: str = "", meter: Meter | None = None
) -> Iterator[Record]:
    """Yield every object of the file; a line that is none is yielded with its raw text, its fault noted."""
    with open_text(path, declared=encoding, newline=None, meter=meter) as lines:
        for number, line in enumerate(lines, 1):
            if line.isspace():
                continue
            raw = line.rstrip("\n")
            try:
                # Trailing text after the object is refused; `decode` allows white space around it.
                content = _DECODER.decode(line)
            except (ValueError, RecursionError) as fault:
                record = Record(name, number, "line", raw)
                problems.add(record, "", raw, f"one JSON object ({fault})")
                yield record
                continue
            if not isinstance(content, dict):
                record = Record(name, number, "line", raw)
                problems.add(record, "", raw, "one JSON object a line, with a type")
                yield record
                continue
            if "\x00" in line or "\\u0000" in line or "\\ud" in line or "\\uD" in line:
                fault_at = unstorable(content)
                if fault_at:
                    record = Record(name, number, "line", raw)
                    problems.add(record, fault_at[0], None, fault_at[1])
                    yield record
                    continue
            yield Record(name, number, "line", content)
