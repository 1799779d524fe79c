"""May this person have this object? The only way a view gets one. A stranger gets 404: not even existence is told."""

from dataclasses import dataclass
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import Http404
from django.shortcuts import get_object_or_404

from labelling.models import GuideVersion, Membership, Project, Role

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Seat:
    """A signed-in person's place in one project: who asks, where, and in which role.

    `guide_id` is the guide version in force, where it was looked up along the way.
    """

    project: Project
    member: Membership
    guide_id: int | None = None


def seat(user: User | AnonymousUser, slug: str, *roles: Role) -> Seat:
    """The person's seat in the project, provided they have one of the roles (any role where none is given).

    Raises
    ------
    Http404
        Where there is no such project, the person is no member, or the role is another.
    """
    if user.pk is None:
        raise Http404
    guides = GuideVersion.objects.filter(project=OuterRef("project")).order_by("-number")
    members = (
        Membership.objects.select_related("project")
        .filter(project__slug=slug, user_id=user.pk)
        .annotate(guide_id=Subquery(guides.values("pk")[:1]))
    )
    if roles:
        members = members.filter(role__in=roles)
    # At most one row: a person has one place in a project.
    for member in members:
        return Seat(member.project, member, member.guide_id)
    raise Http404


def annotator_seat(user: User | AnonymousUser, slug: str) -> Seat:
    return seat(user, slug, Role.ANNOTATOR)


def engineer_seat(user: User | AnonymousUser, slug: str) -> Seat:
    """Engineers and owners: those who may see judges and figures."""
    return seat(user, slug, Role.ENGINEER, Role.OWNER)


def owner_seat(user: User | AnonymousUser, slug: str) -> Seat:
    return seat(user, slug, Role.OWNER)


def within(rows: QuerySet[M], **lookup: object) -> M:
    """One object out of rows that the caller has already narrowed to a project; 404 where it is not among them."""
    return get_object_or_404(rows, **lookup)
