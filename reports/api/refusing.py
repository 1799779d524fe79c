"""A request that is not answered: the status, one sentence, and what is wrong with which key."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from labelling.importing.fields import Fault
from labelling.importing.problems import shorten

MOST_PROBLEMS = 50
_LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one key, by its path in the request: ``claims[0].citation.start``."""

    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        key = f"{self.key}: " if self.key else ""
        found = f"found {self.found}, " if self.found else ""
        return f"{key}{found}expected {self.expected}"

    def as_data(self) -> dict[str, str]:
        return {"key": self.key, "found": self.found, "expected": self.expected}


class RefusedError(Exception):
    """Ends the request with this status; nothing of it is stored."""

    def __init__(
        self, status: int, error: str, problems: Iterable[Problem] = (), *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(error)
        self.status = status
        self.headers = dict(headers or {})
        self.problems = tuple(problems)[:MOST_PROBLEMS]

    def as_data(self) -> dict[str, object]:
        """What the program that asked is told."""
        return {"error": str(self), "problems": [problem.as_data() for problem in self.problems]}


def refused_for(problems: Iterable[Problem], *, status: int = 400) -> RefusedError:
    """Refuse for what is wrong with some keys; the sentence is the first of them."""
    listed = tuple(problems)
    return RefusedError(status, str(listed[0]), listed)


def not_as_expected(faults: Iterable[Fault]) -> RefusedError:
    """A body that is no answer to check."""
    return refused_for(
        Problem(
            fault.key if len(fault.key) <= _LONGEST_KEY else f"{fault.key[: _LONGEST_KEY - 1]}…",
            "" if fault.found is None else shorten(fault.found),
            fault.expected,
        )
        for fault in faults
    )
