"""The text of an answer cut into pieces, those marked that a draft claim was taken from."""

from dataclasses import dataclass
from itertools import pairwise

from judges.extraction.drafting import Drafts, standing


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; ``taken`` where a claim comes from it, and the places of the claims whose stretch ends here."""

    text: str
    taken: bool
    ends: tuple[int, ...] = ()


def pieces(text: str, drafts: Drafts) -> list[Piece]:
    """Cut a text at the ends of all stretches; the numbers count the drafts that stand, from 1.

    Examples
    --------
    >>> pieces("no drafts", ())
    [Piece(text='no drafts', taken=False, ends=())]
    """
    spans = [
        (draft.start, min(draft.end, len(text)), number)
        for number, draft in enumerate(standing(drafts), 1)
        if draft.start is not None and draft.end is not None and draft.start < min(draft.end, len(text))
    ]
    cuts = sorted({0, len(text), *(place for start, end, _ in spans for place in (start, end))})
    return [
        Piece(
            text[low:high],
            taken=any(start <= low and high <= end for start, end, _ in spans),
            ends=tuple(number for _, end, number in spans if end == high),
        )
        for low, high in pairwise(cuts)
    ]
