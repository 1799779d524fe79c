"""Citation markers in an answer: ``[1]``, ``[1, 3]``, ``[2-4]``, ``[^1]``, ``【1】``."""

import re
from bisect import bisect_right
from dataclasses import dataclass

_NUMBERS = r"\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,20}"
_MARKER = re.compile(rf"\[(?P<square>{_NUMBERS})\](?!\()|【(?P<wide>\d{{1,3}})(?:[†:][^】\n]{{0,80}})?】")
_RANGE = re.compile(r"(\d+)\s?[–-]\s?(\d+)")
_LONGEST_RANGE = 20


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its markers.

    Attributes
    ----------
    text : str
        What is left; spaces before a marker went with it.
    markers : tuple of (int, tuple of int)
        For each marker its place in ``text``, which is that of the character after it, and its numbers.
    """

    text: str
    markers: tuple[tuple[int, tuple[int, ...]], ...]
    cuts: tuple[tuple[int, int], ...]

    def original(self, place: int) -> int:
        """The place in the text with its markers; where a marker was cut out, the place before it."""
        index = bisect_right(self.cuts, place, key=lambda cut: cut[0]) - 1
        while index >= 0 and self.cuts[index][0] == place:
            index -= 1
        return place + (self.cuts[index][1] if index >= 0 else 0)

    def numbers(self, start: int, end: int) -> tuple[int, ...]:
        """The numbers of the markers that stand behind a character of ``text[start:end]``, each once, in order."""
        found = (number for place, numbers in self.markers if start < place <= end for number in numbers)
        return tuple(dict.fromkeys(found))


def without_markers(text: str) -> Marked:
    """Take the citation markers out of a text, and remember where they stood and what they said."""
    parts: list[str] = []
    markers: list[tuple[int, tuple[int, ...]]] = []
    cuts: list[tuple[int, int]] = []
    done, length, removed = 0, 0, 0
    for match in _MARKER.finditer(text):
        kept = text[done : match.start()].rstrip(" \t")
        if not kept and parts:
            kept = text[done : match.start()] if text[done : match.start()].strip() else ""
        parts.append(kept)
        length += len(kept)
        removed += (match.start() - done - len(kept)) + len(match[0])
        markers.append((length, _numbers(match["square"] or match["wide"])))
        cuts.append((length, removed))
        done = match.end()
    parts.append(text[done:])
    return Marked("".join(parts), tuple(markers), tuple(cuts))


def _numbers(inside: str) -> tuple[int, ...]:
    found: list[int] = []
    for piece in re.split(r"[,;]", inside.replace("^", "")):
        span = _RANGE.search(piece)
        if span and 0 < int(span[2]) - int(span[1]) <= _LONGEST_RANGE:
            found.extend(range(int(span[1]), int(span[2]) + 1))
        else:
            found.extend(int(number) for number in re.findall(r"\d+", piece))
    return tuple(dict.fromkeys(found))
