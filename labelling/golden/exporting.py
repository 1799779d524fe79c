"""A golden set as a file: the sources and answers it speaks of, then its items."""

import csv
import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Literal, cast

from labelling.exporting.lines import answer_line, source_line
from labelling.golden.items import canonical
from labelling.importing.delimited import FORMAT_MARK, escape_cell
from labelling.models import Answer, GoldenItem, GoldenSet, Source

GoldenFormat = Literal["jsonl", "csv", "parquet"]
FORMATS: Sequence[GoldenFormat] = ("jsonl", "csv", "parquet")
CONTENT_TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/octet-stream",
}
COLUMNS = (
    "format",
    "type",
    "id",
    "verdict",
    "basis",
    "split",
    "kind",
    "severity",
    "claim",
    "answer",
    "sources",
    "item",
)
BATCH = 1_000


def file_name(golden_set: GoldenSet, kind: str) -> str:
    """A name that is safe anywhere: the set's own is a slug."""
    return f"{golden_set.name}-v{golden_set.version}.{kind}"


def manifest_text(golden_set: GoldenSet) -> str:
    return json.dumps(golden_set.manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def golden_lines(golden_set: GoldenSet) -> Iterator[dict[str, object]]:
    """Source lines, answer lines and items, each kind in the order of its ids."""
    # Items stand in the order of code points, which need not be the database's.
    keys = sorted(golden_set.items.values_list("external_id", "pk"))
    sources: set[str] = set()
    answers: set[str] = set()
    for item in _items(golden_set, keys):
        answers.add(str(item["answer"]))
        citations = item["citations"]
        assert isinstance(citations, list)
        sources.update(citation["source"] for citation in citations)
    project = golden_set.project_id
    for chunk in _chunks(sorted(sources), 50):
        found = {row.external_id: row for row in Source.objects.filter(project=project, external_id__in=chunk)}
        yield from (source_line(found[name]) for name in chunk)
    for chunk in _chunks(sorted(answers), 500):
        given = {row.external_id: row for row in Answer.objects.filter(project=project, external_id__in=chunk)}
        yield from (answer_line(given[name]) for name in chunk)
    yield from _items(golden_set, keys)


def _items(golden_set: GoldenSet, keys: Sequence[tuple[str, int]]) -> Iterator[dict[str, object]]:
    for start in range(0, len(keys), 500):
        chunk = [pk for _, pk in keys[start : start + 500]]
        found = dict(GoldenItem.objects.filter(golden_set=golden_set, pk__in=chunk).values_list("pk", "item"))
        yield from (found[pk] for pk in chunk)


def _chunks(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), size):
        yield names[start : start + size]


def row_of(line: dict[str, object]) -> dict[str, str]:
    """A line as a row for people, with the line itself, canonical, in its last cell."""
    gold, citations = line.get("gold"), line.get("citations")
    cited = citations if isinstance(citations, list) else []
    item = line["type"] == "golden_item"
    return {
        "format": FORMAT_MARK,
        "type": str(line["type"]),
        "id": str(line["id"]),
        "verdict": str(gold["verdict"]) if isinstance(gold, dict) else "",
        "basis": str(gold["basis"]) if isinstance(gold, dict) else "",
        "split": str(line.get("split", "")),
        "kind": str(line.get("kind", "")),
        "severity": str(line.get("severity", "")),
        "claim": str(line["text"]) if item else "",
        "answer": str(line.get("answer", "")),
        "sources": " ".join(str(citation["source"]) for citation in cited),
        "item": canonical(line),
    }


def jsonl_chunks(lines: Iterable[dict[str, object]]) -> Iterator[bytes]:
    """Native lines as bytes."""
    for line in lines:
        yield (canonical(line) + "\n").encode()


def csv_chunks(rows: Iterable[dict[str, str]], columns: Sequence[str]) -> Iterator[bytes]:
    """Rows as CSV, with cells that a spreadsheet would run made harmless and readable back."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([escape_cell(column) for column in columns])
    for row in rows:
        writer.writerow([escape_cell(row.get(column, "")) for column in columns])
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def write_parquet(out: BinaryIO, rows: Iterable[dict[str, str]], columns: Sequence[str]) -> None:
    """Rows as a Parquet file of text columns."""
    import pyarrow as pa  # noqa: PLC0415  a hundred megabytes that other formats need not carry
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = pa.schema([(column, pa.string()) for column in columns])
    stream = iter(rows)
    with pq.ParquetWriter(out, schema) as writer:
        while batch := [row for _, row in zip(range(BATCH), stream, strict=False)]:
            cells = [pa.array([row.get(column) or None for row in batch], pa.string()) for column in columns]
            writer.write_table(pa.Table.from_arrays(cells, schema=schema))


def golden_chunks(golden_set: GoldenSet, kind: Literal["jsonl", "csv"]) -> Iterator[bytes]:
    """The set as a stream of bytes."""
    lines = golden_lines(golden_set)
    return jsonl_chunks(lines) if kind == "jsonl" else csv_chunks(map(row_of, lines), COLUMNS)


def write_golden(golden_set: GoldenSet, kind: GoldenFormat, out: BinaryIO) -> None:
    """Write the set to a binary file."""
    if kind == "parquet":
        write_parquet(out, map(row_of, golden_lines(golden_set)), COLUMNS)
    else:
        out.writelines(golden_chunks(golden_set, kind))


def open_parquet(golden_set: GoldenSet) -> Iterator[bytes]:
    """The set as Parquet, by way of a temporary file: its footer is written last and names every part."""
    with tempfile.TemporaryFile() as file:
        write_golden(golden_set, "parquet", cast("BinaryIO", file))
        file.seek(0)
        while chunk := file.read(1 << 16):
            yield chunk
