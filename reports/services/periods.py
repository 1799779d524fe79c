"""Time cut into periods: weeks, months, or the times between releases. All in UTC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray

By = Literal["week", "month", "release"]
MOST_PERIODS = 26
"""Half a year of weeks: more crowd a small plot. Of more, the newest are taken, and `until` reaches the others."""
BEGINNING = datetime.min.replace(tzinfo=UTC)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """From `start`, which belongs to it, to `end`, which does not.

    Attributes
    ----------
    start, end : datetime or None
        None before the first release, and after the last one.
    name, short : str
        As it is called in a sentence, and under a plot.
    """

    start: datetime | None
    end: datetime | None
    name: str
    short: str

    def holds(self, moment: datetime) -> bool:
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    @property
    def first_day(self) -> str:
        return "" if self.start is None else self.start.date().isoformat()

    @property
    def day_after(self) -> str:
        """The day on which the next period begins."""
        return "" if self.end is None else self.end.date().isoformat()

    @property
    def last_day(self) -> str:
        return "" if self.end is None else (self.end - timedelta(microseconds=1)).date().isoformat()

    def share_at(self, moment: datetime) -> float:
        """How far into the period a moment lies, from 0 to 1; where an end is open, its middle."""
        if self.start is None or self.end is None:
            return 0.0 if moment == self.start else 0.5
        return (moment - self.start) / (self.end - self.start)


def calendar_periods(by: By, first: datetime, last: datetime) -> tuple[Period, ...]:
    """Return the weeks (from Monday) or months from the one of `first` to the one of `last`, the newest at most.

    Examples
    --------
    >>> found = calendar_periods("month", datetime(2025, 12, 31, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
    >>> [period.name for period in found]
    ['December 2025', 'January 2026']
    """
    start_of, write = (_week_of, _week) if by == "week" else (_month_of, _month)
    starts = [start_of(last)]
    while starts[-1] > first and len(starts) < MOST_PERIODS and starts[-1] - BEGINNING > _DAY * 31:
        starts.append(start_of(starts[-1] - _DAY))
    starts.reverse()
    ends = [*starts[1:], _after(last, by)]
    return tuple(write(start, end) for start, end in zip(starts, ends, strict=True))


def release_periods(releases: Sequence[tuple[str, datetime]]) -> tuple[Period, ...]:
    """Return the time before the first release, and the time from each one to the next; the newest at most.

    Parameters
    ----------
    releases : sequence of (name, moment)
        In the order of time.
    """
    if not releases:
        return ()
    ends = [*(moment for _, moment in releases[1:]), None]
    since = [Period(moment, end, name, name) for (name, moment), end in zip(releases, ends, strict=True)]
    name, first = releases[0]
    before = Period(None, first, f"the time before {name}", f"before {name}")
    return (before, *since)[-MOST_PERIODS:]


def places_in(periods: Sequence[Period], moments: NDArray[np.datetime64]) -> NDArray[np.int64]:
    """Return the place of the period of each moment, -1 before the first and where there is no moment (NaT).

    Parameters
    ----------
    periods : sequence of Period
        Without gaps, in the order of time.
    moments : datetime64[us] array, shape (answers,)
        UTC.
    """
    starts = np.array([stamp_of(period.start) for period in periods], dtype="datetime64[us]")
    found = np.searchsorted(starts, moments, side="right") - 1
    if periods and periods[-1].end is not None:
        found[moments >= stamp_of(periods[-1].end)] = -1
    found[np.isnat(moments)] = -1
    return found.astype(np.int64)


def stamp_of(moment: datetime | None) -> np.datetime64:
    """A moment as NumPy keeps it, UTC without a zone; the earliest there is where there is none."""
    return np.datetime64((moment or BEGINNING).astimezone(UTC).replace(tzinfo=None), "us")


def _week_of(moment: datetime) -> datetime:
    day = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - _DAY * day.weekday()


def _month_of(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _after(moment: datetime, by: By) -> datetime:
    """The end of the period of a moment; near the end of time, that end."""
    try:
        return _week_of(moment) + 7 * _DAY if by == "week" else _month_of(_month_of(moment) + 31 * _DAY)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _week(start: datetime, end: datetime) -> Period:
    year, week, _ = start.isocalendar()
    return Period(start, end, f"week {week} of {year}", f"{year}-W{week:02}")


def _month(start: datetime, end: datetime) -> Period:
    return Period(start, end, f"{start:%B %Y}", f"{start:%Y-%m}")
