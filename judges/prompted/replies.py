"""A verdict out of a reply: read whole or not at all, and its quotation looked up in the sources."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from judges.protocol import CitedText, Verdict
from judges.text.folding import fold_styles

KEYS = ("quote", "reason", "verdict")
_FENCED = re.compile(r"\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*", re.DOTALL)
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
    """Where the quotation stands in a cited source; white space, dash and quote styles are folded, nothing else."""
    for wanted in dict.fromkeys((quote, quote.strip(_MARKS))):
        words = [re.escape(word) for word in fold_styles(wanted).split()]
        if not words:
            continue
        pattern = re.compile(r"\s+".join(words))
        for one in cited:
            match = pattern.search(fold_styles(one.text))
            if match:
                return Found(one.order, one.source_id, *match.span(), one.text[match.start() : match.end()])
    return None
