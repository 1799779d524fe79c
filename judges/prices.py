"""What tokens cost. A table with a date, which the settings extend or correct; a model that is not in it has no price.

US dollars for a million tokens, as published by the maker on the day of ``AS_OF``. Batches cost half.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.conf import settings

_MILLION = Decimal(1_000_000)
_CENT_OF_CENTS = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens.

    Attributes
    ----------
    read, written : Decimal
        Tokens of the prompt, and of the reply.
    cache_write, cache_read : Decimal
        Tokens of the prompt that the service put into its cache, or took from it.
    batch : Decimal
        The factor for what is asked in a batch.
    """

    read: Decimal
    written: Decimal
    cache_write: Decimal
    cache_read: Decimal
    batch: Decimal = Decimal("0.5")

    def cost(
        self, *, read: int, written: int, cache_written: int = 0, cache_read: int = 0, batch: bool = False
    ) -> Decimal:
        """The price of so many tokens in US dollars, to a millionth of a dollar."""
        dollars = read * self.read + written * self.written
        dollars += cache_written * self.cache_write + cache_read * self.cache_read
        return (dollars / _MILLION * (self.batch if batch else 1)).quantize(_CENT_OF_CENTS)

    def in_words(self) -> str:
        """The two figures that people compare."""
        return f"${self.read.normalize():f} read, ${self.written.normalize():f} written"

    @property
    def dearest_read(self) -> Decimal:
        """The most that a token of the prompt can cost."""
        return max(self.read, self.cache_write, self.cache_read)


def price_of_list(read: str, written: str, *, cache_write: str = "1.25", cache_read: str = "0.1") -> Price:
    """A price by its two figures and the factors for cached tokens of the prompt."""
    base = Decimal(read)
    return Price(base, Decimal(written), base * Decimal(cache_write), base * Decimal(cache_read))


AS_OF = date(2026, 11, 30)
TABLE: Mapping[str, Price] = {
    "claude-opus-5-5": price_of_list("4", "20", cache_read="0.05"),
    "claude-opus-5": price_of_list("5", "25"),
    "claude-opus-4-8": price_of_list("5", "25"),
    "claude-opus-4-7": price_of_list("5", "25"),
    "claude-opus-4-6": price_of_list("5", "25"),
    "claude-opus-4-5": price_of_list("5", "25"),
    "claude-sonnet-4-6": price_of_list("3", "15"),
    "claude-sonnet-4-5": price_of_list("3", "15"),
    "claude-haiku-4-5": price_of_list("1", "5"),
}


def price_of(model: str) -> Price | None:
    """The price of a model, or ``None`` where neither the settings nor the table has one.

    A name with the date of its release at the end costs what the name without it costs.

    Raises
    ------
    ValueError
        Where the settings' own entry cannot be read, naming the model and what was expected.
    """
    name, _, released = model.rpartition("-")
    names = (model, name) if len(released) == 8 and released.isdigit() else (model,)
    for one in names:
        if one in settings.JUDGE_PRICES:
            return _read(one, settings.JUDGE_PRICES[one])
    return next((TABLE[one] for one in names if one in TABLE), None)


def priced_models(beginning: str = "") -> list[tuple[str, str]]:
    """The models whose price is known and whose name begins so, each with its price in words."""
    names = dict.fromkeys(name for name in (*TABLE, *settings.JUDGE_PRICES) if name.startswith(beginning))
    return [(name, f"{name} ({_price_in_words(name)})") for name in names]


def _price_in_words(model: str) -> str:
    try:
        price = price_of(model)
    except ValueError:  # whoever builds a judge with it is told what is wrong with the entry
        price = None
    return price.in_words() if price else "price unknown"


def _read(model: str, entry: object) -> Price:
    problem = (
        f"TOUCHSTONE_PRICES: {model} is {entry!r}; expected an object with read and written, and where they differ from "
        "the usual share cache_write and cache_read, in dollars for a million tokens"
    )
    if not isinstance(entry, Mapping) or not {"read", "written"} <= set(entry):
        raise ValueError(problem)
    if not set(entry) <= {"read", "written", "cache_write", "cache_read"}:
        raise ValueError(problem)
    try:
        figures = {key: Decimal(str(value)) for key, value in entry.items()}
    except ArithmeticError:
        raise ValueError(problem) from None
    if not all(figure.is_finite() and figure >= 0 for figure in figures.values()):
        raise ValueError(problem)
    base = price_of_list(str(figures["read"]), str(figures["written"]))
    return Price(
        base.read,
        base.written,
        figures.get("cache_write", base.cache_write),
        figures.get("cache_read", base.cache_read),
    )
