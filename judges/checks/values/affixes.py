"""What stands around a figure: its sign and currency before it, its multiplier and unit behind it."""

import re
from math import prod

from judges.checks.values.amounts import as_amount
from judges.checks.values.model import Reading
from judges.checks.values.pending import Pending
from judges.checks.values.units import (
    ATTACHED_UNITS,
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    DOLLAR_CURRENCIES,
    DOLLARS,
    MULTIPLIER_WORDS,
    MULTIPLIERS,
    QUALIFIERS,
    UNITS,
    Unit,
)

_LETTERS_BEFORE = re.compile(r"(?<![a-z.])(us|u\.s\.|au|ca|nz|hk|[acs])$")
_CODE_BEFORE = re.compile(r"(?<![a-z])([a-z]{3}|rs\.?|kr\.?) ?$")
_WORD = re.compile(
    r"([ -]{0,2})"
    r"(°[cf]?(?![a-z])|[%‰€£$¥₹¢℃℉]|u\.s\. dollars?|[ap]\.m\.?|[a-zµμ]+(?:/[a-z]+|'[a-z]+|[²³]|[23](?![0-9a-z]))?)"
    r"(?:[ -]([a-z]+))?(?: ([a-z]+))?"
)
_WIDE_WORD = re.compile("\\s?([\u3005-\u30ff\u3400-\u9fff]{1,7})")
_ENDS_OF_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_HALVES_OF_DAY = {"am": "a", "a.m": "a", "a.m.": "a", "pm": "p", "p.m": "p", "p.m.": "p"}
_PIECE = re.compile(r"([0-9]{1,2})(?:[.:]([0-9]{2}))?$")

# What most figures stand between: nothing here needs a second look.
_PLAIN_BEFORE = frozenset("(\n\t,;:/\"'[")
_PLAIN_AFTER = frozenset('.,;:)]\n\t"!?/(')
_ENDS_BEFORE = frozenset({*CURRENCY_CODES, "nus", " rs", " kr", "rs.", "kr.", "rs", "kr"})

# Units of several words are looked up only behind a word that begins one.
_LONG_STARTS = frozenset(name.split()[0] for name in UNITS if " " in name)
_TAIL_WORDS = frozenset(
    {*UNITS, *ATTACHED_UNITS, *_LONG_STARTS, *MULTIPLIERS, *MULTIPLIER_WORDS, *QUALIFIERS, *CURRENCY_SIGNS}
    | {*_HALVES_OF_DAY, *_ENDS_OF_ORDINALS, "'s", "u.s. dollars", "u.s. dollar"}
)


def clock_readings(hour: int, minute: int, half: str) -> list[Reading]:
    """Give the minutes of the day that a time can be: two where it does not say which half of the day."""
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
        return [Reading("clock", hour * 60 + minute)]
    hours = [hour % 24] if hour == 0 or hour > 12 else [hour % 24, (hour + 12) % 24]
    return [Reading("clock", value * 60 + minute) for value in hours]


def read_currency_before(folded: str, item: Pending) -> None:
    """Read a minus sign and a currency in front of a figure."""
    start = item.start
    if not start:
        return
    before = folded[start - 1]
    if before == " ":
        # Nearly every figure: an ordinary word stands before it.
        if folded[start - 2] not in CURRENCY_SIGNS and folded[start - 4 : start - 1] not in _ENDS_BEFORE:
            return
    elif before in _PLAIN_BEFORE:
        return
    if before == "-" and (start == 1 or folded[start - 2] in " (\n\t[$£€"):
        item.amounts = [-amount for amount in item.amounts]
        item.start = start - 1
    elif before == " " and folded[max(0, start - 6) : start] == "minus ":
        item.amounts = [-amount for amount in item.amounts]
        item.start = start - 6
        return
    if item.start:
        _read_currency(folded, item)


