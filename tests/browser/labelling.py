"""A project to label in a browser, and what every test of that page does there."""

from typing import Any

from playwright.sync_api import Page, expect

from labelling.models import Label, Membership, Project
from tests.browser.conftest import SignIn
from tests.factories import make_answer, make_claim, make_member, make_project, make_source, make_user

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
