"""A claim as the checks read it, once for all of them."""

from functools import lru_cache
from typing import NamedTuple

from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.text.folding import fold
from judges.text.words import word_set


class ClaimReading(NamedTuple):
    """The folded text of a claim, offset by offset, with its words and values."""

    folded: str
    words: frozenset[str]
    values: tuple[Value, ...]


@lru_cache(maxsize=64)
def read_claim(text: str) -> ClaimReading:
    """Read a claim; checks that look at the same one after another share the work."""
    folded = fold(text)
    words = word_set(folded)
    return ClaimReading(folded, words, tuple(read_values(folded, words)))
