"""Shapes of JSON values, in the words of JSON Schema 2020-12, and whether a value has one.

Only the keywords that the contract uses, and stricter in one thing: 1.0 is no whole number. The same shape is what requests are held against and what the OpenAPI file has,
so the two cannot say different things.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from labelling.importing.fields import Fault

Shape = Mapping[str, Any]
NOT_BLANK = r"\S"
NO_SPACE_AROUND = r"^\S(?:[\s\S]*\S)?$"
# The end of a text is `$` in JSON Schema and `\Z` here.
_PATTERNS = {
    pattern: (re.compile(pattern.replace("$", r"\Z")), words)
    for pattern, words in (
        (NOT_BLANK, "text that is not blank"),
        (NO_SPACE_AROUND, "text that is not blank, without white space around it"),
    )
}

_WORDS = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
}


def an_object(properties: Mapping[str, Shape], *, required: Sequence[str] = (), about: str = "") -> dict[str, Any]:
    """An object with these keys and no others."""
    shape: dict[str, Any] = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    return shape | ({"description": about} if about else {})


def faults_of(value: object, shape: Shape, key: str = "") -> Iterator[Fault]:
    """Everything in which a value differs from a shape, by its path: ``claims[0].text``."""
    types = _types(shape)
    if types and not any(_is(value, one) for one in types):
        yield Fault(key, value, " or ".join(_WORDS[one] for one in types if one != "null"))
        return
    if "enum" in shape and value not in shape["enum"]:
        yield Fault(key, value, "one of " + ", ".join(str(one) for one in shape["enum"] if one is not None))
    elif isinstance(value, dict):
        yield from _object_faults(value, shape, key)
    elif isinstance(value, list):
        yield from _list_faults(value, shape, key)
    elif isinstance(value, str):
        yield from _text_faults(value, shape, key)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number_faults(value, shape, key)


def _list_faults(value: Sequence[object], shape: Shape, key: str) -> Iterator[Fault]:
    if len(value) > shape.get("maxItems", len(value)):
        yield Fault(key, f"{len(value)} items", f"at most {shape['maxItems']} items")
        return
    for place, item in enumerate(value):
        yield from faults_of(item, shape.get("items", {}), f"{key}[{place}]")


def _text_faults(value: str, shape: Shape, key: str) -> Iterator[Fault]:
    pattern, words = _PATTERNS.get(shape.get("pattern", ""), (None, ""))
    if pattern and not pattern.search(value):
        yield Fault(key, value, words)
    elif len(value) > shape.get("maxLength", len(value)):
        yield Fault(key, value, f"at most {shape['maxLength']} characters")


def _object_faults(value: Mapping[str, object], shape: Shape, key: str) -> Iterator[Fault]:
    known: Mapping[str, Shape] = shape.get("properties", {})
    for name in shape.get("required", ()):
        if name not in value:
            yield Fault(_path(key, name), None, _expected(known[name]))
    for name, inner in value.items():
        if name in known:
            yield from faults_of(inner, known[name], _path(key, name))
        elif shape.get("additionalProperties") is False:
            yield Fault(_path(key, name), None, "one of the keys " + ", ".join(known))


def _number_faults(value: float, shape: Shape, key: str) -> Iterator[Fault]:
    low, above, high = shape.get("minimum"), shape.get("exclusiveMinimum"), shape.get("maximum")
    words = _WORDS[_types(shape)[0]]
    if low is not None and value < low:
        yield Fault(key, value, f"{words} from {low}")
    elif above is not None and value <= above:
        yield Fault(key, value, f"{words} above {above}")
    elif high is not None and value > high:
        yield Fault(key, value, f"{words} of at most {high}")


def _expected(shape: Shape) -> str:
    if "pattern" in shape:
        return _PATTERNS[shape["pattern"]][1]
    return " or ".join(_WORDS[one] for one in _types(shape)) or "a value"


def _types(shape: Shape) -> Sequence[str]:
    types = shape.get("type", ())
    return (types,) if isinstance(types, str) else types


def _is(value: object, kind: str) -> bool:
    match kind:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            return value is None


def _path(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name
