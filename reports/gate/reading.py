"""The file of a gate: TOML, every fault of it said at once with key, found and expected."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from labelling.models import Severity
from reports.gate.rules import FIGURES, FINDS, Baseline, FigureRule, NoneRule, Rule

BOUNDS = ("at_least", "at_most", "falls_at_most", "rises_at_most")
_AGAINST = ("falls_at_most", "rises_at_most")
_NONE_KEYS = ("name", "none", "golden_set", "collection", "severity", "judge")
_FIGURE_KEYS = ("name", "figure", *BOUNDS, "baseline", "end")
_BASELINE_KEYS = ("file", "system", "task_type", "since", "until")

DEFAULT_RULES = """\
[[rule]]
name = "the judge finds what is unsupported"
figure = "judge.recall"
at_least = 0.80

[[rule]]
name = "few claims cite a source that does not support them"
figure = "miscitation"
at_most = 0.10
"""
"""What holds where no file is given: both at the safe ends of the intervals."""


class GateFileError(ValueError):
    """A file that is no gate; the message has a line for each fault."""


def read_rules(path: Path | None) -> tuple[Rule, ...]:
    """Read the rules of a gate; the default ones where there is no file.

    Raises
    ------
    GateFileError
        With every fault of the file.
    """
    if path is None:
        return parse_rules(DEFAULT_RULES, name="default rules", folder=Path())
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GateFileError(f"{path}: cannot be read: {error}") from None
    return parse_rules(text, name=str(path), folder=path.parent)


def parse_rules(text: str, *, name: str, folder: Path) -> tuple[Rule, ...]:
    """Parse the text of a gate; a file of a baseline is looked for from `folder`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GateFileError(f"{name}: no TOML: {error}") from None
    faults: list[str] = []
    top = _Table(data, "", faults)
    top.only(("rule", "baseline"))
    given = top.tables("baseline")
    baselines = {
        key: _baseline(_Table(table, f"baseline.{key}: ", faults), key, folder) for key, table in given.items()
    }
    tables = data.get("rule", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        faults.append("rule: found " + ("none" if not tables else "no table") + ", expected at least one [[rule]]")
        tables = []
    rules = [_rule(_Table(table, f"rule {place}: ", faults), baselines) for place, table in enumerate(tables, 1)]
    if faults:
        raise GateFileError("\n".join(f"{name}: {fault}" for fault in faults))
    return tuple(rules)


class _Table:
    """One table of the file; what is wrong with it goes into `faults`."""

    def __init__(self, data: Mapping[str, Any], where: str, faults: list[str]) -> None:
        self.data, self._where, self._faults = data, where, faults

    def fault(self, key: str, found: object, expected: str) -> None:
        self._faults.append(f"{self._where}{key}: found {found!r}, expected {expected}")

    def only(self, known: tuple[str, ...]) -> None:
        for key in self.data:
            if key not in known:
                self._faults.append(f"{self._where}found the key {key!r}, expected one of {', '.join(known)}")

    def tables(self, key: str) -> Mapping[str, Mapping[str, Any]]:
        found = self.data.get(key, {})
        if isinstance(found, dict) and all(isinstance(table, dict) for table in found.values()):
            return found
        self.fault(key, found, f"tables such as [{key}.NAME]")
        return {}

    def text(self, key: str) -> str:
        return str(self._read(key, lambda value: isinstance(value, str) and value.strip() != "", "a text") or "")

    def one_of(self, key: str, known: tuple[str, ...]) -> str:
        expected = f"one of {', '.join(known)}"
        return str(self._read(key, lambda value: isinstance(value, str) and value in known, expected) or "")

    def share(self, key: str) -> float | None:
        """Kappa may be negative; no other figure is below 0 or above 1."""
        found = self._read(
            key,
            lambda value: isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 1,
            "a number from -1 to 1",
        )
        return None if found is None else float(found)

    def day(self, key: str) -> dt.date | None:
        def is_day(value: object) -> bool:
            return isinstance(value, dt.date) and not isinstance(value, dt.datetime)

        found = self._read(key, is_day, "a date such as 2026-05-31, without quotes")
        return found if isinstance(found, dt.date) else None

    def _read(self, key: str, fits: Callable[[object], bool], expected: str) -> Any:
        value = self.data.get(key)
        if value is None or fits(value):
            return value
        self.fault(key, value, expected)
        return None


def _baseline(table: _Table, name: str, folder: Path) -> Baseline:
    table.only(_BASELINE_KEYS)
    if not table.data.keys() & {*_BASELINE_KEYS}:
        table.fault("file", None, f"one of {', '.join(_BASELINE_KEYS)}")
    if "file" in table.data and len(table.data) > 1:
        table.fault("file", table.data["file"], "a file alone, or a system, task type or period")
    file = table.text("file")
    return Baseline(
        name=name,
        file=folder / file if file else None,
        system=table.text("system"),
        task_type=table.text("task_type"),
        since=table.day("since"),
        until=table.day("until"),
    )


def _rule(table: _Table, baselines: Mapping[str, Baseline]) -> Rule:
    if "none" in table.data:
        return _none_rule(table)
    table.only(_FIGURE_KEYS)
    figure = table.one_of("figure", FIGURES)
    if "figure" not in table.data:
        table.fault("figure", None, 'a figure, or none = "miscitation"')
    bounds = {key: table.share(key) for key in BOUNDS if key in table.data}
    if len(bounds) != 1:
        table.fault("bound", ", ".join(bounds) or None, f"exactly one of {', '.join(BOUNDS)}")
    against = any(key in _AGAINST for key in bounds)
    baseline = baselines.get(table.one_of("baseline", tuple(baselines))) if "baseline" in table.data else None
    if against and "baseline" not in table.data:
        table.fault(
            "baseline", None, f"one of {', '.join(baselines) or 'the [baseline.NAME] tables, of which there is none'}"
        )
    if bounds and not against and "baseline" in table.data:
        table.fault("baseline", table.data["baseline"], f"none, or one of {', '.join(_AGAINST)}")
    if against and figure.startswith("judge."):
        table.fault("figure", figure, "a figure of the system: the judge's own are the same on both sides")
    end = table.one_of("end", ("safe", "value")) or "safe"
    name = table.text("name") or " ".join(_said(figure, bounds, baseline))
    return FigureRule(name=name, figure=figure, baseline=baseline, end="value" if end == "value" else "safe", **bounds)


def _said(figure: str, bounds: Mapping[str, float | None], baseline: Baseline | None) -> Iterator[str]:
    yield figure
    for key, value in bounds.items():
        yield f"{key.replace('_', ' ')} {value:g}" if value is not None else key
    if baseline is not None:
        yield f"from {baseline.name}"


def _none_rule(table: _Table) -> NoneRule:
    table.only(_NONE_KEYS)
    what = table.one_of("none", FINDS)
    if "judge" in table.data and what != "prohibited":
        table.fault("judge", table.data["judge"], 'none = "prohibited" with it')
    golden_set, collection = table.text("golden_set"), table.text("collection")
    severity = table.one_of("severity", tuple(Severity.values))
    place = " ".join(f"in {one}" for one in (golden_set, collection, severity) if one)
    return NoneRule(
        name=table.text("name") or f"no {what} {place}".strip(),
        none="prohibited" if what == "prohibited" else "miscitation",
        golden_set=golden_set,
        collection=collection,
        severity=severity,
        judge=table.text("judge"),
    )
