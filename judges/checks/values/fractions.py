"""Shares in words and signs: half, two thirds, ¾."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from judges.checks.values.amounts import Amount, as_amount
from judges.checks.values.model import Reading
from judges.checks.values.number_words import ORDINAL_WORDS, SCALE_WORDS, SMALL_WORDS
from judges.checks.values.pending import Pending
from judges.checks.values.units import UNITS

_DENOMINATORS: dict[str, int] = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    **{word: value for word, value in ORDINAL_WORDS.items() if 4 <= value <= 10},
    **{word + "s": value for word, value in ORDINAL_WORDS.items() if 4 <= value <= 10},
}
DENOMINATOR_WORDS = frozenset(_DENOMINATORS)

VULGAR_FRACTIONS: dict[str, Decimal] = {
    "½": Decimal("0.5"),
    "¼": Decimal("0.25"),
    "¾": Decimal("0.75"),
    "⅓": Decimal("0.33"),
    "⅔": Decimal("0.67"),
    "⅛": Decimal("0.125"),
    "⅜": Decimal("0.375"),
    "⅝": Decimal("0.625"),
    "⅞": Decimal("0.875"),
}

_NUMERATOR = re.compile(r"(?<![a-z0-9.,])(a|an|[a-z]{2,9}|[0-9]{1,2})[ -]$")
_SHARE_FOLLOWS = re.compile(r" (?:of|more|less|fewer|higher|lower|larger|smaller)\b")
_HALF_UNIT = re.compile(r"[ -](?:an? )?([a-z]+)")
_PART_OF_GAME = frozenset(
    {"first", "second", "latter", "other", "better", "last", "top", "bottom", "1st", "2nd", "final"}
)


def read_word_fractions(folded: str, words: frozenset[str]) -> Iterator[Pending]:
    """Yield the shares that are written in words."""
    for word in words & DENOMINATOR_WORDS:
        start = folded.find(word)
        while start >= 0:
            end = start + len(word)
            if not (start and folded[start - 1].isalnum()) and not folded[end : end + 1].isalnum():
                item = _read_half(folded, start, end) if word == "half" else _read_share(folded, word, start, end)
                if item is not None:
                    yield item
            start = folded.find(word, end)


def _read_half(folded: str, start: int, end: int) -> Pending | None:
    before = _NUMERATOR.search(folded, max(0, start - 11), start)
    lead = before[1] if before else ""
    if lead in _PART_OF_GAME:
        return None
    if folded[max(0, start - 6) : start] == "and a ":
        # "two and a half" is read with its number.
        return None
    unit = _HALF_UNIT.match(folded, end)
    if unit and unit[1] in SCALE_WORDS:
        return Pending(start, unit.end(), amounts=[SCALE_WORDS[unit[1]] // 2], worded=True)
    if unit and unit[1] in UNITS:
        item = Pending(start, unit.end(), amounts=[Decimal("0.5")], worded=True)
        item.units = UNITS[unit[1]]
        return item
    begin = before.start(1) if before and lead in ("one", "a") else start
    return _share(begin, end, 1, 2)


def _read_share(folded: str, word: str, start: int, end: int) -> Pending | None:
    before = _NUMERATOR.search(folded, max(0, start - 11), start)
    if before is None:
        return None
    lead = before[1]
    if lead in ("a", "an"):
        by = folded[max(0, before.start(1) - 3) : before.start(1)] == "by "
        if word.endswith("s") or not (by or _SHARE_FOLLOWS.match(folded, end)):
            return None
        numerator = 1
    else:
        numerator = int(lead) if lead.isdigit() else SMALL_WORDS.get(lead, 0)
    plural = word.endswith("s")
    if numerator == 0 or (numerator > 1) != plural or numerator > _DENOMINATORS[word]:
        return None
    return _share(before.start(1), end, numerator, _DENOMINATORS[word])


def _share(start: int, end: int, numerator: int, denominator: int) -> Pending:
    item = Pending(start, end, kind="fraction", worded=True)
    readings, extra = _share_amounts(numerator, denominator)
    item.readings, item.extra = list(readings), list(extra)
    return item


@lru_cache(maxsize=256)
def _share_amounts(numerator: int, denominator: int) -> tuple[tuple[Reading, ...], tuple[Amount, ...]]:
    """Give a share as percentages, and as numbers from 0 to 1."""
    percent = Decimal(100 * numerator) / denominator
    amounts: dict[Amount, None] = {}
    if percent == round(percent, 2):
        amounts[as_amount(percent)] = None
    else:
        # A share without a finite decimal is written rounded.
        for digits in range(4):
            amounts[as_amount(round(percent, digits))] = None
    readings = tuple(Reading("percent", amount) for amount in amounts)
    return readings, tuple(as_amount(Decimal(amount) / 100) for amount in amounts)
