"""The check *canon*: a claim that states a value of the project's table cites a source of the canon and agrees with it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judges.checks.claims import read_claim
from judges.checks.entries import (
    Plain,
    Tolerance,
    read_entries,
    read_plain,
    read_text,
    read_texts,
    read_tolerance,
    tolerance,
)
from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.sources import index_source
from judges.checks.values.model import Value
from judges.checks.values.stating import (
    DENIED,
    Quantity,
    Statement,
    agrees,
    is_comparable,
    read_quantity,
    statements,
)
from judges.protocol import ClaimInput, JudgeType, Verdict, read_switch, reject_unknown_keys
from judges.setting import Setting
from judges.text.folding import fold
from judges.text.words import has_unspaced_script

NAME = "canon"
LIMITS = (
    "Knows only the values in its table, and takes a claim to state one where its name and a value of its kind stand "
    "together in a clause; a value that the claim gives without the name is not looked at."
)

_ENTRY_KEYS = ("name", "aliases", "value", "unit", "tolerance", "exact", "sources")
# Between a name and its value: what begins another statement.
_APART = re.compile(
    r"[.!?;](?:\s|$)|\n|[。！？；、]|\b(?:but|while|whereas|although|though|unless|until|after|before)\b|,? (?:and|or) (?:the|a|an|its|their|our|your)\b"
    r"|, (?:and|or)\b"
)
_FARTHEST_BEHIND, _FARTHEST_BEFORE, _LONGEST_VALUE = 120, 40, 60
_NO_TABLE = CheckResult(silence="The canon has no values yet.")
_NEXT_TO = frozenset({"", " ", "-"})


@dataclass(frozen=True, slots=True)
class CanonEntry:
    """One canonical value, as its configuration has it.

    Attributes
    ----------
    name, aliases
        What claims call it.
    value, unit
        ``14`` and ``days``, ``"$2.5m"``, ``"2026-01-03"``.
    tolerance : number or str
        How far a claim may be off, in the unit of the value or as a share such as ``"2%"``.
    exact : bool
        Whether roundings behind "about" and bounds behind "at least" are refused too.
    sources : tuple of str
        Ids or collections of the sources that may be cited for it; any source where there are none.
    """

    name: str
    aliases: tuple[str, ...]
    value: Plain
    unit: str
    tolerance: Plain
    exact: bool
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CanonConfig:
    """The project's table of canonical values."""

    values: tuple[CanonEntry, ...] = ()


def parse_config(data: Mapping[str, object]) -> CanonConfig:
    """Read ``values``, a list of entries with ``name``, ``aliases``, ``value``, ``unit``, ``tolerance`` or ``exact``, ``sources``.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=("values",))
    entries = tuple(_read_entry(entry, where) for where, entry in read_entries(data, "values", known=_ENTRY_KEYS))
    taken: dict[str, str] = {}
    for place, entry in enumerate(entries):
        for name in (entry.name, *entry.aliases):
            folded = fold(name.strip())
            if folded in taken:
                msg = f"values[{place}] is called {name!r}, and so is {taken[folded]}; expected each name once"
                raise ValueError(msg)
            taken[folded] = f"values[{place}]"
    return CanonConfig(entries)


def _read_entry(data: Mapping[str, object], where: str) -> CanonEntry:
    entry = CanonEntry(
        name=read_text(data, "name", where=where, required=True),
        aliases=read_texts(data, "aliases", where=where),
        value=read_plain(data, "value", where=where),
        unit=read_text(data, "unit", where=where),
        tolerance=read_tolerance(data, "tolerance", where=where),
        exact=read_switch(data, "exact", default=False),
        sources=read_texts(data, "sources", where=where),
    )
    quantity = read_quantity(entry.value, entry.unit)
    if quantity is None:
        msg = f"{where}.value is {entry.value!r} with the unit {entry.unit!r}; expected exactly one figure, amount or date"
        raise ValueError(msg)
    allowed = tolerance(entry.tolerance).amount
    if allowed and entry.exact:
        msg = f"{where}.tolerance is {entry.tolerance!r} and exact is true; expected only one of them"
        raise ValueError(msg)
    if allowed and quantity.value.days:
        msg = f"{where}.tolerance is {entry.tolerance!r}; expected 0, since the value is a date"
        raise ValueError(msg)
    return entry


class _Known(NamedTuple):
    """An entry made ready."""

    entry: CanonEntry
    quantity: Quantity
    allowed: Tolerance
    names: tuple[str, ...]
    pattern: re.Pattern[str]


class _Mention(NamedTuple):
    start: int
    end: int
    known: _Known


class _Place(NamedTuple):
    """A mention, and from where to where its value may stand."""

    mention: _Mention
    earliest: int
    latest: int


def _make_ready(entry: CanonEntry) -> _Known:
    quantity = read_quantity(entry.value, entry.unit)
    assert quantity is not None, "parse_config let it through"
    names = tuple(" ".join(fold(name).split()) for name in (entry.name, *entry.aliases))
    pattern = re.compile("|".join(_as_pattern(name) for name in sorted(names, key=len, reverse=True)))
    first_words = tuple(dict.fromkeys(name.replace("-", " ").split(" ")[0] for name in names))
    return _Known(entry, quantity, tolerance(entry.tolerance), first_words, pattern)


def _as_pattern(name: str) -> str:
    words = r"[\s-]".join(re.escape(word) for word in name.replace("-", " ").split())
    return words if has_unspaced_script(name) else rf"(?<!\w){words}(?:'?s)?(?!\w)"


class CanonRule:
    """The check for one table."""

    def __init__(self, config: CanonConfig) -> None:
        self._known = [_make_ready(entry) for entry in config.values]

    def __call__(self, claim: ClaimInput) -> CheckResult:
        """Flag each canonical value that the claim states wrongly, or states while citing something else."""
        if not self._known:
            return _NO_TABLE
        reading = read_claim(claim.text)
        folded = reading.folded
        mentions = self._mentions(folded)
        if not mentions:
            return CheckResult(silence="The claim names no value of the canon.")
        stated = list(statements(folded, reading.values))
        findings: list[Finding] = []
        seen: set[str] = set()
        any_stated = False
        starts = [one.value.start for one in stated]
        for place, mention in enumerate(mentions):
            if mention.known.entry.name in seen:
                continue
            first = bisect_left(starts, mention.start - _FARTHEST_BEFORE - _LONGEST_VALUE)
            last = bisect_left(starts, mention.end + _FARTHEST_BEHIND)
            candidates = _candidates(_gap(mentions, place, folded), stated[first:last], folded)
            if not candidates:
                continue
            seen.add(mention.known.entry.name)
            any_stated = True
            findings.extend(_judge(mention.known, candidates, claim))
        silence = (
            "Every canonical value that the claim states agrees with the canon."
            if any_stated
            else "The claim names a value of the canon without stating one of its kind."
        )
        return CheckResult(tuple(findings), silence=silence)

    def _mentions(self, folded: str) -> list[_Mention]:
        """Find the entries that a claim names; a name inside a longer one is that longer one's."""
        found = [
            _Mention(match.start(), match.end(), known)
            for known in self._known
            if any(word in folded for word in known.names)
            for match in known.pattern.finditer(folded)
        ]
        found.sort(key=lambda mention: (mention.start, -mention.end))
        kept: list[_Mention] = []
        for mention in found:
            if not kept or mention.start >= kept[-1].end:
                kept.append(mention)
        return kept


