"""A claim as the checks read it, once for all of them."""

from functools import lru_cache

from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.text.folding import fold
from judges.text.words import word_set


class ClaimReading:
    """What the checks ask of the text of a claim. Values are read on first use.

    Attributes
    ----------
    folded : str
        The text with case, digits, dashes, quotes and spaces folded, offset by offset.
    words : frozenset of str
        The folded words.
    """

    __slots__ = ("_values", "folded", "words")

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        self.words = word_set(self.folded)
        # Not a cached property, whose lock costs more than the reading of a claim without figures.
        self._values: tuple[Value, ...] | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """Its figures, dates and amounts, in their order."""
        if self._values is None:
            self._values = tuple(read_values(self.folded, self.words))
        return self._values


@lru_cache(maxsize=64)
def read_claim(text: str) -> ClaimReading:
    """Read a claim; checks that look at the same one after another share the work."""
    return ClaimReading(text)
