"""From bytes to text without guessing: UTF-8, UTF-16 by its mark, anything else only where it is declared."""

import codecs
import gzip
import io
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from labelling.importing.meter import Meter
from labelling.importing.problems import FileRefusedError

CHUNK = 1 << 20
# Codecs of Python that are notations, not encodings; what they make need not be text that can be kept.
_NO_ENCODINGS = ("unicode-escape", "raw-unicode-escape", "idna", "punycode", "utf-7")
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def open_bytes(path: Path, meter: Meter | None = None) -> BinaryIO:
    """Open a file for reading, unpacking it where it is gzip, whatever its name says."""
    raw = path.open("rb")
    if meter is not None:
        meter.watch(raw.tell, path.stat().st_size)
    packed = raw.read(2) == b"\x1f\x8b"
    raw.seek(0)
    # A gzip file is a binary file in all but its declared type.
    return cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else raw


def encoding_of(head: bytes, declared: str = "") -> str:
    """Name the encoding of a file from its first bytes.

    Raises
    ------
    FileRefusedError
        Where the declared encoding is unknown, or the bytes look like UTF-16 without a mark.
    """
    if declared:
        try:
            name = codecs.lookup(declared).name
            b"    ".decode(name, errors="ignore")  # refuses codecs that make no text of bytes, such as hex
        except (LookupError, UnicodeError):
            name = ""
        if not name or name in _NO_ENCODINGS:
            raise FileRefusedError(
                f"encoding {declared!r} is not known; expected a name such as utf-8, utf-16 or cp1252"
            )
        return "utf-8-sig" if name == "utf-8" else name
    for mark, name in MARKS:
        if head.startswith(mark):
            return name
    if head.startswith(b"\x00"):
        half = "utf-16-be"
    elif head[1:2] == b"\x00":
        half = "utf-16-le"
    else:
        return "utf-8"
    raise FileRefusedError(
        f"byte 0: this looks like {half.upper()} without a byte-order mark; declare it with --encoding {half}"
    )


def open_text(path: Path, *, declared: str = "", newline: str | None, meter: Meter | None = None) -> TextIO:
    """Open a plain or packed text file in its own encoding."""
    stream = open_bytes(path)
    head = stream.read(4)
    stream.close()
    encoding = encoding_of(head, declared)
    return io.TextIOWrapper(open_bytes(path, meter), encoding=encoding, errors="strict", newline=newline)


def explain_undecodable(path: Path, *, declared: str = "") -> str:
    """Say where the first byte stands that is not in the file's encoding."""
    stream = open_bytes(path)
    with stream:
        head = stream.read(4)
        encoding = encoding_of(head, declared)
        stream.seek(0)
        decoder = codecs.getincrementaldecoder(encoding)()
        before = 0
        lines = 1
        while True:
            chunk = stream.read(CHUNK)
            pending = len(decoder.getstate()[0])
            try:
                lines += decoder.decode(chunk, final=not chunk).count("\n")
            except UnicodeDecodeError as fault:
                byte = fault.object[fault.start]
                position = before - pending + fault.start
                # An incremental decoder returns nothing of a chunk that it refuses.
                lines += fault.object[: fault.start].decode(encoding, errors="ignore").count("\n")
                return (
                    f"byte {position} (line {lines}): found 0x{byte:02x}, expected {encoding.upper()}; "
                    "where the file is in another encoding, declare it, for example with --encoding cp1252"
                )
            if not chunk:
                return "the text could not be decoded"
            before += len(chunk)
