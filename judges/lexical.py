"""The lexical baseline: word overlap with the best passage of the cited sources.

Sentences, and pairs of neighbouring ones, are ranked for the claim by BM25; the score is the largest share of the claim's
content words that one of the best ranked holds. It is the floor that any model has to beat.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any

from judges.protocol import (
    CitedText,
    ClaimInput,
    JudgeType,
    Opinion,
    Outcome,
    Verdict,
    read_number,
    reject_unknown_keys,
)
from judges.setting import Setting
from judges.text.ranking import KeywordIndex, rank, ranking_terms
from judges.text.sentences import split_sentences

NAME = "lexical"
LIMITS = (
    "Counts shared words and understands none: a negation, a swapped name or a changed figure hardly moves it, and a true "
    "paraphrase in other words scores low."
)

# How many of the best ranked passages are looked at for the share of content words.
_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class LexicalConfig:
    """``threshold``: the share of content words, 0 to 1, from which a claim counts as stated."""

    threshold: float = 0.6


@dataclass(frozen=True, slots=True)
class _Passage:
    """One sentence, or two neighbouring ones, of a source."""

    start: int
    end: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Best:
    score: float
    quote: str


class _PassageIndex:
    """The passages of one source, ready to be ranked."""

    def __init__(self, text: str) -> None:
        self.text = text
        sentences = split_sentences(text)
        terms = [ranking_terms(sentence.text) for sentence in sentences]
        self.passages: list[_Passage] = []
        for place, sentence in enumerate(sentences):
            self._add(sentence.start, sentence.end, terms[place])
            if place + 1 < len(sentences):
                self._add(sentence.start, sentences[place + 1].end, terms[place] + terms[place + 1])
        self.keywords = KeywordIndex(passage.counts for passage in self.passages)

    def _add(self, start: int, end: int, terms: Sequence[str]) -> None:
        self.passages.append(_Passage(start, end, Counter(terms)))

    def ranked(self, terms: Sequence[str]) -> list[_Passage]:
        """Give the passages that share a term, best BM25 score first; equals in the order of the text."""
        return [self.passages[number] for _, number in rank([self.keywords], terms)]


@lru_cache(maxsize=256)
def _index(text: str) -> _PassageIndex:
    return _PassageIndex(text)


def _indexed(cited: CitedText) -> _PassageIndex:
    return _index(cited.text) if len(cited.text) <= 100_000 else _PassageIndex(cited.text)


@dataclass(frozen=True, slots=True)
class LexicalJudge:
    """The baseline for one threshold."""

    config: LexicalConfig
    type_name: str = NAME
    limits: str = LIMITS

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """Yield one judged opinion per claim: the score does not depend on the other claims.

        A claim without a citation scores 0, as nothing that it points at holds any of its words.
        """
        for claim in claims:
            begun = perf_counter()
            best, reason = self._best(claim)
            verdict = Verdict.STATED if best.score >= self.config.threshold else Verdict.ABSENT
            yield Opinion(
                outcome=Outcome.JUDGED,
                verdict=verdict,
                score=best.score,
                quote=best.quote,
                reason=reason,
                seconds=perf_counter() - begun,
            )

    def _best(self, claim: ClaimInput) -> tuple[_Best, str]:
        terms = list(dict.fromkeys(ranking_terms(claim.text)))
        if not claim.cited:
            return _Best(0.0, ""), "The claim cites no source, so none of its words are in one."
        if not terms:
            return _Best(0.0, ""), "The claim has no content word to look for."
        best = _Best(0.0, "")
        for cited in claim.cited:
            index = _indexed(cited)
            title = set(ranking_terms(cited.title))
            for passage in index.ranked(terms)[:_LOOKED_AT]:
                held = sum(term in passage.counts or term in title for term in terms)
                if held / len(terms) > best.score:
                    best = _Best(held / len(terms), cited.text[passage.start : passage.end])
        held = round(best.score * len(terms))
        return best, f"{held} of the claim's {len(terms)} content words are in the best passage of the cited source."


def parse_config(data: Mapping[str, object]) -> LexicalConfig:
    """Read ``threshold``, a number from 0 to 1.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.

    """
    reject_unknown_keys(data, known=("threshold",))
    return LexicalConfig(read_number(data, "threshold", default=0.6, low=0, high=1))


def default_config() -> dict[str, object]:
    """Give the default threshold."""
    return {"threshold": 0.6}


LEXICAL = JudgeType(
    name=NAME,
    title="Lexical baseline",
    summary="Scores a claim by the share of its content words in the best sentence, or pair of sentences, of what it cites.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=LexicalJudge,
    code_version="1",
    settings={
        "threshold": Setting(
            label="Stated from",
            help="The lowest share of the claim's content words, from 0 to 1, that means stated.",
            low=0,
            high=1,
        )
    },
)

JUDGE_TYPES: tuple[JudgeType[Any], ...] = (LEXICAL,)
