"""Plots in a real browser: the table by keyboard, the file that follows the slider, and nothing for axe to find."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from labelling.models import Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_user
from tests.reports.rows import scored_project

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _at_the_judge(page: Page, signed_in: SignIn) -> Page:
    project, _, _ = scored_project()
    user = make_user()
    make_member(project, Role.ENGINEER, user=user)
    signed_in(page, user).goto(f"/p/{project.slug}/compare/overnight/v1/")
    return page


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1360)])
def test_the_table_opens_and_scrolls_by_keyboard_and_axe_finds_nothing_serious(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str, width: int
) -> None:
    page = contexts(color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
    figure = _at_the_judge(page, signed_in).locator("#plot-threshold-overnight-v1")
    expect(figure.get_by_role("img")).to_have_accessible_name("overnight v1: what each threshold would do")
    figure.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(figure.get_by_role("table")).to_be_visible()
    page.keyboard.press("Tab")
    expect(figure.locator(".scroll")).to_be_focused()
    page.keyboard.press("Tab")
    expect(figure.get_by_role("link", name="as SVG")).to_be_focused()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_what_is_saved_has_the_marker_where_the_slider_stands(page: Page, signed_in: SignIn) -> None:
    _at_the_judge(page, signed_in)
    page.locator("#threshold-slider").fill("25")
    with page.expect_download() as saved:
        page.get_by_role("link", name="would do as SVG").click()
    assert saved.value.suggested_filename == "threshold-overnight-v1.svg"
    marker = page.locator("[data-marker]").get_attribute("x1")
    assert f'data-marker="" x1="{marker}.0"' in saved.value.path().read_text(encoding="utf-8")
