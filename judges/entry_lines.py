"""A list of entries as people write it: one a line, each part by its name, such as ``name: return window; value: 14``.

Parts stand between semicolons, several texts of one part between commas; a backslash before one of these, or before another
backslash, takes it for a plain character.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

Kind = Literal["text", "texts", "plain", "switch"]
Keys = Mapping[str, Kind]
"""How the parts of an entry are written: a ``text``, ``texts`` between commas, a ``plain`` number or text, or a ``switch``."""

_SWITCH = {"yes": True, "no": False}
_SPECIAL = re.compile(r"([\\;,])")
_ESCAPED = re.compile(r"\\([\\;,])")


def read_entry_lines(text: str, keys: Keys) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the number of each line that is not empty, from 1, with its entry; what the values may be is not looked at.

    Raises
    ------
    ValueError
        Naming the line, what was found and what was expected.

    Examples
    --------
    >>> list(read_entry_lines("name: fee; value: 14; names: a, b", {"name": "text", "value": "plain", "names": "texts"}))
    [(1, {'name': 'fee', 'value': 14, 'names': ['a', 'b']})]
    """
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, _entry(line, keys, f"line {number}")


def _entry(line: str, keys: Keys, where: str) -> dict[str, object]:
    entry: dict[str, object] = {}
    expected = f"parts such as {next(iter(keys))}: …, with semicolons between them; there are {', '.join(keys)}"
    for part in filter(str.strip, _split(line, ";")):
        key, colon, written = part.partition(":")
        key, written = key.strip(), written.strip()
        if not colon or key not in keys:
            msg = f"{where} has {part.strip()!r}; expected {expected}"
            raise ValueError(msg)
        if key in entry:
            msg = f"{where} has {key} twice; expected each part once"
            raise ValueError(msg)
        entry[key] = _value(written, keys[key], f"{where}: {key}")
    return entry


def _value(written: str, kind: Kind, where: str) -> object:
    if kind == "texts":
        return [_plain_text(one) for one in _split(written, ",") if one.strip()]
    if kind == "switch":
        if written.casefold() not in _SWITCH:
            msg = f"{where} is {written!r}; expected yes or no"
            raise ValueError(msg)
        return _SWITCH[written.casefold()]
    text = _plain_text(written)
    return _number_or_text(text) if kind == "plain" else text


def _number_or_text(text: str) -> object:
    """A number where it is one; a text that looks like one stands in quotes."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return found if isinstance(found, int | float | str) and not isinstance(found, bool) else text


def _split(text: str, mark: str) -> list[str]:
    """The parts between the marks, but for those with a backslash before them."""
    return re.findall(rf"(?:^|{mark})((?:\\.|[^{mark}\\]|\\$)*)", text)


def _plain_text(text: str) -> str:
    return _ESCAPED.sub(r"\1", text.strip())


def written_entries(entries: Sequence[object], keys: Keys) -> str:
    """The lines that ``read_entry_lines`` reads as these entries; parts that are empty are left out."""
    return "\n".join(_line(entry, keys) for entry in entries if isinstance(entry, Mapping))


def _line(entry: Mapping[str, object], keys: Keys) -> str:
    parts = ((key, _written(entry[key], kind)) for key, kind in keys.items() if key in entry)
    return "; ".join(f"{key}: {text}" for key, text in parts if text)


def _written(value: object, kind: Kind) -> str:
    if kind == "texts":
        return ", ".join(map(_marked, value)) if isinstance(value, list | tuple) else ""
    if kind == "switch":
        return "yes" if value else ""
    if kind == "plain" and isinstance(value, str) and _number_or_text(value) != value:
        return json.dumps(value)
    return "" if value is None else _marked(value)


def _marked(value: object) -> str:
    return _SPECIAL.sub(r"\\\1", str(value))
