"""Whether a text is English enough to be changed by rules of English grammar."""

from judges.text.folding import fold
from judges.text.words import word_set

_ENGLISH = frozenset("the of and is are was were has have had that with by from which their its".split())  # noqa: SIM905
_OTHERS = frozenset(
    "der das und ist nicht ein eine von mit le les des est une dans pour el los del es una il che di het een van niet".split()  # noqa: SIM905
)


def is_english(text: str) -> bool:
    """Say whether a text has words of English grammar, and more of them than of its neighbours."""
    words = word_set(fold(text))
    return len(words & _ENGLISH) > len(words & _OTHERS)
