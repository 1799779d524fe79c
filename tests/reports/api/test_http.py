"""The door: token, rate, size, type, method; and that nothing but the token opens it."""

import logging
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from labelling.models import Answer, Role
from reports.api.contract import REFUSAL
from reports.api.openapi import REFUSALS
from reports.api.shapes import faults_of
from reports.models import ApiToken
from reports.services.tokens import admit, make_token, revoke_token, token_of
from tests.factories import make_member, make_project
from tests.reports.api.posting import Program, a_body

pytestmark = pytest.mark.django_db


def refused(program: Program, body: object = None, **headers: str) -> tuple[int, str]:
    """Status and sentence of a refusal, which has the shape of the contract and leaves nothing behind."""
    status, data = program.post(a_body(store=True) if body is None else body, headers=headers)
    assert status in REFUSALS
    assert not list(faults_of(data, REFUSAL))
    assert not Answer.objects.exists()
    return status, data["error"]


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer tst_", "Bearer tst_00000000_x", "Basic dXNlcjpw", "Bearer tst_\u00e9_x", "Bearer  "]
)
def test_without_a_token_nothing_is_said(given: str) -> None:
    program = Program(make_project())
    status, _ = refused(program, Authorization=given)
    assert status == 401
    assert program.last.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_sign_in_opens_nothing() -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    assert owner.user is not None
    client = Client()
    client.force_login(owner.user)
    said = client.post(reverse("reports:api-check"), a_body(), content_type="application/json")
    assert said.status_code == 401


def test_a_revoked_token_is_as_good_as_none() -> None:
    program = Program(make_project())
    assert program.post(a_body())[0] == 200
    assert revoke_token(token=program.made.token, by=None)
    assert not revoke_token(token=program.made.token, by=None), "twice is once"
    assert refused(program)[0] == 401


def test_only_the_whole_token_opens() -> None:
    made = make_token(project=make_project(), name="p", by=None)
    assert token_of(made.secret) == made.token
    for other in (made.secret[:-1], made.secret + "x", made.secret[4:], "xyz" + made.secret[3:], made.token.hash, ""):
        assert token_of(other) is None
    assert made.secret.rpartition("_")[2] not in str(list(ApiToken.objects.values()))


def test_the_token_is_in_no_log_line(caplog: pytest.LogCaptureFixture) -> None:
    program = Program(make_project())
    with caplog.at_level(logging.DEBUG):
        program.post(a_body())
        program.post("{", headers={})
        revoke_token(token=program.made.token, by=None)
        program.post(a_body())
    assert "/api/v1/check" in caplog.text
    assert program.made.secret.rpartition("_")[2] not in caplog.text


def test_requests_past_the_rate_wait_for_the_next_minute(settings: LazySettings) -> None:
    settings.API_CALLS_PER_MINUTE = 2
    token = make_token(project=make_project(), name="p", by=None).token
    minute = timezone.now().replace(second=20, microsecond=0)
    assert [admit(token, now=minute) for _ in range(4)] == [0, 0, 40, 40]
    assert admit(token, now=minute + timedelta(seconds=39)) == 1
    assert admit(token, now=minute + timedelta(minutes=1)) == 0
    token.refresh_from_db()
    assert (token.calls, token.last_used) == (1, minute + timedelta(minutes=1))
    settings.API_CALLS_PER_MINUTE = 0
    assert {admit(token, now=minute) for _ in range(9)} == {0}


def test_the_rate_is_said_with_when_to_come_again(settings: LazySettings) -> None:
    settings.API_CALLS_PER_MINUTE = 1
    program = Program(make_project())
    other = Program(make_project())
    assert [one.post(a_body())[0] for one in (program, other, program)] == [200, 200, 429]
    assert 1 <= int(program.last.headers["Retry-After"]) <= 60


@pytest.mark.django_db(transaction=True)
def test_the_rate_holds_however_many_ask_at_once(settings: LazySettings) -> None:
    settings.API_CALLS_PER_MINUTE = 5
    token = make_token(project=make_project(), name="p", by=None).token
    now = timezone.now()
    let_in: list[int] = []

    def ask() -> None:
        let_in.extend(admit(token, now=now) for _ in range(3))
        connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (let_in.count(0), len(let_in)) == (5, 12)


@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "options", "patch"])
def test_other_methods_are_refused(method: str) -> None:
    said = getattr(Client(), method)(reverse("reports:api-check"))
    assert (said.status_code, said.headers["Allow"]) == (405, "POST")
    assert not [name for name in said.headers if name.startswith("Access-Control")]


def test_a_body_past_the_limit_is_refused_before_it_is_read(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_MAX_BYTES = 2000
    program = Program(make_project())
    monkeypatch.setattr("reports.views.api.read_request", None)
    assert refused(program, a_body(text="x" * 3000)) == (413, program.last.json()["error"])
    assert "at most 2,000" in program.last.json()["error"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": ""}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Encoding": "gzip"}, 415),
        ({"Content-Length": ""}, 411),
        ({"Content-Length": "²"}, 411),
        ({"Content-Length": "9" * 5000}, 411),
    ],
)
def test_what_is_no_plain_json_of_a_said_length_is_refused(headers: dict[str, str], status: int) -> None:
    assert refused(Program(make_project()), **headers)[0] == status


def test_a_charset_beside_the_type_is_taken() -> None:
    status, _ = Program(make_project()).post(a_body(), headers={"Content-Type": "application/json; charset=utf-8"})
    assert status == 200


def test_a_busy_database_asks_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(**_given: object) -> Any:
        raise OperationalError("database is locked")

    monkeypatch.setattr("reports.views.api.answer_request", busy)
    program = Program(make_project())
    assert refused(program)[0] == 503
    assert program.last.headers["Retry-After"] == "5"


def test_no_answer_is_kept_by_a_cache_and_none_sets_a_cookie() -> None:
    program = Program(make_project())
    program.post(a_body())
    assert "no-store" in program.last.headers["Cache-Control"]
    assert not program.last.cookies
