import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from labelling.models import Citation, Claim, GuideVersion, Label, Membership, Project, Role, Skip, Slot
from tests.factories import make_claim, make_claims, make_label, make_member, make_project, make_source, make_user

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}
TEXT = "Returns take 14 days.\r\n\r\nMembers have 28 days. Members pay nothing."


def signed_in(member: Membership) -> Client:
    client = Client()
    assert member.user is not None
    client.force_login(member.user)
    return client


def a_page(**fields: Any) -> tuple[Client, Project, Membership, Claim]:
    """An annotator signed in, with one claim before them that cites the first sentence of a source."""
    project = make_project(**fields)
    claim = make_claim(project, source=make_source(project, TEXT, title="Returns"), span=(0, 21))
    member = make_member(project)
    return signed_in(member), project, member, claim


def url_of(claim: Claim) -> str:
    return reverse("labelling:label-claim", args=[claim.project.slug, claim.pk])


def page_of(project: Project) -> str:
    return reverse("labelling:label", args=[project.slug])


def sent(verdict: str = "stated", **fields: Any) -> dict[str, Any]:
    return {"client_id": str(uuid.uuid4()), "verdict": verdict, **fields}


def test_the_page_shows_the_claim_its_source_and_the_next_claim_waiting() -> None:
    client, project, _, claim = a_page()
    make_claim(project, "The one after it.")
    html = client.get(page_of(project)).content.decode()
    assert f'data-claim="{claim.pk}"' in html
    assert "<mark>Returns take 14 days.</mark>" in html
    waiting = html[html.index('<template id="next-item">') :]
    assert "The one after it." in waiting


def test_the_page_is_kept_in_no_cache() -> None:
    client, project, _, _ = a_page()
    assert "no-store" in client.get(page_of(project))["Cache-Control"]


def test_paragraphs_know_their_place_in_code_points() -> None:
    project = make_project()
    source = make_source(project, "😀 one\r\n\r\ntwo  cafe\u0301\nthree")
    make_claim(project, source=source, span=(2, 5))
    html = signed_in(make_member(project)).get(page_of(project)).content.decode()
    starts = [int(start) for start in re.findall(r'data-start="(\d+)"', html)]
    assert [source.text[start:][:3] for start in starts] == ["😀 o", "two", "thr"]


def test_text_from_outside_is_escaped_everywhere() -> None:
    project = make_project()
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'"
    source = make_source(project, nasty, title=nasty, collection=nasty, version=nasty, fields={nasty: nasty})
    make_claim(project, nasty, source=source, span=(2, 9))
    html = signed_in(make_member(project)).get(page_of(project)).content.decode()
    assert "<script>alert" not in html
    assert "<img src=x" not in html


def test_a_plain_form_saves_and_goes_on() -> None:
    client, project, member, claim = a_page()
    client.get(page_of(project))
    response = client.post(
        url_of(claim), sent("partial", invention="bridging-inference", note="why", confidence="unsure")
    )
    assert (response.status_code, response["Location"]) == (302, page_of(project))
    label = Label.objects.get()
    assert (label.annotator, label.verdict, label.invention, label.note) == (
        member,
        "partial",
        "bridging-inference",
        "why",
    )
    assert label.confidence == "unsure"


def test_a_quote_typed_without_a_script_becomes_a_span() -> None:
    client, _, _, claim = a_page()
    client.post(url_of(claim), sent("partial", quotes="Members have  28 days.\r\n14 days"))
    spans = list(Label.objects.get().evidence.values_list("start", "end", "quote"))
    assert spans == [(13, 20, "14 days"), (25, 46, "Members have 28 days.")]


@pytest.mark.parametrize(("quote", "complaint"), [("Members", "2 times"), ("nowhere", "does not stand in the source")])
def test_a_quote_that_stands_nowhere_or_twice_is_refused_with_the_form(quote: str, complaint: str) -> None:
    client, _, _, claim = a_page()
    response = client.post(url_of(claim), sent("partial", quotes=quote, note="keep me"))
    html = response.content.decode()
    assert response.status_code == 422
    assert complaint in html
    assert "keep me" in html
    assert not Label.objects.exists()


def test_missing_evidence_is_422_with_a_plain_message_and_what_was_chosen() -> None:
    project = make_project()
    claim = make_claim(project)
    client = signed_in(make_member(project))
    response = client.post(url_of(claim), sent("contradicted", invention="plausible-specific"))
    html = response.content.decode()
    assert response.status_code == 422
    assert "Mark the words" in html
    assert re.search(r'value="contradicted"[^>]*aria-pressed="true"', html)
    assert re.search(r'value="plausible-specific" checked', html)


