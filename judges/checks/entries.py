"""Reading the tables in a check's configuration, with errors that name the place."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import NamedTuple

from judges.protocol import reject_unknown_keys

Plain = int | float | str
_MOST_ENTRIES = 2_000


class Tolerance(NamedTuple):
    """How far a figure may be off: an amount in the unit of the value, or a share of it."""

    amount: Decimal = Decimal(0)
    relative: bool = False


def read_entries(
    data: Mapping[str, object], key: str, *, known: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield each entry of a list of objects, with the name of its place, such as ``values[2]``.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    for place, entry in enumerate(_as_list(data.get(key, ()), key, "a list of objects")):
        where = f"{key}[{place}]"
        if not isinstance(entry, Mapping):
            msg = f"{where} is {entry!r}; expected an object with the keys {', '.join(known)}"
            raise ValueError(msg)  # noqa: TRY004  (a configuration error like any other)
        try:
            reject_unknown_keys(entry, known=known)
        except ValueError as error:
            msg = f"{where}: {error}"
            raise ValueError(msg) from None
        yield where, entry


def read_texts(data: Mapping[str, object], key: str, *, where: str = "") -> tuple[str, ...]:
    """Read a list of texts, none of them empty."""
    name = f"{where}.{key}" if where else key
    texts = _as_list(data.get(key, ()), name, "a list of texts")
    for place, text in enumerate(texts):
        if not isinstance(text, str) or not text.strip():
            msg = f"{name}[{place}] is {text!r}; expected a text that is not empty"
            raise ValueError(msg)
    return tuple(text for text in texts if isinstance(text, str))


def read_text(data: Mapping[str, object], key: str, *, where: str, required: bool = False) -> str:
    """Read a text; a required one may not be empty."""
    text = data.get(key, "")
    if not isinstance(text, str) or (required and not text.strip()):
        expected = "a text that is not empty" if required else "a text"
        msg = f"{where}.{key} is {text!r}; expected {expected}" if key in data else f"{where}.{key} is missing"
        raise ValueError(msg)
    return text


def read_plain(data: Mapping[str, object], key: str, *, where: str) -> Plain:
    """Read a number or a text."""
    value = data.get(key)
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return value
    msg = f"{where}.{key} is {value!r}; expected a number or a text such as '14 days'"
    raise ValueError(msg)


def read_tolerance(data: Mapping[str, object], key: str, *, where: str = "") -> Plain:
    """Read a tolerance as it is written: a number of at least 0, or a share such as ``"2%"``."""
    value = data.get(key, 0)
    name = f"{where}.{key}" if where else key
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _bad_tolerance(name, value)
    try:
        amount = tolerance(value).amount
    except InvalidOperation:
        raise _bad_tolerance(name, value) from None
    if not amount.is_finite() or amount < 0:
        raise _bad_tolerance(name, value)
    return value


def tolerance(written: Plain) -> Tolerance:
    """Give a tolerance from the way it is written."""
    text = str(written).strip()
    if text.endswith("%"):
        return Tolerance(Decimal(text[:-1].strip()) / 100, relative=True)
    return Tolerance(Decimal(text))


def _bad_tolerance(name: str, value: object) -> ValueError:
    return ValueError(f"{name} is {value!r}; expected a number of at least 0, or a share such as '2%'")


def _as_list(value: object, name: str, expected: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        msg = f"{name} is {value!r}; expected {expected}"
        raise ValueError(msg)  # noqa: TRY004  (a configuration error like any other)
    if len(value) > _MOST_ENTRIES:
        msg = f"{name} has {len(value):,} entries; expected at most {_MOST_ENTRIES:,}"
        raise ValueError(msg)
    return value
