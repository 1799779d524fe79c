"""The command behind docs/results.md, on sets made for the purpose."""

import gzip
import json
import random
import re
from pathlib import Path

import pytest

from bench.results.document import cell, write_document
from bench.results.making import Results, make_results
from bench.results.sampling import draw_sample
from calibration.results import Figure
from judges.models import Judgement, Run
from judges.services import chunks
from reports.models import Look
from tests.judges.entailment.tiny import STATES, SUBJECTS, sentence


@pytest.fixture(autouse=True)
def no_built_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "_built", {})


def write_set(folder: Path, name: str, *, answers: int = 50, claims: int = 2, texts: bool = True) -> Path:
    """Answers about sources in the words of the tiny model; half of the claims are asserted, three people say so."""
    picked = random.Random(name)
    lines: list[dict[str, object]] = []
    for number in range(answers):
        told = {subject: picked.choice(picked.choice(STATES)) for subject in picked.sample(SUBJECTS, 3)}
        source, answer = f"s{number}", f"a{number}"
        lines.append({"type": "source", "id": source, "text": " ".join(sentence(*one) for one in told.items())})
        said = []
        for place, (subject, state) in enumerate(list(told.items())[:claims]):
            stated = picked.random() < 0.5
            other = picked.choice([pair[0] for pair in STATES if state not in pair])
            text = sentence(subject, state if stated else other)
            said.append((f"{answer}-{place}", text, "stated" if stated else "absent"))
        whole = " ".join(text for _, text, _ in said) if texts else ""
        lines.append({"type": "answer", "id": answer, "text": whole, "retrieved": [source]})
        for claim, text, verdict in said:
            citation = {"source": source}
            lines.append({"type": "claim", "id": claim, "answer": answer, "text": text, "citation": citation})
            lines += [
                {"type": "label", "claim": claim, "annotator": f"p{person}", "verdict": verdict} for person in range(3)
            ]
    path = folder / f"{name}.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    return path


def make(data: Path, scratch: Path, *, model: str = "") -> Results:
    scratch.mkdir(exist_ok=True)
    return make_results(data, model=model, most=100, scratch=scratch, only=["qags", "wice", "healthver"])


def without_times(document: str) -> str:
    """The document without what another call on the same data may say differently."""
    document = re.sub(r"\| [^|]+ \|$", "| time |", document, flags=re.MULTILINE)
    return re.sub(r"- made on .*|Looks at the test split so far: \d+", "", document)


@pytest.mark.django_db
def test_the_command_judges_compares_and_writes_the_page(tmp_path: Path, tiny_model: Path) -> None:
    write_set(tmp_path, "qags")
    write_set(tmp_path, "healthver", claims=1, texts=False)
    document = write_document(make(tmp_path, tmp_path / "scratch", model=str(tiny_model)))
    for name in (
        "people",
        "specifics",
        "lexical, chosen",
        "entailment",
        "entailment, chosen",
        "whole answer, chosen",
        "panel",
    ):
        assert f"\n| {name} | " in document
    assert "| claims at 0.5 | 0.50 | " in document
    assert "- claims minus whole answer, chosen, those with several claims (" in document
    assert "one claim an answer, so both ways are the same" in document
    assert "not in the folder, so not here: WiCE" in document
    assert "Binary kappa of “entailment, chosen”: better than chance on QAGS" in document
    assert str(tmp_path) not in document
    assert "nan" not in document.lower().split()


@pytest.mark.django_db
def test_without_a_model_the_page_says_so_and_a_second_call_says_the_same_and_judges_nothing_again(
    tmp_path: Path,
) -> None:
    write_set(tmp_path, "qags")
    first = write_document(make(tmp_path, tmp_path / "scratch"))
    runs, judgements = Run.objects.count(), Judgement.objects.count()
    second = write_document(make(tmp_path, tmp_path / "scratch"))
    assert without_times(second) == without_times(first)
    assert (Run.objects.count(), Judgement.objects.count()) == (runs, judgements)
    assert Look.objects.count() == 2
    assert "- entailment model: none" in first
    assert "| entailment | not run: no entailment model was given | – |" in first
    assert "No data: no set was judged whole." in first
    assert "\n| lexical | 0.60 | " in first


@pytest.mark.django_db
def test_a_threshold_is_chosen_on_development_and_judged_on_test_alone(tmp_path: Path) -> None:
    write_set(tmp_path, "qags")
    (found,) = make(tmp_path, tmp_path / "scratch").sets
    row = found.row("lexical, chosen")
    assert row is not None
    assert row.version is not None
    assert row.threshold == row.version.config["threshold"]
    judged = Judgement.objects.filter(run__judge_version=row.version)
    assert set(judged.values_list("claim__answer__split", flat=True)) == {"test"}


@pytest.mark.django_db
def test_a_run_that_was_cut_short_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path, "qags")

    def cut(*_args: object, **_named: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("bench.results.judging.work_on_run", cut)
        with pytest.raises(KeyboardInterrupt):
            make(tmp_path, tmp_path / "scratch")
    assert Run.objects.get().state == Run.State.ACTIVE
    assert len(make(tmp_path, tmp_path / "scratch").sets) == 1
    assert set(Run.objects.values_list("state", flat=True)) == {"finished"}


def test_a_sample_takes_whole_answers_with_all_that_is_theirs_and_the_same_each_time(tmp_path: Path) -> None:
    path = write_set(tmp_path, "qags", answers=30)
    sample = draw_sample(path, most=21)
    assert (sample.claims, sample.answers, sample.claims_there, sample.several) == (20, 10, 60, 10)
    kinds = [row["type"] for row in sample.rows]
    assert [kinds.count(kind) for kind in ("source", "answer", "claim", "label")] == [10, 10, 20, 60]
    assert draw_sample(path, most=21) == sample
    assert draw_sample(path, most=21, seed=1) != sample


def test_an_unknown_set_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="found 'squad', expected some of qags"):
        make_results(tmp_path, model="", most=10, scratch=tmp_path, only=["squad"])


def test_a_figure_without_value_or_interval_gives_its_reason() -> None:
    assert cell(Figure.undefined("no claims flagged")) == "no data: no claims flagged"
    assert cell(Figure.point(0.5, n=3, reason="no interval: one answer only")) == "0.50 (no interval: one answer only)"
    assert cell(Figure(-0.1, -0.25, 0.1, n=9)) == "−0.10 (−0.25–0.10)"