def _read_currency(folded: str, item: Pending) -> None:
    start = item.start
    gap = 1 if folded[start - 1] == " " and start > 1 else 0
    sign = folded[start - 1 - gap]
    if sign in CURRENCY_SIGNS:
        item.currency = CURRENCY_SIGNS[sign]
        item.start = start - 1 - gap
        letters = _LETTERS_BEFORE.search(folded, max(0, item.start - 4), item.start) if sign == "$" else None
        if letters:
            item.currency = DOLLARS[letters[1]]
            item.start -= len(letters[1])
    elif (sign.isalpha() and sign.isascii()) or sign == ".":
        code = _CODE_BEFORE.search(folded[max(0, start - 5) : start])
        name = {"rs": "inr", "rs.": "inr"}.get(code[1], code[1]) if code else ""
        if code and name in CURRENCY_CODES:
            item.currency = name
            item.start = start - len(code[0])


def read_tail(folded: str, item: Pending) -> None:
    """Read what follows a figure: ordinal ending, multiplier, unit, currency, half of the day."""
    end = item.end
    if end >= len(folded) or folded[end] in _PLAIN_AFTER:
        return
    if folded[end] > "\u3000" or (folded[end] == " " and folded[end + 1 : end + 2] > "\u3000"):
        _read_wide_tail(folded, item)
        return
    match = None if folded[end] == " " and _is_ordinary_word(folded, end + 1) else _WORD.match(folded, end)
    if match is None:
        return
    gap, word = match[1], match[2]
    if word not in _TAIL_WORDS:
        return
    if not gap and _read_ending(folded, item, word, match.end(2)):
        return
    if word in _HALVES_OF_DAY and _read_half_of_day(folded, item, word, match.end(2)):
        return
    if word in MULTIPLIER_WORDS or (word in MULTIPLIERS and _multiplies(item, gap, word)):
        item.multiplier *= MULTIPLIER_WORDS.get(word) or MULTIPLIERS[word]
        item.end = match.end(2)
        if item.multiplier < 10**15:
            read_tail(folded, item)
        return
    if not gap and word == "m" and not item.currency:
        # 5m is five metres, minutes or millions.
        item.readings.extend(Reading("", as_amount(amount * 10**6)) for amount in item.amounts)
    _read_unit(item, match, ATTACHED_UNITS if not gap else UNITS)


def _is_ordinary_word(folded: str, start: int) -> bool:
    """Say whether the word here can belong to no figure, which takes a third of the time of the pattern."""
    end = folded.find(" ", start)
    word = folded[start:end] if end > 0 else ""
    return word.isalpha() and word.isascii() and word not in _TAIL_WORDS


def _read_half_of_day(folded: str, item: Pending, word: str, end: int) -> bool:
    piece = _PIECE.search(folded, max(0, item.end - 5), item.end)
    if piece is None or int(piece[1]) > 24:
        return False
    item.kind = "clock"
    item.readings = clock_readings(int(piece[1]), int(piece[2] or 0), _HALVES_OF_DAY[word])
    item.end = end
    return True


def _multiplies(item: Pending, gap: str, word: str) -> bool:
    """Say whether a letter behind a figure multiplies it: 5k always, 5m and 5 m only behind a currency."""
    if item.currency:
        return gap != "-"
    return not gap and word not in ("m", "mm", "t")


