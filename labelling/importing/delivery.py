"""What handlers of lines and the engine that calls them agree on."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from labelling.importing.fields import Fields
from labelling.importing.problems import Problem, Problems, Record
from labelling.models import Project


class Line(NamedTuple):
    """One plain line: where it stands, its type, and its parsed value."""

    record: Record
    kind: str
    value: Any  # what the handler of this kind made of it, and nobody else looks into


@dataclass(frozen=True, slots=True)
class Options:
    """What an import may do beyond adding what is new.

    Attributes
    ----------
    update : bool
        Take changed texts under known ids.
    skip_bad : bool
        Import the good lines of a file that has bad ones.
    dry_run : bool
        Do everything and keep nothing.
    missing_sources : bool
        Make a source without text where a claim cites one that is not known.
    """

    update: bool = False
    skip_bad: bool = False
    dry_run: bool = False
    missing_sources: bool = False


class Conflict(NamedTuple):
    """A problem whose message names the line that the known text came from."""

    problem: Problem
    kind: str
    identifier: str


@dataclass(slots=True)
class Delivery:
    """One file on its way in: what it may do, what went wrong, what was done.

    `labelled` gathers the claims that got labels, `unsettled` the new answers whose split follows from their sources.
    """

    project: Project
    options: Options
    problems: Problems
    now: dt.datetime
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    labelled: set[int] = field(default_factory=set)
    unsettled: list[int] = field(default_factory=list)
    on_problem: Callable[[Record, Problem], None] = lambda _record, _problem: None

    def count(self, kind: str, what: str, number: int = 1) -> None:
        """Count lines of a kind as `added`, `unchanged`, `kept` or `updated`."""
        if number:
            self.counts.setdefault(kind, Counter())[what] += number

    def problem(self, record: Record, key: str, found: object, expected: str) -> Problem:
        problem = self.problems.add(record, key, found, expected)
        self.on_problem(record, problem)
        return problem

    def conflict(self, line: Line, key: str, found: object, identifier: str) -> None:
        """A line that says something else than what is known under its id."""
        problem = self.problem(line.record, key, found, f"what is known under the id {identifier!r}")
        if len(self.conflicts) < self.problems.limit:
            self.conflicts.append(Conflict(problem, line.kind, identifier))


class LineHandler(Protocol):
    """Takes lines of one type in. Made anew for every file, so it may remember what it has looked up."""

    @property
    def kind(self) -> str:
        """The `type` that it handles."""
        ...

    def parse(self, fields: Fields) -> object:
        """Read one line's keys without looking anything up; faults stay in `fields`."""
        ...

    def write(self, lines: Sequence[Line], delivery: Delivery) -> list[Line]:
        """Save what is new and give back the lines that refer to something not known yet."""
        ...

    def waiting_for(self, line: Line) -> tuple[str, str, str]:
        """Key, found and expected of the reference for want of which a line could not be saved."""
        ...
