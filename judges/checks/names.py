"""Proper nouns of a claim, and whether a source has them.

A name is told by its capital letters, so this works for scripts that have any and for languages that do not
capitalise common nouns.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from judges.checks.source_names import initialisms, without_accents
from judges.checks.sources import SourceIndex
from judges.checks.values.dates import MONTHS
from judges.checks.values.number_words import STARTING_WORDS
from judges.checks.values.units import UNITS
from judges.text.folding import fold
from judges.text.words import STOP_WORDS

# Capital letters of the scripts that have them.
_CAPITALS = "A-Z" + "".join(
    chr(code) for first, last in ((0xC0, 0x590), (0x1E00, 0x2000)) for code in range(first, last) if chr(code).isupper()
)
# Found from its capital on, which is quick; what stands before the capital in the same word is added.
_TOKEN = re.compile(rf"[{_CAPITALS}][^\W_]*+(?:[-'’.&][^\W_]++)*+(?:\.(?=\s?[a-z,]))?")
_SHAPE = re.compile(f"[{_CAPITALS}0-9]")
_SENTENCE_BREAK = re.compile(r"(?:^|[.!?:;…]\s|\n|[“\"«„(\[]|\s[-–—]\s|^[-*•]\s)\s*[\"“«„(\[]?$")
_GERMAN = frozenset("der die das und ist ein eine nicht den dem mit für von auf werden wird sich".split())  # noqa: SIM905

# Capitalised words that name nothing by themselves: the first person, forms of address, offices, and what begins
# sentences so often that its capital tells nothing.
_NOT_NAMES = (
    frozenset(
        """
    i mr mrs ms miss dr sir prof professor president prime minister king queen prince princess lord lady captain chief
    actor actress singer director author writer player coach manager former police officers residents customers
    scientists researchers according however although though while despite because since both many most some several
    yes no please also first last next later today yesterday tomorrow there overall additionally moreover furthermore
    therefore thus finally instead meanwhile currently recently usually note see ok am pm ad bc ce bce vs
    earth sun moon internet
    striker midfielder defender winger goalkeeper boss
    """.split()  # noqa: SIM905
    )
    | STOP_WORDS
)
_WEEKDAYS = {
    "monday": "mon",
    "tuesday": "tue",
    "wednesday": "wed",
    "thursday": "thu",
    "friday": "fri",
    "saturday": "sat",
    "sunday": "sun",
}
# Names that do not share their beginning; each line is one place or body.
_SAME: tuple[tuple[str, ...], ...] = (
    ("us", "u.s", "usa", "u.s.a", "united states", "america", "american", "americans"),
    ("uk", "u.k", "united kingdom", "britain", "british", "great britain", "briton", "britons"),
    ("eu", "e.u", "european union"),
    ("un", "u.n", "united nations"),
    ("france", "french"),
    ("spain", "spanish", "spaniard", "spaniards"),
    ("netherlands", "dutch", "holland"),
    ("germany", "german", "germans"),
    ("wales", "welsh"),
    ("scotland", "scottish", "scots", "scot"),
    ("ireland", "irish"),
    ("england", "english"),
    ("poland", "polish", "poles"),
    ("sweden", "swedish", "swedes"),
    ("denmark", "danish", "danes"),
    ("finland", "finnish", "finns"),
    ("turkey", "turkish", "turks", "türkiye"),
    ("greece", "greek", "greeks"),
    ("switzerland", "swiss"),
    ("norway", "norwegian"),
    ("portugal", "portuguese"),
    ("iceland", "icelandic"),
    ("philippines", "filipino", "filipinos"),
    ("peru", "peruvian"),
    ("new york", "ny", "n.y", "nyc"),
    ("los angeles", "la", "l.a"),
    ("washington", "d.c", "dc"),
    ("co2", "carbon dioxide"),
    ("covid-19", "covid", "coronavirus", "sars-cov-2", "2019-ncov"),
)
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    name: tuple(other for other in line if other != name) for line in _SAME for name in line
}
_DEMONYM_ENDINGS = ("istan", "n", "ns", "ese", "ish", "i", "is", "ic", "ean", "ite", "ites", "s", "ism", "ist", "ists")
_LONG_DEMONYM_ENDINGS = ("ian", "ean", "ans", "ese", "ish", "ans")
_OTHER_WORDS = frozenset({*MONTHS, *STARTING_WORDS, *UNITS})
_ROMAN = re.compile("[IVX]{1,7}")


class Name(NamedTuple):
    """A proper noun, or one word of it, as a claim has it."""

    start: int
    end: int
    text: str
    """As written."""
    folded: str
    sequence: str
    """The whole run of capitalised words that it belongs to, as written."""
    open: bool = False
    """Whether it may be an ordinary word that begins a sentence, as in "Ask Ann Lee"."""


def read_names(text: str, words: frozenset[str]) -> list[Name]:
    """Read the proper nouns of a claim, word by word.

    A word that begins a sentence counts where it has a capital or a digit inside, and as an open one where another
    capitalised word follows. A text in title case or in capitals, or a German one, has
    none, since its capitals tell nothing.

    Parameters
    ----------
    text : str
        The claim.
    words : frozenset of str
        Its folded words.

    """
    if text[1:].islower() and text.split(" ", 1)[0].isalpha():
        # The usual claim: its only capital begins the sentence.
        return []
    spans = [_whole_word(text, match) for match in _TOKEN.finditer(text)]
    if not spans or _capitals_mean_nothing(text, len(spans), words):
        return []
    names: list[Name] = []
    explained = initialisms(text) if "(" in text else frozenset()
    index = 0
    while index < len(spans):
        last = index
        while last + 1 < len(spans) and text[spans[last][1] : spans[last + 1][0]] in (" ", " & "):
            last += 1
        sequence = text[spans[index][0] : spans[last][1]]
        for place in range(index, last + 1):
            start, end = spans[place]
            word = _strip_possessive(text[start:end])
            folded = fold(word)
            if folded in _NOT_NAMES or not _is_name(word, folded):
                continue
            begins = place == index and _begins_sentence(text, start) and not _SHAPE.search(word, 1)
            if begins and index == last:
                continue
            if explained and (folded.removesuffix("s") in explained or folded in explained):
                # "World Health Organization (WHO)": its words are looked for already.
                continue
            names.append(Name(start, start + len(word), word, folded, sequence, begins))
        index = last + 1
    return names


def _whole_word(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Give the span of a word with what stands before its first capital, as in iPhone."""
    start = match.start()
    while start and text[start - 1].isalnum():
        start -= 1
    return start, match.end()


