"""The demo project: an invented company, invented people, everything imported through the front door."""

import io
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction

from labelling.models import Policy, Project, Role
from labelling.services.people import add_member
from labelling.services.projects import create_project
from reports.demo.reviews import seed_reviews
from reports.services.releases import note_release

CONTENT = Path(__file__).resolve().parent / "content"
FILES = ("sources", "answers", "labels", "labels_again", "adjudications", "answer_labels", "judgements")
SLUG = "demo"
JUDGES = ("quotes", "specifics", "citations", "lexical")
RELEASES = (
    ("harbour-bot", "petrel-small-3", datetime(2026, 3, 30, 6, tzinfo=UTC), "Another model answers."),
    ("harbour-bot", "pages of May", datetime(2026, 5, 1, 6, tzinfo=UTC), "The help centre was indexed anew."),
    (
        "desk-copilot",
        "archive search",
        datetime(2026, 4, 13, 6, tzinfo=UTC),
        "Scans and internal mail are searched together.",
    ),
)
"""System, name, moment and note of each."""


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    password: str
    role: Role


# Printed on every start: these accounts exist in the demo alone.
ACCOUNTS = (
    Account("annotator", "demo-annotator", Role.ANNOTATOR),
    Account("engineer", "demo-engineer", Role.ENGINEER),
    Account("owner", "demo-owner", Role.OWNER),
)


def seed_demo() -> bool:
    """Make the demo project unless it is there; True where it was made now.

    All of it or nothing: a start that was interrupted begins anew.
    """
    if Project.objects.filter(slug=SLUG).exists():
        return False
    with transaction.atomic():
        project = create_project(
            slug=SLUG,
            name="Help desk answers",
            description="Answers of two help-desk systems, each claim beside the source it cites.",
            policy=Policy.STRICT,
        )
        Project.objects.filter(pk=project.pk).update(illustrative=True)
        files = [str(CONTENT / f"{name}.jsonl") for name in FILES]
        call_command("import_items", SLUG, *files, stdout=io.StringIO())
        # After the import, so that a visitor is a new person beside those whose labels came with the content.
        for account in ACCOUNTS:
            user = User.objects.create_user(account.name, password=account.password)
            add_member(project=project, user=user, role=account.role)
        # Last, so that nothing above is about them: they bring no labels and enter no figure of judges or people.
        call_command("import_items", SLUG, str(CONTENT / "bare_answers.jsonl"), stdout=io.StringIO())
        engineer = project.memberships.get(user__username="engineer")
        for system, name, at, note in RELEASES:
            note_release(project=project, system=system, name=name, at=at, note=note, by=engineer)
        seed_reviews(project=project, by=engineer, file=CONTENT / "reviews.jsonl")
    return True
