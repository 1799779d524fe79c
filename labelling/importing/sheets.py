"""Excel and Parquet, a row at a time."""

import datetime as dt
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import ParseError

from labelling.importing.delimited import header_of
from labelling.importing.jsonlines import unstorable
from labelling.importing.meter import Meter
from labelling.importing.problems import FileRefusedError, Problems, Record

UNPACKED_LIMIT = 2 * 1024**3
BATCH = 2_000
# What the reader of workbooks raises over broken ones, which may show only after thousands of rows.
_DAMAGE = (ParseError, ValueError, LookupError, OSError, EOFError, zipfile.BadZipFile, zlib.error)


def cell_value(value: object) -> object:
    """A cell as a plain JSON value: whole floats as integers, dates in ISO form."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dt.datetime):
        midnight = not (value.hour or value.minute or value.second or value.microsecond or value.tzinfo)
        return value.date().isoformat() if midnight else value.isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [cell_value(inner) for inner in value]
    return value


def _checked(record: Record, problems: Problems) -> Record:
    """Note text that no database can hold; CSV and JSON Lines are looked at by their own readers."""
    content = record.content
    if isinstance(content, dict) and (fault := unstorable(content)):
        problems.add(record, fault[0], None, fault[1])
        return Record(record.file, record.line, record.unit, repr(content))
    return record


def read_excel(path: Path, name: str, problems: Problems, *, meter: Meter | None = None) -> Iterator[Record]:
    """Yield the rows of the first sheet, each under the names of the first row."""
    import openpyxl  # noqa: PLC0415  only where it is needed: it is a third of the memory of a small import

    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (OSError, ValueError, zipfile.BadZipFile) as fault:
        raise FileRefusedError(f"this is no Excel workbook ({fault})") from None
    if unpacked > UNPACKED_LIMIT:
        raise FileRefusedError("the workbook unpacks to more than 2 GiB; save it as CSV or Parquet")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except _DAMAGE as fault:
        raise FileRefusedError(f"this is no Excel workbook ({fault})") from None
    number = 1
    try:
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(values_only=True)
        header = header_of(next(rows, ()))
        if meter is not None:
            meter.watch(lambda: number, sheet.max_row or 0)
        for number, row in enumerate(rows, 2):
            cells = {key: cell_value(cell) for key, cell in zip(header, row, strict=False) if key}
            if any(cell not in (None, "") for cell in cells.values()):
                yield _checked(Record(name, number, "row", cells), problems)
    except FileRefusedError:
        raise
    except _DAMAGE as fault:
        raise FileRefusedError(f"row {number}: the workbook is damaged ({fault})") from None
    finally:
        book.close()


def read_parquet(path: Path, name: str, problems: Problems, *, meter: Meter | None = None) -> Iterator[Record]:
    """Yield the rows of a Parquet file in batches of bounded size."""
    import pyarrow as pa  # noqa: PLC0415  a hundred megabytes that other formats need not carry
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as fault:
        raise FileRefusedError(f"this is no Parquet file ({fault})") from None
    number = 0
    if meter is not None:
        meter.watch(lambda: number, file.metadata.num_rows)
    with file:
        try:
            for batch in file.iter_batches(batch_size=BATCH):
                for row in batch.to_pylist():
                    number += 1
                    cells = {str(key): cell_value(cell) for key, cell in row.items()}
                    yield _checked(Record(name, number, "row", cells), problems)
        except (pa.ArrowException, OSError) as fault:
            raise FileRefusedError(f"after row {number}: the Parquet file is damaged ({fault})") from None
