"""The check *prohibited*: what a project forbids in any output, whatever the source says."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from judges.checks.claims import read_claim
from judges.checks.entries import read_texts
from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.patterns import compile_pattern
from judges.checks.values.dates import NUMERIC_DATE
from judges.checks.values.model import Value
from judges.checks.values.units import CURRENCIES, DOLLAR_CURRENCIES
from judges.protocol import ClaimInput, JudgeType, reject_unknown_keys
from judges.setting import Setting, worded
from judges.text.folding import fold
from judges.text.words import has_unspaced_script

NAME = "prohibited"
LIMITS = (
    "Sees only the forms that its settings name: an amount in words of a language that it does not read, or a word written "
    "with other letters, passes."
)

_KEYS = ("phrases", "classes", "patterns")
_MOST_FINDINGS = 20
_NOTHING_FORBIDDEN = CheckResult(silence="The settings forbid nothing yet.")

# Every repeat is closed, so that no text makes the search slow.
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,24}\b")
_LINK = re.compile(r"\b(?:https?://|www\.)[^\s<>\"']{3,200}")
_PHONE = re.compile(r"(?<![\w.,$£€/-])(?:\+|\(|00)?[0-9](?:[ ().-]{0,2}[0-9]){6,14}(?![\w%]|[.,-][0-9])")
_YEARS_APART = re.compile(r"[12][0-9]{3}[ -]{1,3}[12][0-9]{3}")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3})+")
_DATE_KINDS = frozenset({"date", "clock", "decade"})
_MONEY = CURRENCIES | DOLLAR_CURRENCIES


class _Hit(NamedTuple):
    start: int
    end: int
    what: str


def _is_money(value: Value) -> bool:
    return any(reading.dimension in _MONEY for reading in value.readings)


def _is_percent(value: Value) -> bool:
    return value.kind == "figure" and any(reading.dimension in ("percent", "points") for reading in value.readings)


def _is_number_to_call(written: str) -> bool:
    """Tell a telephone number from a date, a span of years or a long figure."""
    if written[0] in "+(0":
        return NUMERIC_DATE.fullmatch(written) is None
    if written.isdigit() or _YEARS_APART.fullmatch(written) or _THOUSANDS.fullmatch(written):
        return False
    return NUMERIC_DATE.match(written) is None


def _is_date(value: Value) -> bool:
    return value.kind in _DATE_KINDS


def _is_figure(value: Value) -> bool:
    return value.kind in ("figure", "fraction") and not (value.worded and value.numbers == (1,) and not value.readings)


_VALUE_CLASSES: dict[str, tuple[str, Callable[[Value], bool]]] = {
    "money": ("an amount of money", _is_money),
    "percent": ("a percentage", _is_percent),
    "date": ("a date or time", _is_date),
    "figure": ("a figure", _is_figure),
}
_TEXT_CLASSES: dict[str, tuple[str, re.Pattern[str], str]] = {
    # what it is, how it is found, a sign without which there is none
    "email": ("an e-mail address", _EMAIL, "@"),
    "phone": ("a telephone number", _PHONE, ""),
    "link": ("a link", _LINK, ""),
}
CLASSES = (*_VALUE_CLASSES, *_TEXT_CLASSES)


@dataclass(frozen=True, slots=True)
class ProhibitedConfig:
    """What is forbidden.

    Attributes
    ----------
    phrases : tuple of str
        Words and phrases, found as whole words whatever their case, white space and quotation marks.
    classes : tuple of str
        Names of kinds of text: ``money``, ``percent``, ``date``, ``figure``, ``email``, ``phone``, ``link``.
    patterns : tuple of str
        Regular expressions of the subset of :mod:`judges.checks.patterns`.
    """

    phrases: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


def parse_config(data: Mapping[str, object]) -> ProhibitedConfig:
    """Read ``phrases``, ``classes`` and ``patterns``, each a list of texts.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=_KEYS)
    config = ProhibitedConfig(
        phrases=read_texts(data, "phrases"),
        classes=read_texts(data, "classes"),
        patterns=read_texts(data, "patterns"),
    )
    for place, name in enumerate(config.classes):
        if name not in CLASSES:
            msg = f"classes[{place}] is {name!r}; expected one of {', '.join(CLASSES)}"
            raise ValueError(msg)
    for place, phrase in enumerate(config.phrases):
        if not any(letter.isalnum() for letter in phrase):
            msg = f"phrases[{place}] is {phrase!r}; expected at least one letter or digit"
            raise ValueError(msg)
    for place, pattern in enumerate(config.patterns):
        try:
            compile_pattern(pattern)
        except ValueError as error:
            msg = f"patterns[{place}] {error}"
            raise ValueError(msg) from None
    return config


