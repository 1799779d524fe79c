"""Looks at the test split by commands."""

from django.core.management.base import OutputWrapper

from judges.models import JudgeVersion
from labelling.models import Project
from reports.selection import Selection
from reports.services.looks import looks_beside


def say_looks(
    stderr: OutputWrapper, selection: Selection, *, project: Project, version: JudgeVersion | None = None
) -> int:
    """Return how many looks there were, this one included where test is in the selection, which is then said."""
    looks = looks_beside(selection, project=project, member=None, page="command", version=version)
    if selection.includes_test:
        stderr.write(f"Looks at the test split so far, this one included: {looks}.")
    return looks
