"""Dates as people write them, read from folded text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio januari janeiro",
            "february feb februar février febrero febbraio februari fevereiro",
            "march mar märz mars marzo maart março",
            "april apr avril abril aprile",
            "may mai mayo maggio mei maio",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug août agosto augustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct oktober octobre octubre ottobre outubro okt",
            "november nov novembre noviembre novembro",
            "december dec dezember décembre diciembre dicembre dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}
# Names that are no other word: alone they are a mention of the month.
_PLAIN_MONTHS = frozenset(
    "january february april june july august september october november december sept oct nov dec".split()  # noqa: SIM905
)
_LONGEST_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Day(NamedTuple):
    """A date as far as a text gives it; at least one of the three is there."""

    year: int | None
    month: int | None
    day: int | None


class DateMention(NamedTuple):
    """A place in a text that names a date; several days where it can be read in more than one way."""

    start: int
    end: int
    days: tuple[Day, ...]


def _possible(year: int | None, month: int, day: int) -> bool:
    if not (1 <= month <= 12 and 1 <= day <= _LONGEST_DAYS[month - 1]):
        return False
    return not (month == 2 and day == 29 and year is not None and (year % 4 or (year % 100 == 0 and year % 400)))


NUMERIC_DATE = re.compile(
    r"(?<![0-9a-z])(?<![0-9][-/.,])"
    r"(?:(?P<y>[12][0-9]{3})(?P<s>[-/.])(?P<m>[0-9]{1,2})(?P=s)(?P<d>[0-9]{1,2})"
    r"|(?P<a>[0-9]{1,2})(?P<s2>[-/.])(?P<b>[0-9]{1,2})(?P=s2)(?P<c>[12][0-9]{3}|[0-9]{2}))"
    r"(?![0-9])(?![-/.][0-9])"
)


def read_numeric_date(match: re.Match[str]) -> DateMention | None:
    """Read a match of ``NUMERIC_DATE``: both orders of day and month where both are possible."""
    if match["y"]:
        year, month, day = int(match["y"]), int(match["m"]), int(match["d"])
        if not _possible(year, month, day):
            return None
        return DateMention(match.start(), match.end(), (Day(year, month, day),))
    first, second = int(match["a"]), int(match["b"])
    years = [int(match["c"])] if len(match["c"]) == 4 else [2000 + int(match["c"]), 1900 + int(match["c"])]
    if len(match["c"]) == 2 and match["s2"] != "/" and not (match["s2"] == "." and len(match["a"]) == 2):
        # 1-2-10 and 1.2.10 are more often scores, sections or versions.
        return None
    # With points the day comes first; with strokes it depends on the country.
    orders = [(first, second)] if match["s2"] == "." else [(first, second), (second, first)]
    days = dict.fromkeys(
        Day(year, month, day) for year in years for day, month in orders if _possible(year, month, day)
    )
    return DateMention(match.start(), match.end(), tuple(days)) if days else None


_DAY = r"[0-9]{1,2}(?:st|nd|rd|th|er|º|°)?"
_BEFORE = re.compile(
    rf"(?<![0-9a-z.,:$£€])(?P<from>{_DAY})"
    rf"(?:\s?(?:-|to|and|or|until|till|through|/|bis|,)\s?(?:the\s)?(?P<to>{_DAY}))?\.?(?:\s(?:of|de)|-)?\s?(?:the\s)?$"
)
_AFTER = re.compile(
    rf"\.?(?:(?P<gap>\s|-|/)(?:the\s)?(?P<from>{_DAY})(?![0-9:]|[.,][0-9]|\s?(?:%|per\s?cent|million|billion|am|pm|a\.m|p\.m))"
    rf"(?:\s?(?:-|to|and|or|until|through)\s?(?P<to>{_DAY})(?![0-9:]|[.,][0-9]))?)?"
    rf"(?P<year>(?:,?\s?(?:of\s|de\s|in\s)?|,?\s?\(|[-/])(?P<y>[12][0-9]{{3}})(?![0-9]|[.,][0-9]))?"
)
_YEAR_BEHIND = re.compile(r"\.?(?:,?\s(?:of\s|de\s)?|[-/])(?P<y>[12][0-9]{3})(?![0-9])")
_SHORT_YEAR = re.compile(r"[-/ ]'?(?P<y>[0-9]{2})(?![0-9a-z:]|[.,][0-9])")
_LEAD = re.compile(r"\b(?:in|since|until|till|from|during|of|last|next|early|late|mid|between|before|after)[ -]$")
_NUMBER = re.compile(r"[0-9]+")


def read_month_dates(folded: str, words: frozenset[str]) -> Iterator[DateMention]:
    """Yield the dates that are written with the name of a month, in no particular order."""
    for name in words & MONTHS.keys():
        start = folded.find(name)
        while start >= 0:
            end = start + len(name)
            if _bounded(folded, start, end):
                yield from _read_month(folded, name, start, end)
            start = folded.find(name, end)


def _bounded(folded: str, start: int, end: int) -> bool:
    if start and folded[start - 1].isalpha():
        return False
    return end >= len(folded) or not folded[end].isalpha()


def _read_month(folded: str, name: str, start: int, end: int) -> Iterator[DateMention]:
    month = MONTHS[name]
    window = max(0, start - 24)
    before = _BEFORE.search(folded[window:start])
    if before:
        year, stop = _year_behind(folded, start, end)
        days = _days(year, month, before["from"], before["to"])
        if days:
            # "3 January 2026": a day behind the month as well would belong to something else.
            yield from (DateMention(window + before.start(), stop, (day,)) for day in days)
            return
    after = _AFTER.match(folded, end)
    year = int(after["y"]) if after and after["y"] else None
    if after and after["from"]:
        if len(after["from"]) == 2 and after["gap"] in ("-", "/") and year is None:
            yield DateMention(start, after.end(), (Day(2000 + int(after["from"]), month, None),))
            return
        days = _days(year, month, after["from"], after["to"])
        if days:
            yield from (DateMention(start, after.end(), (day,)) for day in days)
            return
    if after and year is not None:
        yield DateMention(start, after.end(), (Day(year, month, None),))
    elif name in _PLAIN_MONTHS or (name in ("march", "may") and _LEAD.search(folded[max(0, start - 10) : start])):
        yield DateMention(start, end, (Day(None, month, None),))


def _year_behind(folded: str, start: int, end: int) -> tuple[int | None, int]:
    """Give the year behind a month that has its day before it, and where the date ends."""
    if year := _YEAR_BEHIND.match(folded, end):
        return int(year["y"]), year.end()
    short = _SHORT_YEAR.match(folded, end)
    if short and folded[start - 1] in "-/" and folded[end] in "-/":
        return 2000 + int(short["y"]), short.end()
    return None, end


def _days(year: int | None, month: int, first: str, last: str | None) -> list[Day]:
    numbers = [int(found[0]) for text in (first, last) if text and (found := _NUMBER.match(text))]
    if not all(_possible(year, month, number) for number in numbers):
        return []
    return [Day(year, month, number) for number in numbers]


_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
EAST_ASIAN_DATE = re.compile(
    "(?:(?P<era>明治|大正|昭和|平成|令和)(?P<n>元|[0-9]{1,2})|(?P<y>[12][0-9]{3}))年"
    "(?:\\s?(?P<m>[0-9]{1,2})月(?:\\s?(?P<d>[0-9]{1,2})[日号])?)?"
    "|(?<![0-9])(?P<m2>[0-9]{1,2})月(?:\\s?(?P<d2>[0-9]{1,2})[日号])?(?!間)"
)


def read_east_asian_date(match: re.Match[str]) -> DateMention | None:
    """Read a match of ``EAST_ASIAN_DATE``: ``2026年1月3日``, ``1月3日``, ``令和8年``."""
    year: int | None = None
    if match["era"]:
        year = _ERAS[match["era"]] + (1 if match["n"] == "元" else int(match["n"]))
    elif match["y"]:
        year = int(match["y"])
    month = match["m"] or match["m2"]
    day = match["d"] or match["d2"]
    if month is None:
        return DateMention(match.start(), match.end(), (Day(year, None, None),))
    number = int(month)
    if not _possible(year, number, int(day) if day else 1):
        return None
    return DateMention(match.start(), match.end(), (Day(year, number, int(day) if day else None),))
