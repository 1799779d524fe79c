"""CSV and TSV as people really have them: marks, CRLF, escaped or stray quotes, stray columns."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from labelling.importing.decoding import open_text
from labelling.importing.jsonlines import NUL_EXPECTED
from labelling.importing.meter import Meter
from labelling.importing.problems import FileRefusedError, Problems, Record

if TYPE_CHECKING:
    from _csv import Reader

Quoting = Literal["standard", "backslash", "none"]
SAMPLE = 4 * 1024 * 1024
CELL_LIMIT = 64 * 1024 * 1024
DELIMITERS = ",\t;|"
FORMAT_MARK = "touchstone-1"
_OTHER_ESCAPE = re.compile(r"""\\(?!["'\\])""")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# The wide forms too: some spreadsheets read them as the narrow ones.
_DANGEROUS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "'")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the cells of a file are told apart.

    `width` is the number of cells that its rows have: one fewer than the header where the header ends in a stray
    name; 0 where it is the header's.
    """

    delimiter: str
    quoting: Quoting
    width: int = 0

    def reader(self, lines: Iterator[str]) -> "Reader":
        csv.field_size_limit(CELL_LIMIT)
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            quoting=csv.QUOTE_NONE if self.quoting == "none" else csv.QUOTE_MINIMAL,
            escapechar="\\" if self.quoting == "backslash" else None,
            doublequote=self.quoting != "none",
        )

    def __str__(self) -> str:
        names = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
        quotes = {"standard": "quotes doubled", "backslash": "quotes escaped by a backslash", "none": "quotes are text"}
        return f"{names.get(self.delimiter, self.delimiter)}, {quotes[self.quoting]}"


def escape_cell(value: str) -> str:
    """Make a cell that a spreadsheet would run harmless; :func:`unescape_cell` gives it back."""
    return "'" + value if value.startswith(_DANGEROUS) else value


def unescape_cell(value: str) -> str:
    return value[1:] if len(value) > 1 and value[0] == "'" and value[1:].startswith(_DANGEROUS) else value


def sniff(sample: str, *, whole: bool) -> Dialect:
    """Choose the dialect under which the rows of the sample agree on their number of cells.

    Parameters
    ----------
    sample : str
        The beginning of the file.
    whole : bool
        Whether that is all of it; else the last row may be cut and is not looked at.
    """
    header = sample.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=header.count)
    ranked: list[tuple[float, int, Dialect]] = []
    order: Sequence[Quoting] = ("standard", "backslash", "none")
    for preference, quoting in enumerate(order):
        dialect = Dialect(delimiter, quoting)
        fit, width = _fit(sample, dialect, whole=whole)
        if quoting == "standard" and _has_stray_quotes(sample, delimiter):
            fit -= 0.5
        if quoting == "backslash":
            if "\\'" not in sample and '\\"' not in sample:
                continue
            # Where nothing but quotes is ever escaped, a backslash is an escape and no part of the text.
            fit += 0.0 if _OTHER_ESCAPE.search(sample) else 0.001
        ranked.append((-fit, preference, Dialect(delimiter, quoting, width)))
    return min(ranked, key=lambda entry: entry[:2])[2]


def _fit(sample: str, dialect: Dialect, *, whole: bool) -> tuple[float, int]:
    """Share of rows below the header that have the most frequent width, and that width."""
    try:
        widths = [len(row) for row in dialect.reader(iter(_LINE.findall(sample))) if row]
    except csv.Error:
        return -1.0, 0
    body = widths[1:] if whole else widths[1:-1]
    if not body:
        return 0.0, widths[0] if widths else 0
    # Of two equally frequent widths the header's is the one meant.
    width, count = max(Counter(body).items(), key=lambda entry: (entry[1], entry[0] == widths[0]))
    fits_header = width <= widths[0] <= width + 1
    return count / len(body) - (0.0 if fits_header else 0.5), width


def _has_stray_quotes(sample: str, delimiter: str) -> bool:
    """Whether a cell opens with a quote and goes on after its end, as where quotes are plain text."""
    for line in sample.split("\n"):
        for cell in line.rstrip("\r").split(delimiter) if delimiter == "\t" else ():
            if cell.startswith('"') and (len(cell) < 2 or not _well_quoted(cell)):
                return True
    return False


def _well_quoted(cell: str) -> bool:
    return cell.endswith('"') and '"' not in cell[1:-1].replace('""', "")


def read_delimited(
    path: Path,
    name: str,
    problems: Problems,
    *,
    encoding: str = "",
    delimiter: str = "",
    quoting: Quoting | None = None,
    meter: Meter | None = None,
) -> Iterator[Record]:
    """Yield one record a row, its cells named by the header."""
    dialect = dialect_of(path, encoding=encoding, delimiter=delimiter, quoting=quoting)
    with open_text(path, declared=encoding, newline="", meter=meter) as lines:
        reader = dialect.reader(iter(lines))
        try:
            header = header_of(next(reader, []))
        except csv.Error as fault:
            raise FileRefusedError(f"line {reader.line_num}: the header cannot be read ({fault})") from None
        marked = "format" in header
        width = dialect.width if len(header) - 1 <= dialect.width <= len(header) else len(header)
        for number in itertools.count():
            first = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as fault:
                record = Record(name, first, "line", "")
                problems.add(record, "", None, f"a readable row after row {number} ({fault})")
                yield record
                return
            if not row:
                continue
            if len(row) != width:
                record = Record(name, first, "line", dialect.delimiter.join(row))
                problems.add(record, "", f"{len(row)} cells", f"{width}, as in the header")
                yield record
                continue
            cells: dict[str, object] = {key: cell for key, cell in zip(header, row, strict=False) if key}
            if "\x00" in "".join(row):
                key = next((key for key, cell in cells.items() if "\x00" in str(cell)), "")
                record = Record(name, first, "line", dialect.delimiter.join(row))
                problems.add(record, key, None, NUL_EXPECTED)
                yield record
                continue
            if marked and cells["format"] == FORMAT_MARK:
                cells = {key: unescape_cell(str(cell)) for key, cell in cells.items() if key != "format"}
            yield Record(name, first, "line", cells)


def dialect_of(path: Path, *, encoding: str = "", delimiter: str = "", quoting: Quoting | None = None) -> Dialect:
    """The dialect of a file: what was declared, and the rest from its beginning."""
    with open_text(path, declared=encoding, newline="") as lines:
        sample = lines.read(SAMPLE)
        whole = not lines.read(1)
    found = sniff(sample, whole=whole)
    if delimiter or quoting:
        return Dialect(delimiter or found.delimiter, quoting or found.quoting)
    return found


def header_of(row: Sequence[object]) -> list[str]:
    """The names of the columns; an unnamed column has the empty name and is left out.

    Raises
    ------
    FileRefusedError
        Where there is no header, or a name stands twice.
    """
    names = ["" if cell is None else str(cell).strip() for cell in row]
    if not any(names):
        raise FileRefusedError("line 1: found no header, expected the names of the columns")
    for name in names:
        if name and names.count(name) > 1:
            raise FileRefusedError(f"line 1: found the column {name!r} twice, expected each name once")
    return names
