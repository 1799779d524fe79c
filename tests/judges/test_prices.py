from decimal import Decimal

import pytest
from pytest_django.fixtures import Settings

from judges.prices import AS_OF, TABLE, price_of
from judges.prompted.calls import Usage


def test_tokens_of_each_kind_have_their_price() -> None:
    price = price_of("claude-opus-4-8")
    assert price is not None
    # By hand, dollars a million: 5 read, 25 written, 6.25 put into the cache, 0.50 taken from it.
    usage = Usage(read=1_000, written=200, cache_written=4_000, cache_read=10_000)
    assert usage.cost(price) == Decimal("0.040000")
    assert usage.cost(price, batch=True) == Decimal("0.020000")
    assert price.dearest_read == Decimal("6.25")


def test_a_dated_name_costs_what_the_name_costs_and_an_unknown_model_has_no_price() -> None:
    assert price_of("claude-haiku-4-5-20251001") == TABLE["claude-haiku-4-5"]
    assert price_of("claude-nobody-1") is None
    assert price_of("claude-opus-4-8-preview") is None
    assert AS_OF.year >= 2026


def test_settings_add_and_correct_prices(settings: Settings) -> None:
    settings.JUDGE_PRICES = {
        "m": {"read": 1, "written": "2.5"},
        "claude-opus-4-8": {"read": 4, "written": 4, "cache_read": 0},
    }
    price = price_of("m")
    assert price is not None
    assert (price.read, price.written, price.cache_write, price.cache_read) == (
        Decimal(1),
        Decimal("2.5"),
        Decimal("1.25"),
        Decimal("0.1"),
    )
    corrected = price_of("claude-opus-4-8")
    assert corrected is not None
    assert (corrected.read, corrected.cache_read) == (Decimal(4), Decimal(0))


@pytest.mark.parametrize(
    "entry",
    [3, {"read": 1}, {"read": 1, "written": "x"}, {"read": -1, "written": 1}, {"read": 1, "written": 1, "w": 2}],
)
def test_a_price_that_cannot_be_read_is_refused_by_name(settings: Settings, entry: object) -> None:
    settings.JUDGE_PRICES = {"m": entry}
    with pytest.raises(ValueError, match="TOUCHSTONE_PRICES: m is"):
        price_of("m")
