"""From a judge to a certificate by keyboard alone, and the pages on the way without serious findings of axe."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judges.models import JudgeVersion, Run
from labelling.models import Membership
from reports.models import Certificate
from tests.browser.conftest import Axe, SignIn
from tests.judges.combined.factories import cascade, of, stage
from tests.judges.factories import finish, make_version, start
from tests.reports.certified import Scene, scene

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send", lambda run_id: None)


def opened(page: Page, signed_in: SignIn, who: Membership, path: str) -> Page:
    assert who.user is not None
    signed_in(page, who.user)
    page.goto(f"/p/returns/{path}")
    return page


def tab_to(page: Page, name: str) -> None:
    """Go on by the tabulator key until something of this name has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).textContent").strip() == name:
            return
    pytest.fail(f"{name!r} cannot be reached by keyboard")


def test_a_judge_and_a_cascade_of_it_are_made_by_keyboard(page: Page, signed_in: SignIn, axe: Axe) -> None:
    made = scene(claims=4, slug="returns")
    make_version(made.project, "specifics")
    opened(page, signed_in, made.owner, "judges/")
    tab_to(page, "Set up Lexical baseline")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Lexical baseline")
    tab_to(page, "Name")
    page.keyboard.type("words")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("words v1")

    page.goto("/p/returns/new-judge/cascade/")
    for stage_number, judge in ((1, "specifics v1"), (2, "words v1")):
        row = page.get_by_role("group", name=f"Stage {stage_number}")
        row.get_by_label("Judge").focus()
        page.keyboard.type(judge)
    assert axe(page) == []
    page.keyboard.press("Shift+Tab")
    tab_to(page, "Make the cascade")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("cascade v1")
    expect(page.get_by_role("region", name="The judges that it is made of")).to_contain_text("specifics v1")
    assert axe(page) == []
    config = JudgeVersion.objects.get(judge__type="cascade").config
    assert [one["type"] for one in config["stages"]] == ["specifics", "lexical"]


def test_a_panel_is_fitted_and_a_judge_tested_by_keyboard(page: Page, signed_in: SignIn, axe: Axe) -> None:
    made = scene(claims=64, slug="returns")
    finish(start(make_version(made.project, "citations")))
    opened(page, signed_in, made.owner, "panels/new/")
    assert axe(page) == []
    for box in page.get_by_role("checkbox").all():
        box.press("Space")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("panel v1")
    assert axe(page) == []

    page.goto("/p/returns/judges/lexical/v1/tests/")
    tab_to(page, "Start the test")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Silence")
    finish(Run.objects.exclude(probe="").get())
    page.reload()
    expect(page.get_by_label("Figures").locator(".headline")).to_contain_text("claims still called stated")
    assert axe(page) == []


def test_a_certificate_is_issued_and_the_report_read_by_keyboard(page: Page, signed_in: SignIn, axe: Axe) -> None:
    made = scene(slug="returns")
    opened(page, signed_in, made.owner, "compare/lexical/v1/?split=test")
    tab_to(page, "Issue a certificate")
    page.keyboard.press("Enter")
    expect(page.locator("#certificate, .certificate").first).to_contain_text("core")
    assert Certificate.objects.filter(judge_version=made.version).exists()
    assert axe(page) == []
    page.goto("/p/returns/report/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe(page) == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1360)])
def test_pages_have_no_serious_fault_and_fit(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str, width: int
) -> None:
    made: Scene = scene(claims=8, slug="returns")
    other = make_version(made.project, "citations")
    cascade(made.project, of(made.version, band=[0.2, 0.8], kinds=["figure"]), of(other))
    weights = [[-1.0, 0.0, -1.0, 1.0, 1.0, 2.0, 0.0]] * 2
    fit = {"split": "development", "claims": 4, "answers": 4, "unsupported": 1, "left_out": 0}
    config = {
        "members": [of(other), {**stage("x"), "type": "quotes", "config": {}}],
        "coefficients": weights,
        "fit": fit,
    }
    make_version(made.project, "panel", config=config)
    make_version(made.project, "claude", name="opus")
    page = contexts(viewport={"width": width, "height": 860}, color_scheme=scheme).new_page()
    opened(page, signed_in, made.owner, "judges/")
    for path in (
        "judges/", "judges/cascade/v1/", "judges/panel/v1/", "judges/cascade/v1/dry-run/", "judges/opus/v1/tests/",
        "new-judge/cascade/", "new-judge/canon/", "new-judge/record/", "panels/new/", "report/",
    ):  # fmt: skip
        answer = page.goto(f"/p/returns/{path}")
        assert answer is not None
        assert answer.status == 200, path
        page.wait_for_load_state("networkidle")
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
