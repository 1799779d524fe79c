"""The labelling page in a real browser: keys, evidence, undo, lost connections, sessions that end."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, expect

from labelling.models import Evidence, Label, Membership, Project, Skip
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_answer, make_claim, make_member, make_project, make_source, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "a long enough word"
TEXT = (
    "Most items can be returned within 14 days.\r\n\r\n"
    "Members have 28 days. Members pay nothing 😀 at the cafe\u0301.\r\n"
    "\u05d4\u05d7\u05d6\u05e8\u05d4 \u05de\u05d5\u05ea\u05e8\u05ea  \u05ea\u05d5\u05da 14 \u05d9\u05de\u05d9\u05dd."
)


def a_project(
    claims: int = 12, *, span: tuple[int, int] | None = (0, 42), text: str = TEXT, **fields: Any
) -> tuple[Project, Membership]:
    project = make_project(slug="returns", name="Returns", **fields)
    member = make_member(project, user=make_user("ann", password=PASSWORD), pseudonym="ann-03")
    source = make_source(project, text, title="Returns policy", collection="help-centre")
    answer = make_answer(project, "It depends.", question="How long?")
    for i in range(1, claims + 1):
        make_claim(project, f"Claim {i} says so.", source=source, span=span, answer=answer)
    return project, member


def start(page: Page, signed_in: SignIn, member: Membership) -> None:
    assert member.user is not None
    signed_in(page, member.user)
    page.goto("/p/returns/label/")
    on_screen(page, 1)


def on_screen(page: Page, number: int) -> None:
    """Wait until the claim is there and has been there for long enough to be meant by a key."""
    expect(page.locator("#claim-text")).to_have_text(f"Claim {number} says so.")
    expect(page.locator("#label-item[data-ready]")).to_be_visible()


def saved(page: Page, verdict: str) -> None:
    expect(page.locator("#label-status")).to_contain_text(f"Saved: {verdict}")


def select(page: Page, words: str) -> None:
    """Select words in the source, wherever they stand, as a hand would leave them selected."""
    page.evaluate(
        """(words) => {
            for (const line of document.querySelectorAll("[data-start]")) {
                const node = line.firstChild;
                const at = node.data.indexOf(words);
                if (at >= 0) getSelection().setBaseAndExtent(node, at, node, at + words.length);
            }
        }""",
        words,
    )
    page.get_by_role("button", name="Add selection").click()


def verdicts(member: Membership) -> list[str]:
    return list(Label.objects.filter(annotator=member).order_by("created").values_list("verdict", flat=True))


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


def test_a_lost_connection_loses_nothing_and_says_what_waits(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.context.set_offline(True)
    page.keyboard.press("1")
    on_screen(page, 2)
    expect(page.locator("#outbox")).to_contain_text("1 label waits in this browser, not yet sent")
    expect(page.locator("#label-status")).not_to_contain_text("Saved")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("#outbox")).to_contain_text("2 labels wait")
    assert verdicts(member) == []
    page.context.set_offline(False)
    on_screen(page, 3)
    expect(page.locator("#outbox")).to_be_hidden()
    assert verdicts(member) == ["stated", "absent"]


def test_an_unsent_label_can_be_brought_back_without_a_connection(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.context.set_offline(True)
    page.keyboard.press("1")
    on_screen(page, 2)
    page.keyboard.press("z")
    on_screen(page, 1)
    expect(page.locator(".verdict[aria-pressed=true]")).to_have_attribute("value", "stated")
    page.context.set_offline(False)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    saved(page, "absent")
    assert verdicts(member) == ["absent"]


def test_an_answer_lost_on_the_way_back_makes_no_second_label(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    lost: list[str] = []

    def lose_the_first(route: object) -> None:
        if not lost:
            lost.append(route.request.url)  # type: ignore[attr-defined]
            route.fetch()  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    page.route(re.compile(r"/label/\d+/$"), lose_the_first)
    page.keyboard.press("1")
    saved(page, "stated")
    assert lost
    assert verdicts(member) == ["stated"]


def test_a_label_waits_over_a_reload_until_the_server_is_back(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.route(re.compile(r"/label/\d+/$"), lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator("#outbox")).to_contain_text("1 label waits")
    page.reload()
    expect(page.locator("#outbox")).to_contain_text("1 label waits")
    on_screen(page, 2)
    page.unroute_all()
    page.reload()
    saved(page, "stated")
    assert verdicts(member) == ["stated"]


def test_a_label_made_after_the_session_ended_is_sent_after_signing_in(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    Session.objects.all().delete()
    page.keyboard.press("1")
    banner = page.locator("#outbox")
    expect(banner).to_contain_text("You are signed out. 1 label waits in this browser")
    assert verdicts(member) == []
    banner.get_by_role("link", name="Sign in to send").click()
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    saved(page, "stated")
    assert verdicts(member) == ["stated"]
    expect(banner).to_be_hidden()


def test_a_token_that_went_stale_is_replaced_without_a_word(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.context.clear_cookies(name="csrftoken")
    page.keyboard.press("1")
    saved(page, "stated")
    assert verdicts(member) == ["stated"]


def test_what_waits_or_was_drafted_is_never_shown_or_sent_for_somebody_else(page: Page, signed_in: SignIn) -> None:
    project, member = a_project()
    other = make_member(project, pseudonym="ben")
    start(page, signed_in, member)
    page.keyboard.press("n")
    page.keyboard.type("my own words")
    page.keyboard.press("Escape")
    assert other.user is not None
    signed_in(page, other.user)
    page.keyboard.press("1")
    expect(page.locator("#outbox")).to_contain_text("Somebody else is signed in on this browser now")
    page.goto("/p/returns/label/")
    on_screen(page, 1)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(page.locator("#note-text")).to_have_value("")
    assert not Label.objects.exists()


def test_a_half_made_label_survives_a_reload(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("2")
    page.keyboard.press("e")
    select(page, "28 days")
    page.keyboard.press("n")
    page.keyboard.type("1 2 3 z s, typed and not meant")
    page.keyboard.press("Escape")
    page.reload()
    on_screen(page, 1)
    expect(page.locator(".verdict[aria-pressed=true]")).to_have_attribute("value", "partial")
    expect(page.locator("input[name=invention]:checked")).to_have_value("confident-generalisation")
    expect(page.locator("#spans q")).to_have_text("28 days")
    expect(page.locator("#note-text")).to_have_value("1 2 3 z s, typed and not meant")
    assert not Label.objects.exists()


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


def test_nothing_moves_when_a_verdict_is_chosen(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    boxes = "[...document.querySelectorAll('.verdict, .second, .evidence, .foot, .sources p, #claim-text')].map((e) => JSON.stringify(e.getBoundingClientRect()))"
    before = page.evaluate(boxes)
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="A plausible specific")).to_be_visible()
    assert page.evaluate(boxes) == before


def test_find_goes_through_the_source_and_leaves_the_keys_alone(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("/")
    page.keyboard.type("members 1")
    expect(page.locator("#find-count")).to_have_text("not there")
    page.locator("#find-text").fill("members")
    expect(page.locator("#find-count")).to_have_text("1 of 2")
    page.keyboard.press("Enter")
    expect(page.locator("#find-count")).to_have_text("2 of 2")
    page.keyboard.press("Escape")
    expect(page.locator(".find")).to_be_hidden()
    on_screen(page, 1)


def test_the_sheet_of_keys_and_the_guide_are_a_key_away(page: Page, signed_in: SignIn) -> None:
    _, member = a_project()
    start(page, signed_in, member)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.get_by_role("dialog", name="Guide")).to_contain_text("Guide")
    page.keyboard.press("Escape")
    on_screen(page, 1)
    assert not Label.objects.exists()


def test_whether_the_whole_source_was_opened_is_recorded_for_absent(page: Page, signed_in: SignIn) -> None:
    long = "\n\n".join(f"Paragraph {i} of a text that goes on." for i in range(200))
    _, member = a_project(text=long, ask_invention=False)
    start(page, signed_in, member)
    page.keyboard.press("3")
    saved(page, "absent")
    on_screen(page, 2)
    page.locator(".sources").evaluate("(column) => column.scrollTo(0, column.scrollHeight)")
    page.wait_for_timeout(300)
    page.keyboard.press("3")
    saved(page, "absent")
    on_screen(page, 3)
    assert list(Label.objects.order_by("created").values_list("source_opened", flat=True)) == [False, True]


@pytest.mark.parametrize("line_end", ["\n\n", " "], ids=["in paragraphs", "in one line"])
def test_a_source_of_200_000_characters_scrolls_smoothly_and_keeps_claim_and_keys_in_sight(
    page: Page, signed_in: SignIn, line_end: str
) -> None:
    paragraphs = [f"Paragraph {i}. " + "Words that go on and on without an end. " * 7 for i in range(690)]
    text = line_end.join(paragraphs)
    at = text.index("Paragraph 500.")
    _, member = a_project(2, text=text, span=(at, at + 14))
    assert len(text) > 200_000
    start(page, signed_in, member)
    around = page.locator(".sources p", has_text="Paragraph 500.")
    expect(around).to_be_in_viewport()
    expect(around).not_to_contain_text("Paragraph 400.")
    expect(page.locator("#claim-text")).to_be_in_viewport()
    expect(page.locator(".verdict.contradicted")).to_be_in_viewport()
    slowest = page.evaluate(
        """async () => {
            const column = document.querySelector(".sources");
            const frame = () => new Promise(requestAnimationFrame);
            const times = [];
            for (let i = 0; i < 60; i += 1) {
                const before = performance.now();
                column.scrollTop += i % 2 ? 900 : 1500;
                column.getBoundingClientRect();
                await frame();
                times.push(performance.now() - before);
            }
            return times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)];
        }"""
    )
    assert slowest < 150, f"nine of ten frames took up to {slowest:.0f} ms"


def test_what_one_tab_labels_leaves_the_other_tab_of_the_same_person(page: Page, signed_in: SignIn) -> None:
    _, member = a_project(4, overlap=1)
    start(page, signed_in, member)
    other = page.context.new_page()
    other.goto("/p/returns/label/")
    on_screen(other, 1)
    other.keyboard.press("1")
    on_screen(other, 2)
    saved(other, "stated")
    other.keyboard.press("3")
    other.keyboard.press("Enter")
    saved(other, "absent")
    page.bring_to_front()
    on_screen(page, 3)
    page.keyboard.press("1")
    saved(page, "stated")
    on_screen(page, 4)
    other.bring_to_front()
    on_screen(other, 4)
    assert sorted(Label.objects.values_list("claim__text", "revision")) == [
        (f"Claim {i} says so.", 1) for i in (1, 2, 3)
    ]


def test_without_a_script_the_form_does_the_same(contexts: Callable[..., BrowserContext], signed_in: SignIn) -> None:
    _, member = a_project(2)
    page = contexts(java_script_enabled=False).new_page()
    assert member.user is not None
    signed_in(page, member.user)
    page.goto("/p/returns/label/")
    page.get_by_label("A bridging inference").check(force=True)
    page.get_by_label("Words of the source").fill("28 days")
    page.get_by_role("button", name="Partial").click()
    label = Label.objects.get()
    assert (label.verdict, label.invention, label.evidence.get().quote) == ("partial", "bridging-inference", "28 days")
    expect(page.locator("#claim-text")).to_have_text("Claim 2 says so.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#claim-text")).to_have_text("Claim 1 says so.")
    expect(page.get_by_role("checkbox", name="28 days")).to_be_checked()


def test_the_last_claim_leads_to_a_page_that_says_so(page: Page, signed_in: SignIn) -> None:
    _, member = a_project(2, overlap=1)
    start(page, signed_in, member)
    page.keyboard.press("1")
    on_screen(page, 2)
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    page.keyboard.press("z")
    on_screen(page, 2)


SIZES = [(1360, 860), (1024, 700), (390, 844), (320, 640), (680, 430)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, scheme: str
) -> None:
    _, member = a_project(ask_severity=True)
    assert member.user is not None
    # Colours are the same at every size, so the dark ones are looked at once.
    for width, height in SIZES if scheme == "light" else SIZES[:1]:
        page = contexts(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
        start(page, signed_in, member)
        page.keyboard.press("2")
        select(page, "28 days")
        assert axe(page) == []
        page.keyboard.press("s")
        assert axe(page) == []
        page.goto("/")
        assert axe(page) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_claim_and_verdicts_stay_in_sight_and_nothing_is_cut_off(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, width: int, height: int
) -> None:
    text = "\n\n".join(f"Paragraph {i} of a text that goes on for rather long lines." for i in range(80))
    # With the notice of a project of invented people, which takes a line of the window.
    _, member = a_project(text=text, span=(2000, 2100), illustrative=True)
    page = contexts(viewport={"width": width, "height": height}).new_page()
    start(page, signed_in, member)
    if width > 860:
        expect(page.locator(".foot")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for verdict in ("stated", "partial", "absent", "contradicted"):
        expect(page.locator(f".verdict.{verdict}")).to_be_in_viewport(ratio=1)
    expect(page.locator("#claim-text")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