@pytest.mark.parametrize("span", ["x", "1:2", "1:2:3:4", "-1:0:3", "1:²:3", "9" * 30 + ":0:1"])
def test_a_span_that_cannot_be_read_is_422(span: str) -> None:
    client, _, _, claim = a_page()
    assert client.post(url_of(claim), sent("partial", span=[span]), headers=JSON).status_code == 422
    assert not Label.objects.exists()


def test_a_script_gets_what_was_saved_and_the_next_claim_in_one_answer() -> None:
    client, project, _, claim = a_page()
    two, three = make_claims(project, 2)
    client.get(page_of(project))
    body = client.post(url_of(claim), sent("absent", have=[two.pk]), headers=JSON).json()
    assert body["saved"] == {"claim": claim.pk, "verdict": "absent", "again": False}
    assert body["next"]["claim"] == three.pk
    assert three.text in body["next"]["html"]
    assert "1 of 3" in body["progress"]


def test_a_repeated_submit_says_saved_and_makes_one_label() -> None:
    client, _, _, claim = a_page()
    given = sent("absent")
    assert client.post(url_of(claim), given, headers=JSON).json()["saved"]["again"] is False
    assert client.post(url_of(claim), given, headers=JSON).json()["saved"]["again"] is True
    assert Label.objects.count() == 1


def test_the_last_claim_answers_with_why_there_is_no_next() -> None:
    client, _, _, claim = a_page(overlap=1)
    body = client.post(url_of(claim), sent("absent"), headers=JSON).json()
    assert body["next"] is None
    assert "All done" in body["nothing"]


def test_undo_brings_the_label_back_with_its_values_and_evidence() -> None:
    client, project, _, claim = a_page()
    source = claim.citations.get().source
    client.post(url_of(claim), sent("partial", span=[f"{source.pk}:25:32"], note="look", flag="source-fault"))
    undo = reverse("labelling:label-undo", args=[project.slug])
    assert client.post(undo)["Location"] == url_of(claim)
    html = client.get(url_of(claim)).content.decode()
    assert re.search(r'value="partial"[^>]*aria-pressed="true"', html)
    assert f'value="{source.pk}:25:32" checked' in html
    assert "look" in html
    assert 'value="source-fault" selected' in html
    assert 'data-again="1"' in client.post(undo, headers=JSON).json()["item"]["html"]


def test_undo_of_a_skip_takes_it_back() -> None:
    client, project, _, claim = a_page()
    client.post(reverse("labelling:label-skip", args=[project.slug, claim.pk]), {"reason": "language"})
    assert not Skip.objects.get().withdrawn
    client.post(reverse("labelling:label-undo", args=[project.slug]))
    assert Skip.objects.get().withdrawn


def test_undo_with_nothing_done_leads_back_to_the_page() -> None:
    client, project, _, _ = a_page()
    undo = reverse("labelling:label-undo", args=[project.slug])
    assert client.post(undo)["Location"] == page_of(project)
    assert client.post(undo, headers=JSON).json() == {"item": None}


def test_a_skip_needs_a_reason_that_is_known() -> None:
    client, project, _, claim = a_page()
    url = reverse("labelling:label-skip", args=[project.slug, claim.pk])
    assert client.post(url, {"reason": "boring"}).status_code == 422
    assert client.post(url, {}, headers=JSON).status_code == 422
    assert not Skip.objects.exists()


def test_a_script_that_is_signed_out_is_told_so_and_not_shown_a_sign_in_page() -> None:
    _, project, _, claim = a_page()
    response = Client().post(url_of(claim), sent(), headers=JSON)
    assert response.status_code == 401
    assert response.json()["sign_in"] == f"/sign-in/?next={page_of(project)}"
    assert Client().get(page_of(project)).status_code == 302


def test_a_label_from_a_tab_of_somebody_else_is_not_saved_under_my_name() -> None:
    client, project, member, claim = a_page()
    other = make_member(project)
    response = client.post(url_of(claim), sent(member=other.pk), headers=JSON)
    assert (response.status_code, response.json()) == (409, {"error": "someone-else"})
    assert not Label.objects.exists()
    assert client.post(url_of(claim), sent(member=member.pk), headers=JSON).status_code == 200


