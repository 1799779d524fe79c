"""A real Chromium for the tests in this folder, and what all of them need.

`page` is a page whose script errors and policy violations fail the test; `signed_in(page, user)` signs a user in
without the form; `axe(page)` gives the serious findings of axe-core, which a pinned package brings along. Where no
Chromium is found the tests are skipped, or fail with REQUIRE_BROWSER=1.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe as AxeRunner
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from tests.report_browser import find_chromium, required

SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    path = find_chromium()
    if path is None:
        if required():
            pytest.fail("no Chromium was found, and REQUIRE_BROWSER=1 asks for one")
        pytest.skip("no Chromium was found; CHROMIUM_PATH names one")
    return {"executable_path": path, "args": SWITCHES}


@pytest.fixture(scope="session", autouse=True)
def _playwright_and_the_database_share_a_thread() -> Iterator[None]:
    # Playwright's synchronous interface runs an event loop in this thread, which Django takes for asynchronous code.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    yield
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def contexts(browser: Browser, live_server: LiveServer) -> Iterator[Callable[..., BrowserContext]]:
    """Make a browser of its own: `contexts(viewport=…, color_scheme=…, java_script_enabled=…)`."""
    made: list[BrowserContext] = []
    trouble: list[str] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(10_000)
        context.on("weberror", lambda error: trouble.append(str(error.error)))
        context.on(
            "console",
            lambda message: trouble.append(message.text) if "Content Security Policy" in message.text else None,
        )
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
    assert trouble == []


@pytest.fixture
def page(contexts: Callable[..., BrowserContext]) -> Page:
    return contexts(viewport={"width": 1360, "height": 860}).new_page()


SignIn = Callable[[Page, User], Page]


@pytest.fixture
def signed_in(live_server: LiveServer) -> SignIn:
    """Sign a user in by the session cookie."""

    def sign_in(page: Page, user: User) -> Page:
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
        return page

    return sign_in


Axe = Callable[[Page], list[str]]


@pytest.fixture(scope="session")
def axe() -> Axe:
    """The serious and critical findings of axe-core on a page, each as `rule: element`."""
    runner = AxeRunner()

    def findings(page: Page) -> list[str]:
        found = runner.run(page).response
        return [
            f"{violation['id']}: {node['target']} {node.get('failureSummary', '')}"
            for violation in found["violations"]
            if violation["impact"] in SERIOUS
            for node in violation["nodes"]
        ]

    return findings
