"""Find the values of one text among those of another."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache

from judges.checks.values.amounts import Amount
from judges.checks.values.dates import Day
from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.checks.values.units import DOLLAR_CURRENCIES, LABELS

Key = tuple[str, object]

_CENTURY = (" century", "-century", " centuries", " c.")
# A set, since asking a range for a number that is no int walks through it.
_YEARS = frozenset(range(1000, 2200))

# How far a table's head may stand from a figure that has no unit of its own.
_LABEL_BEFORE, _LABEL_AFTER = 60, 24
# Bounds on work that only a missing value causes, against texts made of nothing but figures.
_MOST_SAME, _MOST_COMPARED = 50, 3_000

_ROUNDING = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|nearly|almost|close to|just under|just over|"
    r"more than|over|at least|less than|fewer than|under|below|above|up to|at most|upwards of|estimated)|~|約|およそ)"
    r"\s?(?:an?\s|the\s)?$"
)
_MORE = ("more than", "over", "above", "at least", "upwards of")
_LESS = ("less than", "fewer than", "under", "below", "at most")


class ValueIndex:
    """The values of one text, ready to be asked for.

    Built once for a source; asking for a value that is there is a few dictionary look-ups.
    """

    __slots__ = ("_bare", "_by_key", "_folded", "_groups", "values")

    def __init__(self, folded: str, words: frozenset[str]) -> None:
        self.values = read_values(folded, words)
        self._folded = folded
        by_key: dict[Key, Value] = {}
        for value in self.values:
            if value.parts or value.days or value.readings:
                for key in _offered(value):
                    by_key.setdefault(key, value)
                continue
            for number in value.numbers:
                by_key.setdefault(("", number), value)
                if number in _YEARS:
                    by_key.setdefault(("year", number), value)
        self._by_key = by_key
        self._groups: dict[str, list[Value]] | None = None
        self._bare = [value for value in self.values if value.kind == "figure" and not value.readings]

    def look_up(self, value: Value) -> Value | None:
        """Give a value with the same reading, by look-ups alone; :meth:`find` also searches."""
        by_key = self._by_key
        for key in _accepted(value):
            found = by_key.get(key)
            if found is not None:
                return found
        return None

    def has_any(self, keys: Iterable[Key]) -> bool:
        """Say whether any of the keys that :func:`accepted_keys` gives for a value is here."""
        return not self._by_key.keys().isdisjoint(keys)

    def find(self, value: Value, folded: str) -> Value | None:
        """Give a value of this text that says the same as the given one of another text, or ``None``.

        Parameters
        ----------
        value : Value
            A value of the other text, the claim.
        folded : str
            The other text, folded: a value behind "about" may be a rounding of what stands here.
        """
        found = self.look_up(value)
        if found is not None:
            return found
        if value.days:
            return self._find_assembled_date(value)
        if value.parts:
            found_parts = [self.find(part, folded) for part in value.parts]
            if all(found_parts):
                return found_parts[0]
        if value.kind == "decade" or (value.kind == "ordinal" and folded.startswith(_CENTURY, value.end)):
            return self._find_year_within(value)
        if value.kind == "figure":
            return self._find_labelled(value) or self._find_rounded(value, folded)
        return None

    def _find_assembled_date(self, value: Value) -> Value | None:
        """Find a date of which the year stands apart, as the year of a heading does."""
        for year, month, day in value.days:
            if year is None or month is None or ("year", year) not in self._by_key:
                continue
            key: Key = ("month-day alone", (month, day)) if day is not None else ("month alone", month)
            if key in self._by_key:
                return self._by_key[key]
        return None

    def _find_year_within(self, value: Value) -> Value | None:
        """Find a year of the decade or the century: 1887 stands for the 19th century, 1994 for the nineties."""
        for dimension, amount in value.readings:
            if not isinstance(amount, int) or amount > 2_200:
                continue
            years = range(amount, amount + 10) if dimension == "decade" else range(100 * amount - 100, 100 * amount + 1)
            for year in years:
                if found := self._by_key.get(("year", year)):
                    return found
        return None

    def _find_labelled(self, value: Value) -> Value | None:
        """Find a figure without a unit that has the unit of the value as a label near it (``Runtime (minutes): 90``)."""
        wanted = [(reading.amount, label) for reading in value.readings for label in LABELS.get(reading.dimension, ())]
        seen = 0
        for here in self._bare if wanted else ():
            fitting = [
                label.words
                for amount, label in wanted
                for number in here.numbers
                if number * label.unit.factor == amount * label.unit.divisor
            ]
            if not fitting:
                continue
            seen += 1
            if seen > _MOST_SAME:
                break
            before = self._folded[max(0, here.start - _LABEL_BEFORE) : here.start]
            after = self._folded[here.end : here.end + _LABEL_AFTER]
            near = before[before.rfind("\n") + 1 :] + " " + after.split("\n")[0]
            if any(_has_word(near, word) for words in fitting for word in words):
                return here
        return None

    def _find_rounded(self, value: Value, folded: str) -> Value | None:
        """Find what a value behind "about" is a rounding of, or what is a little more than one behind "over"."""
        hedge = _hedge(folded[max(0, value.start - 20) : value.start])
        if not hedge:
            return None
        more = bool(value.readings) and hedge.startswith(_MORE)
        less = bool(value.readings) and hedge.startswith(_LESS)
        for here in self.values[:_MOST_COMPARED] if value.readings else self._bare[:_MOST_COMPARED]:
            for mine, theirs in _comparable(value, here):
                if rounds_to(theirs, mine):
                    return here
                if (more and mine < theirs <= mine * _apart(mine)) or (
                    less and theirs < mine <= theirs * _apart(theirs)
                ):
                    return here
        return None

    def nearest(self, value: Value) -> tuple[Value, float] | None:
        """Give the value of this text that is most like the given one, with its distance from it.

        Only values of one kind are compared; distances of one kind can be compared between texts.
        """
        best: Value | None = None
        least = float("inf")
        for here in self._alike(value):
            distance = _distance(value, here)
            if distance < least:
                best, least = here, distance
        return None if best is None else (best, least)

    def _alike(self, value: Value) -> list[Value]:
        """Give the values that have anything to compare with the given one, in their order."""
        if self._groups is None:
            groups: dict[str, list[Value]] = {}
            for here in self.values[:_MOST_COMPARED]:
                for name in _group_names(here):
                    groups.setdefault(name, []).append(here)
            self._groups = groups
        if value.days:
            return self._groups.get(_DATED, [])
        if not value.readings:
            return self._groups.get(_NUMBERED, [])
        names = dict.fromkeys(_group_of(reading.dimension) for reading in value.readings)
        if len(names) == 1:
            return self._groups.get(next(iter(names)), [])
        found = [here for name in names for here in self._groups.get(name, ())]
        return sorted(dict.fromkeys(found), key=lambda here: here.start)


_DATED, _NUMBERED = "dates", "numbers"


def _group_names(value: Value) -> Iterator[str]:
    """Yield the groups in which a value is looked for when the nearest is asked."""
    if value.days:
        yield _DATED
    if value.numbers:
        yield _NUMBERED
    yield from dict.fromkeys(_group_of(reading.dimension) for reading in value.readings)


def _group_of(dimension: str) -> str:
    return "of dollar" if dimension in DOLLAR_CURRENCIES else f"of {dimension}"


@lru_cache(maxsize=256)
def _hedge(before: str) -> str:
    """Give the "about" or "over" that ends a text, or nothing; each source of a claim asks the same again."""
    match = _ROUNDING.search(before)
    return match[0] if match else ""


def _offered(value: Value) -> Iterator[Key]:
    """Yield the keys under which a value of a source can be asked for."""
    for number in value.numbers:
        yield "", number
        if not value.readings and number in _YEARS:
            yield "year", number
    for reading in value.readings:
        yield reading
        if reading.dimension in DOLLAR_CURRENCIES:
            yield "any dollar", reading.amount
            if reading.dimension == "dollar":
                yield "open dollar", reading.amount
    for part in value.parts:
        yield from _offered(part)
    for day in value.days:
        yield from _offered_by_day(day)


def _offered_by_day(whole: Day) -> Iterator[Key]:
    year, month, day = whole
    if year is not None:
        yield "year", year
    if month is None:
        return
    yield "month", month
    if day is not None:
        yield "month-day", (month, day)
    if year is None:
        yield ("month alone", month) if day is None else ("month-day alone", (month, day))
        return
    yield "year-month", (year, month)
    if day is not None:
        yield "date", (year, month, day)


def accepted_keys(value: Value) -> tuple[Key, ...]:
    """Give the keys that satisfy a value of a claim, to ask several sources for."""
    return tuple(_accepted(value))


def _accepted(value: Value) -> Iterator[Key]:
    """Yield the keys that satisfy a value of a claim."""
    if value.days:
        yield from map(_accepted_for_day, value.days)
        return
    for reading in value.readings:
        if reading.dimension == "dollar":
            yield "any dollar", reading.amount
            continue
        yield reading
        if reading.dimension in DOLLAR_CURRENCIES:
            yield "open dollar", reading.amount
        elif reading.dimension == "ordinal":
            yield "", reading.amount
    if not value.readings or value.kind == "fraction":
        for number in value.numbers:
            yield "", number
            if number in _YEARS:
                yield "year", number


def _accepted_for_day(whole: Day) -> Key:
    year, month, day = whole
    if month is None:
        return "year", year
    if day is None:
        return ("month", month) if year is None else ("year-month", (year, month))
    return ("month-day", (month, day)) if year is None else ("date", (year, month, day))


def _comparable(value: Value, here: Value) -> Iterator[tuple[Amount, Amount]]:
    """Yield amounts of two values that are in the same dimension."""
    if value.readings:
        for mine in value.readings:
            for theirs in here.readings:
                if mine.dimension == theirs.dimension or {mine.dimension, theirs.dimension} <= DOLLAR_CURRENCIES:
                    yield mine.amount, theirs.amount
    else:
        for number in value.numbers:
            for other in here.numbers:
                yield number, other


def _apart(amount: Amount) -> Amount:
    # "Over 2 hours" is said of 2 h 10 min, and hardly of 10 hours.
    return Decimal("1.5") if amount > 0 else 0


def rounds_to(exact: Amount, rounded: Amount) -> bool:
    """Say whether two amounts differ by less than one step of the last figure that the rounded one gives."""
    if not rounded or exact == rounded:
        return exact == rounded
    if isinstance(rounded, int):
        step: Amount = 1
        while rounded % (step * 10) == 0:
            step *= 10
        return step > 1 and abs(Decimal(exact) - Decimal(rounded)) < step
    exponent = rounded.as_tuple().exponent
    return isinstance(exponent, int) and abs(Decimal(exact) - rounded) < Decimal(1).scaleb(exponent)


def _distance(value: Value, here: Value) -> float:
    if value.days:
        return min((_days_apart(mine, theirs) for mine in value.days for theirs in here.days), default=float("inf"))
    if value.kind != here.kind and "fraction" not in (value.kind, here.kind):
        return float("inf")
    best = float("inf")
    for mine, theirs in _comparable(value, here):
        size = abs(float(mine)) + abs(float(theirs))
        best = min(best, abs(float(mine) - float(theirs)) / size if size else 0.0)
    # Between equally near amounts the one that has no unit either is the likelier.
    return best + (0.5 if bool(value.readings) != bool(here.readings) else 0.0)


def _days_apart(mine: Iterable[int | None], theirs: Iterable[int | None]) -> float:
    (year, month, day), (other_year, other_month, other_day) = mine, theirs
    try:
        first = date(year or other_year or 2000, month or other_month or 1, day or other_day or 1)
        second = date(other_year or year or 2000, other_month or month or 1, other_day or day or 1)
    except ValueError:
        return 40_000.0
    same_shape = (year is None) == (other_year is None) and (day is None) == (other_day is None)
    return abs((first - second).days) + (0.0 if same_shape else 0.5)


def _has_word(text: str, word: str) -> bool:
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not word[0].isalpha() or not word.isascii():
            return True
        if not (start and text[start - 1].isalpha()) and not text[end : end + 1].isalpha():
            return True
        start = text.find(word, end)
    return False
