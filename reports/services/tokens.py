"""Tokens by which programs post answers: made, shown once, counted, revoked.

A token is ``tst_``, eight characters that are shown wherever it is listed, and a secret of 256 random bits. The secret is
kept as its SHA-256 alone: it cannot be guessed, so a slow hash would protect nothing and cost every request.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from labelling.models import Membership, Project
from reports.models import ApiToken

BEGINS = "tst"
NOBODYS = "0" * 64  # what a secret is held against where there is no such token, so that both take as long


class TokenError(ValueError):
    """A token that may not be made; the message says why."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A fresh token with what a program sends, which is kept nowhere in the clear."""

    token: ApiToken
    secret: str


def make_token(*, project: Project, name: str, by: Membership | None) -> NewToken:
    """Make a token for a project.

    Raises
    ------
    TokenError
        Where one in force has this name.
    """
    prefix, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            token = ApiToken.objects.create(
                project=project, name=name, prefix=prefix, hash=_hash(secret), created_by=by
            )
    except IntegrityError:
        raise TokenError(f"There is a token named {name} already. Revoke it first, or give another name.") from None
    return NewToken(token, f"{BEGINS}_{prefix}_{secret}")


def revoke_token(*, token: ApiToken, by: Membership | None) -> bool:
    """Put a token out of force, for good. Whether this call did it."""
    rows = ApiToken.objects.filter(pk=token.pk, revoked__isnull=True)
    return rows.update(revoked=timezone.now(), revoked_by=by) == 1


@sensitive_variables()
def token_of(written: str) -> ApiToken | None:
    """The token in force that was written so, with its project; one query, in the same time whatever is wrong."""
    begins, _, rest = written.partition("_")
    prefix, _, secret = rest.partition("_")
    rows = ApiToken.objects.select_related("project", "created_by").filter(prefix=prefix[:8], revoked__isnull=True)
    token = rows.first()
    same = hmac.compare_digest(token.hash if token else NOBODYS, _hash(secret))
    return token if same and begins == BEGINS else None


def admit(token: ApiToken, *, now: datetime | None = None) -> int:
    """Count a request; 0 where it may go on, else the seconds until the next one may.

    One conditional UPDATE of the token's row, so the limit holds across threads, processes and machines.
    """
    now = now or timezone.now()
    minute = now.replace(second=0, microsecond=0)
    limit = settings.API_CALLS_PER_MINUTE
    rows = ApiToken.objects.filter(pk=token.pk)
    if limit:
        rows = rows.filter(Q(minute__isnull=True) | ~Q(minute=minute) | Q(calls__lt=limit))
    again = When(minute=minute, then=F("calls") + 1)
    if rows.update(calls=Case(again, default=Value(1)), minute=minute, last_used=now):
        return 0
    return max(1, (minute + timedelta(minutes=1) - now).seconds)


@sensitive_variables()
def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
