"""`manage.py release PROJECT --system S --name N`: note in a pipeline that a version of a system went out."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from labelling.management.asking import named_project
from labelling.models import Answer
from reports.forms.trends import moment
from reports.services.releases import ReleaseRefusedError, note_release, releases_of, when

LONGEST = {"system": 200, "name": 100, "note": 2_000}


class Command(BaseCommand):
    help = "Note a release of a system: a line in its trends. The same release again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--system", required=True, help="the system, as its answers call it")
        parser.add_argument("--name", required=True, help="what the release is called")
        parser.add_argument("--at", metavar="WHEN", help="when it went out, as 2026-05-31T14:00; UTC; now without it")
        parser.add_argument("--note", default="")

    def handle(self, *, project: str, system: str, name: str, note: str, **options: Any) -> None:
        found = named_project(project)
        given = {"system": system.strip(), "name": name.strip(), "note": note.strip()}
        for key, text in given.items():
            if len(text) > LONGEST[key]:
                raise CommandError(f"--{key}: expected at most {LONGEST[key]} characters, got {len(text)}")
        if not given["name"]:
            raise CommandError("--name: expected a name, got nothing")
        try:
            at = moment(options["at"]) if options["at"] else None
        except ValidationError as error:
            raise CommandError(f"--at: {error.messages[0]} Found {options['at']!r}.") from None
        there = releases_of(found, given["system"]).filter(name=given["name"]).first()
        if there is not None and at in (None, there.at):
            # A pipeline that runs again comes by here.
            self.stdout.write(f"{there} is there already, at {when(there.at)}")
            return
        try:
            made = note_release(project=found, at=at or timezone.now().replace(microsecond=0), by=None, **given)
        except ReleaseRefusedError as error:
            raise CommandError(f"--{error.field}: {error}") from None
        self.stdout.write(f"{made} went out at {when(made.at)}")
        if not Answer.objects.filter(project=found, system=made.system).exists():
            self.stdout.write(f"no answer of {made.system or 'an unnamed system'} is there yet")
