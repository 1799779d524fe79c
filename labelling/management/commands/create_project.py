from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_slug

from labelling.models import Policy, Project
from labelling.services.projects import create_project


class Command(BaseCommand):
    help = "Make a project with its guide, and its owner where one is named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name, part of every address: letters, digits, hyphens")
        parser.add_argument("name", help="name as pages show it")
        parser.add_argument("--owner", help="sign-in name of the account that will own it")
        parser.add_argument("--policy", choices=Policy.values, default=Policy.STRICT.value)
        parser.add_argument("--description", default="")

    def handle(self, *_args: Any, **options: Any) -> None:
        slug = options["slug"]
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise CommandError(f"slug {slug!r}: expected letters, digits, hyphens and underscores") from error
        if Project.objects.filter(slug=slug).exists():
            raise CommandError(f"there is a project {slug!r} already")
        owner = None
        if options["owner"]:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                raise CommandError(f"--owner: there is no account named {options['owner']!r}")
        create_project(
            slug=slug,
            name=options["name"],
            owner=owner,
            policy=options["policy"],
            description=options["description"],
        )
        self.stdout.write(f"project {slug} made, {options['policy']} policy, guide version 1")
