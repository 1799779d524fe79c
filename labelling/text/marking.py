"""Where the claim stands in the answer, and where quoted words stand in a source. Offsets are code points."""

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[^.!?…。！？؟\n]+(?:[.!?…。！？؟]+[\"'”’»)\]]*|\n|$)")
# Below this share of common words a sentence is no place where the claim could have come from.
LEAST_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Marked:
    """A text cut at the stretch to mark; `marked` is empty where there is nothing to mark."""

    before: str
    marked: str
    after: str


def mark_claim(answer: str, claim: str) -> Marked:
    """The answer with the claim marked: where it stands word for word, else the sentence that shares most words."""
    span = _verbatim(answer, claim) or _closest(answer, claim)
    if span is None:
        return Marked(answer, "", "")
    start, end = span
    return Marked(answer[:start], answer[start:end], answer[end:])


def find_quote(text: str, quote: str) -> list[tuple[int, int]]:
    """Every place where the quoted words stand in the text, white space of any kind and length being alike."""
    words = quote.split()
    if not words:
        return []
    pattern = r"\s+".join(re.escape(word) for word in words)
    found = [match.span() for match in re.finditer(pattern, text)]
    if found:
        return found
    # A keyboard may send é as one character where the source has two: look once more for the other spelling.
    for form in ("NFC", "NFD"):
        other = r"\s+".join(re.escape(unicodedata.normalize(form, word)) for word in words)
        found = [match.span() for match in re.finditer(other, text)]
        if found:
            return found
    return []


def _verbatim(answer: str, claim: str) -> tuple[int, int] | None:
    words = claim.strip().rstrip(".!?").split()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words) + r"[.!?]?"
    match = re.search(pattern, answer, re.IGNORECASE)
    return match.span() if match else None


def _closest(answer: str, claim: str) -> tuple[int, int] | None:
    wanted = set(_WORD.findall(claim.casefold()))
    if not wanted:
        return None
    best, place = 0.0, None
    for match in _SENTENCE.finditer(answer):
        words = set(_WORD.findall(match.group().casefold()))
        if not words:
            continue
        share = len(wanted & words) / len(wanted)
        if share > best:
            raw = match.group()
            start = match.start() + len(raw) - len(raw.lstrip())
            best, place = share, (start, match.end() - (len(raw) - len(raw.rstrip())))
    return place if best >= LEAST_OVERLAP else None