def test_a_stale_token_is_refused_and_a_fresh_one_can_be_had() -> None:
    _, project, member, claim = a_page()
    assert member.user is not None
    client = Client(enforce_csrf_checks=True)
    client.force_login(member.user)
    assert client.post(url_of(claim), sent(), headers=JSON).status_code == 403
    state = client.get(reverse("labelling:label-state", args=[project.slug]), headers=JSON).json()
    assert state["member"] == member.pk
    assert client.post(url_of(claim), sent(), headers={"X-CSRFToken": state["csrf"], **JSON}).status_code == 200


def doors(project: Project, claim: Claim) -> list[tuple[str, str]]:
    return [
        ("get", page_of(project)),
        ("get", reverse("labelling:label-next", args=[project.slug])),
        ("get", reverse("labelling:label-state", args=[project.slug])),
        ("post", reverse("labelling:label-undo", args=[project.slug])),
        ("get", url_of(claim)),
        ("post", url_of(claim)),
        ("post", reverse("labelling:label-skip", args=[project.slug, claim.pk])),
    ]


def _stranger(project: Project) -> Client:
    client = Client()
    client.force_login(make_user())
    return client


def _engineer(project: Project) -> Client:
    return signed_in(make_member(project, Role.ENGINEER))


def _owner(project: Project) -> Client:
    return signed_in(make_member(project, Role.OWNER))


def _annotator_of_another_project(project: Project) -> Client:
    return signed_in(make_member(make_project()))


@pytest.mark.parametrize("who", [_stranger, _engineer, _owner, _annotator_of_another_project])
def test_every_door_is_closed_to_all_but_the_project_s_annotators(who: Callable[[Project], Client]) -> None:
    _, project, _, claim = a_page()
    client = who(project)
    for method, url in doors(project, claim):
        assert getattr(client, method)(url, sent() if method == "post" else None).status_code == 404, url
    assert not Label.objects.exists()
    assert not Slot.objects.filter(state="leased").exists()


def test_a_claim_of_another_project_is_not_reached_through_mine() -> None:
    client, project, _, _ = a_page()
    foreign = make_claim(make_project())
    assert client.get(reverse("labelling:label-claim", args=[project.slug, foreign.pk])).status_code == 404


def test_writing_by_get_does_nothing() -> None:
    client, project, _, claim = a_page()
    assert client.get(reverse("labelling:label-undo", args=[project.slug])).status_code == 405
    assert client.get(reverse("labelling:label-skip", args=[project.slug, claim.pk])).status_code == 405


def test_several_citations_are_shown_with_their_numbers_and_a_source_cited_twice_once() -> None:
    project = make_project()
    one, two = make_source(project, "First text here."), make_source(project, "Second text here.")
    claim = make_claim(project, source=one, span=(0, 5))
    Citation.objects.create(claim=claim, order=2, source=two)
    Citation.objects.create(claim=claim, order=3, source=one, start=11, end=15)
    html = signed_in(make_member(project)).get(page_of(project)).content.decode()
    assert html.count('role="tab"') == 2
    assert "[1][3]" in html
    assert "<mark>First</mark> text <mark>here</mark>." in html


def test_severity_is_hidden_where_the_annotator_is_asked_for_it() -> None:
    project = make_project(ask_severity=True)
    make_claim(project, severity="critical")
    html = signed_in(make_member(project)).get(page_of(project)).content.decode()
    assert "· Critical" not in html
    assert 'name="severity"' in html


def test_the_page_asks_the_same_number_of_questions_however_many_claims_there_are() -> None:
    client, project, member, _ = a_page()
    make_claims(project, 3)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            client.get(page_of(project))
        return len(seen)

    queries()
    few = queries()
    for claim in make_claims(project, 15):
        make_label(claim, member)
    make_claims(project, 15)
    assert queries() == few


def test_progress_tells_the_time_left_at_the_person_s_own_pace() -> None:
    client, project, member, claim = a_page()
    make_claims(project, 9)
    make_label(claim, member, seconds=60.0)
    html = client.get(page_of(project)).content.decode()
    assert "1 of 10" in html
    assert "about 9 minutes left" in html


