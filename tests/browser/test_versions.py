"""Pages of judge versions in a real browser: the form, the prompt, a dry run, two versions, what a run costs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judges.models import Run
from labelling.models import Membership, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_claims, make_member, make_project
from tests.judges.factories import finish, make_version

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


def an_engineer() -> Membership:
    project = make_project(slug="returns", name="Returns")
    make_claims(project, 8, slots=False)
    make_version(project, "entailment", name="nli")
    make_version(project, "entailment", name="nli", config={"threshold": 0.7})
    make_version(project, "claude", name="opus")
    make_version(project, "lexical", name="words")
    return make_member(project, Role.ENGINEER)


def test_the_cost_follows_the_choice_and_a_dry_run_is_two_presses_away(page: Page, signed_in: SignIn, axe: Axe) -> None:
    engineer = an_engineer()
    assert engineer.user is not None
    signed_in(page, engineer.user)
    page.goto("/p/returns/judges/words/v1/")
    expect(page.locator("#run-forecast")).to_contain_text("8 claims")
    page.get_by_label("Split").select_option("test")
    expect(page.locator("#run-forecast")).to_contain_text("0 claims")
    page.get_by_role("link", name="Dry run on five claims").press("Enter")
    page.locator("#dry-run").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Dry run")
    finish(Run.objects.get())
    expect(page.locator(".dry-claim .verdict-tag")).to_have_count(5, timeout=10_000)
    assert axe(page) == []


def test_without_scripts_the_cost_is_reckoned_by_a_button(
    contexts: Callable[..., BrowserContext], signed_in: SignIn
) -> None:
    engineer = an_engineer()
    assert engineer.user is not None
    page = contexts(java_script_enabled=False).new_page()
    signed_in(page, engineer.user)
    page.goto("/p/returns/judges/words/v1/")
    page.get_by_role("button", name="Reckon the cost").click()
    expect(page.locator("#run-forecast")).to_contain_text("8 claims")
    assert not Run.objects.exists()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1360])
def test_pages_have_no_serious_fault_and_fit(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str, width: int
) -> None:
    engineer = an_engineer()
    assert engineer.user is not None
    page = contexts(viewport={"width": width, "height": 860}, color_scheme=scheme).new_page()
    signed_in(page, engineer.user)
    for path in (
        "new-judge/claude/", "new-judge/entailment/", "new-judge/prohibited/", "judges/nli/new-version/",
        "judges/nli/v1/prompt/", "judges/opus/v1/prompt/", "judges/opus/v1/", "judges/nli/versions/",
        "judges/words/v1/dry-run/",
    ):  # fmt: skip
        answer = page.goto(f"/p/returns/{path}")
        assert answer is not None
        assert answer.status == 200, path
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
