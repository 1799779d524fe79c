"""`manage.py ceiling PROJECT`: what people reach, and how far judges are from it, as the page has it."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from calibration.ceiling import REFERENCES
from calibration.results import JsonValue, as_json
from labelling.management.asking import check_options, named_project
from reports.forms.ceiling import CeilingForm
from reports.management.looking import say_looks
from reports.services.ceiling import CeilingReport, JudgeFigures, report_ceiling
from reports.services.comparison import JudgeRow
from reports.shown.ceiling_page import first_words, judge_lines

FILTERS = ("split", "collection", "kind", "severity", "system", "since", "until", "by")


class Command(BaseCommand):
    help = "Say how well the people of a project agree, and how far each judge is from that."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--json", action="store_true", help="every figure, with interval, n and reason")
        for name in FILTERS:
            parser.add_argument(f"--{name}", default="", help="as on the page")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        form = CeilingForm({name: options[name] for name in FILTERS}, project=project)
        check_options(form)
        selection = form.selection()
        say_looks(self.stderr, selection, project=project)
        report = report_ceiling(project, selection, by=form.cleaned_data["by"] or "month")
        if options["json"]:
            self.stdout.write(json.dumps(_as_data(report), indent=2, ensure_ascii=False, allow_nan=False))
            return
        self.stdout.write("\n".join(first_words(report)))
        for line in judge_lines(report):
            self.stdout.write(f"{line.row.name}: {' '.join(line.said)}")


def _as_data(report: CeilingReport) -> dict[str, JsonValue]:
    about: dict[str, JsonValue] = {"project": report.project.slug, "selection": as_json(report.selection)}
    figures: dict[str, JsonValue] = {"said": as_json(first_words(report)), "figures": report.figures.to_json()}
    return about | figures | {"judges": [_judge(*one) for one in report.rows]}


def _judge(row: JudgeRow, figures: JudgeFigures) -> JsonValue:
    named: dict[str, JsonValue] = {"judge": row.version.judge.name, "version": row.version.number}
    beside: dict[str, JsonValue] = {name: getattr(row.score, name).to_json() for name in REFERENCES}
    return named | beside | figures.to_json()
