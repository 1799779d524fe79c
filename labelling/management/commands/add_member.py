from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from labelling.management.asking import named_project
from labelling.models import Role
from labelling.services.people import PeopleError, add_member


class Command(BaseCommand):
    help = "Give an account a role in a project."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("username", help="sign-in name of the account")
        parser.add_argument("role", choices=Role.values)
        parser.add_argument("--pseudonym", default="", help="what exports show; left out, the next free one")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"there is no account named {options['username']!r}: make one with createsuperuser")
        try:
            member = add_member(project=project, user=user, role=options["role"], pseudonym=options["pseudonym"])
        except PeopleError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{user.get_username()} is {member.get_role_display().lower()} as {member.pseudonym}")
