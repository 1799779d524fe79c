"""`manage.py compare PROJECT`: the comparison of judges with people, as the page has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from labelling.management.asking import check_options, named_project
from labelling.models import Project
from reports.forms.selection import SORTS, ComparisonForm
from reports.management.looking import say_looks
from reports.services.comparison import ComparisonReport, compare_project
from reports.shown.comparison_text import comparison_json, comparison_markdown, comparison_table

FORMATS: dict[str, Callable[..., str]] = {
    "table": comparison_table,
    "json": comparison_json,
    "markdown": comparison_markdown,
}
FILTERS = ("split", "collection", "kind", "severity", "system", "versions", "reference", "sort")


class Command(BaseCommand):
    help = "Compare the judges of a project with its people: kappa beside the human ceiling, recall, cost, time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--format", choices=list(FORMATS), default="table")
        parser.add_argument(
            "--split", default="", help="development (default), test or both; each look at test is counted"
        )
        parser.add_argument("--collection", default="", help="only claims that cite a source of this collection")
        parser.add_argument("--kind", default="", help="only claims of this kind")
        parser.add_argument("--severity", default="", help="only claims of this severity")
        parser.add_argument("--system", default="", help="only answers of this system")
        parser.add_argument("--versions", default="", help="latest (default) or all")
        parser.add_argument("--reference", default="", help="consensus or individual; the best there is by default")
        parser.add_argument("--sort", default="", help=f"{', '.join(SORTS)}; kappa by default")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        form = ComparisonForm({name: options[name] for name in FILTERS}, project=project)
        check_options(form)
        report = self._report(project, form)
        self.stdout.write(FORMATS[options["format"]](report, sort=form.cleaned_data["sort"] or "kappa"))

    def _report(self, project: Project, form: ComparisonForm) -> ComparisonReport:
        selection = form.comparison()
        say_looks(self.stderr, selection, project=project)
        return compare_project(project, selection, reference=form.cleaned_data["reference"])
