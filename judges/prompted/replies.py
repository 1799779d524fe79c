"""A verdict out of a reply: read whole or not at all, and its quotation looked up in the sources."""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from judges.protocol import CitedText, Verdict
from judges.text.folding import fold_styles

KEYS = ("quote", "reason", "verdict")
_FENCED = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)
_WORD = re.compile(r"\S+")
_MARKS = "\"'“”„‟‘’«»‹›「」『』 \t\n"


class UnreadableReplyError(ValueError):
    """The reply is not what was asked for; the message says in what."""


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply that is exactly what was asked for."""

    verdict: Verdict
    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quotation stands: ``text[start:end]`` of the source with this place among those cited, verbatim."""

    order: int
    source_id: str
    start: int
    end: int
    text: str


def read_reply(text: str) -> ReadReply:
    """Read a reply. The verdict is taken from its key and nowhere else, and only where it is one of the four words.

    A code fence around the whole reply is let pass: some models cannot leave it out.

    Raises
    ------
    UnreadableReplyError
        Saying what was found and what was expected.
    """
    fenced = _FENCED.fullmatch(text)
    try:
        data = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(f"The reply is no JSON: {error}.") from None
    if not isinstance(data, dict):
        raise UnreadableReplyError(f"The reply is JSON, but {_kind(data)}; expected an object.")
    missing = [key for key in KEYS if not isinstance(data.get(key), str)]
    if missing:
        found = _kind(data[missing[0]]) if missing[0] in data else "not there"
        raise UnreadableReplyError(f"In the reply {missing[0]} is {found}; expected text.")
    verdict = data["verdict"]
    if verdict not in list(Verdict):
        words = ", ".join(Verdict)
        raise UnreadableReplyError(f"In the reply verdict is {verdict[:80]!r}; expected one of {words}.")
    return ReadReply(Verdict(verdict), data["quote"].strip(), data["reason"].strip())


def _kind(value: object) -> str:
    names = {type(None): "null", bool: "true or false", list: "a list", str: "text", dict: "an object"}
    return names.get(type(value), "a number")


def find_quote(quote: str, cited: Sequence[CitedText]) -> Found | None:
    """Where the quotation stands in a cited source; white space, dash and quote styles are folded, nothing else.

    It begins and ends where words do: a quoted "3" is not found in "30".
    """
    for wanted in dict.fromkeys(_collapse(fold_styles(one)) for one in (quote, quote.strip(_MARKS))):
        if not wanted:
            continue
        for one in cited:
            span = _find(wanted, one.text)
            if span is not None:
                return Found(one.order, one.source_id, *span, one.text[span[0] : span[1]])
    return None


def _collapse(text: str) -> str:
    return " ".join(text.split())


def _find(wanted: str, text: str) -> tuple[int, int] | None:
    """Where a collapsed quotation stands in a text, by places in the text as it is."""
    folded = fold_styles(text)
    words = [(match.start(), match[0]) for match in _WORD.finditer(folded)]
    collapsed = " ".join(word for _, word in words)
    place = collapsed.find(wanted)
    while place >= 0:
        end = place + len(wanted)
        if not (_joined(collapsed[max(0, place - 1) : place + 1]) or _joined(collapsed[end - 1 : end + 1])):
            begins = list(accumulate((len(word) + 1 for _, word in words), initial=0))
            return _original(place, words, begins), _original(end - 1, words, begins) + 1
        place = collapsed.find(wanted, place + 1)
    return None


def _original(place: int, words: Sequence[tuple[int, str]], begins: Sequence[int]) -> int:
    number = bisect_right(begins, place) - 1
    return words[number][0] + place - begins[number]


def _joined(pair: str) -> bool:
    """Whether two neighbouring characters lie in one word; scripts without spaces have no such places."""
    return len(pair) == 2 and pair[0].isalnum() and pair[1].isalnum() and pair[0] < "\u0e00" and pair[1] < "\u0e00"
