"""`export_golden PROJECT NAME`: write a golden set and its manifest."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from labelling.golden.exporting import FORMATS, file_name, manifest_text, write_golden
from labelling.models import GoldenSet


class Command(BaseCommand):
    help = "Write a golden set with the sources and answers it speaks of, and its manifest beside it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("name", help="name of the golden set")
        parser.add_argument("--number", type=int, default=0, help="which version; the last where not given")
        parser.add_argument("--format", choices=FORMATS, default="jsonl")
        parser.add_argument("--output", type=Path, default=Path(), help="folder to write to")

    def handle(self, *_args: Any, **options: Any) -> None:
        sets = GoldenSet.objects.filter(project__slug=options["project"], name=options["name"]).order_by("-version")
        if options["number"]:
            sets = sets.filter(version=options["number"])
        golden_set = sets.first()
        if golden_set is None:
            raise CommandError(f"no golden set {options['name']!r} of that version in {options['project']!r}")
        folder: Path = options["output"]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / file_name(golden_set, options["format"])
        with path.open("wb") as out:
            write_golden(golden_set, options["format"], out)
        (folder / file_name(golden_set, "manifest.json")).write_text(manifest_text(golden_set), encoding="utf-8")
        self.stdout.write(str(path))
