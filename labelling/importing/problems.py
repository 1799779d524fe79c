"""What is wrong with a file, said so that it can be put right: file, line, key, found, expected."""

from dataclasses import dataclass, field

LIMIT = 200
SHOWN = 60


class FileRefusedError(ValueError):
    """The file as a whole cannot be read: its encoding, its container or its header."""


def shorten(value: object) -> str:
    """Write a found value on one short line."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text.split())
    return repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


@dataclass(frozen=True, slots=True)
class Record:
    """One line or row of a file as it was read.

    Attributes
    ----------
    line : int
        Number of its first physical line, or of its row, from 1.
    unit : str
        `line` or `row`.
    content : dict or str
        The object or the named cells; the raw text where it could not be parsed.
    """

    file: str
    line: int
    unit: str
    content: dict[str, object] | str

    @property
    def place(self) -> str:
        return f"{self.file}, {self.unit} {self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of one line."""

    file: str
    line: int
    unit: str
    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        key = f", {self.key}" if self.key else ""
        found = f"found {self.found}, " if self.found else ""
        return f"{self.file}, {self.unit} {self.line}{key}: {found}expected {self.expected}"

    def to_json(self) -> dict[str, object]:
        return {
            "file": self.file,
            "line": self.line,
            "unit": self.unit,
            "key": self.key,
            "found": self.found,
            "expected": self.expected,
        }


@dataclass(slots=True)
class Problems:
    """Collects the faults of one file; past the limit it only counts."""

    limit: int = LIMIT
    listed: list[Problem] = field(default_factory=list)
    total: int = 0

    def add(self, record: Record, key: str, found: object, expected: str) -> Problem:
        problem = Problem(record.file, record.line, record.unit, key, "" if found is None else shorten(found), expected)
        self.total += 1
        if len(self.listed) < self.limit:
            self.listed.append(problem)
        return problem

    @property
    def full(self) -> bool:
        return self.total >= self.limit
