"""What a source has in the way of names, found once per source."""

import re
import unicodedata
from collections.abc import Iterable

from judges.text.folding import fold
from judges.text.words import STOP_WORDS

_CAPITAL_RUN = re.compile(r"[A-Z][\w-]*+(?: (?:(?:of|the|for|and|on|in|de|la|&) ){0,2}[A-Z][\w-]*+){1,7}")
_NAME_RUN = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w'’-]*+(?: [^\W\d_a-zß-öø-ÿ][\w'’-]*+){0,5}")
_MOST_NAMES = 400


def initialisms(text: str) -> frozenset[str]:
    """Give, in lower case, the acronyms that the runs of capitalised words in a text could have."""
    found: set[str] = set()
    for run in _CAPITAL_RUN.finditer(text):
        letters = [word[0].lower() for word in run[0].replace("-", " ").split() if word[0].isupper()][:12]
        for start in range(len(letters)):
            found.update("".join(letters[start:end]) for end in range(start + 2, len(letters) + 1))
    return frozenset(found)


def plain_words(words: Iterable[str]) -> frozenset[str]:
    """Give the words that have accents, without them."""
    return frozenset(without_accents(word) for word in words if not word.isascii())


def without_accents(word: str) -> str:
    """Give a word with its accents taken off."""
    if word.isascii():
        return word
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def name_runs(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Give the runs of capitalised words of a text, each once, with its folded content words."""
    runs: dict[str, frozenset[str]] = {}
    for match in _NAME_RUN.finditer(text):
        words = frozenset(fold(match[0]).split()) - STOP_WORDS
        if words and len(match[0]) > 2:
            runs.setdefault(match[0], words)
        if len(runs) >= _MOST_NAMES:
            break
    return tuple(runs.items())
