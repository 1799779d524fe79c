"""`diff_golden PROJECT NAME V1 V2`: what changed between two versions."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from labelling.golden.difference import diff_golden
from labelling.models import GoldenSet


class Command(BaseCommand):
    help = "List what was added, removed and changed between two versions of a golden set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("name", help="name of the golden set")
        parser.add_argument("before", type=int, metavar="V1")
        parser.add_argument("after", type=int, metavar="V2")

    def handle(self, *_args: Any, **options: Any) -> None:
        sets = GoldenSet.objects.filter(project__slug=options["project"], name=options["name"])
        before, after = (sets.filter(version=options[key]).first() for key in ("before", "after"))
        if before is None or after is None:
            raise CommandError(f"no such versions of {options['name']!r} in {options['project']!r}")
        found = diff_golden(before, after)
        for entry in found.added:
            self.stdout.write(f"+ {entry.external_id}\t{entry.verdict}\t{entry.text}")
        for entry in found.removed:
            self.stdout.write(f"- {entry.external_id}\t{entry.verdict}\t{entry.text}")
        for change in found.changed:
            verdict = change.after if change.before == change.after else f"{change.before} → {change.after}"
            self.stdout.write(f"~ {change.external_id}\t{verdict}\t{', '.join(change.what)}")
        self.stdout.write(
            f"{len(found.added)} added, {len(found.removed)} removed, {len(found.changed)} changed "
            f"({found.verdicts_changed} in their verdict), {found.same} the same"
        )
