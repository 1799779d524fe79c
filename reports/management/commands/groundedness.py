"""`manage.py groundedness PROJECT`: the groundedness report as the page has it, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from labelling.management.asking import check_options, named_project
from reports.forms.groundedness import GroundednessForm
from reports.management.looking import say_looks
from reports.services.groundedness import report_groundedness
from reports.shown.groundedness_files import FORMS

FILTERS = ("system", "task_type", "collection", "split", "judge", "origin", "since", "until")


class Command(BaseCommand):
    help = "Report how grounded the answers of a project are: from people, from a judge, and corrected."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--format", choices=list(FORMS), default="md")
        parser.add_argument("--output", type=Path, help="a file to write; what is there is replaced")
        parser.add_argument("--system", default="", help="only answers of this system; `none` for those without")
        parser.add_argument("--task-type", default="", help="only answers of this task type")
        parser.add_argument("--collection", default="", help="only claims that cite a source of this collection")
        parser.add_argument(
            "--split", default="", help="development (default), test or both; each look at test is counted"
        )
        parser.add_argument("--judge", default="", metavar="JUDGE@VERSION", help="also from this judge, and corrected")
        parser.add_argument("--since", default="", metavar="DAY", help="only answers made on or after it")
        parser.add_argument("--until", default="", metavar="DAY", help="only answers made before it")
        parser.add_argument("--origin", default="", help="whose verdicts tables and claims are from: people or judge")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        form = GroundednessForm({name: options[name] for name in FILTERS}, project=project)
        check_options(form)
        selection = form.selection()
        report = report_groundedness(project, selection, version=form.version, origin=form.cleaned_data["origin"])
        looks = say_looks(self.stderr, selection, project=project, version=form.version)
        written = FORMS[options["format"]].write(report, looks=looks)
        if options["output"] is None:
            self.stdout.write(written)
        else:
            options["output"].write_text(written + "\n", encoding="utf-8")
