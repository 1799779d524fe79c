"""What every write view is asked: who gets in, and what a browser with and without htmx gets back."""

from typing import Any

import pytest
from django.test import Client

from labelling.models import Membership, Project, Role
from tests.factories import make_member, make_user

BY_HAND_AND_BY_HTMX = pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])


def signed_in(member: Membership) -> Client:
    client = Client()
    assert member.user is not None
    client.force_login(member.user)
    return client


def owner_of(project: Project) -> tuple[Membership, Client]:
    member = make_member(project, Role.OWNER)
    return member, signed_in(member)


def outsiders(project: Project, *, allowed: tuple[Role, ...]) -> list[Client]:
    """A stranger, and one person of each role that is not allowed."""
    stranger = Client()
    stranger.force_login(make_user())
    return [stranger, *(signed_in(make_member(project, role)) for role in Role if role not in allowed)]


def assert_closed_to(clients: list[Client], url: str, data: dict[str, Any] | None = None) -> None:
    """404 for each of them, by GET and by POST: not even existence is told."""
    for client in clients:
        assert client.get(url).status_code in (404, 405)
        if data is None:
            assert client.get(url).status_code == 404
        else:
            assert client.post(url, data).status_code == 404


def assert_asks_to_sign_in(url: str) -> None:
    response = Client().get(url)
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/sign-in/")
