"""Trends in a real browser: filters by keyboard, the table behind a plot, a release noted, light and dark."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from labelling.models import Membership, Role
from reports.services.releases import note_release
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_project
from tests.reports.test_trends import MONDAY, WEEK, answers_over

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_resamples")]


def an_engineer() -> Membership:
    project = make_project(slug="returns", name="Returns")
    answers_over({0: (14, 1), 2: (6, 9)}, project)
    answers_over({0: (5, 0)}, project, system="desk")
    note_release(project=project, system="bot", name="2.0", at=MONDAY + 2 * WEEK, by=None)
    return make_member(project, Role.ENGINEER)


def test_a_system_is_chosen_and_a_release_noted_by_keyboard_alone(page: Page, signed_in: SignIn, axe: Axe) -> None:
    engineer = an_engineer()
    assert engineer.user is not None
    signed_in(page, engineer.user)
    page.goto("/p/returns/trends/")
    expect(page.locator("#trends")).to_contain_text("All systems together")
    page.get_by_label("System", exact=True).select_option("bot")
    expect(page.locator("#trends")).to_contain_text("30 answers of bot")
    page.get_by_label("By", exact=True).select_option("release")
    expect(page.locator("#trends")).to_contain_text("in the time before 2.0")
    behind = page.locator("#plot-claim_level details")
    behind.locator("summary").press("Enter")
    expect(behind.locator("tbody tr")).to_have_count(2)
    assert axe(page) == []
    page.get_by_role("link", name="Releases").press("Enter")
    page.get_by_label("Name", exact=True).fill("2.1")
    page.get_by_label("Went out (UTC)").fill("2026-04-01T10:00:00")
    page.get_by_role("button", name="Keep").press("Enter")
    expect(page.get_by_role("region", name="Releases").locator("tbody tr")).to_have_count(2)
    assert axe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_runs_over_the_edge(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str
) -> None:
    engineer = an_engineer()
    assert engineer.user is not None
    page = contexts(viewport={"width": 390, "height": 800}, color_scheme=scheme).new_page()
    signed_in(page, engineer.user)
    for address in ("trends/?by=week", "releases/"):
        page.goto(f"/p/returns/{address}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        assert axe(page) == [], address


def test_without_scripts_the_filters_are_a_form(contexts: Callable[..., BrowserContext], signed_in: SignIn) -> None:
    engineer = an_engineer()
    assert engineer.user is not None
    page = contexts(java_script_enabled=False).new_page()
    signed_in(page, engineer.user)
    page.goto("/p/returns/trends/")
    page.get_by_label("System", exact=True).select_option("desk")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#trends")).to_contain_text("5 answers of desk")
