"""`manage.py api_token PROJECT --name N`: make a token by which a program may post answers, or revoke one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from labelling.management.asking import named_project
from labelling.models import Project
from reports.models import ApiToken
from reports.services.tokens import make_token, revoke_token


class Command(BaseCommand):
    help = "Make a token by which a program may post answers to a project, and print it, this once; or revoke one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--name", required=True, help="what it is for")
        parser.add_argument("--revoke", action="store_true", help="put the token of this name out of force")

    def handle(self, *, project: str, name: str, revoke: bool, **_options: Any) -> None:
        found = named_project(project)
        name = name.strip()
        if not 0 < len(name) <= 100:
            raise CommandError(f"--name is {name!r}; expected 1 to 100 characters")
        if revoke:
            self._revoke(found, name)
            return
        try:
            new = make_token(project=found, name=name, by=None)
        except ValueError as error:
            raise CommandError(str(error)) from error
        # Alone on standard output, so that a pipeline can put it where it keeps its secrets.
        self.stdout.write(new.secret)
        self.stderr.write("Shown this once: only its hash is kept.")

    def _revoke(self, project: Project, name: str) -> None:
        token = ApiToken.objects.filter(project=project, name=name, revoked__isnull=True).first()
        if token is None:
            names = ApiToken.objects.filter(project=project, revoked__isnull=True).values_list("name", flat=True)
            raise CommandError(f"no token {name!r} in force; expected one of {', '.join(names) or 'none'}")
        revoke_token(token=token, by=None)
        self.stdout.write(f"{name} is revoked.")
