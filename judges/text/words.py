"""Words of a text, and which of them carry content, for scripts with and without spaces."""

import re
from collections.abc import Iterator

# Only function words, and only of languages that help-centre and news texts come in.
_ENGLISH = """
a an the and or but nor so yet if then than that this these those there here it its he him his she her hers they
them their theirs we us our ours you your yours i me my mine who whom whose which what when where why how is am are
was were be been being do does did done doing has have had having will would shall should can could may might must
of in on at by for from to into onto with without within upon about above below over under between among through
during before after until till since as per via not no none any some each every all both either neither such own same
too very just only also again ever never more most less least much many few other another out up down off s t ll re ve
d m don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn cannot
"""
_GERMAN = """
der die das den dem des ein eine einen einem einer eines und oder aber wenn dass daß als wie ist sind war waren wird
werden wurde wurden hat haben hatte nicht kein keine mit von vom zu zum zur im in am an auf für bei nach aus über unter
durch um es er sie wir ihr ich sich auch nur noch so
"""
_ROMANCE = """
le la les un une des du de et ou mais est sont était dans sur pour par avec sans que qui ne pas plus au aux ce cette
ces il elle ils elles se sa son ses leur el los las una unos unas y o pero es son fue en con sin por para su sus lo al
del como más il lo gli uno di da che non è sono nel nella dei delle della e os as um uma do dos das no na em com não
"""
_DUTCH = (
    "het een en of maar is zijn was waren wordt worden niet geen met van te op aan bij naar uit voor door om ook nog"
)

STOP_WORDS = frozenset(f"{_ENGLISH} {_GERMAN} {_ROMANCE} {_DUTCH}".split())

# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u104f\u1780-\u17d3\u3005-\u3007\u3041-\u309f\u30a1-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_HIRAGANA_RUN = re.compile("[\u3041-\u309f\u30fc]+")
_WORD = re.compile(r"[^\W_]+")

# Every ASCII byte that is no letter or digit becomes a space; bytes of other characters stay.
_GAPS = bytes(byte if byte >= 0x80 or chr(byte).isalnum() else 0x20 for byte in range(256))


def word_set(folded: str) -> frozenset[str]:
    """Give the words of a folded text that stand between spaces or ASCII punctuation.

    Works on bytes, which takes a third of the time of a regular expression. Scripts without
    spaces come out as whole runs: use :func:`content_terms` for these.
    """
    raw = folded.encode("utf-8", "surrogatepass").translate(_GAPS)
    return frozenset(raw.decode("utf-8", "surrogatepass").split())


def has_unspaced_script(folded: str) -> bool:
    """Say whether any of the text is in a script that puts no spaces between words."""
    return not folded.isascii() and _UNSPACED_RUN.search(folded) is not None


def content_terms(folded: str) -> list[str]:
    """Give the content terms of a folded text in order, repeats kept.

    A term is a word that is no function word, or two neighbouring characters of a script without
    spaces. Pairs in hiragana alone are grammar more often than content; they count only where the
    text has nothing else.
    """
    if folded.isascii():
        return [word for word in _WORD.findall(folded) if word not in STOP_WORDS]
    terms: list[str] = []
    grammar: list[str] = []
    for word in _WORD.findall(folded):
        if not _UNSPACED_RUN.search(word):
            if word not in STOP_WORDS:
                terms.append(word)
            continue
        for piece in _pieces(word):
            if not _UNSPACED_RUN.fullmatch(piece):
                terms.append(piece)
                continue
            for pair in character_pairs(piece):
                (grammar if _HIRAGANA_RUN.fullmatch(pair) else terms).append(pair)
    return terms or grammar


def _pieces(word: str) -> Iterator[str]:
    """Split a run of word characters where a script without spaces begins or ends."""
    end = 0
    for run in _UNSPACED_RUN.finditer(word):
        if run.start() > end:
            yield word[end : run.start()]
        yield run[0]
        end = run.end()
    if end < len(word):
        yield word[end:]


def character_pairs(run: str) -> list[str]:
    """Give every two neighbouring characters of a run, or the run itself where it is one character."""
    if len(run) < 2:
        return [run]
    return [run[place : place + 2] for place in range(len(run) - 1)]


def stem(word: str) -> str:
    """Cut the commonest English endings, so that ``refunds``, ``refunded`` and ``refunding`` meet.

    Deliberately crude: it is applied to both sides, and an error costs a wrong match of two rare words.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, kept, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            word = word[: len(word) - len(ending)] + kept
            break
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word


# (ending, what replaces it, letters that must be left before it); the first that fits is taken.
_ENDINGS = (
    ("ies", "y", 2),
    ("sses", "ss", 1),
    ("ing", "", 3),
    ("ied", "y", 2),
    ("ed", "", 3),
    ("ss", "ss", 1),
    ("us", "us", 1),
    ("is", "is", 1),
    ("s", "", 3),
)
