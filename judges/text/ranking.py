"""Passages ranked for a claim by BM25 over content words (Robertson and Zaragoza, 2009; k1 = 1.2, b = 0.75)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from judges.text.folding import fold
from judges.text.words import content_terms, stem

_K1, _B = 1.2, 0.75


def ranking_terms(text: str) -> list[str]:
    """Give the content words of a text by which passages are ranked, folded and stemmed, repeats kept."""
    return [stem(term) for term in content_terms(fold(text))]


class KeywordIndex:
    """The passages of one source by their terms: each given as its terms, or as how often it has each of them."""

    def __init__(self, passages: Iterable[Sequence[str] | Mapping[str, int]]) -> None:
        self.lengths: list[int] = []
        self.postings: dict[str, list[tuple[int, int]]] = {}
        for number, terms in enumerate(passages):
            counts = terms if isinstance(terms, Mapping) else Counter(terms)
            self.lengths.append(sum(counts.values()))
            for term, frequency in counts.items():
                self.postings.setdefault(term, []).append((number, frequency))


def rank(indexes: Sequence[KeywordIndex], terms: Iterable[str]) -> list[tuple[int, int]]:
    """Rank the passages of several sources together; a term is as rare as it is in all of them.

    Returns
    -------
    list of (int, int)
        Place of the index and of the passage in it, best first, equals in the order given; only passages that share a
        term are there.
    """
    count = sum(len(index.lengths) for index in indexes)
    mean = sum(sum(index.lengths) for index in indexes) / count if count else 0.0
    scores: dict[tuple[int, int], float] = {}
    for term in dict.fromkeys(terms):
        found = [
            (place, number, frequency)
            for place, index in enumerate(indexes)
            for number, frequency in index.postings.get(term, ())
        ]
        weight = log(1 + (count - len(found) + 0.5) / (len(found) + 0.5))
        for place, number, frequency in found:
            norm = _K1 * (1 - _B + _B * indexes[place].lengths[number] / mean)
            key = (place, number)
            scores[key] = scores.get(key, 0.0) + weight * frequency * (_K1 + 1) / (frequency + norm)
    return sorted(scores, key=lambda key: (-scores[key], key))
