"""The pipelines of docs/gate.md do what they say: their commands are run, against a database of their own."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
DOCS = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
RULES = '[[rule]]\nfigure = "miscitation"\nat_most = {most}\n'
SAID, UNSAID = "Parcels may come back within {n} days of delivery.", "Giraffes juggle porcelain teapots on Sundays."


def pipelines() -> list[Any]:
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)]


def commands_of(pipeline: Any) -> list[str]:
    """The lines that call the product, in their order; installing is the pipeline's own business."""
    lines = pipeline["groundedness"]["script"] if "groundedness" in pipeline else github_lines(pipeline)
    return [line for line in lines if line.startswith("python manage.py")]


def github_lines(pipeline: Any) -> list[str]:
    steps = pipeline["jobs"]["gate"]["steps"]
    return [line for step in steps for line in str(step.get("run", "")).splitlines()]


def answers(folder: Path) -> None:
    (folder / "release").mkdir()
    with (folder / "release" / "answers.jsonl").open("w", encoding="utf-8") as out:
        for number in range(20):
            said = SAID.format(n=number)
            text = UNSAID if number % 5 == 0 else said
            out.write(json.dumps({"type": "source", "id": f"s{number}", "text": said}) + "\n")
            claim = {"id": f"a{number}.1", "text": text, "citation": {"source": f"s{number}"}}
            split = "test" if number % 2 else "development"
            line = {"type": "answer", "id": f"a{number}", "text": text, "system": "support-bot", "split": split}
            out.write(json.dumps(line | {"claims": [claim]}) + "\n")


def labels(folder: Path) -> None:
    said = [
        {"type": "label", "claim": f"a{n}.1", "annotator": who, "verdict": "stated" if n % 5 else "absent"}
        for n in range(20)
        for who in ("ann", "bob")
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in said), encoding="utf-8")


SET_UP = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("create_project", "shop", "Shop")
call_command("import_items", "shop", "release/answers.jsonl", "labels.jsonl")
call_command("run_judge", "shop", "lexical", type="lexical", here=True)
call_command("freeze_golden", "shop", "core")
call_command("certify", "shop", "lexical@1", "core")
"""
# Past every door of the product.
CHANGE = """
import django; django.setup()
from judges.models import JudgeVersion
JudgeVersion.objects.update(config={"threshold": 0.59})
"""


class Shop:
    """A folder with a project in a database of its own, reached by commands alone, as a pipeline reaches it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "CELERY_BROKER_URL")}
        more = {"TOUCHSTONE_DEMO": "1", "TOUCHSTONE_VAR": str(folder / "var"), "PYTHONPATH": str(ROOT)}
        self.environment = kept | more | {"DJANGO_SETTINGS_MODULE": "config.settings"}

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """A line of a pipeline, as it stands there."""
        python, script, *rest = shlex.split(line)
        assert (python, script) == ("python", "manage.py")
        return self.python(str(ROOT / script), *rest)

    def rules(self, most: float) -> None:
        (self.folder / "release" / "gate.toml").write_text(RULES.format(most=most), encoding="utf-8")


def done(finished: subprocess.CompletedProcess[str]) -> None:
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.fixture(scope="module")
def certified_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    answers(folder)
    labels(folder)
    done(Shop(folder).python("-c", SET_UP))
    return folder


@pytest.mark.parametrize("place", [0, 1])
def test_a_pipeline_of_the_docs_passes_and_stops_a_release(certified_shop: Path, tmp_path: Path, place: int) -> None:
    shutil.copytree(certified_shop, tmp_path, dirs_exist_ok=True)
    shop = Shop(tmp_path)
    *before, last = commands_of(pipelines()[place])
    assert len(before) == 2
    for line in before:
        done(shop.run(line))
    shop.rules(0.6)
    done(shop.run(last))
    assert ET.parse(tmp_path / "gate.xml").getroot().attrib["failures"] == "0"
    shop.rules(0.05)
    assert shop.run(last).returncode == 1
    assert ET.parse(tmp_path / "gate.xml").getroot().attrib["failures"] == "1"


def test_a_silent_change_stops_the_pipeline_of_the_docs_with_3(certified_shop: Path, tmp_path: Path) -> None:
    shutil.copytree(certified_shop, tmp_path, dirs_exist_ok=True)
    shop = Shop(tmp_path)
    shop.rules(0.6)
    *_, last = commands_of(pipelines()[0])
    done(shop.run(last))
    done(shop.python("-c", CHANGE))
    stopped = shop.run(last)
    assert stopped.returncode == 3, stopped.stdout + stopped.stderr
    assert "give another fingerprint" in stopped.stdout


def test_what_a_pipeline_hands_on_is_what_the_gate_writes() -> None:
    github, gitlab = pipelines()
    (job,) = [step for step in github["jobs"]["gate"]["steps"] if step["name" if "name" in step else "uses"] == "Gate"]
    assert "--markdown gate.md" in job["run"]
    artifacts = gitlab["groundedness"]["artifacts"]
    assert f"--junit {artifacts['reports']['junit']}" in commands_of(gitlab)[-1]
    assert f"--json {artifacts['paths'][0]}" in commands_of(gitlab)[-1]
