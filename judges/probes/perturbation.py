"""Perturbation: one figure, date, name or negation of a stated claim changed, so that it is no longer stated.

A value gives way to another of the same form that no cited source has. Where a change could leave the claim true ("more
than 5" holds of 9 as well), there is none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from judges.checks.claims import read_claim
from judges.checks.names import read_names
from judges.checks.sources import SourceIndex, index_source
from judges.checks.values.model import Value
from judges.probes.changes import Change, Pool, replaced
from judges.probes.negation import negated
from judges.protocol import ClaimInput
from judges.text.folding import fold
from judges.text.words import STOP_WORDS

T = TypeVar("T")
_NUMBER = re.compile(r"[1-9]\d*(?:,\d{3})*(?:\.\d+)?|0\.\d*[1-9]\d*")
_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20)\d{2}(?!\d)")
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")
# Behind these words another value can be just as true, or nearly is: "more than 5", "about 40", "before 1990".
_LOOSE = re.compile(
    r"\b(?:about|around|approximately|roughly|some|circa|ca\.?|nearly|almost|close to|just|over|under|above|below|than|"
    r"least|most|up to|upwards of|estimated|within|exceed\w*)\s(?:the |an? )?$|[-–—~/#\[('’]$"
)
_BOUND = re.compile(r"\b(?:before|after|since|until|till|by|from|to|between|through)\s(?:the )?$")
_TRIES = 12
_LETTER = re.compile(r"[^\W\d_]")


def perturbations(claim: ClaimInput, random: Random, pool: Pool) -> Mapping[str, Change]:
    """The claim made false in one place, by the kind of what was changed there."""
    sources = [index_source(cited) for cited in claim.cited]
    found = {
        "figure": _figure(claim.text, sources, random),
        "date": _date(claim.text, sources, random),
        "name": _name(claim.text, sources, random, pool.names),
        "negation": negated(claim.text),
    }
    return {kind: change for kind, change in found.items() if change is not None}


def proper_names(text: str) -> list[str]:
    """The proper names of a claim as whole runs of words, without words of grammar at their ends."""
    runs = dict.fromkeys(name.sequence for name in read_names(text, read_claim(text).words) if not name.open)
    trimmed = [_trimmed(run) for run in runs]
    return [run for run in trimmed if len(run) > 2 and "." not in run]


def _trimmed(run: str) -> str:
    words = run.removesuffix("'s").removesuffix("’s").split(" ")
    while words and fold(words[0]) in STOP_WORDS:
        words.pop(0)
    while words and fold(words[-1]) in STOP_WORDS:
        words.pop()
    return " ".join(words).rstrip(".,;:")


def _figure(text: str, sources: Sequence[SourceIndex], random: Random) -> Change | None:
    values = [
        (value, numbers[0])
        for value in _firm_values(text)
        if value.kind == "figure" and not value.worded
        if len(numbers := list(_NUMBER.finditer(text, value.start, value.end))) == 1
        if not _is_year(text, value) and numbers[0][0] not in ("1", "100")
    ]
    for value, number in _shuffled(values, random):
        for _ in range(_TRIES):
            change = replaced(text, *number.span(), _other_number(number[0], random), kind="figure")
            if _is_news(change, value, sources):
                return change
    return None


def _other_number(number: str, random: Random) -> str:
    """Another number of as many digits, written alike, far enough off to be no rounding: its first digit differs."""
    place = next(place for place, digit in enumerate(number) if digit in "123456789")
    single = len(number) == 1
    digits = [digit for digit in "23456789" if abs(int(digit) - int(number[place])) > 1 or (single and digit != number)]
    return number[:place] + random.choice(digits) + number[place + 1 :]


def _date(text: str, sources: Sequence[SourceIndex], random: Random) -> Change | None:
    values = [
        value
        for value in _firm_values(text)
        if value.kind == "date" or _is_year(text, value)
        if not _BOUND.search(fold(text[max(0, value.start - 24) : value.start]))
    ]
    for value in _shuffled(values, random):
        year = _YEAR.search(text, value.start, value.end)
        month = _MONTH.search(text, value.start, value.end)
        for _ in range(_TRIES):
            if year is not None:
                other = str(int(year[0]) + random.choice([-9, -8, -7, -6, -4, -3, 3, 4, 6, 7, 8, 9]))
                change = replaced(text, *year.span(), other, kind="date")
            elif month is not None:
                others = [name for name in _MONTHS if name not in (month[0], "February")]
                change = replaced(text, *month.span(), random.choice(others), kind="date")
            else:
                break
            if _is_news(change, value, sources):
                return change
    return None


def _is_year(text: str, value: Value) -> bool:
    return value.kind == "figure" and not value.readings and _YEAR.fullmatch(text, value.start, value.end) is not None


def _firm_values(text: str) -> Iterator[Value]:
    """The values that the claim gives as they are: no bounds, no roundings, no ends of a range, no marks."""
    for value in read_claim(text).values:
        before, after = text[max(0, value.start - 24) : value.start], text[value.end : value.end + 1]
        if not _LOOSE.search(fold(before)) and not _LETTER.match(after) and after not in ("-", "–", "/", "]", ":"):
            yield value


def _is_news(change: Change, value: Value, sources: Sequence[SourceIndex]) -> bool:
    """Say whether there is another value in the place of the old one, and one that no source has."""
    reading = read_claim(change.claim)
    shift = len(change.after) - len(change.before)
    here = [one for one in reading.values if (one.start, one.end) == (value.start, value.end + shift)]
    if len(here) != 1 or here[0].kind != value.kind:
        return False
    new = here[0]
    if (new.numbers, new.readings, new.days) == (value.numbers, value.readings, value.days):
        return False
    return not any(source.values.find(new, reading.folded) for source in sources)


def _name(text: str, sources: Sequence[SourceIndex], random: Random, names: Sequence[str]) -> Change | None:
    taken = fold(text)
    for name in _shuffled(proper_names(text), random):
        spans = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
        alike = [
            other
            for other in names
            if _shape(other) == _shape(name) and _is_strange(other, sources) and fold(other) not in taken
        ]
        if not spans or not alike:
            continue
        other = random.choice(alike)
        changed = text
        for start, end in reversed(spans):
            changed = changed[:start] + other + changed[end:]
        return Change(kind="name", claim=changed, before=name, after=other)
    return None


def _shape(name: str) -> tuple[int, bool, bool]:
    """What makes two names look alike: how many words, whether in capitals, whether with digits."""
    return name.count(" "), name.isupper(), any(letter.isdigit() for letter in name)


def _is_strange(name: str, sources: Sequence[SourceIndex]) -> bool:
    words = [word for word in re.split(r"[^\w]+", fold(name)) if word and word not in STOP_WORDS]
    return bool(words) and not any(word in source.words for source in sources for word in words)


def _shuffled(items: Sequence[T], random: Random) -> list[T]:
    return random.sample(list(items), len(items))
