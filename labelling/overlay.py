"""Laying several people's spans over one text, so that overlaps stay visible. Pure: offsets in, pieces out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from labelling.text.paragraphs import stretches


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text, in code points with the end exclusive, and whose it is."""

    start: int
    end: int
    mark: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch over which the same marks hold; `starts` names the marks that begin with it."""

    text: str
    marks: tuple[str, ...]
    starts: tuple[str, ...]


def overlay(text: str, spans: Sequence[Span]) -> list[list[Piece]]:
    """Cut a text into its lines, very long ones in several, and each line into pieces at every start and end of a span.

    Spans may overlap, touch, repeat and run over line ends. What lies outside the text is ignored. Blank lines are left
    out, and so are line ends; every other character appears in exactly one piece, in order.
    """
    lines = []
    shown_until = 0
    for start, end in _lines(text):
        near = [span for span in spans if span.start < end and span.end > start]
        # A span may begin in what is not shown, the line ends and blank lines before: it is seen from here on.
        begins = {span: start if shown_until <= span.start < start else span.start for span in near}
        cuts = sorted({start, end, *(at for span in near for at in (span.start, span.end) if start < at < end)})
        lines.append(
            [
                Piece(
                    text[a:b],
                    tuple(dict.fromkeys(span.mark for span in near if span.start <= a and span.end >= b)),
                    tuple(dict.fromkeys(span.mark for span in near if begins[span] == a)),
                )
                for a, b in pairwise(cuts)
            ]
        )
        shown_until = end
    return lines


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        shown = line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
        if shown.strip():
            yield from stretches(text, start, start + len(shown))
        start += len(line)
