"""A set through the product: imported, judged by every judge, thresholds chosen on development, compared on test."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.results.sampling import Sample
from bench.results.sets import ClaimSet
from calibration.judge_score import JudgeScore
from judges.models import JudgeVersion, Run
from judges.services.chunks import work_on_run
from judges.services.runs import RunRefusedError, start_run
from judges.services.selection import Selection as RunSelection
from judges.services.versions import create_judge, create_version, with_threshold
from labelling.models import Policy, Project, Split
from labelling.services.projects import create_project
from reports.selection import Selection
from reports.services.choosing import Terms, choose_thresholds
from reports.services.comparison import ComparisonReport, Expense, compare_versions
from reports.services.importing import import_items
from reports.services.looks import note_look
from reports.services.panels import PanelRefusedError, fit_panel

DEVELOPMENT, TEST = Selection(), Selection(split=Split.TEST.value)
MEMBERS = ("specifics", "lexical", "entailment")
"""The judges of the panel."""
NO_MODEL = "no entailment model was given"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a version with its judgements on test, or why there is none."""

    name: str
    version: JudgeVersion | None
    missing: str = ""
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class SetResult:
    """Everything that the document says of one set."""

    about: ClaimSet
    sample: Sample
    project: Project
    rows: tuple[Row, ...]
    report: ComparisonReport
    looks: int

    def row(self, name: str) -> Row | None:
        """The line of this name, where its judge was run."""
        return next((row for row in self.rows if row.name == name and row.version is not None), None)

    def score(self, row: Row) -> JudgeScore:
        return self.report.result.judge(str(row.version))

    def expense(self, row: Row) -> Expense:
        assert row.version is not None
        return self.report.figures.expenses[row.version.pk]


def judge_set(about: ClaimSet, sample: Sample, *, model: str, scratch: Path, say: Say) -> SetResult:
    """Import the sample, let every judge give its verdicts, and compare them on the test split.

    Work that an earlier call finished in the same database is not done again.
    """
    project = _imported(about, sample, scratch)
    rows = [*_plain(project, say), *_entailment(project, sample, model=model, say=say)]
    rows.append(_panel(project, rows, say=say))
    looks = note_look(project=project, member=None, page="results")
    versions = list(dict.fromkeys(row.version for row in rows if row.version is not None))
    report = compare_versions(project, TEST, versions=versions)
    return SetResult(about, sample, project, tuple(rows), report, looks)


def _imported(about: ClaimSet, sample: Sample, scratch: Path) -> Project:
    slug = f"{about.name}-{sample.claims}"
    project = Project.objects.filter(slug=slug).first() or create_project(slug=slug, name=about.title)
    path = scratch / f"{slug}.jsonl"
    sample.write(path)
    done = import_items(project=project, path=path)
    if done.problems or not done.saved:
        raise ValueError(f"{path.name}: {done.refused or [str(problem) for problem in done.problems[:5]]}")
    return project


def _plain(project: Project, say: Say) -> list[Row]:
    specifics = judged(project, "specifics", "specifics", {}, say=say)
    lexical = judged(project, "lexical", "lexical", {}, say=say)
    return [specifics, lexical, _with_chosen(lexical, say=say)]


def _entailment(project: Project, sample: Sample, *, model: str, say: Say) -> list[Row]:
    names = {"entailment": "claim", "whole answer": "answer"}
    if not model:
        return [Row(name, None, NO_MODEL) for name in names]
    rows = []
    for name, unit in names.items():
        if unit == "answer" and not sample.with_text:
            one_each = sample.answers == sample.claims
            rows.append(
                Row(name, None, "one claim an answer: the same as entailment" if one_each else "no answer texts")
            )
            continue
        settings = {"model": model, "unit": unit}
        row = judged(project, name, "entailment", settings, say=say)
        rows += [row, _with_chosen(row, say=say)]
    return rows


def _panel(project: Project, rows: Sequence[Row], *, say: Say) -> Row:
    """The judges as they come, weighed by a model fitted on development, run over test."""
    members = [row.version for row in rows if row.name in MEMBERS and row.version is not None]
    if len(members) < len(MEMBERS):
        return Row("panel", None, f"it needs {', '.join(MEMBERS)}")
    try:
        version = fit_panel(project=project, name="panel", members=members, by=None)
    except PanelRefusedError as error:
        return Row("panel", None, str(error))
    return _run(Row("panel", version, threshold=_threshold(version)), RunSelection(split=Split.TEST.value), say=say)


def judged(project: Project, name: str, type_name: str, settings: Mapping[str, object], *, say: Say) -> Row:
    """Make the judge with these settings and run it over every cited claim of both splits."""
    judge = create_judge(project=project, name=name.replace(" ", "-"), type_name=type_name)
    version = create_version(judge=judge, config=settings, policy=Policy.STRICT, by=None)
    return _run(Row(name, version, threshold=_threshold(version)), RunSelection(), say=say)


def _with_chosen(row: Row, *, say: Say) -> Row:
    """The same judge with the threshold of the largest kappa on development, run over test."""
    name = f"{row.name}, chosen"
    if row.version is None:
        return Row(name, None, row.missing)
    version = row.version
    found = choose_thresholds(version.judge.project, version, DEVELOPMENT, Terms())
    best = next(one.choice for one in found if one.way == "kappa")
    if best.threshold is None:
        return Row(name, None, f"no threshold can be chosen: {best.reason}")
    made = with_threshold(version=version, threshold=best.threshold, by=None)
    return _run(Row(name, made, threshold=best.threshold), RunSelection(split=Split.TEST.value), say=say)


def _run(row: Row, selection: RunSelection, *, say: Say) -> Row:
    """Start the version's run, or go on with it, and work on it here until it has finished."""
    assert row.version is not None
    run = row.version.runs.order_by("-id").first()
    if run is None:
        try:
            run = start_run(version=row.version, selection=selection, by=None)
        except RunRefusedError as error:
            return Row(row.name, None, str(error))
    begun = time.monotonic()
    while run.state == Run.State.ACTIVE:
        # Nothing to take and not finished: a worker that was killed still holds claims until its lease runs out.
        if not work_on_run(run.pk, seconds=30):
            time.sleep(0.2)
        run.refresh_from_db()
    say(f"  {row.version} ({row.name}): {run.claims_total:,} claims, {time.monotonic() - begun:.0f} s")
    return row


def _threshold(version: JudgeVersion) -> float | None:
    value = version.config.get("threshold")
    return float(value) if isinstance(value, int | float) else None
