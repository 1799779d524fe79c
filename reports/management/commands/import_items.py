"""`import_items PROJECT FILE…`: bring answers, claims, labels and judgements in."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from labelling.importing.delivery import Options
from labelling.importing.engine import FileReport
from labelling.importing.files import Reading
from labelling.importing.mapping import ColumnMap, MappingRefusedError, parse_columns, parse_values
from labelling.management.asking import named_project
from reports.services.importing import import_items


class Command(BaseCommand):
    help = "Import JSON Lines, CSV, TSV, Excel or Parquet files, plain or gzip, into a project. See docs/importing.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--map", nargs="+", action="extend", default=[], metavar="THEIRS=OURS", help="columns of a flat table"
        )
        parser.add_argument(
            "--values", nargs="+", action="extend", default=[], metavar="FOUND=VERDICT", help="words for verdicts"
        )
        parser.add_argument("--encoding", default="", help="where it is neither UTF-8 nor marked UTF-16, e.g. cp1252")
        parser.add_argument("--delimiter", default="", help="of a CSV file, where it is guessed wrongly")
        parser.add_argument("--quoting", choices=["standard", "backslash", "none"], default=None)
        parser.add_argument("--update", action="store_true", help="take changed texts under known ids")
        parser.add_argument(
            "--skip-bad", action="store_true", help="import good lines; bad ones go to FILE.rejects.jsonl"
        )
        parser.add_argument("--dry-run", action="store_true", help="do everything and keep nothing")
        parser.add_argument(
            "--missing-sources", action="store_true", help="make a source without text for a cited id that is unknown"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        try:
            columns = ColumnMap(parse_columns(options["map"]), parse_values(options["values"]))
        except MappingRefusedError as fault:
            raise CommandError(str(fault)) from None
        delimiter = options["delimiter"].replace("\\t", "\t")
        if len(delimiter) > 1:
            raise CommandError(f"--delimiter: found {delimiter!r}, expected one character")
        chosen = Options(
            update=options["update"],
            skip_bad=options["skip_bad"],
            dry_run=options["dry_run"],
            missing_sources=options["missing_sources"],
        )
        failed = 0
        for path in options["files"]:
            if not path.is_file():
                raise CommandError(f"{path}: no such file")
            report = import_items(
                project=project,
                path=path,
                columns=columns,
                reading=Reading(options["encoding"], delimiter, options["quoting"]),
                options=chosen,
                rejects=path.with_name(path.name + ".rejects.jsonl"),
                progress=self._show_progress,
            )
            self._print(report, dry_run=chosen.dry_run)
            failed += report.failed
        if failed:
            raise CommandError(f"{failed} of {len(options['files'])} files changed nothing", returncode=1)

    def _show_progress(self, records: int, share: float | None) -> None:
        if sys.stderr.isatty():
            part = "" if share is None else f", {share:.0%} of the file"
            self.stderr.write(f"\r{records:,} read{part}  ", ending="")

    def _print(self, report: FileReport, *, dry_run: bool) -> None:
        for problem in report.problems:
            self.stderr.write(str(problem))
        if report.problems_total > len(report.problems):
            self.stderr.write(f"{report.file}: {report.problems_total - len(report.problems)} more problems")
        if report.refused:
            self.stderr.write(report.refused)
            return
        if report.failed:
            self.stderr.write(f"{report.file}: {report.problems_total} problems, nothing was changed")
            return
        said = [
            f"{number:,} {kind} {what}"
            for kind, count in report.counts.items()
            for what, number in sorted(count.items())
        ]
        tail = f"; {report.rejected} rejected, see {report.file}.rejects.jsonl" if report.rejected else ""
        head = "would be: " if dry_run else ""
        self.stdout.write(f"{report.file}: {head}{', '.join(said) or 'nothing in it'}{tail} ({report.seconds:.1f} s)")
