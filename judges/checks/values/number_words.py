"""English number words, and the figures of Japanese and Chinese."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from judges.checks.values.amounts import Amount, as_amount


def _numbered(words: str, start: int, step: int = 1) -> dict[str, int]:
    return {word: start + step * place for place, word in enumerate(words.split())}


SMALL_WORDS = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    0,
)
TENS_WORDS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
SCALE_WORDS = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1_000,
    "lakh": 100_000,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
}
ORDINAL_WORDS = {
    **_numbered(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth",
        1,
    ),
    **_numbered("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", 20, 10),
}
PLAIN_WORDS = {**SMALL_WORDS, **TENS_WORDS}

# A phrase of number words begins with one of these, or with "a" before a scale word, or with "half".
STARTING_WORDS = frozenset({*PLAIN_WORDS, *SCALE_WORDS, *ORDINAL_WORDS})


class WordNumber(NamedTuple):
    """The number that a phrase says, and how many of its words it takes."""

    amount: Amount
    ordinal: bool
    used: int


def read_number_words(words: Sequence[str]) -> WordNumber | None:
    """Read ``two hundred and five``, ``twenty-first``, ``a million``, ``two and a half``.

    Reads as far as the words make one number, so that ``five three`` is read as 5.

    Parameters
    ----------
    words : sequence of str
        Lower-case words; hyphens already parted.

    Returns
    -------
    WordNumber or None
        ``None`` where the first word starts no number.
    """
    total = 0  # closed groups: thousands, millions
    group = 0  # the group being read, under a thousand
    limit = 1_000  # a plain word that follows must be smaller
    scale = 10**15  # a scale word that follows must be smaller
    used = 0
    index = 0
    if words and words[0] in ("a", "an") and len(words) > 1 and words[1] in SCALE_WORDS:
        group, limit, index = 1, 0, 1
    while index < len(words):
        word = words[index]
        plain = PLAIN_WORDS.get(word)
        if plain is not None and plain < limit and (plain or not used):
            group += plain
            limit = 10 if word in TENS_WORDS else 0
        elif word == "hundred" and 0 < group < 100:
            group *= 100
            limit = 100
        elif word != "hundred" and group and SCALE_WORDS.get(word, scale) < scale:
            scale = SCALE_WORDS[word]
            total, group, limit = total + group * scale, 0, min(scale, 1_000)
        elif word in ORDINAL_WORDS and ORDINAL_WORDS[word] < limit:
            return WordNumber(total + group + ORDINAL_WORDS[word], ordinal=True, used=index + 1)
        elif word == "and" and used:
            if list(words[index + 1 : index + 3]) == ["a", "half"]:
                return _with_half(words, index, total + group)
            following = words[index + 1] if index + 1 < len(words) else ""
            # Only a hundred or a thousand takes "and"; "five and six" is two numbers.
            if limit < 100 or {**PLAIN_WORDS, **ORDINAL_WORDS}.get(following, limit) >= min(limit, 100):
                break
            index += 1
            continue
        else:
            break
        index += 1
        used = index
    return WordNumber(total + group, ordinal=False, used=used) if used else None


def _with_half(words: Sequence[str], index: int, whole: int) -> WordNumber:
    amount: Amount = Decimal(whole) + Decimal("0.5")
    used = index + 3
    if used < len(words) and words[used] in SCALE_WORDS:
        amount *= SCALE_WORDS[words[used]]
        used += 1
    return WordNumber(as_amount(amount), ordinal=False, used=used)


_HAN_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")}
_HAN_SMALL = {"十": 10, "百": 100, "千": 1_000}
HAN_SCALES = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}

# A figure is told from the same characters in ordinary words (一緒, 十分) by the counter behind it.
HAN_NUMBER = re.compile(
    "[〇一二三四五六七八九十百千万億亿兆]{1,16}"
    "(?=人|名|つ|匹|頭|羽|本|枚|個|台|冊|杯|回|度|階|歳|才|年|月|日|時|分(?!の)|秒|週|か月|ヶ月|カ月|円|元|％|%|パーセント|倍|割"
    "|件|社|校|か国|カ国|ヶ国|番|位|次|世|组|只|个|位|岁|天)"
)


def read_han_number(text: str) -> int | None:
    """Read figures such as ``二十五``, ``三千``, ``二〇二六`` or ``一億二千万``; ``None`` where they make no number."""
    if all(character in _HAN_DIGITS for character in text):
        return int("".join(str(_HAN_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _HAN_DIGITS:
            if digit:
                return None
            digit = _HAN_DIGITS[character]
        elif character in _HAN_SMALL:
            section += (digit or 1) * _HAN_SMALL[character]
            digit = 0
        else:
            total += (section + digit or 1) * HAN_SCALES[character]
            section = digit = 0
    return total + section + digit
