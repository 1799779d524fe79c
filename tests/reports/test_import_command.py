import json
import os
import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from judges.models import Judge, Judgement, JudgeVersion, Run
from labelling.models import Claim, Label, Project, Source
from reports.services.exporting import ExportFormat, write_items
from tests.factories import make_project

pytestmark = pytest.mark.django_db

Line = dict[str, object]

SOURCE: Line = {"type": "source", "id": "s1", "text": "Returns within 14 days.\r\n=1+1", "title": "T", "url": "kept"}
OTHER: Line = {"type": "source", "id": "s2", "text": "Another.", "effective_from": "2026-01-01", "fields": {"days": 14}}
ANSWER: Line = {
    "type": "answer",
    "id": "a1",
    "question": "How long?",
    "text": "14 days. Really.",
    "system": "bot",
    "created": "2026-05-02T10:00:00Z",
    "retrieved": ["s1", "s9"],
    "should_abstain": False,
    "shard": 3,
}
CLAIM: Line = {
    "type": "claim",
    "id": "a1.1",
    "answer": "a1",
    "text": "=14 days",
    "kind": "figure",
    "severity": "critical",
    "citation": {"source": "s1", "start": 0, "end": 7, "rank": 1},
    "weight": 2.5,
}
TWICE: Line = {
    "type": "claim",
    "id": "a1.2",
    "answer": "a1",
    "text": "Really.",
    "citations": [{"source": "s2"}, {"source": "s1"}],
    "meta": {"id": "nested"},
}
LABEL: Line = {
    "type": "label",
    "claim": "a1.1",
    "annotator": "w1",
    "verdict": "absent",
    "invention": "plausible-specific",
    "evidence": [{"start": 0, "end": 7}],
    "confidence": "sure",
    "seconds": 21.4,
    "created": "2026-05-03T10:00:00.250000Z",
    "tool": "theirs",
}
ADJUDICATION: Line = {"type": "adjudication", "claim": "a1.1", "by": "lead", "verdict": "absent", "reason": "reading"}
OF_ANSWER: Line = {"type": "answer_label", "answer": "a1", "annotator": "w1", "correct": True, "abstained": False}
JUDGEMENT: Line = {
    "type": "judgement",
    "judge": "Their Judge",
    "version": "2026-05",
    "claim": "a1.1",
    "verdict": "stated",
    "score": 0.91,
    "reason": "It says so.",
    "seconds": 1.2,
    "cost_usd": 0.0031,
    "trace": "kept",
}
FAILED: Line = {
    "type": "judgement",
    "judge": "Their Judge",
    "version": "2026-05",
    "claim": "a1.2",
    "outcome": "timed-out",
}
EVERYTHING = (SOURCE, OTHER, ANSWER, CLAIM, TWICE, LABEL, ADJUDICATION, OF_ANSWER, JUDGEMENT, FAILED)


