"""A bounded search for the calculation that gives a figure from those of a source."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from judges.checks.named_operations import Comparable, amount_of
from judges.checks.operations import Operation, span_of, spell
from judges.checks.sources import SourceIndex
from judges.checks.values.amounts import Amount
from judges.checks.values.model import Value

# Eighty figures make 6,400 pairs, which take a few milliseconds.
MOST_FIGURES = 80
_LONGEST_SUM = 8
_YEARS = frozenset(range(1000, 2200))
_MONTHS_PER_YEAR = 12
_WINDOW, _MOST_WORDS, _MOST_LOOKED_AT = 80, 20, 1_000


class Operand(NamedTuple):
    """A figure of a source."""

    amount: Amount
    dimension: str
    place: int
    written: str


class Derivation(NamedTuple):
    """A calculation from figures of a source."""

    operation: Operation
    operands: tuple[Operand, ...]
    extra: str = ""

    @property
    def spread(self) -> int:
        """How far apart in the source its figures stand: the nearer, the likelier that they belong together."""
        places = [operand.place for operand in self.operands]
        return max(places) - min(places)

    def spell(self, result: str) -> str:
        """Write it out with its result."""
        if self.extra:
            return f"{self.extra} − {self.operands[0].written} = {result}"
        return f"{spell(self.operation, [operand.written for operand in self.operands])} = {result}"


def operands_of(sources: Sequence[SourceIndex], words: frozenset[str]) -> list[Operand]:
    """Give the figures of the sources that can be calculated with, in their order.

    Where there are too many, those are kept around which most of the given folded words stand.
    """
    found: list[tuple[int, Operand]] = []
    shift = 0
    looked_for = sorted(words, key=lambda word: (len(word), word))[-_MOST_WORDS:]
    for source in sources:
        for value in source.values.values[:_MOST_LOOKED_AT]:
            for amount in _amounts(value):
                window = source.folded[max(0, value.start - _WINDOW) : value.end + _WINDOW]
                near = sum(word in window for word in looked_for) if len(source.values.values) > MOST_FIGURES else 0
                written = source.text[value.start : value.end]
                found.append((near, Operand(amount.amount, amount.dimension, shift + value.start, written)))
        shift += len(source.text) + 1_000
    if len(found) > MOST_FIGURES:
        found = sorted(found, key=lambda pair: -pair[0])[:MOST_FIGURES]
    return sorted((operand for _, operand in found), key=lambda operand: operand.place)


def _amounts(value: Value) -> Iterator[Comparable]:
    if value.days:
        yield from (Comparable("date", year) for year in {day.year for day in value.days if day.year is not None})
        return
    amount = amount_of(value)
    # "One" is said of no number in particular, and would make a sum with anything.
    if amount is not None and not (value.worded and amount.amount == 1 and not amount.dimension):
        is_year = not amount.dimension and not value.worded and amount.amount in _YEARS
        yield Comparable("date", amount.amount) if is_year else amount


def derive(wanted: Comparable, operands: Sequence[Operand], *, times: bool = False) -> Derivation | None:
    """Find the calculation that gives an amount, the one whose figures stand closest together; ``None`` where there is none.

    Parameters
    ----------
    wanted : Comparable
        The amount and its dimension.
    operands : sequence of Operand
        In the order of the text, at most :data:`MOST_FIGURES`.
    times : bool
        Whether the amount is a multiple, as in "3 times as many".
    """
    candidates: list[Derivation] = []
    alike = [operand for operand in operands if operand.dimension == wanted.dimension]
    if times:
        candidates.extend(_ratios(wanted.amount, operands))
    else:
        candidates.extend(_sums(wanted.amount, alike))
        candidates.extend(_differences(wanted.amount, alike))
    if wanted.dimension == "percent":
        candidates.extend(_percentages(wanted.amount, operands))
        candidates.extend(
            Derivation(Operation.DIFFERENCE, (one,), extra="100%") for one in alike if one.amount == 100 - wanted.amount
        )
    elif wanted.dimension == "points":
        percents = [operand for operand in operands if operand.dimension == "percent"]
        candidates.extend(_differences(wanted.amount, percents))
    elif wanted.dimension == "months" and wanted.amount % _MONTHS_PER_YEAR == 0:
        years = [operand for operand in operands if operand.dimension == "date"]
        candidates.extend(_differences(int(wanted.amount) // _MONTHS_PER_YEAR, years))
    # Percentages of different wholes are seldom added, so that a share or a change is the likelier.
    late = frozenset({Operation.SUM, Operation.DIFFERENCE} if wanted.dimension == "percent" else ())
    return min(
        candidates, key=lambda one: (one.operation in late and not one.extra, one.spread, one.operands), default=None
    )


def _sums(wanted: Amount, alike: Sequence[Operand]) -> Iterator[Derivation]:
    for place, first in enumerate(alike):
        for second in alike[place + 1 :]:
            if first.amount + second.amount == wanted and first.amount and second.amount:
                yield Derivation(Operation.SUM, (first, second))
    totals = [Fraction(0), *accumulate(Fraction(operand.amount) for operand in alike)]
    for start in range(len(alike)):
        for stop in range(start + 3, min(start + _LONGEST_SUM, len(alike)) + 1):
            if totals[stop] - totals[start] == wanted:
                yield Derivation(Operation.SUM, tuple(alike[start:stop]))


def _differences(wanted: Amount, alike: Sequence[Operand]) -> Iterator[Derivation]:
    for place, first in enumerate(alike):
        for second in alike[place + 1 :]:
            if wanted and abs(first.amount - second.amount) == abs(wanted):
                larger, smaller = (first, second) if first.amount > second.amount else (second, first)
                if smaller.amount:
                    yield Derivation(Operation.DIFFERENCE, (larger, smaller))


def _divisible(operands: Sequence[Operand]) -> Iterator[tuple[Operand, Operand, float]]:
    """Yield the pairs of one dimension that may be divided, with their ratio."""
    figures = [(one, float(one.amount)) for one in operands if one.amount and one.dimension not in ("date", "percent")]
    for one, above in figures:
        for other, below in figures:
            if one is not other and one.dimension == other.dimension:
                yield one, other, above / below


def _ratios(wanted: Amount, operands: Sequence[Operand]) -> Iterator[Derivation]:
    low, high = _bounds(wanted)
    for one, other, ratio in _divisible(operands):
        if low <= ratio <= high:
            yield Derivation(Operation.RATIO, (one, other))


def _percentages(wanted: Amount, operands: Sequence[Operand]) -> Iterator[Derivation]:
    low, high = _bounds(max(wanted, -wanted))
    for one, other, ratio in _divisible(operands):
        if low <= 100 * ratio <= high and ratio <= 1:
            yield Derivation(Operation.SHARE, (one, other))
        if low <= abs(100 * ratio - 100) <= high:
            # The change goes from the figure that is divided by.
            yield Derivation(Operation.CHANGE, (other, one))


def _bounds(wanted: Amount) -> tuple[float, float]:
    """Give what rounds to an amount as it is written."""
    exact = span_of(wanted)
    span = exact if exact.low < exact.high else span_of(wanted, Fraction(1, 2))
    return float(span.low) - 1e-9, float(span.high) + 1e-9