def _gap(mentions: Sequence[_Mention], place: int, folded: str) -> _Place:
    """Give a mention with the room around it that no other mention takes."""
    earliest = mentions[place - 1].end if place else 0
    latest = mentions[place + 1].start if place + 1 < len(mentions) else len(folded)
    return _Place(mentions[place], earliest, latest)


def _candidates(place: _Place, near: Sequence[Statement], folded: str) -> list[Statement]:
    """Give the statements that can be of the named value, the likeliest first."""
    mention = place.mention
    mine = [one for one in near if is_comparable(one.value, mention.known.quantity, folded)]
    behind = next((one for one in mine if one.value.start >= mention.end), None)
    before = next((one for one in reversed(mine) if one.end <= mention.start), None)
    if behind and (
        behind.value.start > min(place.latest, mention.end + _FARTHEST_BEHIND)
        or _APART.search(folded, mention.end, behind.value.start)
    ):
        behind = None
    if before and (
        before.value.start < place.earliest
        or before.end < mention.start - _FARTHEST_BEFORE
        or _APART.search(folded, before.end, mention.start)
    ):
        before = None
    adjacent = before is not None and folded[before.end : mention.start] in _NEXT_TO
    ordered = (before, behind) if adjacent else (behind, before)
    return [one for one in ordered if one is not None and one.manner != DENIED]


def _judge(known: _Known, candidates: Sequence[Statement], claim: ClaimInput) -> Iterator[Finding]:
    entry = known.entry
    agreeing = next(
        (one for one in candidates if agrees(one, known.quantity, allowed=known.allowed, exact=entry.exact)), None
    )
    said = agreeing or candidates[0]
    written = claim.text[said.value.start : said.end]
    if agreeing is None:
        reason = f"“{written}” is not the canonical value of {entry.name}, which is {known.quantity.written}."
        yield Finding(written, _in_sources(known.quantity.value, claim), reason, NAME, Verdict.CONTRADICTED)
    if entry.sources and not any({cited.source_id, cited.collection} & {*entry.sources} for cited in claim.cited):
        elsewhere = "cites no source" if not claim.cited else "cites a source outside the canon"
        reason = f"The claim states {entry.name} and {elsewhere}; expected one of {', '.join(entry.sources)}."
        yield Finding(written, "", reason, NAME)


def _in_sources(value: Value, claim: ClaimInput) -> str:
    """Give the canonical value as a cited source writes it, or nothing."""
    for cited in claim.cited:
        source = index_source(cited)
        if found := source.values.look_up(value):
            return source.text[found.start : found.end]
    return ""


def default_config() -> dict[str, object]:
    """Give an empty table."""
    return {"values": []}


def _build(config: CanonConfig) -> Check:
    return Check(NAME, LIMITS, CanonRule(config))


CANON = JudgeType(
    name=NAME,
    title="Canonical values",
    summary="Flags claims that state a value of the project's table wrongly (contradicted), or rightly while citing a source "
    "outside the canon (absent).",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="2",
    settings={
        "values": Setting(
            label="Canonical values",
            help="One a line, such as: name: return window; aliases: time to return; value: 14; unit: days; sources: policies. "
            "A tolerance is an amount in the unit or a share such as 2%; exact: yes refuses roundings and bounds too. Sources "
            "are ids or collections that may be cited for it; without any, all may.",
            written="entries",
            entries={
                "name": "text",
                "aliases": "texts",
                "value": "plain",
                "unit": "text",
                "tolerance": "plain",
                "exact": "switch",
                "sources": "texts",
            },
        )
    },
)
