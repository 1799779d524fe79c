"""Judge types of other packages, from installation to verdict, and packages that are broken."""

import logging
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from django.test import Client
from django.urls import reverse

from judges.models import Judgement
from judges.registry import UnknownJudgeTypeError, judge_type, judge_types, unusable_types
from labelling.models import Role
from tests.factories import make_claim, make_member, make_project
from tests.judges.factories import finish, make_version, start
from tests.judges.packages import SAMPLES, installed

EXAMPLE = Path(__file__).parents[1] / "example_judge_package"


def broken_package(folder: Path, name: str, value: str) -> Path:
    """A package whose entry point names what is not there, or no judge type."""
    metadata = folder / f"{name}-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[touchstone.judge_types]\nmine = {value}\n")
    return folder


@pytest.mark.django_db
def test_an_installed_package_brings_a_judge_that_judges(tmp_path: Path) -> None:
    source = shutil.copytree(EXAMPLE, tmp_path / "source")  # building writes beside what it builds
    there = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps"]
    subprocess.run([*command, "--target", str(there), str(source)], check=True, capture_output=True, timeout=120)
    project = make_project()
    loud, quiet = make_claim(project, "RETURNS TAKE 14 DAYS."), make_claim(project, "Returns take 14 days.")
    with installed(there):
        run = finish(start(make_version(project, "shouting", config={"share": 0.9})))
    said = {row.claim_id: (row.outcome, row.verdict) for row in Judgement.objects.filter(run=run)}
    assert said == {loud.pk: ("judged", "absent"), quiet.pk: ("no-opinion", "")}


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("no_such_module:TYPE", "ModuleNotFoundError"),
        ("tests.judges.sample_types:NOTHING", "AttributeError"),
        ("tests.judges.sample_types:COST", r"expected a JudgeType or a tuple of them"),
        ("tests.judges.factories", r"expected a JudgeType or a tuple of them"),
    ],
)
def test_a_broken_package_is_named_and_takes_no_other_with_it(
    tmp_path: Path, value: str, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = broken_package(tmp_path, "unlucky", value)
    with caplog.at_level(logging.WARNING, logger="judges.packages"), installed(SAMPLES, folder):
        assert {"lexical", "counting"} <= set(judge_types())
        (told,) = unusable_types()
        assert told.startswith("entry point 'mine' of package 'unlucky' brings no judge type")
        assert told in caplog.text
        with pytest.raises(UnknownJudgeTypeError, match=f"expected one of quotes.*package 'unlucky'.*{fault}"):
            judge_type("mine")


@pytest.mark.parametrize("name", ["my judge", "a/b", "", "x" * 51])
def test_a_name_that_cannot_stand_in_an_address_is_refused(tmp_path: Path, name: str) -> None:
    folder = broken_package(tmp_path, "misnamed", f"misnamed_{len(name)}:TYPE")
    module = f"from tests.judges.sample_types import count, no_config\nTYPE = no_config({name!r}, count)\n"
    (folder / f"misnamed_{len(name)}.py").write_text(module)
    with installed(SAMPLES, folder):
        (told,) = unusable_types()
        assert name not in judge_types()
    assert "expected 1 to 50 letters, digits, hyphens and underscores" in told


@pytest.mark.django_db
def test_a_package_that_breaks_over_its_settings_is_told_and_breaks_no_run_and_no_page(
    tmp_path: Path, client: Client
) -> None:
    folder = broken_package(tmp_path, "moody", "moody:TYPE")
    module = """
        from dataclasses import replace
        from tests.judges.sample_types import count, no_config
        good = no_config("moody", count)
        moods = []
        def parse(data):
            if moods:
                raise KeyError("gone")
            return good.parse_config(data)
        TYPE = replace(good, parse_config=parse)
    """
    (folder / "moody.py").write_text(dedent(module))
    project = make_project()
    make_claim(project)
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    with installed(SAMPLES, folder):
        run = start(make_version(project, "moody"))
        sys.modules["moody"].moods.append("bad")
        row = finish(run).judgements.get()
        page = client.get(reverse("judges:version", args=[project.slug, "moody", 1]))
    assert (row.outcome, row.reason) == (
        "failed",
        "moody v1 cannot be built: the settings cannot be read (KeyError: 'gone')",
    )
    assert page.status_code == 200


def test_a_name_that_is_taken_stays_with_the_type_that_has_it(tmp_path: Path) -> None:
    folder = broken_package(tmp_path, "twin", "twin:OTHER")
    module = "from tests.judges.sample_types import count, no_config\nOTHER = no_config('counting', count)\n"
    (folder / "twin.py").write_text(module)
    with installed(SAMPLES, folder):
        first = judge_types()["counting"]
        assert (
            "package 'twin' brings a judge type 'counting', and there is one of that name already" in unusable_types()
        )
    with installed(SAMPLES):
        assert judge_types()["counting"] is first


@pytest.mark.django_db
def test_the_page_of_judges_says_which_package_is_broken(tmp_path: Path, client: Client) -> None:
    project = make_project()
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    with installed(broken_package(tmp_path, "unlucky", "no_such_module:TYPE")):
        page = client.get(reverse("judges:judges", args=[project.slug]))
    assert page.status_code == 200
    assert "package &#x27;unlucky&#x27; brings no judge type" in page.content.decode()
