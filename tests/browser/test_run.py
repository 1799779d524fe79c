"""A run in a real browser with a real worker: set up a judge, start it, watch it, stop it, see it finish."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judges.models import Run
from labelling.models import Membership, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_claims, make_member, make_project
from tests.judges.factories import finish, make_version, start
from tests.judges.packages import SAMPLES, installed
from tests.judges.workers import Workers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def workers(transactional_db: None, tmp_path: Path) -> Iterator[Workers]:
    made = Workers(tmp_path)
    with installed(SAMPLES):
        yield made
    made.end()


def an_engineer(claims: int) -> Membership:
    project = make_project(slug="returns", name="Returns")
    make_claims(project, claims, slots=False)
    return make_member(project, Role.ENGINEER)


def open_version(page: Page, signed_in: SignIn, engineer: Membership) -> None:
    """Set a judge up by its form; its page follows."""
    assert engineer.user is not None
    signed_in(page, engineer.user)
    page.goto("/p/returns/judges/")
    page.get_by_role("link", name="Set up Logging").click()
    page.get_by_label("Name").fill("watched")
    page.get_by_role("button", name="Make the judge").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("watched v1")


def test_a_run_is_started_stopped_resumed_and_watched_to_its_end(
    page: Page, signed_in: SignIn, axe: Axe, workers: Workers
) -> None:
    engineer = an_engineer(60)
    workers.start(seconds_a_claim=0.1)
    open_version(page, signed_in, engineer)
    page.get_by_role("button", name="Start a run").click()
    progress = page.locator("#run-progress")
    expect(progress.get_by_text("left")).to_be_visible(timeout=30_000)
    assert axe(page) == []
    page.get_by_role("button", name="Stop").click()
    expect(progress.locator(".tag", has_text="stopped")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(progress.locator(".tag", has_text="finished")).to_be_visible(timeout=30_000)
    expect(progress.locator(".count")).to_have_text("60")
    expect(progress).not_to_have_attribute("hx-trigger", "every 1s")
    assert Run.objects.get().judgements.count() == 60
    assert sorted(workers.asked()) == sorted(set(workers.asked()))
    page.get_by_role("link", name="What it said of each claim").click()
    expect(page.locator(".judgements tbody tr")).to_have_count(50)
    assert axe(page) == []


def test_without_scripts_every_button_works(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, workers: Workers
) -> None:
    engineer = an_engineer(5)
    page = contexts(java_script_enabled=False).new_page()
    open_version(page, signed_in, engineer)
    page.get_by_role("button", name="Start a run").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#run-progress .tag", has_text="stopped")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.locator("#run-progress .tag", has_text="running")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1360])
def test_pages_have_no_serious_fault_and_fit(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, workers: Workers, scheme: str, width: int
) -> None:
    engineer = an_engineer(20)
    assert engineer.user is not None
    version = make_version(engineer.project, "badly")
    run = finish(start(version))
    page = contexts(viewport={"width": width, "height": 860}, color_scheme=scheme).new_page()
    signed_in(page, engineer.user)
    for path in (
        "judges/", "new-judge/leaning/", "judges/badly/v1/", "runs/", f"runs/{run.pk}/", f"runs/{run.pk}/judgements/"
    ):  # fmt: skip
        page.goto(f"/p/returns/{path}")
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
