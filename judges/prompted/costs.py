"""What a prompt is going to cost, said before it is sent."""

from decimal import ROUND_UP, Decimal

from judges.preview import CHARACTERS_A_TOKEN
from judges.prices import AS_OF, Price
from judges.prompted.prompts import Prompt

_MILLION = Decimal(1_000_000)
# What the service adds around the texts: the schema of the reply, names of roles.
_EXTRA_TOKENS = 1_500


def most_it_costs(prompt: Prompt, *, price: Price | None, reply_tokens: int) -> Decimal | None:
    """What one call can cost: no text has more tokens than bytes, and no reply more than it may have."""
    if price is None:
        return None
    read = (prompt.utf8_bytes + _EXTRA_TOKENS) * price.dearest_read
    dollars = (read + reply_tokens * price.written) / _MILLION
    return dollars.quantize(Decimal("0.000001"), rounding=ROUND_UP)


def about_it_costs(prompt: Prompt, *, price: Price | None, reply_tokens: int) -> Decimal | None:
    """A guess from the length of the texts and the tokens of a usual reply."""
    if price is None:
        return None
    return price.cost(read=prompt.characters // CHARACTERS_A_TOKEN, written=reply_tokens)


def price_note(model: str, price: Price | None) -> str:
    """What the prices of a model are and of which day, or that they are not known."""
    if price is None:
        return f"The price of {model} is not known: costs show as 0. TOUCHSTONE_PRICES sets it."
    return (
        f"${price.read.normalize():f} a million tokens read, ${price.written.normalize():f} written "
        f"(prices of {AS_OF:%d %B %Y})."
    )
