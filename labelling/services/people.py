"""People and their roles. Nobody who has labelled is ever removed; a pseudonym outlives the account behind it."""

import secrets
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from labelling.models import Label, Membership, Project, Role, Slot

PREFIX = {Role.ANNOTATOR: "ann", Role.ENGINEER: "eng", Role.OWNER: "own"}
PASSWORD_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # noqa: S105  (no look-alikes: it is read aloud and typed)


class PeopleError(Exception):
    """A change that may not be made; the message says why, in words for the person who asked."""


@dataclass(frozen=True, slots=True)
class NewAccount:
    """A fresh account with its password, which is kept nowhere else in the clear."""

    member: Membership
    password: str


def add_member(*, project: Project, user: User, role: str, pseudonym: str = "") -> Membership:
    """Give an existing account a role. Asking for the same role again changes nothing.

    Raises
    ------
    PeopleError
        Where the account has another role here already, or the pseudonym is taken.
    """
    there = project.memberships.filter(user=user).first()
    if there is not None:
        if there.role == role:
            return there
        raise PeopleError(f"{user.get_username()} is here already, as {there.get_role_display().lower()}.")
    try:
        with transaction.atomic():
            return Membership.objects.create(
                project=project, user=user, role=Role(role), pseudonym=pseudonym or free_pseudonym(project, role)
            )
    except IntegrityError as error:
        raise PeopleError(f"The pseudonym {pseudonym} is taken.") from error


@transaction.atomic
def create_account(*, project: Project, username: str, role: str, pseudonym: str = "") -> NewAccount:
    """Make an account with a password of the machine's choosing, and give it a role.

    Raises
    ------
    PeopleError
        Where the name or the pseudonym is taken.
    """
    if User.objects.filter(username__iexact=username).exists():
        raise PeopleError(f"There is an account named {username} already. Add it instead.")
    password = "-".join("".join(secrets.choice(PASSWORD_ALPHABET) for _ in range(5)) for _ in range(3))
    user = User.objects.create_user(username=username, password=password)
    return NewAccount(add_member(project=project, user=user, role=role, pseudonym=pseudonym), password)


@transaction.atomic
def change_role(*, member: Membership, role: str, not_blind: bool = False) -> Membership:
    """Change a person's role.

    Raises
    ------
    PeopleError
        Where the project would be left without an owner, or where somebody who could see judges' verdicts would label
        and `not_blind` does not say that this is known.
    """
    if member.role == role:
        return member
    if member.role == Role.OWNER:
        _keep_an_owner(member)
    if role == Role.ANNOTATOR and not not_blind:
        raise PeopleError(
            f"{member.pseudonym} could see judges' verdicts until now, so labels of theirs may not be blind. "
            "Tick the box to say that this is known."
        )
    member.role = Role(role)
    member.save(update_fields=["role"])
    if role != Role.ANNOTATOR:
        _give_back(member)
    return member


@transaction.atomic
def attach_account(*, member: Membership, user: User) -> Membership:
    """Give the person behind an imported pseudonym an account, so that they see and go on with their own work.

    Raises
    ------
    PeopleError
        Where the pseudonym has an account already, or the account has another place in the project.
    """
    if member.user_id == user.pk:
        return member
    if member.user_id is not None:
        raise PeopleError(f"{member.pseudonym} has an account already.")
    if member.project.memberships.filter(user=user).exists():
        raise PeopleError(f"{user.get_username()} is here already, under another pseudonym.")
    try:
        with transaction.atomic():
            # Conditional, so that of two owners who attach at once one is told and not overwritten.
            changed = Membership.objects.filter(pk=member.pk, user__isnull=True).update(user=user)
    except IntegrityError as error:
        raise PeopleError(f"{user.get_username()} is here already, under another pseudonym.") from error
    if not changed:
        raise PeopleError(f"{member.pseudonym} has an account already.")
    member.user = user
    return member


@transaction.atomic
def remove_member(*, member: Membership) -> None:
    """Take a person out of the project who has left no work in it; the account itself stays.

    Raises
    ------
    PeopleError
        Where there is work of theirs, or nobody else owns the project.
    """
    if member.role == Role.OWNER:
        _keep_an_owner(member)
    kept = PeopleError(f"{member.pseudonym} has left work in this project, and work is never deleted.")
    if Label.objects.filter(annotator=member).exists():
        raise kept
    _give_back(member)
    try:
        with transaction.atomic():
            member.delete()
    except ProtectedError as error:
        raise kept from error


def free_pseudonym(project: Project, role: str) -> str:
    """The next of ann-01, ann-02, … that nobody in the project has."""
    taken = set(project.memberships.values_list("pseudonym", flat=True))
    prefix = PREFIX[Role(role)]
    number = 1
    while (name := f"{prefix}-{number:02d}") in taken:
        number += 1
    return name


def _give_back(member: Membership) -> None:
    """Open the places that somebody who labels no more still holds."""
    Slot.objects.filter(annotator=member, state=Slot.State.LEASED).update(
        state=Slot.State.OPEN, annotator=None, leased_until=None
    )


def _keep_an_owner(member: Membership) -> None:
    owners = member.project.memberships.filter(role=Role.OWNER, user__isnull=False).order_by("pk")
    # Locked where the database can, so that two owners who leave at once do not both count on the other.
    if set(owners.select_for_update().values_list("pk", flat=True)) <= {member.pk}:
        raise PeopleError("A project needs an owner: make somebody else one first.")
