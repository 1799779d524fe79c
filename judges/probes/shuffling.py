"""The same sources in another order: which comes first, and what comes first in each."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from judges.protocol import CitedText
from judges.text.sentences import split_sentences

# What is broken into lines by hand is a table, a list or a poem: its lines are no sentences that stand alone.
_LINES = re.compile(r"\n[^\n]*\n|\t|\|")
_PARAGRAPH = re.compile(r"\S(?:.(?!\n[^\S\n]*\n))*+.?", re.DOTALL)
_Span = tuple[int, int]


def in_other_order(cited: Sequence[CitedText], random: Random) -> tuple[CitedText, ...]:
    """The sources from the last to the first, each with its paragraphs (or sentences) in another order."""
    moved = [shuffled(one, random) for one in reversed(cited)]
    return tuple(replace(one, order=order) for order, one in enumerate(moved, 1))


def parts_of(cited: CitedText) -> tuple[str, list[_Span]]:
    """What the text can be taken apart into and where that is: paragraphs, sentences of the only one, or nothing.

    What the cited span covers stays one part, so that it still can be pointed at.
    """
    paragraphs = [match.span() for match in _PARAGRAPH.finditer(cited.text)]
    if len(paragraphs) > 1:
        parts, name = paragraphs, "paragraphs"
    elif _LINES.search(cited.text):
        return "", []
    else:
        parts, name = [(sentence.start, sentence.end) for sentence in split_sentences(cited.text)], "sentences"
    parts = _joined(parts, cited)
    return (name, parts) if len(parts) > 1 else ("", [])


def _joined(parts: list[_Span], cited: CitedText) -> list[_Span]:
    if cited.start is None or cited.end is None:
        return parts
    start, end = cited.start, cited.end
    held = [part for part in parts if part[0] < end and start < part[1]]
    if len(held) < 2:
        return parts
    whole = (held[0][0], held[-1][1])
    return sorted([*(part for part in parts if part not in held), whole])


def shuffled(cited: CitedText, random: Random) -> CitedText:
    """The source with its parts in another order, what stands between them staying, the cited span moving along."""
    _, parts = parts_of(cited)
    if not parts:
        return cited
    order = list(range(len(parts)))
    random.shuffle(order)
    if order == sorted(order):
        order.reverse()
    text, pieces, span = cited.text, [cited.text[: parts[0][0]]], (cited.start, cited.end)
    length = len(pieces[0])
    for place, number in enumerate(order):
        start, end = parts[number]
        if cited.start is not None and cited.end is not None and start <= cited.start < end:
            span = (length + cited.start - start, length + min(cited.end, end) - start)
        gap_end = parts[place + 1][0] if place + 1 < len(parts) else len(text)
        pieces += [text[start:end], text[parts[place][1] : gap_end]]
        length += len(pieces[-1]) + len(pieces[-2])
    return replace(cited, text="".join(pieces), start=span[0], end=span[1])
