"""The labelling page in a real browser: keys, evidence, undo, skips."""

import pytest
from playwright.sync_api import Page, expect

from labelling.models import Evidence, Label, Skip
from tests.browser.conftest import SignIn
from tests.browser.labelling import TEXT, a_project, on_screen, saved, select, start, verdicts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_ten_claims_by_keyboard_alone_with_evidence(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    given = ["stated", "partial", "absent", "contradicted"] * 3
    for number, verdict in enumerate(given[:10], start=1):
        on_screen(page, number)
        page.keyboard.press(str(["stated", "partial", "absent", "contradicted"].index(verdict) + 1))
        if verdict != "stated":
            page.keyboard.press("w")
            page.keyboard.press("m")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Space")
            page.keyboard.press("Escape")
            page.keyboard.press("Enter")
        saved(page, verdict)
    assert verdicts(member) == given[:10]
    label = Label.objects.filter(verdict="partial")[0]
    assert label.invention == "bridging-inference"
    assert label.evidence.get().quote == "Members have 28 days."
    assert Label.objects.filter(verdict="stated")[0].evidence.get().quote == TEXT[:42]
    assert label.seconds is not None
    assert label.seconds > 0
    expect(page.locator("#label-progress")).to_contain_text("10 of 12")


@pytest.mark.parametrize(
    "words",
    [
        "nothing",
        "\U0001f600",
        "at the cafe\u0301",
        "\u05de\u05d5\u05ea\u05e8\u05ea  \u05ea\u05d5\u05da",
        "14 \u05d9\u05de\u05d9\u05dd.",
        "Most items",
    ],
)
def test_selected_words_are_the_quote_whatever_stands_before_them(page: Page, signed_in: SignIn, words: str) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    select(page, words)
    expect(page.locator("#spans li")).to_have_count(1)
    page.keyboard.press("1")
    saved(page, "stated")
    evidence = Evidence.objects.get()
    assert evidence.quote == words
    assert TEXT[evidence.start : evidence.end] == words


def test_a_selection_over_several_lines_keeps_their_line_ends(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.evaluate(
        """() => {
            const [one, two] = document.querySelectorAll("[data-start]");
            getSelection().setBaseAndExtent(two.firstChild, 12, one.firstChild, 34);
        }"""
    )
    page.get_by_role("button", name="Add selection").click()
    page.keyboard.press("1")
    saved(page, "stated")
    assert Evidence.objects.get().quote == "14 days.\r\n\r\nMembers have"


def test_words_selected_with_the_mouse_become_evidence_and_the_text_stays_whole(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    line = page.locator("[data-start]").nth(1)
    line.dblclick(position={"x": 20, "y": 12})
    expect(page.locator("#spans li")).to_have_count(1)
    expect(page.locator("#spans q")).to_have_text("Members")
    line.click(click_count=3, position={"x": 20, "y": 12})
    expect(page.locator("#spans li")).to_have_count(2)
    assert page.evaluate("[...document.querySelectorAll('[data-start]')].every((p) => p.childNodes.length === 1)")
    page.get_by_role("button", name="Remove the evidence “Members”").click()
    expect(page.locator("#spans li")).to_have_count(1)
    page.keyboard.press("x")
    expect(page.locator("#spans li")).to_have_count(0)


def test_without_a_cited_span_the_page_asks_for_evidence_and_saves_once_it_is_there(
    page: Page, signed_in: SignIn
) -> None:
    _, member = a_project(span=None)
    start(page, signed_in, member)
    page.keyboard.press("1")
    expect(page.locator("#second-says")).to_contain_text("Select the words")
    page.keyboard.press("Enter")
    on_screen(page, 1)
    select(page, "14 days")
    page.keyboard.press("Enter")
    saved(page, "stated")
    assert Evidence.objects.get().quote == "14 days"


def test_undo_brings_the_last_claim_back_with_its_evidence_and_saves_a_revision(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    select(page, "28 days")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    saved(page, "partial")
    on_screen(page, 2)
    page.keyboard.press("z")
    on_screen(page, 1)
    expect(page.locator("#spans q")).to_have_text("28 days")
    expect(page.locator(".verdict[aria-pressed=true]")).to_have_attribute("value", "partial")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    saved(page, "contradicted")
    on_screen(page, 2)
    assert list(Label.objects.order_by("revision").values_list("revision", "verdict")) == [
        (1, "partial"),
        (2, "contradicted"),
    ]


def test_escape_leaves_a_claim_brought_back_as_it_was(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("1")
    saved(page, "stated")
    on_screen(page, 2)
    page.keyboard.press("z")
    on_screen(page, 1)
    page.keyboard.press("Escape")
    on_screen(page, 2)
    assert verdicts(member) == ["stated"]


def test_skip_by_number_and_undo_of_it(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("s")
    page.keyboard.press("3")
    expect(page.locator("#label-status")).to_contain_text("Skipped")
    on_screen(page, 2)
    assert Skip.objects.get().reason == "unreadable-source"
    page.keyboard.press("z")
    on_screen(page, 1)
    assert Skip.objects.get().withdrawn


def test_enter_in_the_skip_form_picks_no_reason(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("s")
    page.get_by_label("Anything to add").fill("1 hm")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    on_screen(page, 1)
    page.get_by_role("button", name="Something else").click()
    on_screen(page, 2)
    expect(page.locator("#label-status")).to_contain_text("Skipped")
    assert Skip.objects.get().note == "1 hm"


def test_a_double_press_does_not_label_the_next_claim_unseen(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("1")
    page.keyboard.press("1")
    on_screen(page, 2)
    page.locator(".verdict.stated").dblclick()
    on_screen(page, 3)
    page.keyboard.down("1")
    on_screen(page, 4)
    page.keyboard.down("1")  # held down: the browser reports a repetition
    page.wait_for_timeout(300)
    on_screen(page, 4)
    assert verdicts(member) == ["stated"] * 3


def test_keys_with_a_modifier_are_left_to_the_browser(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    for chord in ("Control+1", "Alt+2", "Meta+3", "Shift+Digit1"):
        page.keyboard.press(chord)
    page.wait_for_timeout(200)
    on_screen(page, 1)
    expect(page.locator(".verdict[aria-pressed=true]")).to_have_count(0)


def test_a_key_held_down_labels_one_claim(page: Page, signed_in: SignIn) -> None:
    _, member = a_project(4)
    start(page, signed_in, member)
    page.keyboard.down("1")
    on_screen(page, 2)
    for _ in range(5):
        page.keyboard.down("1")  # without a key coming up in between: auto-repeat
    saved(page, "stated")
    page.keyboard.up("1")
    on_screen(page, 2)
    assert verdicts(member) == ["stated"]


def test_keys_are_letters_while_a_note_is_typed(page: Page, signed_in: SignIn) -> None:
    _, member = a_project(2)
    start(page, signed_in, member)
    page.keyboard.press("n")
    page.keyboard.type("1 or 2? z s g m / x")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("1 or 2? z s g m / x")
    on_screen(page, 1)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    saved(page, "stated")
    assert Label.objects.get().note == "1 or 2? z s g m / x"


def test_digits_count_where_the_layout_puts_other_characters_on_them(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    press = """([key, code]) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true}))"""
    page.evaluate(press, ["&", "Digit1"])
    on_screen(page, 2)
    page.evaluate(press, ["\u00e9", "Digit2"])
    expect(page.locator(".verdict.partial")).to_have_attribute("aria-pressed", "true")
    page.evaluate(press, ["\u0439", "KeyQ"])
    expect(page.locator("input[name=invention]:checked")).to_have_value("plausible-specific")
