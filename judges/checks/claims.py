"""A claim as the checks read it, once for all of them."""

from functools import cached_property, lru_cache

from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.text.folding import fold
from judges.text.words import word_set


class ClaimReading:
    """What the checks ask of the text of a claim. Each part is made on first use."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The folded words."""
        return word_set(self.folded)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its figures, dates and amounts, in their order."""
        return tuple(read_values(self.folded, self.words))


@lru_cache(maxsize=64)
def read_claim(text: str) -> ClaimReading:
    """Read a claim; checks that look at the same one after another share the work."""
    return ClaimReading(text)
