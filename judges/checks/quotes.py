"""The check *quotes*: what a claim puts in quotation marks stands verbatim in a cited source."""

import re
from collections.abc import Sequence

from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.sources import SourceIndex, fold_quotation, index_source
from judges.protocol import ClaimInput, JudgeType, NoConfig, parse_no_config
from judges.text.folding import collapse_spaces

NAME = "quotes"
LIMITS = (
    "Sees only what stands in quotation marks; it says nothing about who is quoted or what the quotation is used for, "
    "and a true paraphrase in quotation marks is flagged."
)
_LONGEST = 1_000

# Openers with what closes them. German uses “ to close; Swedish uses ” for both.
_PAIRS = {
    "“": "”“",
    "„": "“”",
    "‟": "”",
    "”": "”",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "‹": "›",
    "›": "‹",
    "＂": "＂",
}
_PAIRED = "|".join(
    f"{opener}(?P<p{place}>[^{closers}{'' if opener in closers else opener}]{{1,{_LONGEST}}})[{closers}]"
    for place, (opener, closers) in enumerate(_PAIRS.items())
)
# Marks that are also apostrophes, inches or accents: an opener has no word before it and no space behind it.
_DOUBLE = rf"(?<![\w\"])\"(?=[^\s\"])(?P<double>[^\"]{{1,{_LONGEST}}})\"(?![\w\"])"
_CLOSING = r"(?<=[^\s'’‘`])['’](?![^\W_])"
_SINGLE = (
    rf"(?<![\w'’‘`])['‘`](?!\d\ds\b)(?=[^\s'’‘`])(?P<single>(?:[^'’‘\n]|['’](?=[^\W_])){{1,{_LONGEST}}}){_CLOSING}"
)
_TEX = rf"``(?P<tex>[^`]{{1,{_LONGEST}}}?)''"
_BACKTICK = rf"(?<![\w`])` (?P<tick>(?:[^'’`\n]|['’](?=[^\W_])){{1,{_LONGEST}}})['’](?![^\W_])"
_QUOTED = re.compile(f"{_TEX}|{_PAIRED}|{_DOUBLE}|{_SINGLE}|{_BACKTICK}")
_ANY_MARK = re.compile("[\"'`‘’“”„‟«»「『〝‹›＂]")

# An omission marked in the quotation parts it into pieces that must follow one another.
_OMISSION = re.compile(r"\s*(?:\[\s?(?:\.\.\.|…)\s?\]|\(\s?(?:\.\.\.|…)\s?\)|\.\.\.+|…)\s*")
_NO_QUOTATION = CheckResult(silence="The claim quotes nothing.")
_CLOSING_MARKS = ".,;:!?。、，！？"


def quoted_passages(text: str) -> list[str]:
    """Give the passages that a text puts in quotation marks, outermost ones, in order."""
    passages: list[str] = []
    done = 0
    for mark in _ANY_MARK.finditer(text):
        if mark.start() < done:
            continue
        match = _QUOTED.match(text, mark.start())
        if match is None:
            continue
        done = match.end()
        passage = match[match.lastgroup or 0].strip()
        # The n of rock 'n' roll is no quotation.
        letters = sum(character.isalnum() for character in passage)
        if letters > (1 if match.lastgroup == "single" else 0):
            passages.append(passage)
    return passages


def check_quotes(claim: ClaimInput) -> CheckResult:
    """Flag each quotation that no cited source has verbatim."""
    passages = quoted_passages(claim.text)
    if not passages:
        return _NO_QUOTATION
    if not claim.cited:
        return CheckResult(silence="No citation: there is no source to look the quotation up in.")
    sources = [index_source(cited) for cited in claim.cited]
    findings = []
    for passage in dict.fromkeys(passages):
        if any(_stands_in(passage, source) for source in sources):
            continue
        nearest = _nearest(passage, sources)
        found = f"; the nearest there is “{nearest}”" if nearest else ""
        findings.append(
            Finding(passage, nearest, f"The quotation “{passage}” is not in the cited source{found}.", "quotation")
        )
    return CheckResult(tuple(findings), silence="Every quotation stands verbatim in the cited source.")


def _stands_in(passage: str, source: SourceIndex) -> bool:
    pieces = [piece for part in _OMISSION.split(passage) if (piece := fold_quotation(collapse_spaces(part)).strip())]
    place = 0
    for number, piece in enumerate(pieces):
        found = _find_whole(source.quotable, piece, place)
        if found < 0 and number == len(pieces) - 1:
            # Typesetters put the comma or full stop of the sentence inside the marks.
            found = _find_whole(source.quotable, piece.rstrip(_CLOSING_MARKS).rstrip(), place)
        if found < 0:
            return False
        place = found + len(piece)
    return True


def _find_whole(text: str, piece: str, place: int) -> int:
    """Find a piece that begins and ends where words do; scripts without spaces have no such places."""
    found = text.find(piece, place)
    while found >= 0:
        end = found + len(piece)
        cut_before = found > 0 and _joined(text[found - 1], piece[0])
        cut_after = end < len(text) and _joined(piece[-1], text[end])
        if not cut_before and not cut_after:
            return found
        found = text.find(piece, found + 1)
    return -1


def _joined(first: str, second: str) -> bool:
    return first.isalnum() and second.isalnum() and first < "\u0e00" and second < "\u0e00"


def _nearest(passage: str, sources: Sequence[SourceIndex]) -> str:
    """Give the stretch of a source that begins or ends as the quotation does, as long as the quotation."""
    wanted = fold_quotation(collapse_spaces(passage)).rstrip(_CLOSING_MARKS).lower()
    words = wanted.split(" ")
    best, most = "", 1 if len(words) > 2 else 0
    for source in sources:
        text = source.quotable.lower()
        if len(text) != len(source.collapsed):
            continue
        for backwards in (False, True):
            count, place = _longest_shared(text, words, backwards=backwards)
            if count > most:
                most = count
                start = place if not backwards else max(0, place - len(wanted))
                best = _whole_words(source.collapsed, start, min(len(text), start + len(wanted)))
    return best


def _longest_shared(text: str, words: list[str], *, backwards: bool) -> tuple[int, int]:
    """Find, by halving, how many words of the beginning (or the end) of a quotation a text has in one piece.

    Returns the number of words, and where they begin (or end).
    """
    low, high, place = 0, len(words), -1
    while low < high:
        middle = (low + high + 1) // 2
        piece = " ".join(words[-middle:] if backwards else words[:middle])
        found = text.find(piece)
        if found >= 0:
            low, place = middle, found + (len(piece) if backwards else 0)
        else:
            high = middle - 1
    return low, place


def _whole_words(text: str, start: int, end: int) -> str:
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum() and text[start] < "\u0e00":
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum() and text[end] < "\u0e00":
        end += 1
    return text[start:end].strip()


def _build(_config: NoConfig) -> Check:
    return Check(NAME, LIMITS, check_quotes)


QUOTES = JudgeType(
    name=NAME,
    title="Quotations",
    summary="Flags text in quotation marks that does not stand verbatim in a cited source.",
    limits=LIMITS,
    default_config=dict,
    parse_config=parse_no_config,
    build=_build,
    code_version="1",
)
