"""Amounts as people write them: figures in the formats of several countries, and number words."""

import re
from decimal import Decimal
from typing import NamedTuple

# Equal amounts are equal and hash alike whatever their type; an integral amount is always an int.
Amount = int | Decimal

# A longer run of digits is a reference, not an amount; reading it would also take quadratic time.
LONGEST_RUN = 40


def as_amount(value: Amount) -> Amount:
    """Give the amount as an int where it is whole."""
    if isinstance(value, int):
        return value
    whole = int(value)
    return whole if whole == value else value


class Figure(NamedTuple):
    """One way to read a piece of digits: ``text[start:end]``, with the amounts that it can stand for."""

    start: int
    end: int
    amounts: tuple[Amount, ...]
    parts: tuple["Figure", ...] = ()
    """Where the digits could also be several figures, these (``10 000``; ``3,5``)."""
    code: str = ""
    """Set instead of amounts for a reference such as ``3.11.4``."""


_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_INDIAN = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")
_RUN = re.compile(r"[0-9]+")


def read_plain_figure(digits: str) -> Amount | None:
    """Read the three forms of nearly every figure, ``250``, ``2.5`` and ``1,250``, each of which is only one amount."""
    length = len(digits)
    if length >= 10:
        return None
    if digits.isdigit():
        return int(digits)
    if "." in digits:
        # Three digits behind a point can be thousands, where the money is of a country that writes them so.
        whole, _, share = digits.partition(".")
        if whole.isdigit() and share.isdigit() and len(share) != 3:
            return as_amount(Decimal(digits))
    elif 5 <= length <= 7 and digits[-4] == "," and digits[0] != "0":
        whole, share = digits[:-4], digits[-3:]
        if whole.isdigit() and share.isdigit():
            return int(whole + share)
    return None


def read_figures(digits: str, start: int, *, dotted_thousands: bool = False) -> list[Figure]:
    """Read a piece of digits with points, commas, apostrophes or spaces in it.

    Parameters
    ----------
    digits : str
        ASCII digits with separators between them, as ``1,250``, ``1.250,00``, ``10 000``, ``3.11.4``.
    start : int
        Offset of the piece in its text.
    dotted_thousands : bool
        Whether ``1.250`` may also be one thousand two hundred and fifty.

    Returns
    -------
    list of Figure
        Usually one; several where the piece is a list such as ``1,2,3``.
    """
    end = start + len(digits)
    if len(digits) > LONGEST_RUN:
        return _each(digits, start) if _longest(digits) <= LONGEST_RUN else [Figure(start, end, (), code=digits)]
    if digits.isdigit():
        return [Figure(start, end, (int(digits),))]
    if " " in digits or "'" in digits:
        return _read_split(digits, start)
    points, commas = digits.count("."), digits.count(",")
    if points == 0:
        return _read_commas(digits, start, commas)
    if commas == 0:
        return _read_points(digits, start, points, dotted_thousands=dotted_thousands)
    return _read_both(digits, start)


def _read_commas(digits: str, start: int, commas: int) -> list[Figure]:
    end = start + len(digits)
    if (_GROUPED.fullmatch(digits) or _INDIAN.fullmatch(digits)) and not digits.startswith("0"):
        return [Figure(start, end, (int(digits.replace(",", "")),))]
    if commas == 1:
        parts = tuple(_each(digits, start))
        return [Figure(start, end, (as_amount(Decimal(digits.replace(",", "."))),), parts)]
    return _each(digits, start)


def _read_points(digits: str, start: int, points: int, *, dotted_thousands: bool) -> list[Figure]:
    end = start + len(digits)
    if points == 1:
        amounts: tuple[Amount, ...] = (as_amount(Decimal(digits)),)
        before, after = digits.split(".")
        if dotted_thousands and len(after) == 3 and 1 <= len(before) <= 3 and before[0] != "0":
            amounts += (int(before + after),)
        return [Figure(start, end, amounts)]
    if _GROUPED.fullmatch(digits.replace(".", ",")) and not digits.startswith("0"):
        return [Figure(start, end, (int(digits.replace(".", "")),))]
    return [Figure(start, end, (), code=digits)]


def _read_both(digits: str, start: int) -> list[Figure]:
    """Read ``1,250.75`` and ``1.250,75``: the mark that comes last, once, is the decimal one."""
    end = start + len(digits)
    decimal = "." if digits.rindex(".") > digits.rindex(",") else ","
    thousands = "," if decimal == "." else "."
    head, _, tail = digits.rpartition(decimal)
    if decimal not in head and (_GROUPED.fullmatch(head.replace(thousands, ",")) or _INDIAN.fullmatch(head)):
        return [Figure(start, end, (as_amount(Decimal(f"{head.replace(thousands, '')}.{tail}")),))]
    # A list of decimals, "1.5,2.5": commas part it.
    figures: list[Figure] = []
    place = start
    for piece in digits.split(","):
        figures.extend(read_figures(piece, place))
        place += len(piece) + 1
    return figures


def _read_split(digits: str, start: int) -> list[Figure]:
    """Read ``10 000``, ``1 234,5`` and ``1'250``, where the gap parts groups of three digits."""
    end = start + len(digits)
    gap = " " if " " in digits else "'"
    groups = digits.split(gap)
    last = re.split(r"[.,]", groups[-1])
    well_formed = (
        groups[0].isdigit()
        and groups[0][0] != "0"
        and len(groups[0]) <= 3
        and all(len(group) == 3 and group.isdigit() for group in groups[1:-1])
        and len(last) <= 2
        and len(last[0]) == 3
    )
    pieces: list[Figure] = []
    place = start
    for group in groups:
        pieces.extend(read_figures(group, place))
        place += len(group) + 1
    if not well_formed:
        return pieces
    joined = "".join(groups[:-1]) + ".".join(last)
    # "10 000" could also be two figures side by side.
    parts = tuple(pieces) if gap == " " else ()
    return [Figure(start, end, (as_amount(Decimal(joined)),), parts)]


def _longest(digits: str) -> int:
    return max(len(run) for run in _RUN.findall(digits))


def _each(digits: str, start: int) -> list[Figure]:
    return [Figure(start + run.start(), start + run.end(), (int(run[0]),)) for run in _RUN.finditer(digits)]
