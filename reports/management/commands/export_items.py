"""`export_items PROJECT`: everything of a project as a file that makes it again."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand

from labelling.management.asking import named_project
from labelling.models import Project
from reports.services.exporting import FORMATS, WHAT, write_items


class Command(BaseCommand):
    help = "Export a project: native JSON Lines (complete), or one claim a row as CSV or Parquet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("--format", choices=FORMATS, default="jsonl")
        parser.add_argument("--what", choices=WHAT, default="all", help="which lines; CSV and Parquet hold claims")
        parser.add_argument("--output", type=Path, default=None, help="file to write; standard output where not given")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        path: Path | None = options["output"]
        if path is None:
            self._write(project, options, sys.stdout.buffer)
            return
        with path.open("wb") as out:
            self._write(project, options, out)
        self.stdout.write(str(path))

    def _write(self, project: Project, options: dict[str, Any], out: BinaryIO) -> None:
        write_items(project=project, kind=options["format"], what=options["what"], out=out)