def _strip_possessive(word: str) -> str:
    word = word.rstrip(".")
    if word[-2:] in ("'s", "’s"):
        return word[:-2]
    return word


def _is_name(word: str, folded: str) -> bool:
    if len(word) < 2 or word[0].isdigit() or folded in _OTHER_WORDS or _ROMAN.fullmatch(word):
        # 18th, 5PM and 3D are figures.
        return False
    return "'" not in folded or folded.split("'", maxsplit=1)[0] not in _NOT_NAMES


def _begins_sentence(text: str, start: int) -> bool:
    return start == 0 or _SENTENCE_BREAK.search(text, max(0, start - 6), start) is not None


def _capitals_mean_nothing(text: str, count: int, words: frozenset[str]) -> bool:
    total = text.count(" ") + 1
    if total > 3 and count > 0.7 * total:
        return True
    return count > 1 and len(words & _GERMAN) > 1


def has_name(name: Name, sources: Sequence[SourceIndex]) -> bool:
    """Say whether any of the sources has the name, in this or another usual form."""
    folded = name.folded
    for source in sources:
        if folded in source.words:
            return True
    if name.open and not _has_other_before(name, sources):
        return True
    return any(_has_variant(name, source) for source in sources) or _has_initials(name, sources)


def _has_other_before(name: Name, sources: Sequence[SourceIndex]) -> bool:
    """Say whether a source has the rest of an open name behind another word: "Bo Lee" where it has "Ann Lee"."""
    following = fold(name.sequence).split()[1]
    return any(following in words and len(words - _NOT_NAMES) > 1 for source in sources for _, words in source.names)


