"""Files that are broken, or that try to break something: refused with their place, never a crash, nothing changed."""

import csv
import gzip
import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelling.importing.delimited import escape_cell, unescape_cell
from labelling.importing.files import Reading
from labelling.models import Claim
from tests.factories import make_project
from tests.labelling.importing.files import bring, said

pytestmark = pytest.mark.django_db
ROWS = {"claim": ["It is open.", "It is shut."], "source_text": ["The shop is open."] * 2}


def refused(path: Path, *expected: str) -> None:
    report = bring(make_project(), path)
    assert not report.saved
    text = said(report) + report.refused
    for part in expected:
        assert part in text
    assert not Claim.objects.exists()


@pytest.mark.parametrize("key", ["claim", "source_text"])
def test_nul_in_a_parquet_cell_is_refused_with_its_row(tmp_path: Path, key: str) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table(ROWS | {key: ["fine", "a\x00b"]}), path)
    refused(path, f"row 2, {key}", "without a NUL character")


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("item", "{bad", "the JSON of a line"),
        ("item", "[1]", "the JSON of a line, an object"),
        ("item", json.dumps({"type": "source", "id": "s", "text": "a\x00"}), "without a NUL character"),
        ("item", json.dumps({"type": "source", "id": "s", "text": "\ud800"}), "without an unpaired surrogate"),
        ("item", '{"a":' * 5_000, "nested too deeply"),
        ("meta", json.dumps({"k": ["\ud800"]}), "without an unpaired surrogate"),
        ("meta", '{"k": NaN}', "NaN is no number"),
        ("retrieved", json.dumps(["s1\x00"]), "without a NUL character"),
        ("retrieved", r"['s1\x00']", "without a NUL character"),
        ("retrieved", "[" * 50_000, "a list such as"),
    ],
)
def test_json_in_a_cell_is_held_to_what_a_line_is_held_to(
    tmp_path: Path, column: str, cell: str, expected: str
) -> None:
    path = tmp_path / "x.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(
            [
                ["type" if column == "item" else "id", "claim", "source_text", column],
                ["c1", "It is open.", "The shop is open.", cell],
            ]
        )
    refused(path, f"line 2, {column}", expected)


def test_a_workbook_that_is_damaged_further_down_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in [[*ROWS], *zip(*ROWS.values(), strict=True)]:
        sheet.append(list(row))
    packed = io.BytesIO()
    book.save(packed)
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(packed) as whole, zipfile.ZipFile(path, "w") as broken:
        for entry in whole.infolist():
            content = whole.read(entry)
            cut = entry.filename.endswith("sheet1.xml")
            broken.writestr(entry.filename, content[: len(content) - 60] if cut else content)
    refused(path, "the workbook is damaged")


def test_a_workbook_without_a_header_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    openpyxl.Workbook().save(path)
    refused(path, "the names of the columns")


def test_a_parquet_file_that_is_damaged_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"claim": [f"Claim {n}" for n in range(9_000)]}), path)
    content = bytearray(path.read_bytes())
    content[200:4_000] = b"\xff" * 3_800
    path.write_bytes(content)
    refused(path, "damaged")


@pytest.mark.parametrize("damage", ["checksum", "middle", "cut"])
def test_a_damaged_gzip_file_is_refused(tmp_path: Path, damage: str) -> None:
    lines = "".join(json.dumps({"type": "source", "id": f"s{n}", "text": f"{n * 7919}"}) + "\n" for n in range(3_000))
    content = bytearray(gzip.compress(lines.encode()))
    if damage == "checksum":
        content[-8:] = b"\x00" * 8
    elif damage == "middle":
        content[len(content) // 2 : len(content) // 2 + 40] = b"\xff" * 40
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(content[: len(content) // 2] if damage == "cut" else content)
    refused(path, "the packed file")


@pytest.mark.parametrize("name", ["hex", "rot13", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7", "idna"])
def test_a_codec_that_is_no_encoding_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text("claim,source_text\n\\ud800,The shop is open.\n")
    report = bring(make_project(), path, reading=Reading(name))
    assert f"encoding {name!r} is not known" in report.refused


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"])
def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless_and_comes_back(start: str) -> None:
    for text in (f"{start}1+1", f"'{start}1", f"''{start}"):
        escaped = escape_cell(text)
        assert escaped.startswith("'")
        assert unescape_cell(escaped) == text
