"""Folding that keeps every offset: one character in, one character out.

Two texts that differ only in the style of their quotation marks, dashes, spaces, digits or letter
case fold to the same string, and ``fold(text)[i]`` always stands for ``text[i]``.
"""

import re

# The zero of each run of ten decimal digits outside ASCII (Unicode category Nd).
_ZEROS = (
    *(0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6),
    *(0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0),
    *(0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066),
    *(0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50),
    *(
        0x11D50,
        0x11DA0,
        0x11F50,
        0x16A60,
        0x16AC0,
        0x16B50,
        0x1D7CE,
        0x1D7D8,
        0x1D7E2,
        0x1D7EC,
        0x1D7F6,
        0x1E140,
        0x1E2F0,
    ),
    *(0x1E4F0, 0x1E950, 0x1FBF0),
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\u058a\u1806\u301c\uff5e"
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bc\u02b9\u00b4"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f"

_STYLES: dict[str, str] = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SPACES, " "),
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
}

_FOLDED: dict[str, str] = {
    **{chr(zero + value): str(value) for zero in _ZEROS for value in range(10)},
    # Full-width and half-width forms of ASCII, digits included.
    **{chr(code): chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)},
    **_STYLES,
    # Digits below the line are part of a word (CO₂); those above it are foot-notes and stay apart.
    **{chr(0x2080 + value): str(value) for value in range(10)},
    "\u3002": ".",  # ideographic full stop
    "\u3001": ",",
    "\u066b": ".",  # Arabic decimal separator
    "\u066c": ",",  # Arabic thousands separator
    "\u060c": ",",
    "\u061b": ";",
    "\u061f": "?",
    "\u066a": "%",
    "\u06d4": ".",
    "\u0964": ".",
    "\uffe1": "£",
    "\uffe5": "¥",
    "\uffe0": "¢",
    "\u00ba": "°",
    "\u02da": "°",
    # Marks that cling to a word without being part of it.
    **dict.fromkeys("•·・†‡®™©\u00b6\u25cf\u25a0\u25aa\u2026\u3010\u3011\u3014\u3015\u300a\u300b\u3008\u3009", " "),
}

# Characters beyond the first plane in a class make the whole class slow, so they have one of their own.
_TO_FOLD = re.compile("[" + "".join(re.escape(key) for key in _FOLDED if key < "\U00010000") + "]")
_FAR = re.compile("[\U00010000-\U0010ffff]")
_TO_STYLE = re.compile("[" + "".join(map(re.escape, _STYLES)) + "]")


def fold(text: str) -> str:
    """Fold letter case, digits of every script, full-width forms, spaces, dashes and quotation marks.

    The result has the length of the text, so offsets into one are offsets into the other.
    """
    # The one letter whose lower case is two characters.
    lowered = text.replace("\u0130", "i").lower()
    if lowered.isascii():
        return lowered
    near = _TO_FOLD.sub(_folded, lowered)
    return _FAR.sub(_folded, near) if _FAR.search(near) else near


def _folded(match: re.Match[str]) -> str:
    return _FOLDED.get(match[0], match[0])


def fold_styles(text: str) -> str:
    """Fold the style of spaces, dashes and quotation marks and nothing else, offset by offset."""
    if text.isascii():
        return text
    return _TO_STYLE.sub(lambda match: _STYLES[match[0]], text)


def collapse_spaces(text: str) -> str:
    """Turn every run of white space into one space, without any at the ends."""
    return " ".join(text.split())
