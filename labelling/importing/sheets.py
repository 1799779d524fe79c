"""Excel and Parquet, a row at a time."""

import datetime as dt
import zipfile
from collections.abc import Iterator
from pathlib import Path

from labelling.importing.delimited import header_of
from labelling.importing.meter import Meter
from labelling.importing.problems import FileRefusedError, Problems, Record

UNPACKED_LIMIT = 2 * 1024**3
BATCH = 2_000


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


def read_excel(path: Path, name: str, problems: Problems, *, meter: Meter | None = None) -> Iterator[Record]:
    """Yield the rows of the first sheet, each under the names of the first row."""
    import openpyxl  # noqa: PLC0415  only where it is needed: it is a third of the memory of a small import

    del problems  # a sheet that opens has no rows that cannot be read
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > UNPACKED_LIMIT:
                raise FileRefusedError("the workbook unpacks to more than 2 GiB; save it as CSV or Parquet")
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, OSError) as fault:
        raise FileRefusedError(f"this is no Excel workbook ({fault})") from None
    try:
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(values_only=True)
        header = header_of(next(rows, ()))
        number = 1
        if meter is not None:
            meter.watch(lambda: number, sheet.max_row or 0)
        for number, row in enumerate(rows, 2):
            cells = {key: cell_value(cell) for key, cell in zip(header, row, strict=False) if key}
            if any(cell not in (None, "") for cell in cells.values()):
                yield Record(name, number, "row", cells)
    finally:
        book.close()


def read_parquet(path: Path, name: str, problems: Problems, *, meter: Meter | None = None) -> Iterator[Record]:
    """Yield the rows of a Parquet file in batches of bounded size."""
    import pyarrow as pa  # noqa: PLC0415  a hundred megabytes that other formats need not carry
    import pyarrow.parquet as pq  # noqa: PLC0415

    del problems
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as fault:
        raise FileRefusedError(f"this is no Parquet file ({fault})") from None
    number = 0
    if meter is not None:
        meter.watch(lambda: number, file.metadata.num_rows)
    with file:
        for batch in file.iter_batches(batch_size=BATCH):
            for row in batch.to_pylist():
                number += 1
                yield Record(name, number, "row", {str(key): cell_value(cell) for key, cell in row.items()})
