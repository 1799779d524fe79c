"""`manage.py make_figures TOKEN`: figures that a page wants anew, made beside the server. Nobody calls it by hand."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from labelling.keeping import make_wanted


class Command(BaseCommand):
    help = "Make the figures that a page left under a token (started by the server itself)."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("token")

    def handle(self, *_args: Any, **options: Any) -> None:
        os.nice(10)  # pages come first
        make_wanted(options["token"])
