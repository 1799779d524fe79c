"""Looks at the test split: each is written down, and their number stands beside the figures.

A threshold or a prompt that is changed after looking at the test split has been chosen on it, a little. That cannot be
forbidden, only counted.
"""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from judges.models import JudgeVersion, Run
from labelling.models import Membership, Project
from reports.models import Look
from reports.selection import Selection

SAME_SITTING = timedelta(hours=1)


def note_look(*, project: Project, member: Membership | None, page: str, version: JudgeVersion | None = None) -> int:
    """Count a look at figures of the test split and return how many there were in all, this one included.

    Sorting, filtering and reloading within an hour is one look, unless a run was started, went on or ended in between
    (an import of judgements is the end of one): then there is something new to see. A command has no member, and each
    call of it counts.
    """
    if not (member is not None and _still_looking(project, member, page, version)):
        Look.objects.create(project=project, member=member, page=page, judge_version=version)
    return count_looks(project)


def looks_beside(
    selection: Selection, *, project: Project, member: Membership | None, page: str, version: JudgeVersion | None = None
) -> int:
    """Return how many looks there were, to stand beside figures of a selection; one with test in it is another look."""
    if selection.includes_test:
        return note_look(project=project, member=member, page=page, version=version)
    return count_looks(project)


def count_looks(project: Project) -> int:
    return Look.objects.filter(project=project).count()


def _still_looking(project: Project, member: Membership, page: str, version: JudgeVersion | None) -> bool:
    last = (
        Look.objects.filter(project=project, member=member, page=page, judge_version=version)
        .filter(created__gt=timezone.now() - SAME_SITTING)
        .order_by("-created")
        .first()
    )
    if last is None:
        return False
    since = Q(created__gt=last.created) | Q(finished__gt=last.created) | Q(state=Run.State.ACTIVE)
    return not Run.objects.plain().filter(since, project=project).exists()
