"""Settings are read from the environment, refuse nonsense by name, and are strict outside the demo."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.hashers import identify_hasher, make_password
from django.test import Client
from django.urls import reverse

from tests.factories import make_user

ROOT = Path(__file__).resolve().parents[2]


def run_python(code: str, tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "SYSTEMROOT")}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=kept | {"TOUCHSTONE_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


LOAD = "from django.conf import settings; print(settings.SESSION_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS > 0, settings.DEBUG)"


def test_no_secret_outside_the_demo_is_refused_by_name(tmp_path: Path) -> None:
    done = run_python(LOAD, tmp_path)
    assert done.returncode != 0
    assert "DJANGO_SECRET_KEY" in done.stderr


def test_the_demo_secret_is_refused_outside_the_demo(tmp_path: Path) -> None:
    done = run_python(LOAD, tmp_path, DJANGO_SECRET_KEY="demo-only-not-a-secret-and-refused-outside-the-demo")
    assert done.returncode != 0
    assert "refused outside the demo" in done.stderr


def test_cookies_and_headers_are_secure_by_default_outside_the_demo(tmp_path: Path) -> None:
    done = run_python(LOAD, tmp_path, DJANGO_SECRET_KEY="x" * 60)
    assert done.stdout.split() == ["True", "True", "False"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SESSION_COOKIE_AGE", "soon"),
        ("SESSION_COOKIE_AGE", "1"),
        ("TOUCHSTONE_SWEEP_SECONDS", "-3"),
        ("DJANGO_DEBUG", "perhaps"),
        ("TOUCHSTONE_ENDPOINTS", '{"local": "http://me:hush-hush@localhost/v1"}'),
        ("TOUCHSTONE_ENDPOINTS", '{"local": "http://localhost/v1?key=hush-hush"}'),
        ("TOUCHSTONE_LOG_LEVEL", "LOUD"),
        ("SIGN_IN_FAILURE_LIMIT", "0"),
    ],
)
def test_nonsense_is_refused_by_name(tmp_path: Path, name: str, value: str) -> None:
    done = run_python(LOAD, tmp_path, TOUCHSTONE_DEMO="1", **{name: value})
    assert done.returncode != 0
    assert name in done.stderr
    assert "hush-hush" not in done.stderr


def test_sqlite_runs_with_wal_and_immediate_transactions_by_default(tmp_path: Path) -> None:
    code = (
        "import django; django.setup()\n"
        "from django.conf import settings\n"
        "from django.db import connection\n"
        "with connection.cursor() as c: c.execute('PRAGMA journal_mode'); print(c.fetchone()[0])\n"
        "print(settings.DATABASES['default']['OPTIONS']['transaction_mode'], settings.CELERY_BROKER_URL)"
    )
    done = run_python(code, tmp_path, TOUCHSTONE_DEMO="1")
    assert done.stdout.split() == ["wal", "IMMEDIATE", "filesystem://localhost/"]


def test_database_and_broker_come_from_two_variables_and_nothing_else(tmp_path: Path) -> None:
    code = (
        "from django.conf import settings; d = settings.DATABASES['default']\n"
        "print(d['ENGINE'], d['HOST'], d['NAME'], settings.CELERY_BROKER_URL)"
    )
    done = run_python(
        code,
        tmp_path,
        TOUCHSTONE_DEMO="1",
        DATABASE_URL="postgres://u:p@db.example:5433/claims",
        CELERY_BROKER_URL="redis://queue.example/1",
    )
    assert done.stdout.split() == ["django.db.backends.postgresql", "db.example", "claims", "redis://queue.example/1"]


def test_passwords_are_kept_with_argon2() -> None:
    assert identify_hasher(make_password("a long enough one")).algorithm == "argon2"


def test_every_page_carries_a_strict_content_security_policy(client: Client, db: None) -> None:
    policy = client.get(reverse("sign-in")).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert "frame-ancestors 'none'" in policy


def test_sign_in_is_throttled_after_too_many_misses(client: Client, db: None) -> None:
    make_user("ada", password="correct horse battery")
    for _ in range(settings.AXES_FAILURE_LIMIT):
        client.post(reverse("sign-in"), {"username": "ada", "password": "wrong"})
    answer = client.post(reverse("sign-in"), {"username": "ada", "password": "correct horse battery"})
    assert answer.status_code == 429
    assert b"Too many tries" in answer.content


def test_sign_in_leads_back_to_the_page_that_was_asked_for(client: Client, db: None) -> None:
    make_user("ada", password="correct horse battery")
    page = client.get(reverse("sign-in"), {"next": "/p/x/"})
    assert b'value="/p/x/"' in page.content
    answer = client.post(reverse("sign-in"), {"username": "ada", "password": "correct horse battery", "next": "/p/x/"})
    assert answer.headers["Location"] == "/p/x/"


def test_sign_in_does_not_lead_to_another_site(client: Client, db: None) -> None:
    make_user("ada", password="correct horse battery")
    answer = client.post(
        reverse("sign-in"), {"username": "ada", "password": "correct horse battery", "next": "https://evil.example/"}
    )
    assert "evil" not in answer.headers["Location"]


def test_a_person_can_change_their_own_password(client: Client, db: None) -> None:
    user = make_user("ada", password="correct horse battery")
    assert client.get(reverse("change-password")).status_code == 302, "strangers sign in first"
    client.force_login(user)
    assert client.get(reverse("change-password")).status_code == 200
    answer = client.post(
        reverse("change-password"),
        {
            "old_password": "correct horse battery",
            "new_password1": "an even longer secret",
            "new_password2": "an even longer secret",
        },
    )
    assert answer.status_code == 302
    user.refresh_from_db()
    assert user.check_password("an even longer secret")
