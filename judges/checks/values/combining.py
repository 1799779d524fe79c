"""Let neighbouring values complete each other: ranges, lists, compounds."""

import re
from decimal import Decimal
from fractions import Fraction

from judges.checks.values.amounts import Amount, Figure, as_amount
from judges.checks.values.model import Reading, Value
from judges.checks.values.pending import Pending

_RANGE_GAP = re.compile(r" ?(?:-|to|through|till|until|~|〜|bis|/|から) ?-?|-to-|-or-| or | and ")
_LIST_GAP = re.compile(r", ?(?:and |or )?|; ?| & | / ")
_COMPOUND_GAP = re.compile(r",? (?:and )?|-")
_LONGEST_GAP = 9
_DIGITS = re.compile("[0-9]+")
_YEARS = range(1000, 2200)


def combine(folded: str, pending: list[Pending]) -> list[Value]:
    """Turn pending values, sorted by place, into values.

    A value inside a longer one is dropped. In ``10 to 20%`` and ``14, 30 or 60 days`` the unit of the last belongs to all;
    in ``$5-10 million`` the currency of the first and the multiplier of the last do; ``2016-17`` ends in 2017;
    ``1 hour 30 minutes`` is also 90 minutes.
    """
    kept: list[Pending] = []
    for item in pending:
        if kept and item.start < kept[-1].end and not (item.days and kept[-1].days):
            if item.end <= kept[-1].end or kept[-1].days:
                continue
            # Two readings of one place that overlap at an edge: the earlier keeps it.
            continue
        kept.append(item)
    if len(kept) < 2:
        return [item.finish() for item in kept]
    for index in range(len(kept) - 2, -1, -1):
        first, second = kept[index], kept[index + 1]
        width = second.start - first.end
        if 0 < width <= _LONGEST_GAP and first.amounts and second.amounts:
            _join(folded, folded[first.end : second.start], first, second)
    values = [item.finish() for item in kept]
    return _compounded(folded, values)


def _join(folded: str, gap: str, first: Pending, second: Pending) -> None:
    if gap in (", ", ". ") and _join_loose(folded, gap, first, second):
        return
    if _RANGE_GAP.fullmatch(gap):
        if "-" in gap or "/" in gap:
            _read_short_year(first, second)
        _share(first, second, certain=gap.strip() not in ("or", "and", "/"))
    elif _LIST_GAP.fullmatch(gap):
        _share(first, second, certain=False)


def _join_loose(folded: str, gap: str, first: Pending, second: Pending) -> bool:
    """Let ``1, 250`` and ``102. 5``, as tokenised texts have them, also be one figure; it stays two as well."""
    whole, rest = first.amounts[0], second.amounts[0]
    if first.units or first.multiplier > 1 or second.currency or first.worded or second.worded:
        return False
    if not (isinstance(whole, int) and isinstance(rest, int) and 0 < whole < 1_000) or first.kind != second.kind:
        return False
    written = _DIGITS.match(folded, second.start)
    if written is None or len(written[0]) != (3 if gap == ", " else len(str(rest))):
        return False
    ends = Figure(first.start, first.end, (whole,)), Figure(second.start, written.end(), (rest,))
    first.amounts = [whole * 1_000 + rest if gap == ", " else as_amount(Decimal(f"{whole}.{rest}"))]
    first.parts = ends
    first.units, first.multiplier = second.units, second.multiplier
    return True


def _share(first: Pending, second: Pending, *, certain: bool) -> None:
    if first.currency and not second.currency and not second.units:
        second.currency = first.currency if certain else ""
    if first.units or first.kind != "figure" or second.kind != "figure":
        return
    if second.currency and not first.currency and first.multiplier == 1:
        # "200 and $300" says nothing about the first; "5-10 million dollars" does.
        if not certain:
            return
        first.currency = second.currency
    if second.multiplier > 1 and first.multiplier == 1:
        _multiply(first, second.multiplier, certain=certain and not first.currency)
    if not second.units or first.currency:
        return
    if certain:
        first.units = second.units
        return
    year = isinstance(first.amounts[0], int) and first.amounts[0] in _YEARS
    if not year:
        first.units = second.units


def _multiply(first: Pending, multiplier: int, *, certain: bool) -> None:
    products: list[Amount] = [as_amount(amount * multiplier) for amount in first.amounts]
    if certain:
        first.amounts = products
    else:
        first.amounts = [*first.amounts, *products]


def _read_short_year(first: Pending, second: Pending) -> None:
    year, short = first.amounts[0], second.amounts[0]
    if not (isinstance(year, int) and isinstance(short, int) and year in _YEARS):
        return
    if second.end - second.start == 2 and not second.units and not second.currency and short > year % 100:
        second.amounts = [year - year % 100 + short]


_COMPOUNDED = frozenset({"duration", "months", "inch", "ounce", "gram", "metre"})


def _compounded(folded: str, values: list[Value]) -> list[Value]:
    """Put the sum in the place of neighbouring amounts of one dimension, each in a smaller unit than the one before it."""
    result: list[Value] = []
    index = 0
    while index < len(values):
        first = values[index]
        end = index + 1
        if len(first.readings) == 1 and first.readings[0].dimension in _COMPOUNDED:
            while end < len(values) and end < index + 4 and _continues(folded, values[end - 1], values[end]):
                end += 1
        if end - index > 1:
            parts = tuple(values[index:end])
            total = as_amount(sum((part.readings[0].amount for part in parts), start=0))
            reading = Reading(first.readings[0].dimension, total)
            first = Value(first.start, parts[-1].end, "figure", (reading,), parts=parts)
        result.append(first)
        index = end
    return result


def _continues(folded: str, before: Value, value: Value) -> bool:
    if len(value.readings) != 1 or value.readings[0].dimension != before.readings[0].dimension:
        return False
    gap = folded[before.end : value.start]
    if len(gap) > 6 or not _COMPOUND_GAP.fullmatch(gap):
        return False
    return 0 <= value.readings[0].amount < before.readings[0].amount and _smaller_unit(before, value)


def _smaller_unit(first: Value, second: Value) -> bool:
    """Say whether the second amount counts in a smaller unit than the first, as in 2 feet 6 inches."""
    if not (first.numbers and second.numbers and first.numbers[0] and second.numbers[0]):
        return False
    per_first = Fraction(first.readings[0].amount) / Fraction(first.numbers[0])
    return abs(Fraction(second.readings[0].amount) / Fraction(second.numbers[0])) < abs(per_first)
