"""The check *specifics*: every figure, date and proper noun of a claim appears in the cited sources."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judges.checks.claims import ClaimReading, read_claim
from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.names import Name, has_name, nearest_name, read_names
from judges.checks.sources import SourceIndex, index_source
from judges.checks.values.matching import accepted_keys
from judges.checks.values.model import Value
from judges.protocol import ClaimInput, JudgeType, read_switch, reject_unknown_keys
from judges.setting import Setting
from judges.text.words import STOP_WORDS, stem

NAME = "specifics"
LIMITS = (
    "Knows only whether a figure, date or name occurs somewhere in the cited source, not whether it is said of the same thing; "
    "names are found by their capital letters, so not in Japanese, Chinese or German."
)

# Marks of citations and of lists carry figures that assert nothing.
_MARKS = re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|^[^\S\n]*+\(?\d{1,2}[.)]\s", re.MULTILINE)
_DATE_KINDS = frozenset({"date", "clock", "decade"})
_VERBS = re.compile(r"\b(?:may|march|mar)\b")
_LETTERS_BEFORE = re.compile(r"([^\W\d_]+)-$")
_TIME_PREFIXES = frozenset("mid pre post early late since sub under over top age aged plus non the".split())  # noqa: SIM905
_YEAR = re.compile("[12][0-9]{3}")
_NOUN = re.compile(r"[ -]([a-z]{3,})")
_NOUNS = re.compile(r"(?: [a-z]{3,}){1,2}")
_SMALL_COUNTS = frozenset(range(2, 13))
_NO_SPECIFICS = CheckResult(silence="The claim has no figure, date or name to look for.")
_ALL_THERE = CheckResult(silence="Every figure, date and name of the claim occurs in the cited source.")
_MOST_FINDINGS, _MOST_COMPARED = 20, 2_000


@dataclass(frozen=True, slots=True)
class SpecificsConfig:
    """What the check looks for."""

    figures: bool = True
    dates: bool = True
    names: bool = True


def parse_config(data: Mapping[str, object]) -> SpecificsConfig:
    """Read ``figures``, ``dates`` and ``names``, each true or false.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.

    """
    reject_unknown_keys(data, known=("figures", "dates", "names"))
    config = SpecificsConfig(
        figures=read_switch(data, "figures", default=True),
        dates=read_switch(data, "dates", default=True),
        names=read_switch(data, "names", default=True),
    )
    if not (config.figures or config.dates or config.names):
        msg = "figures, dates and names are all false; expected at least one of them to be true"
        raise ValueError(msg)
    return config


@dataclass(frozen=True, slots=True)
class SpecificsRule:
    """The check for one configuration."""

    config: SpecificsConfig

    def __call__(self, claim: ClaimInput) -> CheckResult:
        """Flag each figure, date and name of the claim that no cited source has."""
        text = _without_marks(claim.text)
        reading = read_claim(text)
        folded, words = reading.folded, reading.words
        values = self._values(text, reading)
        names = read_names(text, words) if self.config.names else []
        if not (values or names):
            return _NO_SPECIFICS
        if not claim.cited:
            return CheckResult(silence="No citation: there is no source to look in.")
        sources = [index_source(cited) for cited in claim.cited]
        findings: list[Finding] = []
        for finding in _missing(values, names, text, folded, sources):
            if len(findings) == _MOST_FINDINGS:
                return CheckResult(tuple(findings), cut=True)
            findings.append(finding)
        return CheckResult(tuple(findings)) if findings else _ALL_THERE

    def _values(self, text: str, reading: ClaimReading) -> list[Value]:
        if not (self.config.figures or self.config.dates):
            return []
        capitals = any(letter.isupper() for letter in text)
        return [
            value
            for value in reading.values
            if _asserts(value, text, reading.folded, capitals=capitals)
            and (self.config.dates if value.kind in _DATE_KINDS else self.config.figures)
        ]


def _missing(
    values: list[Value], names: list[Name], text: str, folded: str, sources: list[SourceIndex]
) -> Iterator[Finding]:
    """Yield what no source has, each way of writing it once."""
    seen: set[str] = set()
    for value in values:
        written = folded[max(0, value.start - 20) : value.end]
        if written not in seen and not _has_value(value, folded, sources):
            finding = _missing_value(value, text, sources)
            if finding.value not in seen:
                yield finding
            seen.add(finding.value)
        seen.add(written)
    for name in names:
        if name.text not in seen and not has_name(name, sources):
            yield _missing_name(name, sources)
        seen.add(name.text)


def _without_marks(text: str) -> str:
    """Blank out citation and list marks, keeping every offset."""
    return (
        _MARKS.sub(lambda match: " " * len(match[0]), text)
        if "[" in text or text[:3].strip()[:1] in "(0123456789"
        else text
    )


def _asserts(value: Value, text: str, folded: str, *, capitals: bool) -> bool:
    """Say whether a value of a claim is one that its source must have.

    "One" and "first" are said of no number in particular, digits behind a hyphen belong to a name (COVID-19), and "may"
    is no month.
    """
    if value.kind == "date":
        # "may" or "march" in small letters, in a text that has capitals.
        return not (capitals and _VERBS.search(text, value.start, value.end))
    if not value.worded:
        return folded[value.start - 1 : value.start] != "-" or not _belongs_to_name(folded, value.start)
    if value.kind == "ordinal":
        return value.readings[0].amount > 2
    if value.kind == "figure" and value.numbers == (1,):
        return bool(value.readings) and value.readings[0].dimension not in ("duration", "dollar")
    return True


def _belongs_to_name(folded: str, start: int) -> bool:
    before = _LETTERS_BEFORE.search(folded, max(0, start - 24), start)
    return before is not None and before[1] not in _TIME_PREFIXES


def _has_value(value: Value, folded: str, sources: list[SourceIndex]) -> bool:
    # All sources are asked the quick question before any is searched.
    keys = accepted_keys(value)
    for source in sources:
        if source.values.has_any(keys):
            return True
    if any(source.values.find(value, folded) for source in sources):
        return True
    return _is_count(value, folded) and not any(_counts_the_same(value, folded, source) for source in sources)


def _is_count(value: Value, folded: str) -> bool:
    """Say whether a value is a small count in words, which people take from things that a source only lists."""
    if not (value.worded and value.kind == "figure") or value.readings or not folded[value.start].isascii():
        return False
    return value.numbers[0] in _SMALL_COUNTS


def _counts_the_same(value: Value, folded: str, source: SourceIndex) -> bool:
    """Say whether a source counts what a value counts: "eight officers" beside "seven prison officers"."""
    wanted = _counted(folded, value.end)
    return any(
        not wanted.isdisjoint(_counted(source.folded, here.end))
        for here in source.values.values[:_MOST_COMPARED]
        if here.kind == "figure" and not here.readings
    )


def _counted(folded: str, end: int) -> frozenset[str]:
    nouns = _NOUNS.match(folded, end)
    return frozenset(stem(word) for word in nouns[0].split() if word not in STOP_WORDS) if nouns else frozenset()


def _missing_value(value: Value, text: str, sources: list[SourceIndex]) -> Finding:
    written = text[value.start : _end_with_noun(value, text)]
    nearest = _nearest_value(value, sources)
    kind = "date" if value.kind in _DATE_KINDS else "figure"
    found = f"; the nearest there is “{nearest}”" if nearest else ""
    return Finding(written, nearest, f"“{written}” is not in the cited source{found}.", kind)


def _end_with_noun(value: Value, text: str) -> int:
    """Give the end of a bare figure with the noun behind it, which tells people what it counts."""
    if value.kind != "figure" or value.readings or _YEAR.fullmatch(text, value.start, value.end):
        return value.end
    noun = _NOUN.match(text, value.end)
    return noun.end() if noun and noun[1] not in STOP_WORDS else value.end


def _nearest_value(value: Value, sources: list[SourceIndex]) -> str:
    best, least = "", float("inf")
    for source in sources:
        found = source.values.nearest(value)
        if found is not None and found[1] < least:
            least = found[1]
            best = source.text[found[0].start : _end_with_noun(found[0], source.text)]
    return best


def _missing_name(name: Name, sources: list[SourceIndex]) -> Finding:
    nearest = nearest_name(name, sources)
    found = f"; the nearest there is “{nearest}”" if nearest else ""
    return Finding(name.text, nearest, f"The name “{name.text}” is not in the cited source{found}.", "name")


def _build(config: SpecificsConfig) -> Check:
    return Check(NAME, LIMITS, SpecificsRule(config))


def default_config() -> dict[str, object]:
    """Give the configuration that looks for everything."""
    return {"figures": True, "dates": True, "names": True}


SPECIFICS = JudgeType(
    name=NAME,
    title="Specifics",
    summary="Flags figures, dates and names of a claim that no cited source has, whatever their formatting, and shows the "
    "nearest that one has.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="2",
    settings={
        "figures": Setting(label="Figures", group="Look for"),
        "dates": Setting(label="Dates", group="Look for"),
        "names": Setting(label="Proper nouns", group="Look for"),
    },
)
