"""Sources as windows of a few sentences, and the windows that are worth a model's time for one claim."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from judges.protocol import CitedText
from judges.text.ranking import KeywordIndex, rank, ranking_terms
from judges.text.sentences import split_sentences

# A "sentence" beyond this many characters is a table or a text without marks; it is cut before it is ranked, so that the
# ranker tells its parts apart.
_LONGEST_SENTENCE = 1_000
# Parts of such a sentence share this many characters, so that what a cut goes through stands whole in one of them.
_SHARED = 100
_LONGEST_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class Window:
    """A passage of one cited source: ``text`` is ``source[start:end]``, verbatim."""

    order: int
    source_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The windows chosen for one claim, best first, and how many there were to choose from."""

    chosen: tuple[Window, ...]
    available: int


@dataclass(frozen=True, slots=True)
class _Indexed:
    spans: tuple[tuple[int, int], ...]
    keywords: KeywordIndex


def select_windows(
    cited: Sequence[CitedText],
    hypothesis: str,
    *,
    sizes: tuple[int, ...],
    overlap: int,
    best: int,
    ranker: str,
) -> Selection:
    """Choose the windows of the cited sources that a model should read for this hypothesis.

    With the ranker ``keywords`` those that share content words with it come first, by BM25 over all sources together; where
    fewer than ``best`` do, the others follow in reading order, since a support in other words shares none. With ``all``
    every window is chosen, in reading order.
    """
    indexed = [_index(one.text, sizes, overlap) for one in cited]
    everything = [(place, number) for place, one in enumerate(indexed) for number in range(len(one.spans))]
    order = everything
    if ranker == "keywords":
        ranked = rank([one.keywords for one in indexed], ranking_terms(hypothesis))
        if len(ranked) < best:
            seen = set(ranked)
            ranked += [key for key in everything if key not in seen]
        order = ranked[:best]
    chosen = []
    for place, number in order:
        start, end = indexed[place].spans[number]
        one = cited[place]
        chosen.append(Window(one.order, one.source_id, start, end, one.text[start:end]))
    return Selection(tuple(chosen), len(everything))


def window_spans(text: str, *, sizes: Sequence[int], overlap: int) -> tuple[tuple[int, int], ...]:
    """Give the windows of a text as spans, in reading order, each span once.

    Every sentence lies in a window of each size; the last window of a size ends with the text.
    """
    units = list(_units(text))
    spans: dict[tuple[int, int], None] = {}
    for size in sizes:
        step = max(1, size - overlap)
        last = max(0, len(units) - size)
        for first in (*range(0, last, step), last) if units else ():
            window = units[first : first + size]
            spans[(window[0][0], window[-1][1])] = None
    return tuple(sorted(spans))


def _units(text: str) -> Iterator[tuple[int, int]]:
    for sentence in split_sentences(text):
        if sentence.end - sentence.start <= _LONGEST_SENTENCE:
            yield sentence.start, sentence.end
        else:
            yield from cut(text, sentence.start, sentence.end, longest=_LONGEST_SENTENCE, shared=_SHARED)


def cut(text: str, start: int, end: int, *, longest: int, shared: int) -> Iterator[tuple[int, int]]:
    """Cut ``text[start:end]`` into spans of at most ``longest`` characters, at white space where there is some.

    Each span begins about ``shared`` characters before the one before it ends; together they hold every character that
    is not white space at a cut.
    """
    place = start
    while end - place > longest:
        stop = _last_space(text, place + longest // 2, place + longest)
        yield place, stop
        back = _last_space(text, max(place + 1, stop - 2 * shared), max(place + 1, stop - shared))
        place = _skip_space(text, back, end)
    if place < end:
        yield place, end


def _last_space(text: str, low: int, high: int) -> int:
    """The last white space in ``text[low:high]``; ``high`` in a script that has none."""
    place = high
    while place > low:
        if text[place - 1].isspace():
            return place - 1
        place -= 1
    return high


def _skip_space(text: str, place: int, end: int) -> int:
    while place < end and text[place].isspace():
        place += 1
    return place


def _build(text: str, sizes: tuple[int, ...], overlap: int) -> _Indexed:
    spans = window_spans(text, sizes=sizes, overlap=overlap)
    return _Indexed(spans, KeywordIndex(ranking_terms(text[start:end]) for start, end in spans))


_kept = lru_cache(maxsize=128)(_build)


def _index(text: str, sizes: tuple[int, ...], overlap: int) -> _Indexed:
    return _kept(text, sizes, overlap) if len(text) <= _LONGEST_KEPT else _build(text, sizes, overlap)
