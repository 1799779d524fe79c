"""Calculations of which a claim itself names the operands: "12 of 48 patients (25%)", "from 120 to 150, up 25%"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from judges.checks.operations import Operation
from judges.checks.values.amounts import Amount
from judges.checks.values.model import Value

_WORDS = r"(?: [a-z'-]{1,20}){0,3}"
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n|[。！？；]")
_FROM = re.compile(r"\bfrom (?:about |around |just |an? )?$")
_TO = re.compile(rf"{_WORDS} to (?:about |around |just |over |an? )?")
_CHANGE_WORD = re.compile(
    r"\b(?:rose|risen?|rising|grew|grown?|growth|increas\w{0,4}|up|climb\w{0,3}|gain\w{0,3}|jump\w{0,3}|fell|fall\w{0,3}|"
    r"drop\w{0,4}|declin\w{0,3}|decreas\w{0,3}|down|cut|reduc\w{1,5}|shrank|lower\w{0,3}|chang\w{1,3})\b"
)
_OF_OR_BY = re.compile(r"\b(?:by|of|up|down) (?:about |around |an? )?$")
_OUT_OF = re.compile(rf"{_WORDS} (?:out )?of (?:the |all |its |their |a total of )?")
_THEN_SHARE = re.compile(rf"{_WORDS},? ?\(?(?:or |i\.e\.,? |that is |about |= ?|equal to )?\(?")
_SHARE_FIRST = re.compile(r",? ?\((?:i\.e\.,? |that is )?")
_AND = re.compile(rf"{_WORDS}(?:, (?:and )?| and | ?\+ ?| plus )")
_PLUS = re.compile(r"\+|\bplus\b")
_MAKES = re.compile(
    rf"{_WORDS},? ?(?:=|equals?|makes?|gives?|totals?|totall?ing|adds? up to|sums? to|"
    r"(?:is|are|for|or|with|makes?|making|giving|in) a (?:combined |grand )?total of|a (?:combined |grand )?total of|"
    r"adding up to|comes? to(?: a total of)?) ?"
)
_IS = re.compile(rf"{_WORDS},? ?(?:=|is|are|equals?|makes?|gives?|leaves?|leaving) ?")
_TOTAL_OF = re.compile(r"\btotal of $")
_OPENS_LIST = re.compile(r"(?: [a-z'-]{1,20}){0,4}(?: \(|: ?)")
_CLOSES_LIST = re.compile(rf"{_WORDS}(?:\)|\.?\s*$)")
_BETWEEN_TWO: tuple[tuple[re.Pattern[str], Operation], ...] = (
    (re.compile(r" (?:minus|−|-) | less "), Operation.DIFFERENCE),
    (re.compile(r" (?:times|x|×|\*|multiplied by) "), Operation.PRODUCT),
    (re.compile(r" (?:÷|divided by) "), Operation.RATIO),
)
_LONGEST_CHAIN, _FARTHEST_RESULT, _FARTHEST_WORD, _LOOK_BACK = 8, 60, 160, 20
# No sentence for people has more; a text made of figures must not take long.
_MOST_FIGURES = 60


class Comparable(NamedTuple):
    """An amount, and what it is an amount of: a dimension, or the empty text for a bare figure."""

    dimension: str
    amount: Amount


class NamedOperation(NamedTuple):
    """A calculation that a claim states with its result."""

    operation: Operation
    operands: tuple[Value, ...]
    result: Value


def amount_of(value: Value) -> Comparable | None:
    """Give the one amount that a value is of; ``None`` where it can be several or is none."""
    if value.kind != "figure" or value.days:
        return None
    if value.readings:
        dimensions = {reading.dimension for reading in value.readings}
        if len(value.readings) != 1 or len(dimensions) != 1:
            return None
        return Comparable(*value.readings[0])
    return Comparable("", value.numbers[0]) if len(value.numbers) == 1 else None


def figure_of(value: Value) -> Comparable:
    """Give the one amount of a value that is known to have one."""
    amount = amount_of(value)
    assert amount is not None, "only values with one amount are calculated with"
    return amount


def named_operations(folded: str, values: Sequence[Value]) -> Iterator[NamedOperation]:
    """Yield the calculations that a folded text spells out, each with its operands in the order of the operation."""
    start = 0
    starts = [value.start for value in values]
    for stop in [match.end() for match in _SENTENCE_END.finditer(folded)] + [len(folded)]:
        here = values[bisect_left(starts, start) : bisect_left(starts, stop)]
        if len(here) > 2:
            here = [value for value in here[:_MOST_FIGURES] if amount_of(value) is not None]
            yield from _changes(folded, here, start)
            yield from _shares(folded, here)
            yield from _chains(folded, here)
            yield from _totals_first(folded, here, stop)
            yield from _two_by_two(folded, here)
        start = stop


def _dimension(value: Value) -> str | None:
    amount = amount_of(value)
    return None if amount is None else amount.dimension


def _changes(folded: str, here: Sequence[Value], start: int) -> Iterator[NamedOperation]:
    for place, (first, second) in enumerate(pairwise(here)):
        if _dimension(first) != _dimension(second):
            continue
        if not (
            _FROM.search(folded, max(start, first.start - _LOOK_BACK), first.start)
            and _TO.fullmatch(folded, first.end, second.start)
        ):
            continue
        if not _CHANGE_WORD.search(folded, max(start, first.start - _FARTHEST_WORD), second.end + _FARTHEST_RESULT):
            continue
        others = [*here[:place], *here[place + 2 :]]
        shares = [one for one in others if _dimension(one) == "percent"]
        if len(shares) == 1 and _dimension(first) not in ("percent", "points"):
            yield NamedOperation(Operation.CHANGE, (first, second), shares[0])
        alike = "points" if _dimension(first) == "percent" else _dimension(first)
        steps = [
            one
            for one in others
            if _dimension(one) == alike and _OF_OR_BY.search(folded, max(start, one.start - _LOOK_BACK), one.start)
        ]
        if len(steps) == 1:
            yield NamedOperation(Operation.DIFFERENCE, (first, second), steps[0])


def _shares(folded: str, here: Sequence[Value]) -> Iterator[NamedOperation]:
    for place, (part, whole) in enumerate(pairwise(here)):
        if _dimension(part) in ("percent", "points") or _dimension(part) != _dimension(whole):
            continue
        if not _OUT_OF.fullmatch(folded, part.end, whole.start):
            continue
        behind = here[place + 2] if place + 2 < len(here) else None
        before = here[place - 1] if place else None
        if behind and _dimension(behind) == "percent" and _THEN_SHARE.fullmatch(folded, whole.end, behind.start):
            yield NamedOperation(Operation.SHARE, (part, whole), behind)
        elif before and _dimension(before) == "percent" and _SHARE_FIRST.fullmatch(folded, before.end, part.start):
            yield NamedOperation(Operation.SHARE, (part, whole), before)


def _chain(folded: str, here: Sequence[Value], place: int) -> list[Value]:
    """Give the values from a place on that are listed or added, all of one dimension."""
    chain = [here[place]]
    for following in here[place + 1 : place + _LONGEST_CHAIN]:
        if _dimension(following) != _dimension(chain[0]) or not _AND.fullmatch(folded, chain[-1].end, following.start):
            break
        chain.append(following)
    return chain


def _chains(folded: str, here: Sequence[Value]) -> Iterator[NamedOperation]:
    place = 0
    while place < len(here):
        chain = _chain(folded, here, place)
        following = here[place + len(chain)] if place + len(chain) < len(here) else None
        if len(chain) > 1 and following is not None and _dimension(following) == _dimension(chain[0]):
            added = _PLUS.search(folded, chain[0].end, chain[-1].start) is not None
            equals = _IS if added else _MAKES
            if equals.fullmatch(folded, chain[-1].end, following.start):
                yield NamedOperation(Operation.SUM, tuple(chain), following)
        place += len(chain)


def _totals_first(folded: str, here: Sequence[Value], stop: int) -> Iterator[NamedOperation]:
    for place, total in enumerate(here[:-2]):
        if not _TOTAL_OF.search(folded, max(0, total.start - 12), total.start):
            continue
        chain = _chain(folded, here, place + 1)
        if len(chain) < 2 or _dimension(total) != _dimension(chain[0]):
            continue
        if _OPENS_LIST.fullmatch(folded, total.end, chain[0].start) and _CLOSES_LIST.match(folded, chain[-1].end, stop):
            yield NamedOperation(Operation.SUM, tuple(chain), total)


def _two_by_two(folded: str, here: Sequence[Value]) -> Iterator[NamedOperation]:
    for first, read, result in zip(here, here[1:], here[2:], strict=False):
        second = _subtracted(folded, first, read)
        if not _IS.fullmatch(folded, second.end, result.start):
            continue
        for gap, operation in _BETWEEN_TWO:
            if gap.fullmatch(folded, first.end, second.start) and _fits(operation, first, second, result):
                yield NamedOperation(operation, (first, second), result)


def _subtracted(folded: str, first: Value, second: Value) -> Value:
    """Give what "minus" takes away, which is read as a negative amount where it stands alone."""
    if second.start != first.end + 1 or not folded.startswith("minus ", second.start):
        return second
    return second._replace(
        start=second.start + len("minus "),
        numbers=tuple(-number for number in second.numbers),
        readings=tuple(reading._replace(amount=-reading.amount) for reading in second.readings),
    )


def _fits(operation: Operation, first: Value, second: Value, result: Value) -> bool:
    dimensions = [_dimension(first), _dimension(second), _dimension(result)]
    if operation is Operation.DIFFERENCE:
        return len(set(dimensions)) == 1
    # A product or a ratio with a bare figure keeps the dimension of the other.
    return dimensions[1] == "" and dimensions[0] == dimensions[2]
