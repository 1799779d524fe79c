"""Arithmetic on figures as they are written, which means on all the amounts that a rounded figure can stand for."""

from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from judges.checks.values.amounts import Amount


class Operation(StrEnum):
    """What is done with two or more figures."""

    SUM = "sum"
    DIFFERENCE = "difference"
    PRODUCT = "product"
    RATIO = "ratio"
    SHARE = "percentage"
    CHANGE = "change"


class Span(NamedTuple):
    """From the least to the greatest amount that a figure can stand for."""

    low: Fraction
    high: Fraction

    def apart(self, other: "Span") -> bool:
        """Say whether two spans have no amount in common."""
        return self.high < other.low or other.high < self.low


def half_step(amount: Amount) -> Fraction:
    """Give half a unit of the last place that an amount gives; noughts before the point count as rounding from thousands on."""
    if isinstance(amount, Decimal):
        exponent = amount.as_tuple().exponent
        return Fraction(10) ** exponent / 2 if isinstance(exponent, int) else Fraction(0)
    step = 1
    while amount and amount % (step * 1_000) == 0:
        step *= 1_000
    while step >= 1_000 and amount % (step * 10) == 0:
        step *= 10
    return Fraction(step, 2) if step > 1 else Fraction(0)


def span_of(amount: Amount, slack: Fraction | None = None) -> Span:
    """Give the amounts that a figure can be a rounding of."""
    around = half_step(amount) if slack is None else slack
    return Span(Fraction(amount) - around, Fraction(amount) + around)


def recompute(operation: Operation, operands: list[Span]) -> Span | None:
    """Give the span of a result; ``None`` where it divides by something that may be nought.

    The first operand of a difference and of a ratio is what is taken from and what is divided; a share is the first in the
    second, a change goes from the first to the second. Differences and changes come without their sign.
    """
    first = operands[0]
    if operation is Operation.SUM:
        return Span(sum((one.low for one in operands), Fraction(0)), sum((one.high for one in operands), Fraction(0)))
    second = operands[1]
    if operation is Operation.DIFFERENCE:
        return _without_sign(Span(first.low - second.high, first.high - second.low))
    if operation is Operation.PRODUCT:
        corners = [one * other for one in first for other in second]
        return Span(min(corners), max(corners))
    if operation is Operation.CHANGE:
        # (b - a) / a is b / a - 1, in which each figure stands once.
        ratio = _divide(second, first)
        return None if ratio is None else _without_sign(Span(100 * ratio.low - 100, 100 * ratio.high - 100))
    ratio = _divide(first, second)
    if ratio is None or operation is Operation.RATIO:
        return ratio
    return Span(100 * ratio.low, 100 * ratio.high)


def _divide(one: Span, other: Span) -> Span | None:
    if other.low <= 0 <= other.high:
        return None
    corners = [above / below for above in one for below in other]
    return Span(min(corners), max(corners))


def _without_sign(span: Span) -> Span:
    if span.low >= 0:
        return span
    if span.high <= 0:
        return Span(-span.high, -span.low)
    return Span(Fraction(0), max(-span.low, span.high))


_FORMS = {
    Operation.SUM: " + ",
    Operation.DIFFERENCE: " − ",
    Operation.PRODUCT: " × ",
    Operation.RATIO: " ÷ ",
}


def spell(operation: Operation, operands: list[str]) -> str:
    """Write an operation out, with its operands as the text has them."""
    if operation is Operation.SHARE:
        return f"{operands[0]} ÷ {operands[1]}"
    if operation is Operation.CHANGE:
        return f"({operands[1]} − {operands[0]}) ÷ {operands[0]}"
    return _FORMS[operation].join(operands)


def round_for_people(span: Span) -> str:
    """Write the middle of a span with at most two decimals."""
    middle = (span.low + span.high) / 2
    return f"{float(middle):,.2f}".rstrip("0").rstrip(".")
