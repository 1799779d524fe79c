"""What a claim says of a quantity: this value, about this, at least this, not this; and whether that agrees with a known one."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from judges.checks.entries import Plain, Tolerance
from judges.checks.values.amounts import Amount
from judges.checks.values.dates import Day
from judges.checks.values.matching import rounds_to
from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.checks.values.units import CURRENCY_SIGNS, DOLLAR_CURRENCIES
from judges.text.folding import fold
from judges.text.words import STOP_WORDS, stem, word_set

EXACTLY, ABOUT, AT_LEAST, AT_MOST, DENIED = "exactly", "about", "at least", "at most", "denied"

_LEADS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        DENIED,
        re.compile(
            r"(?:\bnot|n't|\bno longer|\bnever|\binstead of|\brather than|\bpreviously|\bformerly|\bused to be|\bunlike|"
            r"(?:long|short|high|low|larg|small|great)er than|\bexceed(?:s|ed|ing)?|\bup from|\bdown from|\bcompared (?:to|with)|"
            r"ではなく)(?: (?:a|an|the|be|being|just|only|about|over))?[ -]?$"
        ),
    ),
    (
        AT_LEAST,
        re.compile(
            r"\b(?:more than|over|at least|above|upwards of|a minimum of|no less than|not less than) ?(?:an? |the )?$"
        ),
    ),
    (
        AT_MOST,
        re.compile(
            r"\b(?:less than|fewer than|under|below|at most|a maximum of|no more than|not more than) ?(?:an? |the )?$"
        ),
    ),
    (
        ABOUT,
        re.compile(
            r"(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|nearly|almost|close to|just under|"
            r"just over|an estimated|estimated)|~|約|およそ) ?(?:an? |the )?$"
        ),
    ),
)
# "By 30 days" is a change, "by 3 May" a date; likewise "from".
_CHANGE = re.compile(r"\b(?:by|from) (?:an? |the )?$")
_LOOK_BACK = 26
_RANGE = re.compile(r" ?(?:-|to|through|until|~|から|/) ?|-to-| and ")
_BETWEEN = re.compile(r"\b(?:between|from) (?:the )?$")
_FROM = re.compile(r"\bfrom (?:the )?$")
_YEARS = frozenset(range(1000, 2200))
_NEXT_WORDS = re.compile(r"[ -]([a-z]{2,})(?:[ -]([a-z]{2,}))?")
_OWN_WORDS = re.compile(r"[^\W\d_]+")


class Quantity(NamedTuple):
    """A known value.

    Attributes
    ----------
    value : Value
        As read from its own writing.
    written : str
        That writing.
    nouns : frozenset of str
        Stems of what it counts, where its unit is no unit of measure: ``5 seats``.
    """

    value: Value
    written: str
    nouns: frozenset[str] = frozenset()


class Statement(NamedTuple):
    """A value as a claim states it; ``upper`` ends a range that begins with it."""

    value: Value
    manner: str
    upper: Value | None = None

    @property
    def end(self) -> int:
        """Where it ends, range included."""
        return self.upper.end if self.upper else self.value.end


def read_quantity(value: Plain, unit: str = "") -> Quantity | None:
    """Read a known value and its unit: 14 and ``days``, ``"$2.5m"``, ``"2026-01-03"``; ``None`` where it is not exactly one value."""
    number = _plainly(value)
    sign = unit.strip()
    written = f"{sign}{number}" if sign in CURRENCY_SIGNS else f"{number}{sign}" if sign == "%" else f"{number} {sign}"
    written = written.strip()
    folded = fold(written)
    values = read_values(folded, word_set(folded))
    if len(values) != 1:
        return None
    (found,) = values
    rest = folded[: found.start] + " " + folded[found.end :]
    nouns = frozenset(stem(word) for word in _OWN_WORDS.findall(rest) if word not in STOP_WORDS)
    return Quantity(found, written, nouns)


def _plainly(value: Plain) -> str:
    """Write a number without an exponent."""
    return value.strip() if isinstance(value, str) else f"{Decimal(str(value)):f}"


def statements(folded: str, values: Sequence[Value]) -> Iterator[Statement]:
    """Yield the values of a claim with the manner in which it states each; a range comes out once."""
    skip = False
    for place, value in enumerate(values):
        if skip:
            skip = False
            continue
        before = folded[max(0, value.start - _LOOK_BACK) : value.start]
        following = values[place + 1] if place + 1 < len(values) else None
        if following is not None and following.kind == value.kind and _is_range(folded, before, value, following):
            skip = True
            # "From 10 to 20 days" may be a range or a change: nothing follows from it.
            yield Statement(value, DENIED if _FROM.search(before) else EXACTLY, following)
            continue
        yield Statement(value, manner(value, before))


def manner(value: Value, before: str) -> str:
    """Give the manner in which a value is stated from what stands before it."""
    if not value.days and _CHANGE.search(before):
        return DENIED
    return next((name for name, pattern in _LEADS if pattern.search(before)), EXACTLY)


def _is_range(folded: str, before: str, value: Value, following: Value) -> bool:
    gap = folded[value.end : following.start]
    if len(gap) > 9 or not _RANGE.fullmatch(gap):
        return False
    return gap != " and " or _BETWEEN.search(before) is not None


def is_comparable(stated: Value, known: Quantity, folded: str) -> bool:
    """Say whether a value of a claim is of the kind that a known one is: money with money, a count of seats with one of seats."""
    if not any(True for _ in _pairs(stated, known.value)):
        return False
    return not known.nouns or not known.nouns.isdisjoint(nouns_behind(folded, stated.end))


def nouns_behind(folded: str, end: int) -> frozenset[str]:
    """Give the stems of up to two content words that follow a value directly."""
    words = _NEXT_WORDS.match(folded, end)
    if words is None or words[1] in STOP_WORDS:
        return frozenset()
    return frozenset(stem(word) for word in words.groups() if word and word not in STOP_WORDS)


def agrees(statement: Statement, known: Quantity, *, allowed: Tolerance, exact: bool = False) -> bool:
    """Say whether what a claim states can be true where the known value is.

    Parameters
    ----------
    statement : Statement
        What the claim states.
    known : Quantity
        What is the case.
    allowed : Tolerance
        How far the stated value may be off.
    exact : bool
        Whether even "about" and "more than" must be followed by the very value.
    """
    if statement.upper is not None:
        return _in_range(statement, known, allowed)
    for stated, truth in _pairs(statement.value, known.value):
        if isinstance(stated, Day) or isinstance(truth, Day):
            if isinstance(stated, Day) and isinstance(truth, Day) and _same_day(stated, truth):
                return True
            continue
        if abs(Fraction(stated) - Fraction(truth)) <= _slack(truth, known, allowed):
            return True
        if not exact and _agrees_loosely(statement.manner, stated, truth):
            return True
    return False


def _agrees_loosely(how: str, stated: Amount, truth: Amount) -> bool:
    if how == ABOUT:
        return rounds_to(truth, stated)
    return (how == AT_LEAST and truth >= stated) or (how == AT_MOST and truth <= stated)


def _in_range(statement: Statement, known: Quantity, allowed: Tolerance) -> bool:
    lows = [low for low, _ in _pairs(statement.value, known.value)]
    highs = [(high, truth) for high, truth in _pairs(statement.upper or statement.value, known.value)]
    if not lows or not highs:
        return True
    for low in lows:
        for high, truth in highs:
            if isinstance(low, Day) or isinstance(high, Day) or isinstance(truth, Day):
                return True
            slack = _slack(truth, known, allowed)
            if Fraction(low) - slack <= truth <= Fraction(high) + slack:
                return True
    return False


def _slack(truth: Amount, known: Quantity, allowed: Tolerance) -> Fraction:
    if allowed.relative:
        return abs(Fraction(truth)) * Fraction(allowed.amount)
    return Fraction(allowed.amount) * _factor(truth, known.value)


def _factor(truth: Amount, value: Value) -> Fraction:
    """Give how many base units one of the unit as written is."""
    written = value.numbers[0] if value.numbers else 0
    return Fraction(truth) / Fraction(written) if written and value.readings else Fraction(1)


def _pairs(stated: Value, known: Value) -> Iterator[tuple[Amount | Day, Amount | Day]]:
    """Yield what of two values can be compared: amounts of one dimension, bare numbers, dates."""
    if known.days or stated.days:
        yield from (days for days in product(_days(stated), _days(known)) if _have_common_part(*days))
    elif known.readings and stated.readings:
        yield from (
            (one.amount, other.amount)
            for one in stated.readings
            for other in known.readings
            if one.dimension == other.dimension or {one.dimension, other.dimension} <= DOLLAR_CURRENCIES
        )
    elif not known.readings and not stated.readings:
        yield from product(stated.numbers, known.numbers)


def _days(value: Value) -> Iterator[Day]:
    if value.days:
        yield from value.days
    elif value.kind == "figure" and not value.readings and not value.worded:
        yield from (Day(int(number), None, None) for number in value.numbers if number in _YEARS)


def _have_common_part(mine: Day, theirs: Day) -> bool:
    return any(one is not None and other is not None for one, other in zip(mine, theirs, strict=True))


def _same_day(mine: Day, theirs: Day) -> bool:
    return all(one is None or other is None or one == other for one, other in zip(mine, theirs, strict=True))
