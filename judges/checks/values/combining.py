"""Let neighbouring values complete each other: ranges, lists, compounds."""

import re
from fractions import Fraction

from judges.checks.values.amounts import Amount, as_amount
from judges.checks.values.model import Reading, Value
from judges.checks.values.pending import Pending

_RANGE_GAP = re.compile(r" ?(?:-|to|through|till|until|~|〜|bis|/|から) ?-?|-to-|-or-| or | and ")
_LIST_GAP = re.compile(r", ?(?:and |or )?|; ?| & | / ")
_COMPOUND_GAP = re.compile(r",? (?:and )?|-")
_LONGEST_GAP = 9
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
            _join(folded[first.end : second.start], first, second)
    values = [item.finish() for item in kept]
    return [*values, *_compounds(folded, values)]


def _join(gap: str, first: Pending, second: Pending) -> None:
    if _RANGE_GAP.fullmatch(gap):
        if "-" in gap or "/" in gap:
            _read_short_year(first, second)
        _share(first, second, certain=gap.strip() not in ("or", "and", "/"))
    elif _LIST_GAP.fullmatch(gap):
        _share(first, second, certain=False)


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


_STEPS = {"duration": 0, "months": 1, "inch": 0, "ounce": 0, "gram": 0, "metre": 0}


def _compounds(folded: str, values: list[Value]) -> list[Value]:
    """Give the sums of neighbouring amounts of one dimension, each smaller than the one before it."""
    sums: list[Value] = []
    index = 0
    while index < len(values) - 1:
        first = values[index]
        if len(first.readings) != 1 or first.readings[0].dimension not in _STEPS:
            index += 1
            continue
        dimension, total = first.readings[0]
        last = total
        end = index
        for place in range(index + 1, min(index + 4, len(values))):
            following = values[place]
            gap = folded[values[place - 1].end : following.start]
            if (
                len(following.readings) != 1
                or following.readings[0].dimension != dimension
                or not 0 <= following.readings[0].amount < last
                or len(gap) > 5
                or not _COMPOUND_GAP.fullmatch(gap)
                or not _smaller_unit(values[place - 1], following)
            ):
                break
            last = following.readings[0].amount
            total = as_amount(total + last)
            end = place
        if end > index:
            parts = tuple(values[index : end + 1])
            sums.append(Value(first.start, values[end].end, "figure", (Reading(dimension, total),), parts=parts))
        index = end + 1
    return sums


def _smaller_unit(first: Value, second: Value) -> bool:
    """Say whether the second amount counts in a smaller unit than the first, as in 2 feet 6 inches."""
    if not (first.numbers and second.numbers and first.numbers[0] and second.numbers[0]):
        return False
    per_first = Fraction(first.readings[0].amount) / Fraction(first.numbers[0])
    return abs(Fraction(second.readings[0].amount) / Fraction(second.numbers[0])) < abs(per_first)
