"""A value while it is being read, before its neighbours have had their say."""

from decimal import Decimal

from judges.checks.values.amounts import Amount, Figure, as_amount
from judges.checks.values.dates import Day
from judges.checks.values.model import Reading, Value
from judges.checks.values.units import Unit


class Pending:
    """Amounts, multiplier, unit and currency of one place, still apart."""

    __slots__ = (
        "amounts",
        "currency",
        "days",
        "end",
        "extra",
        "kind",
        "multiplier",
        "parts",
        "readings",
        "start",
        "units",
        "worded",
    )

    def __init__(
        self,
        start: int,
        end: int,
        *,
        kind: str = "figure",
        amounts: list[Amount] | None = None,
        readings: list[Reading] | None = None,
        days: tuple[Day, ...] = (),
        parts: tuple[Figure, ...] = (),
        worded: bool = False,
    ) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.amounts = [] if amounts is None else amounts
        self.readings = [] if readings is None else readings
        self.days = days
        self.parts = parts
        self.worded = worded
        self.multiplier = 1
        self.units: tuple[Unit, ...] = ()
        self.currency = ""
        self.extra: list[Amount] = []
        """Bare numbers that it may stand for besides its amounts."""

    def finish(self) -> Value:
        """Multiply everything out."""
        if not (self.units or self.currency or self.parts or self.extra) and self.multiplier == 1:
            # Bare figures, dates and ordinals: nothing to multiply.
            return Value(
                self.start, self.end, self.kind, tuple(self.readings), tuple(self.amounts), self.days, (), self.worded
            )
        multiplier = self.multiplier
        amounts = self.amounts if multiplier == 1 else [as_amount(amount * multiplier) for amount in self.amounts]
        numbers = (*amounts, *self.extra)
        readings = tuple(self.readings)
        if self.currency:
            hundredfold = 1 if self.currency == "cent" else 100
            name = "dollar" if self.currency == "cent" else self.currency
            readings += tuple(Reading(name, as_amount(amount * hundredfold)) for amount in amounts)
        for unit in self.units:
            readings += tuple(Reading(unit.dimension, _in_base(amount, unit)) for amount in amounts)
        parts = tuple(Value(part.start, part.end, "figure", numbers=part.amounts) for part in self.parts)
        return Value(self.start, self.end, self.kind, readings, numbers, self.days, parts, self.worded)


def _in_base(amount: Amount, unit: Unit) -> Amount:
    scaled = amount * unit.factor
    if unit.divisor == 1:
        return as_amount(scaled)
    return as_amount(Decimal(scaled) / unit.divisor)
