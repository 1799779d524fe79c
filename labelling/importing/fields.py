"""Typed values out of a line, with every fault noted instead of the first one raised."""

import datetime as dt
import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.utils.dateparse import parse_date, parse_datetime

ID_LIMIT = 300
_LARGEST = 2**31 - 1


class Fault(NamedTuple):
    """What is wrong with one key."""

    key: str
    found: object
    expected: str


class Fields:
    """Reads the keys of one object; faults gather in `faults`, keys that nobody asked for in :meth:`rest`."""

    __slots__ = ("asked", "data", "faults")

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        self.faults: list[Fault] = []
        self.asked = {"type", "meta"}

    def fault(self, key: str, found: object, expected: str) -> None:
        self.faults.append(Fault(key, found, expected))

    def text(self, key: str, *, limit: int = 0) -> str:
        """Text, empty where the key is missing or null."""
        self.asked.add(key)
        value = self.data.get(key)
        if value is None:
            return ""
        if type(value) is str:
            if limit and len(value) > limit:
                self.fault(key, value, f"at most {limit} characters")
            return value
        if type(value) is int or type(value) is float:
            return str(value)
        self.fault(key, value, "text")
        return ""

    def required(self, key: str, *, limit: int = 0) -> str:
        """Text that is not blank."""
        value = self.text(key, limit=limit)
        if (not value or value.isspace()) and not any(fault.key == key for fault in self.faults):
            self.fault(key, self.data.get(key), "text that is not blank")
        return value

    def identifier(self, key: str) -> str:
        return self.required(key, limit=ID_LIMIT).strip()

    def choice(self, key: str, allowed: Collection[str], *, required: bool = False) -> str:
        """One of the allowed words; empty where the key is missing and not required."""
        value = self.text(key).strip()
        if value not in allowed and (value or required):
            self.fault(key, self.data.get(key), "one of " + ", ".join(allowed))
            return ""
        return value

    def boolean(self, key: str) -> bool | None:
        self.asked.add(key)
        value = self.data.get(key)
        if value is None or value == "":
            return None
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word in ("true", "yes", "1"):
            return True
        if word in ("false", "no", "0"):
            return False
        self.fault(key, value, "true or false")
        return None

    def number(self, key: str, *, low: float = -math.inf, high: float = math.inf) -> float | None:
        self.asked.add(key)
        value = self.data.get(key)
        if value is None or value == "":
            return None
        try:
            number = math.nan if isinstance(value, bool) else float(str(value))
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or not low <= number <= high:
            bounds = (
                f" from {low:g} to {high:g}"
                if math.isfinite(high)
                else f" of at least {low:g}"
                if low > -math.inf
                else ""
            )
            self.fault(key, value, f"a number{bounds}")
            return None
        return number

    def offset(self, key: str) -> int | None:
        """A whole number from 0, or None."""
        value = self.data.get(key)
        if type(value) is int and 0 <= value < _LARGEST:
            self.asked.add(key)
            return value
        before = len(self.faults)
        number = self.number(key)
        if number is None and len(self.faults) == before:
            return None
        if number is None or not number.is_integer() or not 0 <= number < _LARGEST:
            del self.faults[before:]
            self.fault(key, value, "a whole number from 0")
            return None
        return int(number)

    def date(self, key: str) -> dt.date | None:
        value = self.text(key).strip()
        if not value:
            return None
        try:
            date = parse_date(value)
        except ValueError:
            date = None
        if date is None:
            self.fault(key, value, "a date such as 2026-01-31")
        return date

    def moment(self, key: str) -> dt.datetime | None:
        """A date and time; without a zone it is taken as UTC."""
        value = self.text(key).strip()
        if not value:
            return None
        try:
            moment = parse_datetime(value)
            if moment is None:
                day = parse_date(value)
                moment = dt.datetime.combine(day, dt.time()) if day else None
            if moment is not None:
                return moment.astimezone(dt.UTC) if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
        except (ValueError, OverflowError):  # the zone of the first or last day there is may lead out of the calendar
            pass
        self.fault(key, value, "a date and time such as 2026-01-31T10:00:00Z")
        return None

    def texts(self, key: str) -> list[str]:
        """A list of texts; one text stands for a list of one."""
        self.asked.add(key)
        value = self.data.get(key)
        if value is None or value == "":
            return []
        items = value if isinstance(value, list) else [value]
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) < len(items):
            self.fault(key, value, "a list of texts")
        return texts

    def objects(self, key: str) -> list[Mapping[str, object]]:
        """A list of objects; one object stands for a list of one."""
        self.asked.add(key)
        value = self.data.get(key)
        if value is None or value == "":
            return []
        items = value if isinstance(value, list) else [value]
        objects: list[Mapping[str, object]] = [item for item in items if isinstance(item, dict)]
        if len(objects) < len(items):
            self.fault(key, value, "an object or a list of objects")
        return objects

    def mapping(self, key: str) -> dict[str, object]:
        self.asked.add(key)
        value = self.data.get(key)
        if value is None or value == "":
            return {}
        if not isinstance(value, dict):
            self.fault(key, value, "an object")
            return {}
        return value

    def rest(self) -> dict[str, object]:
        """Every key that was not asked for, and what stands under `meta`: kept, and given back on export.

        Where a key under `meta` has a meaning of its own outside it, the object stays as it is.
        """
        data = self.data
        extra = {key: value for key, value in data.items() if key not in self.asked}
        given = data.get("meta")
        if isinstance(given, dict) and not self.asked.intersection(given):
            extra = {**given, **extra}
        elif given not in (None, ""):
            extra["meta"] = given
        return extra
