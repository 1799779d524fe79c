"""The check *record*: a figure or date of a claim equals the field of a cited source's structured record that it speaks of."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judges.checks.claims import read_claim
from judges.checks.entries import Plain, Tolerance, read_entries, read_text, read_texts, read_tolerance, tolerance
from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.values.stating import (
    DENIED,
    Quantity,
    Statement,
    agrees,
    is_comparable,
    nouns_behind,
    read_quantity,
    statements,
)
from judges.checks.values.units import UNITS
from judges.protocol import ClaimInput, JudgeType, Verdict, reject_unknown_keys
from judges.setting import Setting
from judges.text.folding import fold
from judges.text.words import STOP_WORDS, content_terms, stem

NAME = "record"
LIMITS = (
    "Speaks only where exactly one field of the record fits: every word of its name stands in the sentence and the value is of "
    "its kind. It does not see that a sentence means another thing of the same name, and fields without a name of their own "
    "(“days: 14”) need one in the settings."
)

_FIELD_KEYS = ("field", "names", "unit", "tolerance")
_PARTS = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n|[。！？；]")
_NO_RECORD = CheckResult(silence="No cited source has a record with a figure or a date.")
_LONGEST_TEXT, _MOST_FIELDS, _DEEPEST = 80, 500, 4


@dataclass(frozen=True, slots=True)
class FieldSetting:
    """What a field's key does not tell: ``names`` that claims use for it, its ``unit``, its own ``tolerance``."""

    field: str
    names: tuple[str, ...]
    unit: str
    tolerance: Plain


@dataclass(frozen=True, slots=True)
class RecordConfig:
    """``tolerance`` for every field without one of its own, in the unit of the field or as a share such as ``"2%"``."""

    tolerance: Plain = 0
    fields: tuple[FieldSetting, ...] = ()