def _has_variant(name: Name, source: SourceIndex) -> bool:
    word = name.folded
    if not word.isalnum():
        if _stands_in(word, source.folded):
            return True
        parts = [part for part in re.split(r"[-'.&]", word) if part]
        joined = "".join(parts)
        if joined in source.words:
            return True
        long_parts = [part for part in parts if len(part) > 1]
        if long_parts and all(part in source.words or _has_form(part, source) for part in long_parts):
            return True
    if any(character.isdigit() for character in word) and _has_reference(word, source):
        return True
    if _has_form(word, source):
        return True
    return any(_stands_in(other, source.folded) for other in _OTHER_NAMES.get(word, ()))


def _has_form(word: str, source: SourceIndex) -> bool:
    """Look for another form of the word: plural, possessive, adjective of a country, without accents."""
    words = source.words
    if (
        word + "s" in words
        or (word.endswith("s") and word[:-1] in words)
        or (word.endswith("es") and word[:-2] in words)
    ):
        return True
    if word in _WEEKDAYS and _WEEKDAYS[word] in words:
        return True
    plain = without_accents(word)
    if plain != word and plain in words:
        return True
    if not source.folded.isascii() and plain in source.plain_words:
        return True
    if len(word) < 4:
        return False
    cut = 3 if word.endswith(_LONG_DEMONYM_ENDINGS) else 5 if word.endswith("istan") else 2
    return _has_demonym(word, word[: max(4, len(word) - cut)], source.folded)


def _has_demonym(word: str, root: str, folded: str) -> bool:
    place = folded.find(root)
    tries = 0
    while place >= 0 and tries < 20:
        tries += 1
        if place == 0 or not folded[place - 1].isalnum():
            end = place + len(root)
            while end < len(folded) and folded[end].isalpha():
                end += 1
            other = folded[place:end]
            longer, shorter = (word, other) if len(word) > len(other) else (other, word)
            if (
                len(longer) - len(shorter) <= 5
                and longer.endswith(_DEMONYM_ENDINGS)
                and not longer.endswith(("son", "sen", "ton"))
            ):
                return True
        place = folded.find(root, place + 1)
    return False


def _has_reference(word: str, source: SourceIndex) -> bool:
    """Look for letters and digits whatever stands between them: COVID-19, Covid 19, covid19."""
    runs = re.findall(r"[^\W\d_]+|\d+", word)
    return any(_stands_in(gap.join(runs), source.folded) for gap in ("", "-", " "))


def _has_initials(name: Name, sources: Sequence[SourceIndex]) -> bool:
    """Look for an acronym's words, or for the acronym of a run of words."""
    text = name.text.replace(".", "")
    if text[-1] == "s" and text[:-1].isupper():
        text = text[:-1]
    if text.isupper() and 2 <= len(text) <= 6 and text.isalpha():
        wanted = text.lower()
        if any(wanted in source.initialisms for source in sources):
            return True
    parts = [word for word in name.sequence.split() if word[0].isupper()]
    if len(parts) >= 2:
        initials = "".join(word[0] for word in parts).lower()
        return any(initials in source.words for source in sources)
    return False


def _stands_in(piece: str, folded: str) -> bool:
    place = folded.find(piece)
    while place >= 0:
        end = place + len(piece)
        if not (place and folded[place - 1].isalnum()) and not folded[end : end + 1].isalnum():
            return True
        place = folded.find(piece, place + 1)
    return False


def nearest_name(name: Name, sources: Iterable[SourceIndex]) -> str:
    """Give the name of a source that shares most with the missing one, or an empty string.

    Other words of the same run count first (another first name), then the spelling (Stephenson, Stevenson).
    """
    wanted = frozenset(fold(name.sequence).split()) - STOP_WORDS
    pairs = _pairs(name.folded)
    best, most = "", 0.5
    for source in sources:
        for run, words in source.names:
            shared = len(wanted & words)
            likeness = max((_dice(pairs, _pairs(word)) for word in words), default=0.0)
            score = shared + likeness
            if score > most:
                best, most = run, score
    return best


@lru_cache(maxsize=4096)
def _pairs(word: str) -> frozenset[str]:
    return frozenset(word[place : place + 2] for place in range(len(word) - 1))


def _dice(first: frozenset[str], second: frozenset[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0
