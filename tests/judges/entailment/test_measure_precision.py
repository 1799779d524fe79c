"""The measurement that a lower precision needs, as a command."""

import io
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from judges.entailment.agreement import Agreement
from judges.management.commands import measure_precision
from judges.models import Judgement
from tests.factories import make_claim, make_project, make_source
from tests.judges.factories import make_version

pytestmark = pytest.mark.django_db


def measured(*arguments: str) -> str:
    out = io.StringIO()
    call_command("measure_precision", *arguments, stdout=out)
    return out.getvalue()


def test_the_same_verdicts_are_counted_and_nothing_is_kept(tiny_model: Path) -> None:
    project = make_project()
    source = make_source(project, "A man is asleep. The shop is open.")
    for text in ("A man is asleep.", "The shop is closed.", "The shop is open."):
        make_claim(project, text, source=source)
    make_version(project, "entailment", name="nli", config={"model": str(tiny_model)})
    told = measured(project.slug, "nli", "--claims", "2")
    assert "2 of 2 verdicts of nli v1 are the same in bfloat16: 100.00% (34.24% to 100.00%)" in told
    assert "precision_agreement 1.0" in told
    assert not Judgement.objects.exists()


@pytest.mark.parametrize(
    ("same", "says"),
    [
        (1_999, "Enough: make a version with precision bfloat16 and precision_agreement 0.9995."),
        (1_989, "Not enough: 99.5% are needed, so float32 stays."),
    ],
)
def test_what_follows_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, same: int, says: str) -> None:
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    project = make_project()
    make_claim(project)
    make_version(project, "entailment", config={"model": str(tmp_path)})
    monkeypatch.setattr(measure_precision, "measure_agreement", lambda *_: Agreement(same / 2_000, same, 2_000, 0.01))
    assert says in measured(project.slug, "entailment")


def test_what_cannot_be_measured_is_refused_by_name() -> None:
    project = make_project()
    make_version(project, "lexical")
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        measured("nowhere", "lexical")
    with pytest.raises(CommandError, match="lexical v1 is of the type lexical; expected an entailment judge"):
        measured(project.slug, "lexical")
    with pytest.raises(CommandError, match="--claims is 0"):
        measured(project.slug, "lexical", "--claims", "0")
    with pytest.raises(CommandError, match="found the judge 'nli'"):
        measured(project.slug, "nli")
