"""Tests of a judge from the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judges.models import Run
from labelling.models import Project
from tests.factories import make_claim, make_project, make_source

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def topical() -> Project:
    project = make_project()
    for place, topic in enumerate(("museum paintings", "rain autumn", "shoes returns")):
        text = f"The {topic} were {place + 20}."
        make_claim(project, text, source=make_source(project, text))
    call_command("run_judge", project.slug, "words", type="lexical", here=True, stdout=StringIO())
    return project


def said(command: str, project: Project, **options: object) -> str:
    out = StringIO()
    call_command(command, project.slug, "words", stdout=out, **options)
    return out.getvalue()


def test_a_test_is_run_and_its_figures_are_shown() -> None:
    project = topical()
    assert "3 claims" in said("run_judge", project, probe="silence", here=True, claims=10, seed=5)
    said("run_judge", project, probe="perturbation", here=True, claims=2)
    assert list(Run.objects.order_by("id").values_list("probe", "seed", "claims_total")) == [
        ("", None, 3), ("silence", 5, 3), ("perturbation", 1, 2),
    ]  # fmt: skip
    shown = said("judge_tests", project)
    assert "silence: 0.0%" in shown
    assert "0 of 3 still called stated (run" in shown
    assert "order: no data (never tested in this way)" in shown
    assert "negation: " in shown


def test_a_forecast_of_a_test_starts_nothing() -> None:
    project = topical()
    assert "2 claims. It costs nothing." in said("run_judge", project, probe="repetition", claims=2, forecast=True)
    assert Run.objects.filter(probe="").count() == Run.objects.count()


def test_what_cannot_be_tested_and_what_is_not_there_are_errors() -> None:
    project = topical()
    with pytest.raises(CommandError, match="claims is 0"):
        said("run_judge", project, probe="silence", claims=0)
    with pytest.raises(CommandError, match="there: words v1"):
        said("judge_tests", project, number=7)
