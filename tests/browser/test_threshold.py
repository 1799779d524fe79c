"""The comparison and the threshold slider in a real browser: what moves, moves together."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judges.models import JudgeVersion
from labelling.models import Project, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_user
from tests.reports.rows import make_run, make_version, scored_project

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _engineer(page: Page, signed_in: SignIn, project: Project) -> Page:
    user = make_user()
    make_member(project, Role.ENGINEER, user=user)
    return signed_in(page, user)


def _recall(page: Page) -> str:
    return page.locator("[data-say=recall]").inner_text().replace("\n", " ")


def test_curve_figures_and_button_follow_the_slider_and_a_saved_threshold_is_a_version(
    page: Page, signed_in: SignIn
) -> None:
    project, _, version = scored_project()
    _engineer(page, signed_in, project)
    page.goto(f"/p/{project.slug}/compare/overnight/v1/")
    assert "7 of 8" in _recall(page)
    marker, before = page.locator("[data-marker]"), page.locator("[data-marker]").get_attribute("x1")
    slider = page.locator("#threshold-slider")
    slider.focus()
    for _ in range(35):
        slider.press("ArrowRight")
    assert "8 of 8" in _recall(page)
    assert float(marker.get_attribute("x1") or 0) > float(before or 0)
    expect(page.locator("#threshold-number")).to_have_value("0.85")
    assert "0.85: recall 1.00" in (slider.get_attribute("aria-valuetext") or "")
    page.get_by_role("button", name="Save 0.85 as a new version").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("overnight v2")
    made = JudgeVersion.objects.get(number=2)
    assert made.config["threshold"] == 0.85
    assert made.based_on == version


def test_the_slider_says_what_the_server_says_for_the_same_threshold(page: Page, signed_in: SignIn) -> None:
    project, _, _ = scored_project()
    _engineer(page, signed_in, project)
    page.goto(f"/p/{project.slug}/compare/overnight/v1/")
    page.locator("#threshold-slider").fill("25")
    by_slider = page.locator(".at-threshold").inner_text()
    page.goto(f"/p/{project.slug}/compare/overnight/v1/?threshold=0.25")
    assert page.locator(".at-threshold").inner_text() == by_slider
    page.locator("#threshold-number").fill("0.85")
    page.locator("#threshold-number").press("Enter")
    expect(page.locator("#threshold-save")).to_have_value("0.85")
    expect(page.locator("#threshold-slider")).to_have_value("85")
    assert "8 of 8" in _recall(page)


def test_without_scripts_the_number_field_does_the_same(
    contexts: Callable[..., BrowserContext], signed_in: SignIn
) -> None:
    project, _, _ = scored_project()
    page = contexts(java_script_enabled=False).new_page()
    _engineer(page, signed_in, project)
    page.goto(f"/p/{project.slug}/compare/overnight/v1/")
    expect(page.locator("#threshold-slider")).to_be_hidden()
    page.locator("#threshold-number").fill("0.85")
    page.locator("#threshold").get_by_role("button", name="Show").click()
    assert "8 of 8" in _recall(page)
    expect(page.locator("#threshold-save")).to_have_value("0.85")


def test_filters_and_order_keep_each_other_and_the_address(page: Page, signed_in: SignIn) -> None:
    project, claims, _ = scored_project()
    make_run(make_version(project, "words"), dict.fromkeys(claims, "stated"))
    _engineer(page, signed_in, project)
    page.goto(f"/p/{project.slug}/compare/")
    page.locator("#sort-name").click()
    page.wait_for_url("**sort=name*")
    expect(page.locator("#sort-name")).to_be_focused()
    page.get_by_label("Split").select_option("both")
    page.wait_for_url("**split=both*")
    assert "sort=name" in page.url
    expect(page.locator("#comparison .lead")).to_contain_text("development and test split together")
    page.locator("#comparison a", has_text="overnight").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("overnight v1")
    assert "split=both" in page.url


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1360)])
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_screen(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str, width: int
) -> None:
    project, _, _ = scored_project()
    page = contexts(color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
    _engineer(page, signed_in, project)
    for path in ("", "overnight/v1/", "overnight/v1/claims/?gold=absent&verdict=stated"):
        page.goto(f"/p/{project.slug}/compare/{path}")
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
