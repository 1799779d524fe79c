"""Read every value of a folded text: figures with their units, dates, times, number words.

One pass over the digits, and look-ups for the words that numbers and dates are made of, so that the time is
linear in the length of the text and a text without values costs next to nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal

from judges.checks.values.affixes import clock_readings, read_currency_before, read_tail
from judges.checks.values.amounts import Amount, Figure, as_amount, read_figures, read_plain_figure
from judges.checks.values.combining import combine
from judges.checks.values.dates import (
    EAST_ASIAN_DATE,
    MONTHS,
    NUMERIC_DATE,
    DateMention,
    read_east_asian_date,
    read_month_dates,
    read_numeric_date,
)
from judges.checks.values.fractions import DENOMINATOR_WORDS, VULGAR_FRACTIONS, read_word_fractions
from judges.checks.values.model import Reading, Value
from judges.checks.values.number_words import (
    HAN_NUMBER,
    ORDINAL_WORDS,
    PLAIN_WORDS,
    SCALE_WORDS,
    STARTING_WORDS,
    read_han_number,
    read_number_words,
)
from judges.checks.values.pending import Pending

# Digits behind a letter belong to a name (covid19, v3.11), and so do those behind such digits and a point. The
# look-behinds come after the first digit because a pattern that begins with a class is searched for much faster.
_FIGURE = re.compile(r"[0-9](?<![0-9a-z_][0-9])(?<![0-9][.,'][0-9])[0-9]*+(?:[.,'][0-9]++| [0-9]{3}(?![0-9]))*+")
# What may stand before a decimal point without a nought in front of it: ".5", "$.50".
_OPENERS = frozenset({"", " ", "(", "$", "£", "€", "-", "="})
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?(?![0-9])(?::(?![0-9]))?(\s?[ap]\.?m\b\.?)?")
_NEXT_WORD = re.compile("[ -]([a-z]+)")
_CONTINUING = frozenset({*STARTING_WORDS, "and"})
_PHRASE = re.compile(r"[a-z]+(?:[ -][a-z]+){0,11}")
# Words that are a time or a decade by themselves.
_FIXED: dict[str, tuple[str, tuple[Reading, ...]]] = {
    "noon": ("clock", (Reading("clock", 720),)),
    "midday": ("clock", (Reading("clock", 720),)),
    "midnight": ("clock", (Reading("clock", 0), Reading("clock", 1440))),
    **{
        name: ("decade", (Reading("decade", 1900 + 10 * place),))
        for place, name in enumerate(
            "twenties thirties forties fifties sixties seventies eighties nineties".split(),  # noqa: SIM905
            start=2,
        )
    },
}
_SPECIAL_WORDS = frozenset({*MONTHS, *STARTING_WORDS, *DENOMINATOR_WORDS, *_FIXED})
_VULGAR = re.compile("[¼½¾⅓⅔⅛⅜⅝⅞]")
_WHOLE_BEFORE = re.compile(r"(?<![0-9.,])([0-9]{1,4}) ?$")
_EAST_ASIAN = re.compile("[年月]")


def read_values(folded: str, words: frozenset[str]) -> list[Value]:
    """Read the values of a text in the order of their places.

    Parameters
    ----------
    folded : str
        The text as :func:`judges.text.folding.fold` gives it.
    words : frozenset of str
        Its words, as :func:`judges.text.words.word_set` gives them; they tell which searches are needed.
    """
    special = words & _SPECIAL_WORDS
    ascii_only = folded.isascii()
    dates = list(read_month_dates(folded, special)) if special else []
    if not ascii_only and _EAST_ASIAN.search(folded):
        dates.extend(mention for match in EAST_ASIAN_DATE.finditer(folded) if (mention := read_east_asian_date(match)))
    dates.sort()
    covered = _Covered(dates)
    pending = [Pending(mention.start, mention.end, kind="date", days=mention.days) for mention in dates]
    pending.extend(_read_digits(folded, covered))
    if special:
        number_words = special & STARTING_WORDS
        if number_words:
            pending.extend(_read_words(folded, number_words, covered))
        if not special.isdisjoint(DENOMINATOR_WORDS):
            pending.extend(read_word_fractions(folded, special))
        for word in special & _FIXED.keys():
            kind, readings = _FIXED[word]
            pending.extend(
                Pending(start, start + len(word), kind=kind, readings=list(readings)) for start in _places(folded, word)
            )
    if not ascii_only:
        pending.extend(_read_han(folded))
        pending.extend(_read_vulgar(folded))
    if len(pending) > 1:
        pending.sort(key=_place)
    return combine(folded, pending)


def _place(item: Pending) -> tuple[int, int]:
    return item.start, -item.end


class _Covered:
    """The places that dates take up."""

    def __init__(self, dates: list[DateMention]) -> None:
        self._starts = [mention.start for mention in dates]
        self._ends = [mention.end for mention in dates]

    def end_over(self, place: int) -> int | None:
        """Give the end of the date that covers a place."""
        index = bisect_right(self._starts, place) - 1
        return self._ends[index] if index >= 0 and self._ends[index] > place else None

    def next_start(self, place: int) -> int | None:
        """Give where the first date after a place begins."""
        index = bisect_right(self._starts, place)
        return self._starts[index] if index < len(self._starts) else None


def _read_digits(folded: str, covered: _Covered) -> Iterator[Pending]:
    done = 0
    for match in _FIGURE.finditer(folded):
        start, end = match.span()
        if start < done or covered.end_over(start):
            continue
        after = folded[end : end + 1]
        if after == ":" and (clock := _CLOCK.match(folded, start)):
            item = _read_clock(clock)
            done = item.end
            yield item
            continue
        if after in ("-", "/") or match[0].count(".") == 2:
            date = NUMERIC_DATE.match(folded, start)
            if date and (mention := read_numeric_date(date)):
                done = mention.end
                yield Pending(mention.start, mention.end, kind="date", days=mention.days)
                continue
        # "2019,3 May": a figure that reaches into a date is cut where the date begins.
        date_start = covered.next_start(start)
        if date_start is not None and date_start < end:
            end = date_start
        digits = folded[start:end].rstrip(".,' ")
        amount = read_plain_figure(digits) if folded[start - 1 : start] != "." else None
        if amount is not None:
            item = Pending(start, start + len(digits), amounts=[amount])
            read_currency_before(folded, item)
            read_tail(folded, item)
            done = item.end
            yield item
            continue
        for item in _read_piece(folded, digits, start):
            done = item.end
            yield item


def _read_piece(folded: str, digits: str, start: int) -> Iterator[Pending]:
    end = start + len(digits)
    if digits.isdigit() and len(digits) < 20:
        if start and folded[start - 1] == "." and folded[max(0, start - 2) : start - 1] in _OPENERS:
            start -= 1
            figures = [Figure(start, end, (Decimal("0." + digits),))]
        else:
            figures = [Figure(start, end, (int(digits),))]
    else:
        euro = "€" in folded[max(0, start - 2) : start] or "€" in folded[end : end + 2]
        figures = read_figures(digits, start, dotted_thousands=euro or folded.startswith(" euro", end))
    for place, figure in enumerate(figures):
        item = Pending(figure.start, figure.end, amounts=list(figure.amounts), parts=figure.parts)
        if figure.code:
            item.kind, item.readings = "code", [Reading("code:" + figure.code, 0)]
            yield item
            continue
        if place == 0:
            read_currency_before(folded, item)
        if place == len(figures) - 1:
            read_tail(folded, item)
        yield item


def _read_clock(match: re.Match[str]) -> Pending:
    hour, minute = int(match[1]), int(match[2])
    if hour > 24 or minute > 59:
        item = Pending(match.start(1), match.end(2), kind="clock")
        item.readings = [Reading("clock:long", hour * 60 + minute)]
        return item
    half = match[3].strip()[0] if match[3] else ""
    return Pending(match.start(), match.end(), kind="clock", readings=clock_readings(hour, minute, half))


def _places(folded: str, word: str) -> Iterator[int]:
    """Yield where a word stands as a whole word."""
    start = folded.find(word)
    while start >= 0:
        end = start + len(word)
        if not (start and folded[start - 1].isalnum()) and not folded[end : end + 1].isalnum():
            yield start
        start = folded.find(word, end)


def _read_words(folded: str, found: frozenset[str], covered: _Covered) -> Iterator[Pending]:
    starts = sorted((place, word) for word in found for place in _places(folded, word))
    done = 0
    for start, word in starts:
        if start < done or covered.end_over(start):
            continue
        following = _NEXT_WORD.match(folded, start + len(word))
        if (following and following[1] in _CONTINUING) or word in SCALE_WORDS:
            item = _read_phrase(folded, start)
        elif word in ORDINAL_WORDS:
            item = _word_ordinal(start, start + len(word), ORDINAL_WORDS[word])
        else:
            item = Pending(start, start + len(word), amounts=[PLAIN_WORDS[word]], worded=True)
            read_tail(folded, item)
        if item is not None:
            done = item.end
            yield item


def _read_phrase(folded: str, start: int) -> Pending | None:
    match = _PHRASE.match(folded, start)
    words = match[0].replace("-", " ").split(" ") if match else []
    if words and words[0] in SCALE_WORDS:
        # "2 million" belongs to its digits; only "a million" begins here.
        if folded[max(0, start - 2) : start] != "a " or folded[max(0, start - 3) : start - 2].isalpha():
            return None
        words.insert(0, "a")
        start -= 2
    number = read_number_words(words)
    if number is None:
        return None
    end = start + sum(map(len, words[: number.used])) + number.used - 1
    if number.ordinal:
        return _word_ordinal(start, end, number.amount)
    item = Pending(start, end, amounts=[number.amount], worded=True)
    read_tail(folded, item)
    return item


def _word_ordinal(start: int, end: int, amount: Amount) -> Pending:
    return Pending(start, end, kind="ordinal", readings=[Reading("ordinal", amount)], worded=True)


def _read_han(folded: str) -> Iterator[Pending]:
    for match in HAN_NUMBER.finditer(folded):
        before = folded[match.start() - 1 : match.start()]
        amount = read_han_number(match[0])
        if amount is None or before.isdigit():
            continue
        item = Pending(match.start(), match.end(), amounts=[amount], worded=True)
        read_tail(folded, item)
        yield item


def _read_vulgar(folded: str) -> Iterator[Pending]:
    for match in _VULGAR.finditer(folded):
        share = VULGAR_FRACTIONS[match[0]]
        whole = _WHOLE_BEFORE.search(folded, max(0, match.start() - 6), match.start())
        amount: Amount = as_amount(int(whole[1] if whole else 0) + share)
        item = Pending(whole.start() if whole else match.start(), match.end(), amounts=[amount])
        read_tail(folded, item)
        if whole is None and not item.units:
            item.readings.append(Reading("percent", as_amount(share * 100)))
        yield item
