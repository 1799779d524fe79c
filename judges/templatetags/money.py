"""Amounts of US dollars as pages write them."""

from decimal import ROUND_HALF_UP, ROUND_UP, Decimal

from django import template

register = template.Library()


@register.filter
def dollars(amount: Decimal | None, rounded: str = "") -> str:
    """Two places from one dollar on and four below; ``up`` for a bound, which no rounding may lower."""
    if amount is None:
        return "unknown"
    places = Decimal("0.01") if amount >= 1 else Decimal("0.0001")
    return f"${amount.quantize(places, rounding=ROUND_UP if rounded == 'up' else ROUND_HALF_UP):,f}"