def test_what_the_page_showed_is_carried_on_and_now_and_then_counted_anew() -> None:
    client, project, member, claim = a_page()
    make_claims(project, 3)
    body = client.post(url_of(claim), sent("absent", progress="4:400::6.0"), headers=JSON).json()
    assert "5 of 404" in body["progress"]
    (other,) = make_claims(project, 1)
    body = client.post(url_of(other), sent("stated", progress="9:400::6.0", quotes="Returns"), headers=JSON).json()
    assert "2 of 5" in body["progress"]
    third = project.claims.exclude(labels__annotator=member)[0]
    skip = reverse("labelling:label-skip", args=[project.slug, third.pk])
    body = client.post(skip, {"reason": "other", "progress": "2:3::6.0"}, headers=JSON).json()
    assert "2 of 4" in body["progress"]


@pytest.mark.parametrize("sent_back", ["", "x", "1:2", "1:2::-3", "1:2::nan", "9" * 30 + ":1::1", "-1:2::3"])
def test_progress_that_the_page_cannot_have_shown_is_counted_anew(sent_back: str) -> None:
    client, project, _, claim = a_page()
    make_claims(project, 3)
    body = client.post(url_of(claim), sent("absent", progress=sent_back), headers=JSON).json()
    assert "1 of 4" in body["progress"]


def test_a_label_and_the_next_claim_cost_few_queries() -> None:
    client, project, _, _ = a_page()
    make_claims(project, 30)
    html = client.get(page_of(project)).content.decode()
    progress = re.findall(r'data-carried="([^"]*)"', html)[0]
    held = list(Slot.objects.filter(state="leased").order_by("leased_until").values_list("claim_id", flat=True))
    guide = project.guide_versions.get().pk
    for _ in range(3):
        claim, waiting = held
        with CaptureQueriesContext(connection) as seen:
            fields = sent("absent", progress=progress, have=waiting, guide=guide, seconds="3")
            body = client.post(
                reverse("labelling:label-claim", args=[project.slug, claim]), fields, headers=JSON
            ).json()
        held = [waiting, body["next"]["claim"]]
        progress = re.findall(r'data-carried="([^"]*)"', body["progress"])[0]
    # Session, user, seat, claim, own labels, savepoint twice, place, label, (no) evidence; held, free, lease, next, siblings.
    assert len(seen) <= 15, [query["sql"][:100] for query in seen]


def test_a_label_remembers_the_guide_that_was_shown_with_the_claim() -> None:
    client, project, _, claim = a_page()
    make_claims(project, 2)
    html = client.get(page_of(project)).content.decode()
    shown = re.findall(r'name="guide" value="(\d+)"', html)[0]
    newer = GuideVersion.objects.create(project=project, number=2, policy="inference", text="# Another")
    client.post(url_of(claim), sent("absent", guide=shown), headers=JSON)
    assert Label.objects.get(claim=claim).guide_version_id == int(shown) != newer.pk
    assert f'name="guide" value="{newer.pk}"' in client.get(page_of(project)).content.decode()


def test_a_guide_of_another_project_is_not_taken_for_the_one_shown() -> None:
    client, project, _, claim = a_page()
    foreign = make_project().guide_versions.get()
    client.post(url_of(claim), sent("absent", guide=foreign.pk), headers=JSON)
    assert Label.objects.get(claim=claim).guide_version == project.current_guide


def test_home_lists_my_projects_with_what_waits_there() -> None:
    client, project, member, _ = a_page(name="Mine")
    make_project(name="Not mine")
    other = make_project(name="Where I engineer")
    make_member(other, Role.ENGINEER, user=member.user)
    html = client.get(reverse("labelling:home")).content.decode()
    assert "Mine" in html
    assert "Not mine" not in html
    assert page_of(project) in html
    assert "an engineer" in html


def test_home_without_a_project_says_what_to_do() -> None:
    client = Client()
    client.force_login(make_user("lonely"))
    assert "Ask the owner of one to add lonely" in client.get(reverse("labelling:home")).content.decode()


def test_home_asks_a_bounded_number_of_questions_a_project() -> None:
    user = make_user()
    client = Client()
    client.force_login(user)

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            client.get(reverse("labelling:home"))
        return len(seen)

    make_member(make_project(), user=user)
    one = queries()
    for _ in range(3):
        project = make_project()
        make_claims(project, 5)
        make_member(project, user=user)
    assert queries() - one <= 6 * 3


def test_pages_obey_the_content_security_policy() -> None:
    client, project, _, _ = a_page()
    make_claims(project, 2)
    response = client.get(page_of(project))
    html = response.content.decode()
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert not re.search(r"\sstyle=|\son\w+=", html)
    assert settings.SESSION_COOKIE_HTTPONLY