class ProhibitedRule:
    """The check for one configuration."""

    def __init__(self, config: ProhibitedConfig) -> None:
        self._phrases = _phrase_pattern(config.phrases)
        self._values = [_VALUE_CLASSES[name] for name in _VALUE_CLASSES if name in config.classes]
        self._texts = [_TEXT_CLASSES[name] for name in _TEXT_CLASSES if name in config.classes]
        self._idle = not (config.phrases or config.classes or config.patterns)
        self._patterns = [(compile_pattern(pattern), pattern) for pattern in config.patterns]

    def __call__(self, claim: ClaimInput) -> CheckResult:
        """Flag each forbidden thing in the claim, cited or not."""
        if self._idle:
            return _NOTHING_FORBIDDEN
        findings: list[Finding] = []
        taken: set[tuple[int, int]] = set()
        for hit in sorted(self._hits(claim.text), key=lambda hit: (hit.start, -hit.end)):
            if (hit.start, hit.end) in taken:
                continue
            if len(findings) == _MOST_FINDINGS:
                return CheckResult(tuple(findings), cut=True)
            taken.add((hit.start, hit.end))
            written = claim.text[hit.start : hit.end]
            findings.append(Finding(written, "", f"“{written}” is {hit.what}, which the project forbids.", NAME))
        return CheckResult(tuple(findings), silence="The claim has nothing that the project forbids.")

    def _hits(self, text: str) -> Iterator[_Hit]:
        folded = fold(text)
        if self._phrases is not None:
            yield from (_Hit(*match.span(), "a phrase") for match in self._phrases.finditer(folded))
        for what, pattern, sign in self._texts:
            for match in pattern.finditer(folded) if sign in folded else ():
                if pattern is not _PHONE or _is_number_to_call(match[0]):
                    yield _Hit(*match.span(), what)
        if self._values:
            for value in read_claim(text).values:
                kinds = [what for what, belongs in self._values if belongs(value)]
                if kinds:
                    yield _Hit(value.start, value.end, kinds[0])
        for pattern, written in self._patterns:
            yield from (_Hit(*match.span(), f"text of the form {written}") for match in pattern.finditer(text))


def _phrase_pattern(phrases: tuple[str, ...]) -> re.Pattern[str] | None:
    if not phrases:
        return None
    return re.compile("|".join(_as_pattern(fold(phrase)) for phrase in sorted(phrases, key=len, reverse=True)))


def _as_pattern(folded: str) -> str:
    words = r"\s{1,4}".join(re.escape(word) for word in folded.split())
    if has_unspaced_script(folded):
        return words
    # A phrase that begins or ends with a sign has no word to end there.
    before = r"(?<!\w)" if folded.strip()[0].isalnum() else ""
    after = r"(?!\w)" if folded.strip()[-1].isalnum() else ""
    return before + words + after


def default_config() -> dict[str, object]:
    """Give the configuration that forbids nothing."""
    return {"phrases": [], "classes": [], "patterns": []}


def _build(config: ProhibitedConfig) -> Check:
    return Check(NAME, LIMITS, ProhibitedRule(config))


PROHIBITED = JudgeType(
    name=NAME,
    title="Prohibited",
    summary="Flags whatever a project forbids in any output: phrases, kinds of text such as amounts of money, and patterns. A hit is "
    "an automatic failure (absent), whatever the source says.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="2",
    settings={
        "classes": Setting(
            label="Kinds of text",
            choices=worded(
                *((name, kind[0]) for name, kind in _VALUE_CLASSES.items()),
                *((name, text[0]) for name, text in _TEXT_CLASSES.items()),
            ),
        ),
        "phrases": Setting(
            label="Phrases",
            help="One a line: found as whole words, whatever their case, white space and quotation marks.",
            written="lines",
        ),
        "patterns": Setting(
            label="Patterns",
            help="One a line, as regular expressions without * and +: write {0,20} instead.",
            written="lines",
        ),
    },
)
