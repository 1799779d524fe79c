"""`manage.py trends PROJECT --system S`: the figures of the groundedness report by week, month or release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from labelling.management.asking import check_options, named_project
from reports.forms.trends import TrendForm
from reports.management.looking import say_looks
from reports.services.trends import report_trends
from reports.shown.trend_files import FORMS, trends_text

FILTERS = ("system", "task_type", "by", "split", "judge", "origin", "since", "until")


class Command(BaseCommand):
    help = "Show how the figures of a system moved over time, and which changes left the interval of the period before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--system", default="", help="only answers of this system; `none` for those without")
        parser.add_argument("--task-type", default="", help="only answers of this task type")
        parser.add_argument("--by", default="", help="week (default), month or release")
        parser.add_argument(
            "--split", default="", help="development (default), test or both; each look at test is counted"
        )
        parser.add_argument("--judge", default="", metavar="JUDGE@VERSION", help="this judge instead of people")
        parser.add_argument(
            "--origin", default="", help="people, judge (raw), prediction_powered or rogan_gladen (corrected)"
        )
        parser.add_argument("--since", default="", metavar="DAY", help="only answers made on or after it")
        parser.add_argument("--until", default="", metavar="DAY", help="only answers made before it")
        written = parser.add_mutually_exclusive_group()
        for name, form in FORMS.items():
            written.add_argument(f"--{name}", action="store_true", help=f"as {form.words}")
        parser.add_argument("--output", type=Path, help="a file to write; what is there is replaced")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        form = TrendForm({name: options[name] for name in FILTERS}, project=project)
        check_options(form)
        selection, version = form.selection(), form.version
        # A judge that is named is meant, as nothing else here would use it.
        origin = form.cleaned_data["origin"] or ("judge" if version is not None else "")
        report = report_trends(project, selection, by=form.by_what, version=version, origin=origin, now=timezone.now())
        looks = say_looks(self.stderr, selection, project=project, version=version)
        kind = next((name for name in FORMS if options[name]), None)
        written = (FORMS[kind].write if kind else trends_text)(report, looks=looks)
        if options["output"] is None:
            self.stdout.write(written)
        else:
            options["output"].write_text(written + "\n", encoding="utf-8")
