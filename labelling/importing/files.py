"""Which reader reads this file: decided by what is in it, never by its name."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from labelling.importing.decoding import encoding_of, explain_undecodable, open_bytes
from labelling.importing.delimited import Quoting, read_delimited
from labelling.importing.jsonlines import read_json_lines
from labelling.importing.meter import Meter
from labelling.importing.problems import FileRefusedError, Problems, Record
from labelling.importing.sheets import read_excel, read_parquet

Format = Literal["jsonl", "delimited", "excel", "parquet"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read a file, where that is not left to be found out."""

    encoding: str = ""
    delimiter: str = ""
    quoting: Quoting | None = None


def format_of(path: Path, *, encoding: str = "") -> Format:
    """Tell the format from the first bytes.

    Raises
    ------
    FileRefusedError
        Where the file is empty, a JSON array, or a container that is not read.
    """
    try:
        with open_bytes(path) as stream:
            head = stream.read(4096)
    except (OSError, EOFError, zlib.error) as fault:
        why = getattr(fault, "strerror", None) or fault  # never where the file lies
        raise FileRefusedError(f"the file cannot be opened ({why})") from None
    if not head:
        raise FileRefusedError("the file is empty")
    if head.startswith(b"PK\x03\x04"):
        return "excel"
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise FileRefusedError("byte 0: this is an old Excel file (.xls); save it as .xlsx or CSV")
    encoding = encoding_of(head, encoding)
    first = head.decode(encoding, errors="ignore").lstrip()[:1]
    if first == "[":
        raise FileRefusedError("line 1: found a JSON array, expected one JSON object a line (jq -c '.[]' makes it so)")
    return "jsonl" if first == "{" else "delimited"


def read_records(
    path: Path, name: str, problems: Problems, reading: Reading, *, meter: Meter | None = None
) -> Iterator[Record]:
    """Yield every record of a file in order, holding only a few at a time; `meter` then tells how far that is.

    Raises
    ------
    FileRefusedError
        Where the file as a whole cannot be read; the message names the file, and the byte or line.
    """
    try:
        match format_of(path, encoding=reading.encoding):
            case "jsonl":
                yield from read_json_lines(path, name, problems, encoding=reading.encoding, meter=meter)
            case "delimited":
                yield from read_delimited(
                    path,
                    name,
                    problems,
                    encoding=reading.encoding,
                    delimiter=reading.delimiter,
                    quoting=reading.quoting,
                    meter=meter,
                )
            case "excel":
                yield from read_excel(path, name, problems, meter=meter)
            case "parquet":
                yield from read_parquet(path, name, problems, meter=meter)
    except UnicodeDecodeError:
        raise FileRefusedError(f"{name}: {explain_undecodable(path, declared=reading.encoding)}") from None
    except EOFError as fault:
        raise FileRefusedError(f"{name}: the packed file ends too early ({fault})") from None
    except (gzip.BadGzipFile, zlib.error) as fault:
        raise FileRefusedError(f"{name}: the packed file is damaged ({fault})") from None
    except FileRefusedError as fault:
        raise FileRefusedError(f"{name}, {fault}" if not str(fault).startswith(name) else str(fault)) from None
