"""`verify_golden FILE`: recompute a golden set's hash from its export."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from labelling.golden.verifying import verify_golden
from labelling.importing.problems import FileRefusedError


class Command(BaseCommand):
    help = "Recompute the hash of an exported golden set (JSON Lines, CSV or Parquet) and check its texts against it."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--manifest", type=Path, default=None, help="where it does not lie beside the file")

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["file"]
        if not path.is_file():
            raise CommandError(f"{path}: no such file")
        try:
            found = verify_golden(path, manifest=options["manifest"])
        except FileRefusedError as fault:
            raise CommandError(str(fault)) from None
        for fault_said in found.faults[:50]:
            self.stderr.write(fault_said)
        if not found.sound:
            raise CommandError(f"{path.name}: {len(found.faults)} faults")
        against = "as its manifest says" if found.expected else "no manifest beside it to compare with"
        self.stdout.write(f"{path.name}: {found.items} items, {found.hash}, {against}")
