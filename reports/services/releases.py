"""Releases of systems: noted by a person or a pipeline, mended and removed."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from labelling.models import Membership, Project
from reports.models import Release


class ReleaseRefusedError(ValueError):
    """The release cannot be kept so; `field` names what is wrong with it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def releases_of(project: Project, system: str | None = None) -> QuerySet[Release]:
    """The releases of a project in the order of time; of one system where it is given."""
    found = Release.objects.filter(project=project).order_by("at", "id")
    return found if system is None else found.filter(system=system)


def note_release(
    *, project: Project, system: str, name: str, at: datetime, note: str = "", by: Membership | None
) -> Release:
    """Keep a new release.

    Raises
    ------
    ReleaseRefusedError
        Where the system has a release of this name, or one at this moment.
    """
    return _kept(Release(project=project, system=system, name=name, at=at, note=note, member=by))


def change_release(release: Release, *, system: str, name: str, at: datetime, note: str) -> Release:
    """Mend a release.

    Raises
    ------
    ReleaseRefusedError
        As for `note_release`.
    """
    release.system, release.name, release.at, release.note = system, name, at, note
    return _kept(release)


def _kept(release: Release) -> Release:
    try:
        with transaction.atomic():
            release.save()
    except IntegrityError:
        others = releases_of(release.project, release.system).exclude(pk=release.pk)
        for other in others.filter(name=release.name):
            raise ReleaseRefusedError(
                "name", f"There is a release of this name already, at {when(other.at)}."
            ) from None
        for other in others.filter(at=release.at):
            raise ReleaseRefusedError("at", f"The release {other.name} went out at this moment already.") from None
        raise
    return release


def when(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
