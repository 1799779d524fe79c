"""Golden sets in a real browser: frozen, taken away, held against each other, with the keyboard alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from labelling.golden.freezing import freeze_golden
from labelling.golden.verifying import verify_golden
from labelling.models import GoldenSet, Membership, Project, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_adjudication, make_claim, make_labels, make_member, make_project, make_source

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def a_project_with_gold() -> tuple[Project, Membership]:
    project = make_project(slug="returns", name="Returns")
    people = [make_member(project) for _ in range(3)]
    source = make_source(project, 'He said "14 days",\r\nthen =1+1 🙂.')
    for number, verdict in enumerate(("stated", "absent", "partial", "contradicted")):
        claim = make_claim(project, f"=claim {number}", external_id=f"c{number}", source=source)
        make_labels(claim, people, [verdict, verdict, "stated"])
    return project, make_member(project, Role.ENGINEER)


def tab_to(page: Page, role: str, name: str) -> None:
    """Press Tab until the named element has the focus."""
    wanted = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
    expect(wanted).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"Tab never reaches the {role} {name!r}")


def download(page: Page, name: str, folder: Path) -> Path:
    tab_to(page, "link", name)
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def test_a_set_is_frozen_and_taken_away_with_the_keyboard_alone(
    page: Page, signed_in: SignIn, axe: Axe, transactional_db: None, tmp_path: Path
) -> None:
    _, engineer = a_project_with_gold()
    assert engineer.user is not None
    signed_in(page, engineer.user).goto("/p/returns/")
    tab_to(page, "link", "Golden sets")
    page.keyboard.press("Enter")
    tab_to(page, "textbox", "Name")
    page.keyboard.press("Control+a")
    page.keyboard.type("release")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("release v1")
    frozen = GoldenSet.objects.get()
    expect(page.get_by_text(frozen.hash)).to_be_visible()
    files = {name: download(page, name, tmp_path) for name in ("Manifest", "JSONL", "CSV", "PARQUET")}
    assert sorted(path.name for path in files.values()) == [
        "release-v1.csv", "release-v1.jsonl", "release-v1.manifest.json", "release-v1.parquet"
    ]  # fmt: skip
    for name in ("JSONL", "CSV", "PARQUET"):
        found = verify_golden(files[name])
        assert found.faults == (), name
        assert (found.items, found.hash, found.expected) == (4, frozen.hash, frozen.hash), name
    assert axe(page) == []


def test_freezing_again_gives_the_same_set_until_something_changes(
    page: Page, signed_in: SignIn, transactional_db: None
) -> None:
    project, engineer = a_project_with_gold()
    assert engineer.user is not None
    freeze_golden(project=project, name="release")
    signed_in(page, engineer.user).goto("/p/returns/golden/")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("release")
    page.get_by_role("button", name="Freeze").click()
    expect(page.get_by_text("Nothing has changed since release v1")).to_be_visible()
    make_adjudication(project.claims.get(external_id="c0"), make_member(project, Role.OWNER), "absent")
    page.goto("/p/returns/golden/")
    page.get_by_role("button", name="Freeze").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("release v2")
    page.get_by_role("link", name="from v1 to v2").click()
    expect(page.get_by_text("1 changed (1 in their verdict)")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1360, "light")])
def test_pages_have_no_serious_fault_and_fit(
    contexts: Callable[..., BrowserContext],
    signed_in: SignIn,
    axe: Axe,
    transactional_db: None,
    scheme: str,
    width: int,
) -> None:
    project, engineer = a_project_with_gold()
    assert engineer.user is not None
    page = contexts(viewport={"width": width, "height": 860}, color_scheme=scheme).new_page()
    signed_in(page, engineer.user)

    def look(path: str) -> None:
        page.goto(f"/p/returns/golden/{path}")
        assert axe(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path

    look("")
    name = "a-rather-long-name-" + "x" * 60
    freeze_golden(project=project, name=name)
    owner = make_member(project, Role.OWNER)
    for number, verdict in enumerate(("absent", "stated")):
        make_adjudication(project.claims.get(external_id=f"c{number}"), owner, verdict)
    added = make_claim(project, "a" * 200, external_id="new-" + "n" * 100)
    make_labels(added, [make_member(project), owner], ["partial", "partial"])
    freeze_golden(project=project, name=name)
    for path in ("", f"{name}/v2/", f"{name}/v1/", f"{name}/v1/v2/"):
        look(path)
