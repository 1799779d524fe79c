"""Rewording: the claim written otherwise, its meaning certainly the same, so the verdict should stay.

Only rules that cannot change what is said: how a number, a date or a quotation mark is written, not which word is used.
"""

import re
from collections.abc import Callable, Mapping
from random import Random

from judges.probes.changes import Change, Pool, replaced
from judges.probes.english import is_english
from judges.protocol import ClaimInput
from judges.text.words import STOP_WORDS

_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_MONTH = "|".join(_MONTHS)
_DAY_FIRST = re.compile(rf"\b([1-9]|[12]\d|3[01]) ({_MONTH}) ([12]\d{{3}})\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH}) ([1-9]|[12]\d|3[01]), ([12]\d{{3}})\b(,(?= ))?")
_ISO = re.compile(r"(?<![\w-])([12]\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\w-])")
_PER_CENT = re.compile(r"(?<=\d)(?: ?%| per ?cent\b)")
_GROUPED = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?![\w,]|\.\d)")
_UNGROUPED = re.compile(r"(?<=[$£€])[1-9]\d{3,8}(?![\w,]|\.\d)")
_NOT = {
    "is not": "isn't", "are not": "aren't", "was not": "wasn't", "were not": "weren't", "does not": "doesn't",
    "do not": "don't", "did not": "didn't", "has not": "hasn't", "have not": "haven't", "had not": "hadn't",
    "cannot": "can't", "will not": "won't", "would not": "wouldn't", "could not": "couldn't", "should not": "shouldn't",
}  # fmt: skip
_LONG = {short: long for long, short in _NOT.items()}
_CONTRACTED = re.compile(rf"\b(?:{'|'.join([*_NOT, *_LONG])})\b")
# The first keeps its capital; the others join what was said before.
_NOT_BEHIND_THAT = frozenset(
    {"I", "And", "But", "Or", "Nor", "So", "Yet", "Then", "How", "What", "Who", "Why", "Which"}
)
_FIRST_WORD = re.compile(r"([A-Z][a-z]*) ")
_CURLY = {"“": '"', "”": '"', "‘": "'", "’": "'"}
_PAIR = re.compile(r'(?<!\w)"([^"]+)"(?!\w)')
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_LONG_DASH = re.compile(" [–—] ")
_SHORT_DASH = re.compile(" - ")
_LAST_WORD = re.compile(r"[^\W\d_]{4,}\.$")
_WIDE_END = re.compile("[\u3041-\u30ff\u3400-\u9fff]$")


def rewordings(claim: ClaimInput, random: Random, pool: Pool) -> Mapping[str, Change]:  # noqa: ARG001  (one shape)
    """The claim in other dress, by the kind of the change."""
    text = claim.text.strip()
    rules = [*_FORMATTING, *(_ENGLISH if is_english(text) else ())]
    found = {kind: rule(text, kind) for kind, rule in rules}
    return {kind: change for kind, change in found.items() if change is not None and change.claim != claim.text}


def _full_stop(text: str, kind: str) -> Change | None:
    end = len(text)
    if text.endswith("。"):
        return replaced(text, end - 1, end, "", kind=kind)
    if _WIDE_END.search(text):
        return replaced(text, end, end, "。", kind=kind)
    if _LAST_WORD.search(text):  # a short word before it may be an abbreviation
        return replaced(text, end - 1, end, "", kind=kind)
    return replaced(text, end, end, ".", kind=kind) if text[-1:].isalnum() else None


def _quotation_marks(text: str, kind: str) -> Change | None:
    straight = re.sub("[“”‘’]", lambda match: _CURLY[match[0]], text)
    if straight == text:
        straight = _APOSTROPHE.sub("’", _PAIR.sub(r"“\1”", text))
    return _whole(text, straight, kind)


def _dashes(text: str, kind: str) -> Change | None:
    shorter = _LONG_DASH.sub(" - ", text)
    return _whole(text, shorter if shorter != text else _SHORT_DASH.sub(" – ", text), kind)


def _per_cent(text: str, kind: str) -> Change | None:
    match = _PER_CENT.search(text)
    if match is None:
        return None
    return replaced(text, *match.span(), " per cent" if "%" in match[0] else "%", kind=kind)


def _thousands(text: str, kind: str) -> Change | None:
    if match := _GROUPED.search(text):
        return replaced(text, *match.span(), match[0].replace(",", ""), kind=kind)
    match = _UNGROUPED.search(text)
    return replaced(text, *match.span(), f"{int(match[0]):,}", kind=kind) if match else None


def _date(text: str, kind: str) -> Change | None:
    if match := _DAY_FIRST.search(text):
        return replaced(text, *match.span(), f"{match[2]} {match[1]}, {match[3]}", kind=kind)
    if match := _MONTH_FIRST.search(text):
        return replaced(text, *match.span(), f"{match[2]} {match[1]} {match[3]}{match[4] or ''}", kind=kind)
    match = _ISO.search(text)
    if match is None:
        return None
    return replaced(text, *match.span(), f"{int(match[3])} {_MONTHS[int(match[2]) - 1]} {match[1]}", kind=kind)


def _contraction(text: str, kind: str) -> Change | None:
    match = _CONTRACTED.search(text.replace("’", "'"))
    if match is None or text.endswith("?"):
        return None
    return replaced(text, *match.span(), _NOT.get(match[0]) or _LONG[match[0]], kind=kind)


def _small_letter(text: str, kind: str) -> Change | None:
    match = _ordinary_beginning(text)
    return replaced(text, 0, 1, text[0].lower(), kind=kind) if match else None


def _frame(text: str, kind: str) -> Change | None:
    if not text.endswith(".") or text.count(". "):
        return None
    match = _ordinary_beginning(text)
    return replaced(text, 0, 1, f"It is the case that {text[0].lower()}", kind=kind) if match else None


def _ordinary_beginning(text: str) -> bool:
    """Say whether the text begins with a capital that its first word would not have further on."""
    match = _FIRST_WORD.match(text)
    return match is not None and match[1] not in _NOT_BEHIND_THAT and match[1].lower() in STOP_WORDS


def _whole(text: str, other: str, kind: str) -> Change | None:
    """The change from one text to another, told by what differs between their common beginning and end."""
    if other == text:
        return None
    start = next(place for place, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1])
    tail = 0
    while tail < min(len(text), len(other)) - start and text[-1 - tail] == other[-1 - tail]:
        tail += 1
    return replaced(text, start, len(text) - tail, other[start : len(other) - tail], kind=kind)


_Rule = Callable[[str, str], Change | None]
_FORMATTING: tuple[tuple[str, _Rule], ...] = (
    ("full stop", _full_stop),
    ("quotation marks", _quotation_marks),
    ("dashes", _dashes),
)
_ENGLISH: tuple[tuple[str, _Rule], ...] = (
    ("per cent", _per_cent),
    ("thousands", _thousands),
    ("date", _date),
    ("contraction", _contraction),
    ("small first letter", _small_letter),
    ("“It is the case that …”", _frame),
)