def _read_ending(folded: str, item: Pending, word: str, end: int) -> bool:
    amount = item.amounts[0] if item.amounts else None
    if not isinstance(amount, int):
        return False
    if word in _ENDS_OF_ORDINALS:
        item.kind, item.amounts = "ordinal", []
        item.readings.append(Reading("ordinal", amount))
        item.end = end
        return True
    if word in ("s", "'s") or (word == "'" and folded[end : end + 1] == "s"):
        if amount % 10 == 0 and (1000 <= amount < 2200 or (20 <= amount < 100 and not item.currency)):
            decade = amount if amount >= 1000 else 1900 + amount
            item.kind, item.amounts = "decade", []
            item.readings.append(Reading("decade", decade))
            if amount < 100:
                item.readings.append(Reading("duration", amount * 1000))
            elif amount % 100 == 0:
                item.readings.append(Reading("ordinal", amount // 100 + 1))
            item.end = end
            return True
        return word == "'s"
    return False


def _read_unit(item: Pending, match: re.Match[str], units: dict[str, tuple[Unit, ...]]) -> None:
    word, second, third = match[2], match[3], match[4]
    if word in _LONG_STARTS and second:
        if third and (found := UNITS.get(f"{word} {second} {third}")):
            _take_unit(item, found, match.end(4))
            return
        if found := UNITS.get(f"{word} {second}"):
            _take_unit(item, found, match.end(3))
            return
    if found := units.get(word):
        if word == "o'clock":
            amount = item.amounts[0]
            if isinstance(amount, int) and 0 <= amount <= 24:
                item.kind, item.readings = "clock", clock_readings(amount, 0, "")
            item.end = match.end(2)
            return
        _take_unit(item, found, match.end(2))
        return
    if word in CURRENCY_SIGNS:
        if not item.currency and match[1] in ("", " "):
            item.currency = CURRENCY_SIGNS[word]
            item.end = match.end(2)
        return
    if word in QUALIFIERS and second and (found := UNITS.get(second)):
        _take_unit(item, found, match.end(3))


def _take_unit(item: Pending, units: tuple[Unit, ...], end: int) -> None:
    if not item.currency:
        item.end = end
        item.units = units
    elif item.currency in DOLLAR_CURRENCIES and units[0].dimension in DOLLAR_CURRENCIES:
        # "$5 US dollars": the words say which dollar. "$5 EUR 7" goes on with another amount.
        item.end = end
        item.currency = units[0].dimension if units[0].dimension != "dollar" else item.currency
    elif item.currency == units[0].dimension:
        item.end = end


def _read_wide_tail(folded: str, item: Pending) -> None:
    match = _WIDE_WORD.match(folded, item.end)
    if match is None:
        return
    word = match[1]
    for length in range(len(word), 0, -1):
        piece = word[:length]
        if piece in MULTIPLIER_WORDS:
            item.multiplier *= MULTIPLIER_WORDS[piece]
            item.end = match.start(1) + length
            if item.multiplier < 10**20:
                _read_lower_places(folded, item)
                read_tail(folded, item)
            return
        if piece in UNITS:
            _take_unit(item, UNITS[piece], match.start(1) + length)
            return
    if word[0] == "時" and item.amounts and isinstance(item.amounts[0], int) and item.amounts[0] <= 24:
        _read_wide_clock(folded, item, match.start(1))


_LOWER_PLACE = re.compile("([0-9]{1,4})(?:(千万|[億亿万千])(?![億亿万兆千])|(?![0-9億亿万兆千]))")


def _read_lower_places(folded: str, item: Pending) -> None:
    """Read ``1万2000`` and ``1万2千`` as 12,000, ``3億5千万`` as 350,000,000."""
    least = item.multiplier
    while place := _LOWER_PLACE.match(folded, item.end):
        step = prod(MULTIPLIER_WORDS[letter] for letter in place[2] or "")
        rest = int(place[1]) * step
        if rest >= least:
            return
        item.amounts = [amount * item.multiplier + rest for amount in item.amounts]
        item.multiplier, least = 1, step
        item.end = place.end()


_WIDE_CLOCK = re.compile("時(?:([0-9]{1,2})分|(半))?")


def _read_wide_clock(folded: str, item: Pending, place: int) -> None:
    match = _WIDE_CLOCK.match(folded, place)
    if match is None:
        return
    minute = 30 if match[2] else int(match[1] or 0)
    hour = item.amounts[0]
    before = folded[max(0, item.start - 2) : item.start]
    half = {"午前": "a", "午後": "p", "上午": "a", "下午": "p"}.get(before, "")
    if isinstance(hour, int):
        item.kind, item.readings, item.end = "clock", clock_readings(hour, minute, half), match.end()
