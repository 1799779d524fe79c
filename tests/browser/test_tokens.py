"""Tokens in a real browser: made and revoked by keyboard, read on a phone, and what is shown opens the door."""

import json
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from labelling.models import Membership, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_project
from tests.reports.api.posting import a_body

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 800}
DESK = {"width": 1280, "height": 800}


def an_owner() -> Membership:
    return make_member(make_project(slug="returns", name="Returns"), Role.OWNER)


@pytest.mark.parametrize(("viewport", "scripts"), [(PHONE, True), (DESK, True), (DESK, False)])
def test_a_token_is_made_read_and_revoked_by_keyboard(
    contexts: Callable[..., BrowserContext],
    signed_in: SignIn,
    axe: Axe,
    viewport: dict[str, int],
    scripts: bool,
) -> None:
    owner = an_owner()
    assert owner.user is not None
    page = contexts(viewport=viewport, java_script_enabled=scripts).new_page()
    signed_in(page, owner.user)
    page.goto("/p/returns/")
    page.get_by_role("link", name="Answers in").press("Enter")
    page.get_by_label("Name").fill("staging pipeline")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Token made")).to_contain_text("staging pipeline")
    expect(page.locator(".password")).to_contain_text("tst_")
    assert page.locator("main").bounding_box()["width"] <= viewport["width"]  # type: ignore[index]
    if scripts:
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    page.get_by_role("button", name="Revoke staging pipeline").press("Enter")
    expect(page.locator("table")).to_contain_text("revoked")
    expect(page.locator("main")).not_to_contain_text("Shown this once")
    if scripts:
        assert axe(page) == []


def test_what_is_shown_opens_the_door(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, live_server: LiveServer
) -> None:
    owner = an_owner()
    assert owner.user is not None
    page = contexts().new_page()
    signed_in(page, owner.user)
    page.goto("/p/returns/tokens/")
    page.get_by_label("Name").fill("p")
    page.keyboard.press("Enter")
    secret = page.locator(".password").inner_text()
    asked = urllib.request.Request(
        f"{live_server.url}/api/v1/check",
        json.dumps(a_body()).encode(),
        {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked) as answer:
        assert json.load(answer)["claims"][0]["flags"][0]["value"] == "30 days"
    page.goto("/p/returns/tokens/")
    expect(page.locator("table")).not_to_contain_text("not yet")
