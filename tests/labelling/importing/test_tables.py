import csv
import gzip
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelling.importing.delimited import escape_cell, sniff, unescape_cell
from labelling.importing.files import Reading
from labelling.importing.mapping import MappingRefusedError, guess_columns, guess_value, parse_columns, parse_values
from labelling.models import Adjudication, Answer, Claim, Label, Source
from tests.factories import make_project
from tests.labelling.importing.files import bring, said

pytestmark = pytest.mark.django_db


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_byte_order_mark_is_no_part_of_the_first_header(tmp_path: Path) -> None:
    bring(make_project(), written(tmp_path / "x.tsv", "\ufeffclaim\tsource_text\r\nOpen.\tThe shop is open.\r\n"))
    assert Claim.objects.get().text == "Open."


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_marked_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path / "x.csv", "claim,source_text\nCafé 👍,日本語\n".encode(encoding))
    bring(make_project(), path)
    assert (Claim.objects.get().text, Source.objects.get().text) == ("Café 👍", "日本語")


def test_windows_1252_is_refused_with_its_byte_and_read_where_declared(tmp_path: Path) -> None:
    content = "claim,source_text\nok,ok\nCafé,x\n".encode("cp1252")
    path = written(tmp_path / "x.csv", content)
    report = bring(make_project(), path)
    assert f"x.csv: byte {content.index(0xE9)} (line 3): found 0xe9, expected UTF-8" in report.refused
    assert not Claim.objects.exists()
    bring(make_project(), path, reading=Reading(encoding="cp1252"))
    assert Claim.objects.filter(text="Café").exists()


def test_undecodable_byte_far_into_a_file_is_placed_exactly(tmp_path: Path) -> None:
    content = b"claim,source_text\n" + "ééééé,x\n".encode() * 300_000 + b"\xff,x\n"
    report = bring(make_project(), written(tmp_path / "x.csv", content))
    assert f"byte {len(content) - 4} (line 300002)" in report.refused


def test_utf_16_without_a_mark_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "claim,source_text\na,b\n".encode("utf-16-le"))
    assert "declare it with --encoding utf-16-le" in bring(make_project(), path).refused


def test_nul_in_a_cell_is_refused_with_its_line(tmp_path: Path) -> None:
    report = bring(make_project(), written(tmp_path / "x.csv", "claim,source_text\nok,ok\na\0b,x\n"))
    assert "x.csv, line 3, claim: expected text without a NUL" in said(report)


def test_gzip_is_told_by_its_content(tmp_path: Path) -> None:
    bring(make_project(), written(tmp_path / "x.dat", gzip.compress(b"claim,source_text\nOpen.,The shop is open.\n")))
    assert Claim.objects.count() == 1


def test_cells_may_hold_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([["claim", "source_text"], ['He said "a, b"', "one\r\ntwo"]])
    bring(make_project(), path)
    assert (Claim.objects.get().text, Source.objects.get().text) == ('He said "a, b"', "one\r\ntwo")


def test_line_of_an_error_is_the_physical_one(tmp_path: Path) -> None:
    report = bring(make_project(), written(tmp_path / "x.csv", 'claim,kind\n"one\ntwo\nthree",date\nx,nonsense\n'))
    assert "x.csv, line 5, kind: found 'nonsense'" in said(report)


def test_short_row_is_an_error_that_says_how_many_cells(tmp_path: Path) -> None:
    rows = "a,b,c\n" * 5
    report = bring(make_project(), written(tmp_path / "x.csv", "claim,source_text,note\n" + rows + "a,b\n"))
    assert "line 7: found '2 cells', expected 3, as in the header" in said(report)


def test_stray_last_header_is_no_column() -> None:
    assert sniff("a,b,stray\n1,2\n3,4\n", whole=True).width == 2


def test_backslash_escaped_quotes_are_told_from_doubled_ones() -> None:
    assert sniff('a,b\n"x \\"y\\", z",1\n"\\"q\\"",2\n', whole=True).quoting == "backslash"
    assert sniff('a,b\n"x ""y"", z",1\n', whole=True).quoting == "standard"


def test_quotes_in_a_tab_table_may_be_plain_text() -> None:
    assert sniff('a\tb\n"hm" he said\tx\n"ok\ty\n', whole=True).quoting == "none"
    assert sniff('a\tb\n"with\ttab"\tx\n', whole=True).quoting == "standard"


def test_excel_and_parquet_are_read_by_row(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["claim", "source_text", "label:w1", None], ["Open.", "The shop is open.", 1.0, None]):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    pq.write_table(
        pa.table({"claim": ["Shut."], "source_text": ["The shop is open."], "labels": [["absent", "stated"]]}),
        tmp_path / "x.parquet",
    )
    project = make_project()
    assert bring(project, tmp_path / "x.xlsx", values=["1=stated"]).problems == ()
    assert bring(project, tmp_path / "x.parquet").problems == ()
    assert Source.objects.count() == 1
    assert sorted(Label.objects.values_list("annotator__pseudonym", "verdict")) == [
        ("annotator-1", "absent"),
        ("annotator-2", "stated"),
        ("w1", "stated"),
    ]


def test_damaged_containers_are_refused_by_name(tmp_path: Path) -> None:
    for name, head in (("x.xlsx", b"PK\x03\x04garbage"), ("x.parquet", b"PAR1garbage"), ("x.gz", b"\x1f\x8bgarbage")):
        assert bring(make_project(), written(tmp_path / name, head)).refused.startswith(name)


def test_json_array_is_refused_with_the_way_out(tmp_path: Path) -> None:
    assert "jq -c '.[]'" in bring(make_project(), written(tmp_path / "x.json", "[{}]")).refused


