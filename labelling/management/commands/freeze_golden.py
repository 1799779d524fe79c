"""`freeze_golden PROJECT NAME`: freeze what is gold today."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from labelling.golden.freezing import NothingToFreezeError, freeze_golden
from labelling.management.asking import named_project


class Command(BaseCommand):
    help = "Freeze every cited claim that has gold as the next version of a golden set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("name", help="name of the golden set: letters, digits, hyphens, underscores")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        try:
            frozen = freeze_golden(project=project, name=options["name"])
        except NothingToFreezeError as fault:
            raise CommandError(str(fault)) from None
        golden_set = frozen.golden_set
        said = f"{golden_set}: {golden_set.manifest['items']} claims, {golden_set.hash}"
        self.stdout.write(said if frozen.made else f"nothing has changed; identical to {said}")
