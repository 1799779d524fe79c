"""The check *specifics*: every figure, date and proper noun of a claim appears in the cited sources."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.names import Name, has_name, nearest_name, read_names
from judges.checks.sources import SourceIndex, index_source
from judges.checks.values.model import Value
from judges.checks.values.reading import read_values
from judges.protocol import ClaimInput, JudgeType, read_switch, reject_unknown_keys
from judges.text.folding import fold
from judges.text.words import STOP_WORDS, word_set

NAME = "specifics"
LIMITS = (
    "Knows only whether a figure, date or name occurs somewhere in the cited source, not whether it is said of the same thing; "
    "names are found by their capital letters, so not in Japanese, Chinese or German."
)

# Marks of citations and of lists carry figures that assert nothing.
_MARKS = re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|^\s*\(?\d{1,2}[.)]\s", re.MULTILINE)
_DATE_KINDS = frozenset({"date", "clock", "decade"})
_NOUN = re.compile(r"[ -]([a-z]{3,})")
_MOST_FINDINGS = 20


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
        folded = fold(text)
        values = self._values(folded)
        names = read_names(text) if self.config.names else []
        if not (values or names):
            return CheckResult(silence="The claim has no figure, date or name to look for.")
        if not claim.cited:
            return CheckResult(silence="No citation: there is no source to look in.")
        sources = [index_source(cited) for cited in claim.cited]
        findings: dict[str, Finding] = {}
        for value in values:
            if not any(source.values.find(value, folded) for source in sources):
                finding = _missing_value(value, text, folded, sources)
                findings.setdefault(finding.value, finding)
            if len(findings) >= _MOST_FINDINGS:
                break
        for name in names:
            if len(findings) >= _MOST_FINDINGS:
                break
            if name.text not in findings and not has_name(name, sources):
                findings[name.text] = _missing_name(name, sources)
        return CheckResult(
            tuple(findings.values()),
            silence="Every figure, date and name of the claim occurs in the cited source.",
        )

    def _values(self, folded: str) -> list[Value]:
        if not (self.config.figures or self.config.dates):
            return []
        return [
            value
            for value in read_values(folded, word_set(folded))
            if _asserts(value, folded) and (self.config.dates if value.kind in _DATE_KINDS else self.config.figures)
        ]


def _without_marks(text: str) -> str:
    """Blank out citation and list marks, keeping every offset."""
    return (
        _MARKS.sub(lambda match: " " * len(match[0]), text)
        if "[" in text or text[:3].strip()[:1] in "(0123456789"
        else text
    )


def _asserts(value: Value, folded: str) -> bool:
    """Say whether a value of a claim is one that its source must have.

    "One" and "first" are said of no number in particular, and neither is a compound whose parts are looked for anyway.
    """
    if not value.worded:
        return True
    if value.kind == "ordinal":
        return value.readings[0].amount > 2
    if value.kind == "figure" and value.numbers == (1,):
        return bool(value.readings) and value.readings[0].dimension not in ("duration", "dollar")
    return True


def _missing_value(value: Value, text: str, folded: str, sources: list[SourceIndex]) -> Finding:
    written = text[value.start : _end_with_noun(value, folded)]
    nearest = _nearest_value(value, sources)
    kind = "date" if value.kind in _DATE_KINDS else "figure"
    found = f"; the nearest there is “{nearest}”" if nearest else ""
    return Finding(written, nearest, f"“{written}” is not in the cited source{found}.", kind)


def _end_with_noun(value: Value, folded: str) -> int:
    """Give the end of a bare figure with the noun behind it, which tells people what it counts."""
    if value.kind != "figure" or value.readings:
        return value.end
    noun = _NOUN.match(folded, value.end)
    return noun.end() if noun and noun[1] not in STOP_WORDS else value.end


def _nearest_value(value: Value, sources: list[SourceIndex]) -> str:
    best, least = "", float("inf")
    for source in sources:
        found = source.values.nearest(value)
        if found is not None and found[1] < least:
            least = found[1]
            best = source.text[found[0].start : _end_with_noun(found[0], source.folded)]
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
    code_version="1",
)
