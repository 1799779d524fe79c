"""Texts that break exports: each comes back from every format as it was, and no spreadsheet runs any of it."""

import csv
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from labelling.golden.exporting import FORMATS, GoldenFormat, manifest_text, write_golden
from labelling.golden.freezing import freeze_golden
from labelling.golden.verifying import verify_golden
from labelling.models import Claim, Label, Project
from reports.services.exporting import ExportFormat, write_items
from reports.services.importing import import_items
from tests.factories import make_answer, make_claim, make_labels, make_member, make_project, make_source

pytestmark = pytest.mark.django_db
RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
HOSTILE = (
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "'=1", "''=1", "'", '=HYPERLINK("http://x","y")',
    'say "hi"', '"', '""', '\\"', "\\", "back\\'s", "a,b;c\td|e", "line\r\nbreak", "line\nbreak", "cr\rbreak",
    "שלום עולם", "\u202eevil\u202c", "e\u0301", "🙂👩‍👩‍👧", "\ufeffmark", "x\u2028y\u0085z\x0b\x0c\x1c", "\x01\x02",
    "ends ", "  starts", "NULL", "None", "true", "1e5", "0012", "long " * 40_000,
)  # fmt: skip
PEOPLE = ("=ann", "w,2", 'q"3', "ann:4")
Texts = tuple[str, str, str, str]


@pytest.fixture
def project() -> Project:
    made = make_project()
    people = [make_member(made, pseudonym=name) for name in PEOPLE]
    for number, text in enumerate(HOSTILE):
        answer = make_answer(made, text, external_id=f"=a{number}", question=text)
        source = make_source(made, f"{text} {text}", external_id=f"-s{number}", title=text[:200])
        claim = make_claim(made, text, answer=answer, source=source, external_id=f"@c{number}", slots=False)
        make_labels(claim, people, ["stated", "stated", "absent", "stated"])
    return made


def texts_of(project: Project) -> dict[str, Texts]:
    return {
        claim.external_id: (
            claim.text,
            claim.answer.text,
            claim.answer.question,
            claim.citations.select_related("source").get().source.text,
        )
        for claim in Claim.objects.filter(project=project).select_related("answer")
    }


def people_of(project: Project) -> set[str]:
    return set(Label.objects.filter(claim__project=project).values_list("annotator__pseudonym", flat=True))


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_hostile_texts_come_back_from_an_export(project: Project, tmp_path: Path, kind: ExportFormat) -> None:
    out = BytesIO()
    write_items(project=project, kind=kind, what="all", out=out)
    path = tmp_path / f"all.{kind}"
    path.write_bytes(out.getvalue())
    empty = make_project()
    assert import_items(project=empty, path=path).problems == ()
    assert texts_of(empty) == texts_of(project)
    assert people_of(empty) == {*PEOPLE}


def test_no_cell_of_a_csv_export_is_run_by_a_spreadsheet(project: Project) -> None:
    everything, golden = BytesIO(), BytesIO()
    write_items(project=project, kind="csv", what="all", out=everything)
    write_golden(freeze_golden(project=project, name="gold").golden_set, "csv", golden)
    csv.field_size_limit(10**9)
    for out in (everything, golden):
        rows = list(csv.reader(StringIO(out.getvalue().decode(), newline="")))
        assert len(rows) > len(HOSTILE)
        assert [cell for row in rows for cell in row if cell.startswith(RUN_BY_SPREADSHEETS)] == []


@pytest.mark.parametrize("kind", FORMATS)
def test_golden_set_of_hostile_texts_keeps_its_hash_through_every_format(
    project: Project, tmp_path: Path, kind: GoldenFormat
) -> None:
    frozen = freeze_golden(project=project, name="gold").golden_set
    path = tmp_path / f"gold-v1.{kind}"
    with path.open("wb") as out:
        write_golden(frozen, kind, out)
    (tmp_path / "gold-v1.manifest.json").write_text(manifest_text(frozen))
    found = verify_golden(path)
    assert (found.hash, found.expected, found.faults) == (frozen.hash, frozen.hash, ())
    empty = make_project()
    assert import_items(project=empty, path=path).problems == ()
    assert freeze_golden(project=empty, name="gold").golden_set.hash == frozen.hash
