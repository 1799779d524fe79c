"""Sentences of a text as spans, for many scripts, in one pass over the text."""

import re
from dataclasses import dataclass

# A run of sentence-ending marks with the closing quotes and brackets behind it. The ideographic marks end
# a sentence without a space after them; the others need one. The look-behinds let a run be tried from its
# first character only, which keeps a long run of dots or spaces linear.
_STOP = re.compile(
    "(?P<wide>[。！？｡]++[」』）)”’\"'】》]*+)"
    "|(?P<narrow>(?<![.!?…؟۔।॥።])[.!?…؟۔।॥።]++[\"'”’»)\\]]*+)(?=\\s|$)"
    "|(?P<lines>(?<![ \\t\\r])[ \\t\\r]*+\\n\\s*+)"
)
_HIRAGANA = re.compile("[\u3041-\u309f]")

_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof rev hon st sr jr vs etc eg ie cf al approx est dept inc ltd co corp bros no nos vol fig figs pp ed
    eds art sec para gen col lt sgt capt gov sen rep pres jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed
    thu fri sat sun ca bzw usw ca z.b d.h u.a nr str tel abs bd
    """.split()  # noqa: SIM905
)
_LAST_TOKEN = re.compile(r"[^\s(\[\"'“‘]+$")
_BULLET = re.compile(r"[-*•·▪‣–]\s|\(?\d{1,3}[.)]\s|#{1,6}\s|\|")
_WIDE_LETTER = re.compile("[\u3041-\u30ff\u3400-\u9fff]")

# A line of Japanese or Chinese that was wrapped is at least this long; a heading is shorter.
_WRAPPED_LINE = 20


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: ``text[start:end]`` of the text it was cut from, without white space at the ends."""

    start: int
    end: int
    text: str


def split_sentences(text: str) -> list[Sentence]:
    """Cut a text into sentences.

    Every character of the text that is not white space lies in exactly one sentence. A blank line always
    ends one; a single line break does unless the line goes on in lower case or in the middle of a wide script.
    """
    sentences: list[Sentence] = []
    start = 0
    for stop in _STOP.finditer(text):
        end = stop.end()
        if stop.lastgroup == "narrow":
            if not _ends_sentence(text, start, stop):
                continue
        elif stop.lastgroup == "wide":
            # 「はい。」と言う: what follows a quotation goes on with it.
            if stop["wide"][-1] not in "。！？｡" and _HIRAGANA.match(text, end):
                continue
        elif stop.lastgroup == "lines":
            if not _line_ends_sentence(text, start, stop):
                continue
            end = stop.start()
        _append(sentences, text, start, end)
        start = stop.end()
    _append(sentences, text, start, len(text))
    return sentences


def _append(sentences: list[Sentence], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        left = start + len(piece) - len(piece.lstrip())
        sentences.append(Sentence(left, left + len(stripped), stripped))


def _ends_sentence(text: str, start: int, stop: re.Match[str]) -> bool:
    mark = stop["narrow"]
    following = _next_character(text, stop.end())
    if not following or not mark.startswith("."):
        # "Really?" she said: a small letter after a question in quotation marks goes on.
        return not (following.islower() and mark[-1] in "\"'”’»")
    if mark.startswith(".."):
        return not following.islower()
    last = _LAST_TOKEN.search(text, max(start, stop.start() - 20), stop.start())
    token = last[0].lower() if last else ""
    if token in _ABBREVIATIONS:
        # Abbreviated titles and "no." lead on; so does nearly every other one before a small letter or a digit.
        return False
    if len(token) == 1 and token.isalpha() and text[stop.start() - 1].isupper():
        return False
    if "." in token and token.replace(".", "").isalpha():
        return following.isupper() and len(token) > 3 and not token.startswith(("e.", "i."))
    if following.islower():
        return len(token) >= 4 and token.isalpha()
    return True


def _line_ends_sentence(text: str, start: int, stop: re.Match[str]) -> bool:
    if stop[0].count("\n") > 1:
        return True
    following = _next_character(text, stop.end())
    if not following:
        return True
    if _BULLET.match(text, stop.end()):
        return True
    if following.islower():
        return False
    before = text[stop.start() - 1] if stop.start() else ""
    if _WIDE_LETTER.match(before) and _WIDE_LETTER.match(following):
        line_start = text.rfind("\n", start, stop.start()) + 1
        return stop.start() - max(line_start, start) < _WRAPPED_LINE
    return True


def _next_character(text: str, place: int) -> str:
    while place < len(text) and (text[place].isspace() or text[place] in "\"'“‘«„([「『（"):
        place += 1
    return text[place] if place < len(text) else ""
