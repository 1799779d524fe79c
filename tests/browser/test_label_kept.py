"""Work on the labelling page that must not be lost: connections, sessions, leases, roles, other tabs."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from labelling.access import Seat
from labelling.models import Label, Membership, Slot
from labelling.services.queue import take_next
from tests.browser.conftest import SignIn
from tests.browser.labelling import PASSWORD, a_project, on_screen, saved, select, start, verdicts
from tests.factories import make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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


def test_a_claim_taken_over_while_typing_is_kept_as_surplus_with_its_note(page: Page, signed_in: SignIn) -> None:
    project, member = a_project(4, overlap=1)
    start(page, signed_in, member)
    page.keyboard.press("n")
    page.keyboard.type("half a thought")
    Slot.objects.filter(state="leased").update(leased_until=timezone.now() - timedelta(minutes=1))
    take_next(seat=Seat(project, make_member(project)))
    page.keyboard.type(" and the rest")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    saved(page, "stated")
    assert [(label.note, label.surplus) for label in Label.objects.all()] == [("half a thought and the rest", True)]


def test_a_person_who_may_label_no_more_is_told_and_the_label_is_kept(page: Page, signed_in: SignIn) -> None:
    _, member = a_project(3)
    start(page, signed_in, member)
    Membership.objects.update(role="engineer")
    page.keyboard.press("1")
    expect(page.locator("#outbox")).to_contain_text("no longer open to you")
    assert not Label.objects.exists()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.endsWith('.outbox')).length") == 1


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
