"""A source cut into the lines that a page shows, each with its place, so that offsets survive the browser.

Line ends stay out of what is shown: a browser turns CRLF into one character, and every offset behind it would be off.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_LINE_END = re.compile(r"\r\n|\n|\r")
# A browser lays a paragraph out as a whole: one of 200,000 characters takes it seconds, a hundred of these no time.
LONGEST_LINE = 2_000
_SENTENCE_END = re.compile(r"[.!?…。！？؟][\"'”’»)\]]*\s+|[。！？]")
_JOINER = "\u200d"
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a paragraph, marked as cited or not."""

    text: str
    cited: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of a source that is not blank, or a stretch of one that is very long.

    `start` is its place in code points; `apart` says that blank lines stand before it.
    """

    start: int
    pieces: tuple[Piece, ...]
    apart: bool


@dataclass(slots=True)
class _Cursor:
    spans: Sequence[tuple[int, int]]
    at: int = field(default=0)


def paragraphs(text: str, cited: Iterable[tuple[int, int]] = ()) -> list[Paragraph]:
    """The lines of the text, blank ones left out and very long ones cut, with the cited spans marked inside them."""
    cursor = _Cursor(_merged(cited))
    found: list[Paragraph] = []
    start, blank = 0, False
    for end, following in [*(match.span() for match in _LINE_END.finditer(text)), (len(text), len(text))]:
        if text[start:end].strip():
            for left, right in stretches(text, start, end):
                found.append(Paragraph(left, tuple(_pieces(text[left:right], left, cursor)), apart=blank))
                blank = False
        else:
            blank = True
        start = following
    return found


def stretches(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """A line cut behind sentences, or else behind words, wherever it is longer than a browser takes lightly."""
    while end - start > LONGEST_LINE:
        cut = start + LONGEST_LINE
        for boundary in (_SENTENCE_END, _BLANKS):
            # Half a stretch is searched, so that no stretch becomes a crumb.
            ends = [match.end() for match in boundary.finditer(text, start + LONGEST_LINE // 2, cut)]
            if ends:
                cut = ends[-1]
                break
        else:
            while cut < end and (unicodedata.category(text[cut])[0] in "MC" or text[cut - 1] == _JOINER):
                cut += 1
        yield start, cut
        start = cut
    if start < end:
        yield start, end


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
