"""The review of draft claims in a real browser: by keyboard, with and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judges.models import AnswerDraft
from labelling.models import Claim, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_project
from tests.judges.extraction.factories import make_draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_desk(page: Page, signed_in: SignIn) -> AnswerDraft:
    project = make_project(slug="returns")
    draft = make_draft(project)
    engineer = make_member(project, Role.ENGINEER)
    assert engineer.user is not None
    signed_in(page, engineer.user)
    page.goto(f"/p/returns/claims/{draft.pk}/")
    return draft


def test_claims_are_split_at_the_cursor_dropped_undone_and_accepted_by_keyboard(
    page: Page, signed_in: SignIn, axe: Axe
) -> None:
    draft = open_desk(page, signed_in)
    assert axe(page) == []
    third = page.get_by_label("Claim 3", exact=True)
    third.fill("Written, not yet saved.")
    first = page.get_by_label("Claim 1", exact=True)
    first.focus()
    page.keyboard.press("Home")
    for _ in range(len("Refunds take")):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_label("Claim 2", exact=True)).to_have_value("14 days.")
    expect(page.get_by_label("Claim 1", exact=True)).to_be_focused()
    expect(page.get_by_label("Claim 4", exact=True)).to_have_value("Written, not yet saved.")
    page.get_by_role("button", name="Drop claim 2").press("Enter")
    expect(page.get_by_label("Claim 2", exact=True)).to_have_value("Gift cards are not refunded.")
    expect(page.get_by_label("Claim 2", exact=True)).to_be_focused()
    expect(page.locator("#draft-answer sup")).to_have_text(["1", "2", "3"])
    page.get_by_role("button", name="Undo the last step").press("Enter")
    expect(page.get_by_label("Claim 2", exact=True)).to_have_value("14 days.")
    assert axe(page) == []
    page.get_by_role("button", name="Accept 4 claims").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Claims to review")
    assert Claim.objects.filter(answer=draft.answer).count() == 4
    assert axe(page) == []


def test_without_scripts_every_step_works(contexts: Callable[..., BrowserContext], signed_in: SignIn) -> None:
    page = contexts(java_script_enabled=False, viewport={"width": 390, "height": 800}).new_page()
    draft = open_desk(page, signed_in)
    page.get_by_label("Claim 1", exact=True).fill("Refunds take\n14 days.")
    page.get_by_role("button", name="Split claim 1").click()
    page.get_by_role("button", name="Merge claim 1 with next").click()
    expect(page.get_by_label("Claim 1", exact=True)).to_have_value("Refunds take 14 days.")
    page.get_by_role("button", name="Drop claim 1").click()
    page.get_by_role("button", name="Put back").click()
    page.get_by_label("A claim that is missing").fill("It is closed.")
    page.get_by_role("button", name="Accept 3 claims").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Claims to review")
    assert Claim.objects.filter(answer=draft.answer).count() == 4
