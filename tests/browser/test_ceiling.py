"""The ceiling page in a real browser: by keyboard, by htmx, without serious findings of axe, light, dark and narrow."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judges.models import Run
from labelling.models import Project, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_user
from tests.reports.ceiling_rows import disputed_claims, disputed_project, labelled_again
from tests.reports.rows import make_run, make_version

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("few_resamples"),
]


def _full() -> Project:
    project, who, claims = disputed_project(count=30, kind="date", collection="archive", guide=1)
    project.guide_versions.create(number=2, policy="strict", text="# Guide")
    claims += disputed_claims(project, who, count=24, kind="figure", collection="help", guide=2)
    labelled_again(claims[:12], who[0], changed=2)
    version = make_version(project)
    said = {claim: "stated" if place % 3 else "absent" for place, claim in enumerate(claims)}
    make_run(version, said)
    make_run(version, said, probe=Run.Probe.REPETITION)
    return project


def _owner(page: Page, signed_in: SignIn, project: Project) -> Page:
    user = make_user()
    make_member(project, Role.OWNER, user=user)
    return signed_in(page, user)


def test_from_the_ceiling_to_the_claims_of_a_pair_by_keyboard_alone(page: Page, signed_in: SignIn) -> None:
    project = _full()
    _owner(page, signed_in, project)
    page.goto(f"/p/{project.slug}/ceiling/")
    page.get_by_role("link", name="Who disagrees with whom").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Who disagrees with whom")
    page.get_by_role("link", name="reader-0 and reader-1").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("reader-0 and reader-1")
    expect(page.locator(".claims > li").first).to_contain_text("Claim 0.")


def test_a_filter_and_a_group_open_the_page_for_their_claims(page: Page, signed_in: SignIn) -> None:
    project = _full()
    _owner(page, signed_in, project)
    page.goto(f"/p/{project.slug}/ceiling/")
    expect(page.locator("#ceiling .lead")).to_contain_text("54 claims")
    page.get_by_label("Claim kind", exact=True).select_option("figure")
    expect(page.locator("#ceiling .lead")).to_contain_text("24 claims")
    assert "kind=figure" in page.url
    page.goto(f"/p/{project.slug}/ceiling/")
    page.get_by_role("link", name="archive").click()
    expect(page.locator("#ceiling .lead")).to_contain_text("30 claims")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nothing_serious_is_found_and_nothing_runs_out_of_the_page(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str, width: int
) -> None:
    project = _full()
    page = contexts(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
    _owner(page, signed_in, project)
    page.goto(f"/p/{project.slug}/ceiling/")
    pair = page.goto(f"/p/{project.slug}/ceiling/people/") and page.locator(".who a").first.get_attribute("href")
    for address in (f"/p/{project.slug}/ceiling/", f"/p/{project.slug}/ceiling/people/", pair or ""):
        page.goto(address)
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
