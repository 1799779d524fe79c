from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.checks.values.matching import ValueIndex
from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.text.folding import fold
from judges.text.words import word_set
from tests.judges.checks.values.cases import FOUND, NOT_FOUND
from tests.judges.timing import assert_linear


def values_of(text: str) -> list[Value]:
    folded = fold(text)
    return read_values(folded, word_set(folded))


def index_of(text: str) -> ValueIndex:
    folded = fold(text)
    return ValueIndex(folded, word_set(folded))


def all_found(claim: str, source: str) -> bool:
    values = values_of(claim)
    assert values, f"nothing was read in {claim!r}"
    index = index_of(source)
    return all(index.find(value, fold(claim)) for value in values)


def nearest(claim: str, source: str) -> str | None:
    found = index_of(source).nearest(values_of(claim)[0])
    return None if found is None else source[found[0].start : found[0].end]


def test_table_has_over_three_hundred_cases_in_both_directions() -> None:
    assert len(FOUND) > 300
    assert len(NOT_FOUND) > 150


@pytest.mark.parametrize(("claim", "source"), FOUND)
def test_value_is_found_in_another_format(claim: str, source: str) -> None:
    assert all_found(claim, source)


@pytest.mark.parametrize(("claim", "source"), NOT_FOUND)
def test_other_value_is_not_taken_for_it(claim: str, source: str) -> None:
    assert not all_found(claim, source)


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        ("30 days", "either 14 days or 90 days", "14 days"),
        ("30 days", "30 customers in 14 days", "14 days"),
        ("$40", "costs $35, or $400 a year", "$35"),
        ("3 Jan 2026", "on 2026-01-04 or in 1999", "2026-01-04"),
        ("15%", "15 people, or 12 per cent", "12 per cent"),
        ("5pm", "opens at 9:00 and closes at 17:30", "17:30"),
        ("15%", "no figure here", None),
        ("15%", "about 3 January", None),
    ],
)
def test_nearest_is_the_closest_amount_of_the_same_dimension(claim: str, source: str, expected: str | None) -> None:
    assert nearest(claim, source) == expected


def test_span_of_a_value_covers_currency_unit_and_sign() -> None:
    text = "It cost US$2.5 million, 30 working days and −5 °C."
    assert [text[value.start : value.end] for value in values_of(text)] == [
        "US$2.5 million",
        "30 working days",
        "−5 °C",
    ]


def test_spans_stay_right_behind_letters_whose_lower_case_is_longer() -> None:
    text = "İstanbul İİİ: 30 days"
    assert [text[value.start : value.end] for value in values_of(text)] == ["30 days"]


@given(st.integers(min_value=0, max_value=10**15))
def test_every_whole_number_is_found_with_and_without_grouping(number: int) -> None:
    assert all_found(f"{number:,}", str(number))
    assert all_found(str(number), f"{number:,}")


@given(st.integers(min_value=1, max_value=10**6), st.integers(min_value=1, max_value=10**6))
def test_different_whole_numbers_never_match(first: int, second: int) -> None:
    assert all_found(f"{first:,}", f"({second})") == (first == second)


@given(st.decimals(min_value=Decimal("0.01"), max_value=Decimal(10**9), places=2))
def test_amount_of_money_is_found_as_sign_word_and_code(amount: Decimal) -> None:
    written = f"{amount:,}"
    assert all_found(f"${written}", f"{amount} dollars")
    assert all_found(f"USD {written}", f"US${amount}")
    assert not all_found(f"${written}", f"£{amount}")


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2199, 12, 31)))
def test_every_date_is_found_in_each_way_of_writing_it(day: date) -> None:
    ways = [
        f"{day:%Y-%m-%d}",
        f"{day.day} {day:%B %Y}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%d/%m/%Y}",
    ]
    for one, other in pairwise([*ways, ways[0]]):
        assert all_found(one, f"It was on {other}.")
        assert all_found(other, f"It was on {one}.")


@given(st.text(max_size=300))
def test_reading_any_text_ends_with_spans_inside_it(text: str) -> None:
    for value in values_of(text):
        assert 0 <= value.start < value.end <= len(text)


@given(st.text(alphabet="0123456789.,' -/:%$€mk年月日", max_size=80))
def test_a_text_contains_all_values_of_itself(text: str) -> None:
    index = index_of(text)
    for value in values_of(text):
        assert index.find(value, fold(text)) is not None


HOSTILE = {
    "digits": "1",
    "groups": "1,234",
    "points": "1.",
    "commas": "1,",
    "spaces": "1 ",
    "narrow groups": "1 234 ",
    "dashes": "1-",
    "strokes": "1/1/",
    "colons": "1:1",
    "number words": "twenty one hundred and ",
    "scales": "a million ",
    "months": "may 3 ",
    "months alone": "january ",
    "units": "5 days ",
    "halves": "half a ",
    "dollars": "$",
    "minus": "minus ",
    "kanji": "百万",
    "myriads": "1万",
    "myriads without digits": "万",
    "thousands of myriads": "1万1千",
    "myriads of thousands": "千万1",
    "counters": "二人",
    "years": "2026年",
    "ranges": "1 to ",
    "letters": "a",
    "percent": "%",
    "points and spaces": "1. ",
    "labels": "5 minutes 5 ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_the_length_of_a_hostile_text_and_not_faster(piece: str) -> None:
    assert_linear(index_of, piece)