def parse_config(data: Mapping[str, object]) -> RecordConfig:
    """Read ``tolerance``, and ``fields``: a list of objects with ``field``, ``names``, ``unit`` and ``tolerance``.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=("tolerance", "fields"))
    general = read_tolerance(data, "tolerance")
    fields = tuple(
        FieldSetting(
            field=read_text(entry, "field", where=where, required=True),
            names=read_texts(entry, "names", where=where),
            unit=read_text(entry, "unit", where=where),
            tolerance=read_tolerance({"tolerance": general, **entry}, "tolerance", where=where),
        )
        for where, entry in read_entries(data, "fields", known=_FIELD_KEYS)
    )
    seen: set[str] = set()
    for place, one in enumerate(fields):
        if one.field in seen:
            msg = f"fields[{place}].field is {one.field!r} again; expected each field once"
            raise ValueError(msg)
        seen.add(one.field)
    return RecordConfig(general, fields)


class _Field(NamedTuple):
    """One field of a record that has one value, and the words that speak of it: any one set is enough."""

    key: str
    quantity: Quantity
    names: tuple[frozenset[str], ...]
    allowed: Tolerance


class RecordRule:
    """The check for one configuration."""

    def __init__(self, config: RecordConfig) -> None:
        self._general = tolerance(config.tolerance)
        self._settings = {one.field: one for one in config.fields}

    def __call__(self, claim: ClaimInput) -> CheckResult:
        """Flag each value that contradicts the one field it speaks of."""
        fields = [field for cited in claim.cited if cited.fields for field in self._fields(cited.fields)]
        if not fields:
            return _NO_RECORD
        reading = read_claim(claim.text)
        folded, values = reading.folded, reading.values
        if not values:
            return CheckResult(silence="The claim has no figure or date to compare with the record.")
        findings: list[Finding] = []
        agreeing: list[str] = []
        starts = [value.start for value in values]
        for start, end in _sentences(folded):
            here = values[bisect_left(starts, start) : bisect_left(starts, end)]
            stated = [one for one in statements(folded, here) if one.manner != DENIED]
            for field, said in _by_field(stated, fields, folded, (start, end)):
                if any(agrees(one, field.quantity, allowed=field.allowed) for one in said):
                    agreeing.append(field.key)
                elif len(said) == 1:
                    findings.append(_mismatch(said[0], field, claim))
        silence = (
            f"The claim agrees with the record: {', '.join(dict.fromkeys(agreeing))}."
            if agreeing
            else "No value of the claim speaks of exactly one field of the record."
        )
        return CheckResult(tuple(findings), silence=silence)

    def _fields(self, record: Mapping[str, object]) -> Iterator[_Field]:
        for key, value in list(_flattened(record, "", 0))[:_MOST_FIELDS]:
            setting = self._settings.get(key)
            words = _key_words(key)
            unit = setting.unit if setting else ""
            name, unit_of_key = _without_unit(words)
            quantity = _read_field(value, unit or unit_of_key)
            if quantity is None:
                continue
            names = [frozenset(stem(word) for word in name if word not in STOP_WORDS)]
            names += [
                frozenset(stem(term) for term in content_terms(fold(one))) for one in (setting.names if setting else ())
            ]
            allowed = tolerance(setting.tolerance) if setting else self._general
            yield _Field(key, quantity, tuple(one for one in names if one), allowed)


def _flattened(record: Mapping[str, object], prefix: str, depth: int) -> Iterator[tuple[str, Plain]]:
    """Yield the fields that hold one number or text, nested ones by their dotted key."""
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and depth < _DEEPEST:
            yield from _flattened(value, name + ".", depth + 1)
        elif isinstance(value, int | float | str) and not isinstance(value, bool):
            yield name, value


def _key_words(key: str) -> list[str]:
    return _PARTS.findall(fold(_CAMEL.sub(" ", key)).replace("_", " "))


def _without_unit(words: Sequence[str]) -> tuple[Sequence[str], str]:
    """Part the words of a key into its name and the unit that it may end in."""
    for length in (2, 1):
        unit = " ".join(words[len(words) - length :])
        if len(words) >= length and unit in UNITS:
            return words[: len(words) - length], unit
    return words, ""


def _read_field(value: Plain, unit: str) -> Quantity | None:
    if isinstance(value, str):
        if len(value) > _LONGEST_TEXT:
            return None
        bare = read_quantity(value)
        if bare is None or bare.nouns:
            # "1980 to the present" and "a medal (1900)" are no single value.
            return None
        if bare.value.readings or bare.value.days or not unit:
            return bare._replace(written=value.strip())
    elif value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124  (NaN is not itself)
        return None
    quantity = read_quantity(value, unit)
    return quantity if quantity is None else quantity._replace(written=str(value).strip())


def _sentences(folded: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _SENTENCE_END.finditer(folded):
        yield start, stop.end()
        start = stop.end()
    yield start, len(folded)


def _by_field(
    stated: Sequence[Statement], fields: Sequence[_Field], folded: str, span: tuple[int, int]
) -> list[tuple[_Field, list[Statement]]]:
    """Put the values of a sentence to the fields that they speak of; a value that fits several fields fits none."""
    if not stated:
        return []
    words = frozenset(stem(term) for term in content_terms(folded[span[0] : span[1]]))
    named = [(field, said) for field in fields for said in field.names if said <= words]
    # "Extended window" names its own field and not also the one called "window".
    named = [(field, said) for field, said in named if not any(said < other for _, other in named)]
    groups: dict[int, tuple[_Field, list[Statement]]] = {}
    for one in stated:
        fitting = {id(field): field for field, said in named if _speaks_of(one, field, said, folded)}
        truths = {field.quantity.value[3:] for field in fitting.values()}
        if len(truths) == 1:
            field = next(iter(fitting.values()))
            groups.setdefault(id(field), (field, []))[1].append(one)
    return list(groups.values())


def _speaks_of(stated: Statement, field: _Field, said: frozenset[str], folded: str) -> bool:
    if not is_comparable(stated.value, field.quantity, folded):
        return False
    if stated.value.worded and stated.value.numbers == (1,) and not stated.value.readings:
        # "One of them" counts nothing.
        return False
    if stated.value.readings or stated.value.days or field.quantity.value.days or field.quantity.nouns:
        return True
    # A bare figure counts what stands behind it, and that must be what the field counts.
    counted = nouns_behind(folded, stated.end)
    return not counted or not counted.isdisjoint(said)


def _mismatch(said: Statement, field: _Field, claim: ClaimInput) -> Finding:
    written = claim.text[said.value.start : said.end]
    reason = f"“{written}” contradicts the record, where {field.key} is {field.quantity.written}."
    return Finding(written, field.quantity.written, reason, NAME, Verdict.CONTRADICTED)


def default_config() -> dict[str, object]:
    """Give the configuration that takes fields by their keys and values as they are."""
    return {"tolerance": 0, "fields": []}


def _build(config: RecordConfig) -> Check:
    return Check(NAME, LIMITS, RecordRule(config))


RECORD = JudgeType(
    name=NAME,
    title="Record",
    summary="Flags figures and dates that contradict the one field of a cited source's structured record that they speak of.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="2",
    settings={
        "tolerance": Setting(
            label="Tolerance",
            help="How far a value may be off: an amount in the field's unit, or a share such as 2%.",
            written="amount",
        ),
        "fields": Setting(
            label="Fields",
            help="What a field's key does not tell, one field a line, such as: field: days; names: return window, time to return; "
            "unit: days; tolerance: 1. Fields that are not named here are compared by their own key.",
            written="entries",
            entries={"field": "text", "names": "texts", "unit": "text", "tolerance": "plain"},
        ),
    },
)
