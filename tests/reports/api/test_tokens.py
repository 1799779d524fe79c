"""An owner makes a token, sees it once, and revokes it; nobody else, and no other project."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from labelling.models import Project, Role
from reports.models import ApiToken
from reports.services.tokens import make_token, token_of
from tests.factories import make_member, make_project
from tests.reports.rows import signed_in

pytestmark = pytest.mark.django_db


def page(project: Project) -> str:
    return reverse("reports:tokens", args=[project.slug])


def revoke_url(token: ApiToken) -> str:
    return reverse("reports:token-revoke", args=[token.project.slug, token.pk])


def secret_in(html: str) -> str:
    return html.partition("Shown this once: <code")[2].partition(">")[2].partition("</code>")[0]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_token_is_shown_in_the_response_to_its_making_and_never_again(
    client: Client, headers: dict[str, str]
) -> None:
    project = make_project()
    signed_in(client, project, Role.OWNER)
    made = client.post(page(project), {"name": "staging"}, headers=headers)
    secret = secret_in(made.content.decode())
    token = token_of(secret)
    assert token is not None
    assert (token.project, token.name, token.created_by is not None) == (project, "staging", True)
    assert "no-store" in made.headers["Cache-Control"]
    later = client.get(page(project)).content.decode()
    assert secret not in later
    assert secret_in(later) == ""
    assert f"tst_{token.prefix}…" in later


def test_only_owners_come_to_the_tokens_of_their_own_project(client: Client) -> None:
    project, other = make_project(), make_project()
    token = make_token(project=project, name="p", by=None).token
    assert client.get(page(project)).status_code == 302, "sign in first"
    for where, role in ((project, Role.ANNOTATOR), (project, Role.ENGINEER), (other, Role.OWNER)):
        signed_in(client, where, role)
        assert client.get(page(project)).status_code == 404
        assert client.post(page(project), {"name": "x"}).status_code == 404
        assert client.post(revoke_url(token)).status_code == 404
    own = make_token(project=other, name="p", by=None).token
    assert client.post(reverse("reports:token-revoke", args=[other.slug, token.pk])).status_code == 404
    assert client.get(revoke_url(own)).status_code == 405
    assert not ApiToken.objects.exclude(revoked=None).exists()
    assert ApiToken.objects.count() == 2


def test_a_name_is_needed_and_stands_once_among_the_tokens_in_force(client: Client) -> None:
    project = make_project()
    signed_in(client, project, Role.OWNER)
    for name, status in (("", 422), ("x" * 101, 422), ("nightly", 200), ("nightly", 422)):
        assert client.post(page(project), {"name": name}).status_code == status
    assert "already" in client.post(page(project), {"name": "nightly"}).content.decode()
    client.post(revoke_url(ApiToken.objects.get()))
    assert client.post(page(project), {"name": "nightly"}).status_code == 200


def test_revoking_is_for_good_and_pressed_twice_is_once(client: Client) -> None:
    project = make_project()
    signed_in(client, project, Role.OWNER)
    new = make_token(project=project, name="<b>p</b>", by=None)
    for _ in range(2):
        said = client.post(revoke_url(new.token))
        assert (said.status_code, said.headers["Location"]) == (302, page(project))
    new.token.refresh_from_db()
    first = new.token.revoked
    assert first is not None
    assert new.token.revoked_by is not None
    html = client.get(page(project)).content.decode()
    assert "&lt;b&gt;p&lt;/b&gt;" in html
    assert f"{first:%Y}" in html
    assert token_of(new.secret) is None


def test_the_list_takes_as_many_queries_for_many_tokens_as_for_one(client: Client) -> None:
    project = make_project()
    signed_in(client, project, Role.OWNER)
    owner = make_member(project, Role.OWNER)
    counts = []
    for number in range(6):
        make_token(project=project, name=f"p{number}", by=owner)
        with CaptureQueriesContext(connection) as seen:
            client.get(page(project))
        counts.append(len(seen))
    assert len(set(counts)) == 1


def test_the_command_prints_the_token_alone_and_revokes_by_name() -> None:
    project = make_project(slug="returns")
    out, beside = io.StringIO(), io.StringIO()
    call_command("api_token", "returns", name="nightly", stdout=out, stderr=beside)
    token = token_of(out.getvalue().strip())
    assert token is not None
    assert (token.project, token.created_by) == (project, None)
    assert "once" in beside.getvalue()
    with pytest.raises(CommandError, match="already"):
        call_command("api_token", "returns", name="nightly")
    call_command("api_token", "returns", name="nightly", revoke=True, stdout=io.StringIO())
    assert token_of(out.getvalue().strip()) is None
    with pytest.raises(CommandError, match="no token 'nightly' in force; expected one of none"):
        call_command("api_token", "returns", name="nightly", revoke=True)
    with pytest.raises(CommandError, match="no project 'other'"):
        call_command("api_token", "other", name="nightly")
    with pytest.raises(CommandError, match="expected 1 to 100 characters"):
        call_command("api_token", "returns", name=" ")
