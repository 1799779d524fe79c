"""Choosing a threshold and comparing judges in a real browser: by keyboard, light and dark, narrow and wide."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from labelling.models import Role
from reports.models import ChosenThreshold
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_user
from tests.reports.rows import make_run, make_version, scored_project
from tests.reports.test_choosing import entailment_project

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_terms_are_changed_and_a_choice_is_saved_by_keyboard_alone(page: Page, signed_in: SignIn) -> None:
    project, _, _ = scored_project()
    user = make_user()
    make_member(project, Role.ENGINEER, user=user)
    signed_in(page, user)
    page.goto(f"/p/{project.slug}/compare/overnight/v1/")
    expect(page.locator("#choosing")).to_contain_text("It takes at least 21 more unsupported claims")
    target = page.get_by_label("Recall to reach")
    target.fill("0.6")
    target.press("Enter")
    expect(page.locator("#choosing")).to_contain_text("recall of 60% promised with 95% confidence")
    expect(page.get_by_label("Recall to reach")).to_be_focused()
    assert page.url.endswith("/compare/overnight/v1/")
    save = page.locator("#choosing tr", has_text="60% promised").get_by_role("button", name="as a version")
    save.focus()
    save.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("overnight v2")
    assert ChosenThreshold.objects.get().record["choice"]["target"] == 0.6


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1360)])
def test_axe_finds_nothing_serious_on_choices_and_differences(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str, width: int
) -> None:
    project, claims, version = entailment_project()
    other = make_version(project, "words")
    make_run(other, dict.fromkeys(claims, "stated"), quote="Claim", reason="All words are there.")
    user = make_user()
    make_member(project, Role.ENGINEER, user=user)
    page = contexts(color_scheme=scheme, viewport={"width": width, "height": 800}).new_page()
    signed_in(page, user)
    pair = f"differences/?first={version.pk}&second={other.pk}"
    for path, there in (("nli/v1/", "#four-way"), ("differences/", ".spending"), (pair, "ol.claims")):
        page.goto(f"/p/{project.slug}/compare/{path}")
        expect(page.locator(there)).to_be_visible()
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
