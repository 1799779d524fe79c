"""Settling disagreements in a real browser: by keyboard, without scripts, with every finger slipping."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from labelling.models import Adjudication, Claim, Membership, Project, Role
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXT = "Returns take 14 days.\n\nMembers have 28 days 🧥 and pay nothing."


def a_dispute(claims: int = 3) -> tuple[Project, Membership, list[Claim]]:
    project = make_project(slug="returns", name="Returns")
    owner = make_member(project, Role.OWNER)
    one, two = make_member(project), make_member(project)
    source = make_source(project, TEXT, title="Returns policy", collection="help-centre")
    answer = make_answer(project, "It depends. Claim 1 says so.", question="How long?")
    made = []
    for number in range(1, claims + 1):
        claim = make_claim(project, f"Claim {number} says so.", source=source, answer=answer, span=(23, 59))
        make_label(claim, one, "stated", evidence=[(source, 31, 43)])
        make_label(claim, two, "partial", evidence=[(source, 36, 45)], invention="plausible-specific", note="Only 28.")
        made.append(claim)
    return project, owner, made


def open_queue(page: Page, signed_in: SignIn, owner: Membership) -> None:
    assert owner.user is not None
    signed_in(page, owner.user)
    page.goto("/p/returns/adjudicate/")
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#settle")).to_be_visible()


def on_screen(page: Page, number: int) -> None:
    expect(page.locator(".claim")).to_have_text(f"Claim {number} says so.")


def ready(page: Page, number: int) -> None:
    """Wait for the claim, and until its keys work."""
    on_screen(page, number)
    expect(page.locator("#settle")).to_have_attribute("data-keys", "on")


def verdicts() -> list[tuple[str, str, str]]:
    return list(Adjudication.objects.order_by("claim").values_list("verdict", "reason", "note"))


def test_three_claims_settled_by_keyboard_alone(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(3)
    open_queue(page, signed_in, owner)
    ready(page, 1)
    for key in ("2", "q", "Enter"):
        page.keyboard.press(key)
    ready(page, 2)
    for key in ("4", "e", "n"):
        page.keyboard.press(key)
    page.keyboard.type("1 and j and q are words here.")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    ready(page, 3)
    for key in ("3", "1", "w", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    assert verdicts() == [
        ("partial", "reading", ""),
        ("contradicted", "guide-unclear", "1 and j and q are words here."),
        ("stated", "guide-applied", ""),
    ]


def test_enter_without_a_verdict_or_a_reason_settles_nothing(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(2)
    open_queue(page, signed_in, owner)
    ready(page, 1)
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    ready(page, 1)
    assert verdicts() == []


def test_keys_pressed_on_after_settling_do_not_settle_the_next(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(2)
    open_queue(page, signed_in, owner)
    ready(page, 1)
    for key in ("1", "q", "Enter", "Enter", "Enter"):
        page.keyboard.press(key)
    ready(page, 2)
    page.keyboard.press("Enter")
    ready(page, 2)
    assert len(verdicts()) == 1


def test_keys_with_a_modifier_choose_nothing(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(1)
    open_queue(page, signed_in, owner)
    ready(page, 1)
    for key in ("Control+1", "Alt+2", "Control+e", "Meta+3"):
        page.keyboard.press(key)
    expect(page.locator("#settle input:checked")).to_have_count(0)


def test_j_and_k_walk_the_queue(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(3)
    open_queue(page, signed_in, owner)
    ready(page, 1)
    for key, number in (("j", 2), ("j", 3), ("j", 3), ("k", 2), ("k", 1)):
        page.keyboard.press(key)
        ready(page, number)
    assert verdicts() == []


def test_overlapping_evidence_carries_the_letters_of_both_readers(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(1)
    open_queue(page, signed_in, owner)
    both = page.locator(".seg.lane-0.lane-1")
    expect(both).to_have_text("28 days")
    expect(page.locator(".seg[data-starts]:not([data-starts=''])")).to_have_count(2)
    lines = both.evaluate("(node) => getComputedStyle(node).backgroundImage.split('gradient').length - 1")
    assert lines == 2


def test_correction_is_made_from_the_list_of_what_was_settled(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(1)
    open_queue(page, signed_in, owner)
    ready(page, 1)
    for key in ("1", "q", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("link", name="Settled").click()
    page.get_by_role("link", name="Claim 1 says so.").click()
    expect(page.locator("#settle input[value=stated]")).to_be_checked()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing waits")).to_be_visible()
    assert list(Adjudication.objects.values_list("revision", "verdict")) == [(1, "stated"), (2, "absent")]


def test_settles_without_scripts(contexts: Callable[..., BrowserContext], signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(2)
    page = contexts(java_script_enabled=False).new_page()
    open_queue(page, signed_in, owner)
    page.locator("label.verdict", has_text="Absent").click()
    page.get_by_text("The source is at fault").click()
    page.get_by_label("Note").fill("Torn page.")
    page.get_by_role("button", name="Settle").click()
    on_screen(page, 2)
    assert verdicts() == [("absent", "source-fault", "Torn page.")]


@pytest.mark.parametrize(("width", "height"), [(1360, 860), (680, 430), (320, 640)])
def test_keys_stay_in_sight_and_nothing_runs_over_the_edge(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, width: int, height: int
) -> None:
    _, owner, claims = a_dispute(1)
    source = claims[0].citations.get().source
    source.text = TEXT + "\n\nA clause that goes on." * 400
    source.save()
    page = contexts(viewport={"width": width, "height": height}).new_page()
    open_queue(page, signed_in, owner)
    ready(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if width > 900:
        expect(page.get_by_role("button", name="Settle")).to_be_in_viewport()
        expect(page.locator(".seg.lane-0").first).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_found_on_the_owners_pages(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str
) -> None:
    _, owner, claims = a_dispute(2)
    page = contexts(color_scheme=scheme).new_page()
    open_queue(page, signed_in, owner)
    ready(page, 1)
    for key in ("1", "e", "Enter"):
        page.keyboard.press(key)
    ready(page, 2)
    project = "/p/returns/"
    for path in (
        "",
        "people/",
        "settings/",
        "guide/",
        "guide/edit/",
        "guide/versions/",
        "guide/versions/1/",
        "adjudicate/",
        "adjudicate/?show=settled",
        "adjudicate/unclear/",
        f"adjudicate/{claims[0].pk}/",
        f"adjudicate/{claims[1].pk}/",
    ):
        page.goto(project + path)
        assert axe(page) == [], path


def test_preview_of_the_guide_comes_in_place(page: Page, signed_in: SignIn) -> None:
    _, owner, _ = a_dispute(1)
    assert owner.user is not None
    signed_in(page, owner.user)
    page.goto("/p/returns/guide/edit/")
    page.get_by_label("Text").fill("# Ours\n\n**Closely** <img src=x onerror=alert(1)>")
    page.get_by_label("A figure that has to be worked out").select_option("partial")
    page.get_by_role("button", name="Preview").click()
    preview = page.locator("#guide-preview")
    expect(preview.locator("strong").first).to_have_text("Closely")
    expect(preview).to_contain_text("This project rules so.")
    expect(preview.locator("img")).to_have_count(0)
    assert page.url.endswith("/guide/edit/")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("This is version 2.")).to_be_visible()