def native(path: Path, *lines: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def bring(project: Project, path: Path, **options: object) -> str:
    out = StringIO()
    call_command("import_items", project.slug, path, stdout=out, stderr=out, **options)
    return out.getvalue()


def exported(project: Project, kind: ExportFormat = "jsonl") -> bytes:
    out = BytesIO()
    write_items(project=project, kind=kind, what="all", out=out)
    return out.getvalue()


def test_judgements_become_an_external_judge_with_one_finished_run(tmp_path: Path) -> None:
    project = make_project()
    path = native(tmp_path / "x.jsonl", *EVERYTHING)
    bring(project, path)
    said = bring(project, path)
    assert "2 judgement unchanged" in said
    judge = Judge.objects.get()
    assert (judge.name, judge.type) == ("their-judge", "external")
    assert JudgeVersion.objects.get().label == "2026-05"
    assert Run.objects.get().state == Run.State.FINISHED
    assert sorted(Judgement.objects.values_list("outcome", "verdict")) == [("judged", "stated"), ("timed-out", "")]


def test_another_judgement_under_the_same_version_is_refused(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", *EVERYTHING))
    with pytest.raises(CommandError, match="changed nothing"):
        bring(project, native(tmp_path / "y.jsonl", JUDGEMENT | {"verdict": "absent"}))
    assert Judgement.objects.get(outcome="judged").verdict == "stated"
    bring(project, native(tmp_path / "z.jsonl", JUDGEMENT | {"verdict": "absent", "version": "2"}))
    assert JudgeVersion.objects.count() == 2


@pytest.mark.parametrize(
    "fault",
    [{"verdict": None}, {"verdict": "yes"}, {"score": 1.5}, {"outcome": "failed"}, {"cost_usd": -1}, {"claim": "zzz"}],
)
def test_judgement_that_does_not_fit_together_is_refused(tmp_path: Path, fault: dict[str, object]) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", SOURCE, ANSWER, CLAIM))
    with pytest.raises(CommandError):
        bring(project, native(tmp_path / "y.jsonl", JUDGEMENT | fault))
    assert not Judge.objects.exists()


def test_judge_columns_of_a_table_become_judgements(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("claim,source_text,judge:nli,judge_score:nli\nO.,O.,stated,0.9\nP.,O.,absent,0.2\n")
    bring(make_project(), path)
    assert sorted(Judgement.objects.values_list("verdict", "score")) == [("absent", 0.2), ("stated", 0.9)]


def test_export_import_export_gives_the_same_bytes(tmp_path: Path) -> None:
    project, empty = make_project(), make_project()
    bring(project, native(tmp_path / "x.jsonl", *EVERYTHING))
    first = exported(project)
    (tmp_path / "e.jsonl").write_bytes(first)
    bring(empty, tmp_path / "e.jsonl")
    assert exported(empty) == first
    before = Label.objects.count()
    bring(project, tmp_path / "e.jsonl")
    assert Label.objects.count() == before


def test_everything_given_comes_back_on_export(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", *EVERYTHING))
    lines = [json.loads(line) for line in exported(project).splitlines()]
    by_type = {line["type"]: line for line in lines if line.get("id") not in ("s2", "a1.2")}
    for given in (SOURCE, ANSWER, CLAIM):
        came = by_type[str(given["type"])]
        assert {key: came.get(key) for key in given} == given
    label = by_type["label"]
    assert label["evidence"] == [{"source": "s1", "start": 0, "end": 7, "quote": "Returns"}]
    assert (label["annotator"], label["tool"], label["created"]) == ("w1", "theirs", "2026-05-03T10:00:00.250000Z")
    assert next(line for line in lines if line.get("id") == "a1.2")["meta"] == {"id": "nested"}


def test_csv_of_claims_is_harmless_and_can_be_read_back(tmp_path: Path) -> None:
    project, empty = make_project(), make_project()
    bring(project, native(tmp_path / "x.jsonl", *EVERYTHING))
    path = tmp_path / "claims.csv"
    path.write_bytes(exported(project, "csv"))
    assert ",'=14 days," in path.read_text()
    bring(empty, path, missing_sources=True)
    assert sorted(Claim.objects.filter(project=empty).values_list("text", flat=True)) == ["=14 days", "Really."]
    assert Source.objects.get(project=empty, external_id="s1").text == SOURCE["text"]
    assert Label.objects.get(claim__project=empty).verdict == "absent"


def test_parquet_of_claims_can_be_read_back(tmp_path: Path) -> None:
    project, empty = make_project(), make_project()
    bring(project, native(tmp_path / "x.jsonl", *EVERYTHING))
    path = tmp_path / "claims.parquet"
    path.write_bytes(exported(project, "parquet"))
    bring(empty, path, missing_sources=True)
    assert Claim.objects.filter(project=empty).count() == 2


def test_export_writes_only_what_is_asked_for(tmp_path: Path) -> None:
    project = make_project()
    bring(project, native(tmp_path / "x.jsonl", *EVERYTHING))
    path = tmp_path / "labels.jsonl"
    call_command("export_items", project.slug, what="labels", output=path, stdout=StringIO())
    assert {json.loads(line)["type"] for line in path.read_text().splitlines()} == {
        "label",
        "adjudication",
        "answer_label",
    }


def test_a_bad_file_among_good_ones_changes_nothing_and_fails_the_command(tmp_path: Path) -> None:
    project = make_project()
    good, bad = native(tmp_path / "good.jsonl", SOURCE), native(tmp_path / "bad.jsonl", OTHER, {"type": "sauce"})
    err = StringIO()
    with pytest.raises(CommandError, match="1 of 2 files changed nothing"):
        call_command("import_items", project.slug, good, bad, stdout=StringIO(), stderr=err)
    assert "bad.jsonl, line 2, type: found 'sauce', expected one of source, answer" in err.getvalue()
    assert list(Source.objects.values_list("external_id", flat=True)) == ["s1"]


def test_skip_bad_writes_the_rejects_beside_the_file(tmp_path: Path) -> None:
    path = native(tmp_path / "x.jsonl", SOURCE, {"type": "sauce"})
    said = bring(make_project(), path, skip_bad=True)
    assert "1 rejected, see x.jsonl.rejects.jsonl" in said
    assert "sauce" in (tmp_path / "x.jsonl.rejects.jsonl").read_text()


def test_command_says_what_it_cannot_use(tmp_path: Path) -> None:
    project = make_project()
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command("import_items", "nowhere", tmp_path / "x")
    with pytest.raises(CommandError, match="no such file"):
        call_command("import_items", project.slug, tmp_path / "x")
    with pytest.raises(CommandError, match="--map"):
        call_command("import_items", project.slug, tmp_path / "x", map=["nonsense"])


def test_native_import_loads_no_reader_of_other_formats() -> None:
    """They cost more memory than a large import itself."""
    code = (
        "import django; django.setup(); import sys; import reports.services.importing; "
        "print([name for name in ('pyarrow', 'openpyxl', 'torch') if name in sys.modules])"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
