"""A source cut into the lines that a page shows, each with its place, so that offsets survive the browser.

Line ends stay out of what is shown: a browser turns CRLF into one character, and every offset behind it would be off.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a paragraph, marked as cited or not."""

    text: str
    cited: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One line of a source that is not blank: where it starts, in code points, and whether blank lines stand before."""

    start: int
    pieces: tuple[Piece, ...]
    apart: bool


@dataclass(slots=True)
class _Cursor:
    spans: Sequence[tuple[int, int]]
    at: int = field(default=0)


def paragraphs(text: str, cited: Iterable[tuple[int, int]] = ()) -> list[Paragraph]:
    """The lines of the text, blank ones left out, with the cited spans marked inside them."""
    cursor = _Cursor(_merged(cited))
    found: list[Paragraph] = []
    start, blank = 0, False
    for end, following in [*(match.span() for match in _LINE_END.finditer(text)), (len(text), len(text))]:
        line = text[start:end]
        if line.strip():
            found.append(Paragraph(start, tuple(_pieces(line, start, cursor)), apart=blank))
            blank = False
        else:
            blank = True
        start = following
    return found


def _pieces(line: str, start: int, cursor: _Cursor) -> Iterable[Piece]:
    end = start + len(line)
    while cursor.at < len(cursor.spans) and cursor.spans[cursor.at][1] <= start:
        cursor.at += 1
    here = start
    for left, right in cursor.spans[cursor.at :]:
        if left >= end:
            break
        left, right = max(left, here), min(right, end)  # noqa: PLW2901
        if left > here:
            yield Piece(line[here - start : left - start], cited=False)
        yield Piece(line[left - start : right - start], cited=True)
        here = right
    if here < end:
        yield Piece(line[here - start :], cited=False)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