def test_columns_and_words_can_be_mapped(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "hyp,prem,w0,w1,other\nOpen.,The shop is open.,0,2,x\n")
    bring(
        make_project(),
        path,
        columns=["hyp=claim", "prem=source_text", "w0=label:ann", "w1=label:bob"],
        values=["0=stated, 2=contradicted"],
    )
    assert sorted(Label.objects.values_list("annotator__pseudonym", "verdict")) == [
        ("ann", "stated"),
        ("bob", "contradicted"),
    ]
    assert Claim.objects.get().meta == {"other": "x"}


def test_unmapped_word_is_an_error_and_a_word_mapped_to_nothing_is_no_label(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "claim,source_text,label:w\nOpen.,Open.,maybe\nShut.,Open.,\n")
    assert "label:w: found 'maybe', expected one of stated" in said(bring(make_project(), path))
    assert bring(make_project(), path, values=["maybe="]).problems == ()
    assert not Label.objects.exists()


def test_lists_in_cells_are_read_as_json_and_as_python_writes_them(tmp_path: Path) -> None:
    path = written(tmp_path / "x.tsv", "claim\tsource_text\tlabels\tannotators\nOpen.\tOpen.\t[1, 0]\t['a', 'b']\n")
    bring(make_project(), path, values=["1=stated,0=absent"])
    assert sorted(Label.objects.values_list("annotator__pseudonym", "verdict")) == [("a", "stated"), ("b", "absent")]


@pytest.mark.parametrize("cell", ["__import__('os')", "[1, 0", "(" * 5000, "{}"])
def test_a_cell_that_holds_no_list_is_refused_and_never_run(tmp_path: Path, cell: str) -> None:
    path = written(tmp_path / "x.tsv", f"claim\tsource_text\tlabels\nOpen.\tOpen.\t{cell}\n")
    assert "expected a list such as [1, 0, 2]" in said(bring(make_project(), path))


def test_list_of_labels_and_list_of_people_must_be_as_long(tmp_path: Path) -> None:
    path = written(tmp_path / "x.tsv", "claim\tsource_text\tlabels\tannotators\nO.\tO.\t['stated']\t['a', 'b']\n")
    assert "annotators: found '2 names', expected 1" in said(bring(make_project(), path))


def test_one_row_for_each_person_makes_one_claim(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "claim,source_text,annotator,verdict,why\nO.,O.,a,stated,x\nO.,O.,b,absent,y\n")
    bring(make_project(), path)
    assert Claim.objects.count() == 1
    assert dict(Label.objects.values_list("annotator__pseudonym", "meta")) == {"a": {"why": "x"}, "b": {"why": "y"}}


def test_equal_rows_of_a_wide_table_are_claims_of_their_own_and_stay_so(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "claim,source_text,label:w\nO.,O.,stated\nO.,O.,absent\n")
    project = make_project()
    bring(project, path)
    bring(project, path)
    assert sorted(Label.objects.values_list("verdict", flat=True)) == ["absent", "stated"]
    assert Claim.objects.count() == 2


def test_rows_of_one_answer_share_it(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "claim,answer_text,system,source_text\nA.,A. B.,bot,S.\nB.,A. B.,bot,S.\n")
    bring(make_project(), path)
    assert Answer.objects.get().text == "A. B."
    assert Claim.objects.count() == 2


def test_published_gold_comes_as_an_adjudication(tmp_path: Path) -> None:
    bring(make_project(), written(tmp_path / "x.csv", "claim,source_text,adjudication\nO.,O.,stated\n"))
    assert Adjudication.objects.get().by.pseudonym == "published"


def test_file_without_a_claim_column_says_how_to_name_it(tmp_path: Path) -> None:
    report = bring(make_project(), written(tmp_path / "x.csv", "hyp,prem\na,b\n"))
    assert "--map theirs=claim" in said(report)


def test_mapping_of_a_column_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    report = bring(make_project(), written(tmp_path / "x.csv", "hyp,prem\na,b\n"), columns=["hypo=claim"])
    assert "found the column 'hypo', expected one of 'hyp', 'prem'" in report.refused


def test_column_named_twice_is_refused(tmp_path: Path) -> None:
    assert (
        "the column 'claim' twice" in bring(make_project(), written(tmp_path / "x.csv", "claim,claim\na,b\n")).refused
    )


@pytest.mark.parametrize("pair", ["claim", "=claim", "x=nonsense", "x=label:"])
def test_mapping_that_cannot_be_meant_is_refused(pair: str) -> None:
    with pytest.raises(MappingRefusedError, match="--map"):
        parse_columns([pair])


def test_values_are_split_at_commas_and_kept_whole_in_quotes() -> None:
    assert parse_values(["a=stated, b=absent", '"c, d=partial"', "e="]) == {
        "a": "stated",
        "b": "absent",
        "c, d": "partial",
        "e": "",
    }
    with pytest.raises(MappingRefusedError, match="'yes'"):
        parse_values(["a=yes"])


def test_guesses_are_plausible() -> None:
    guessed = guess_columns(["premise", "hypothesis", "worker_id", "label", "uid"])
    assert guessed == {
        "premise": "source_text",
        "hypothesis": "claim",
        "worker_id": "annotator",
        "label": "adjudication",
    }
    assert guess_value("Entailment") == "stated"
    assert guess_value("banana") == ""


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'x", "''=", "'", "", "x", "x=1", " =1"])
def test_escaped_cells_run_nothing_and_come_back(cell: str) -> None:
    assert not escape_cell(cell).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unescape_cell(escape_cell(cell)) == cell
