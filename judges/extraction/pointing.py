"""What a citation marker points at: a place among the sources that the answer retrieved, or a source of that id."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

BY_PLACE, BY_ID, NOWHERE = "place", "id", ""


@dataclass(frozen=True, slots=True)
class Pointed:
    """One marker's number, the id of the source that it stands for, and how that was found; no id where nothing was."""

    number: int
    source: str
    how: str


def point(number: int, *, retrieved: Sequence[str], known: Collection[str]) -> Pointed:
    """``[3]`` is the third of the retrieved sources; where there is none, the source whose id is ``3``.

    Examples
    --------
    >>> point(2, retrieved=["a", "b"], known={"a", "b", "7"})
    Pointed(number=2, source='b', how='place')
    >>> point(7, retrieved=["a", "b"], known={"a", "b", "7"}).how
    'id'
    >>> point(3, retrieved=["a", "b"], known={"a", "b"}).source
    ''
    """
    if 1 <= number <= len(retrieved) and retrieved[number - 1] in known:
        return Pointed(number, retrieved[number - 1], BY_PLACE)
    if str(number) in known:
        return Pointed(number, str(number), BY_ID)
    return Pointed(number, "", NOWHERE)
