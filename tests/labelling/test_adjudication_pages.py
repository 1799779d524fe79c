import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from labelling.models import Adjudication, Claim, Project, Role
from tests.factories import (
    make_adjudication,
    make_answer,
    make_claim,
    make_label,
    make_labels,
    make_member,
    make_project,
    make_source,
)
from tests.labelling.pages import (
    BY_HAND_AND_BY_HTMX,
    assert_asks_to_sign_in,
    assert_closed_to,
    outsiders,
    owner_of,
)

pytestmark = pytest.mark.django_db


def disputed(project: Project, text: str = "You have 14 days.", *verdicts: str) -> Claim:
    claim = make_claim(project, text)
    given = list(verdicts or ("stated", "absent"))
    make_labels(claim, [make_member(project) for _ in given], given)
    return claim


def queue(project: Project, query: str = "") -> str:
    return reverse("labelling:adjudicate", args=[project.slug]) + query


def page(claim: Claim, query: str = "") -> str:
    return reverse("labelling:adjudicate-claim", args=[claim.project.slug, claim.pk]) + query


def form(**fields: object) -> dict[str, object]:
    return {
        "verdict": "absent",
        "reason": "reading",
        "note": "",
        "client_id": str(uuid.uuid4()),
        "based_on": 0,
        **fields,
    }


def shown(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def test_annotators_engineers_and_strangers_find_no_adjudication() -> None:
    project = make_project()
    claim = disputed(project)
    closed = outsiders(project, allowed=(Role.OWNER,))
    unclear = reverse("labelling:adjudicate-unclear", args=[project.slug])
    for url in (queue(project), queue(project, "?show=ties"), queue(project, "?show=settled"), unclear):
        assert_closed_to(closed, url)
        assert_asks_to_sign_in(url)
    assert_closed_to(closed, page(claim), form())
    assert_asks_to_sign_in(page(claim))
    assert not Adjudication.objects.exists()


def test_owner_of_another_project_cannot_reach_the_claim() -> None:
    claim = disputed(make_project())
    other = make_project()
    _, client = owner_of(other)
    assert client.get(page(claim)).status_code == 404
    assert client.get(reverse("labelling:adjudicate-claim", args=[other.slug, claim.pk])).status_code == 404


def test_claim_that_nobody_labelled_is_not_here_to_settle() -> None:
    project = make_project()
    _, client = owner_of(project)
    assert client.get(page(make_claim(project))).status_code == 404


@BY_HAND_AND_BY_HTMX
def test_verdict_settles_the_claim_and_the_next_one_follows(headers: dict[str, str]) -> None:
    project = make_project()
    member, client = owner_of(project)
    first, second = disputed(project), disputed(project)
    data = form(note="The source says 28.")
    for _ in range(2):  # a double click
        response = client.post(page(first), data, headers=headers)
        assert response.status_code == 302
        assert response.headers["Location"] == page(second)
    made = Adjudication.objects.get()
    assert (made.claim, made.by, made.verdict, made.reason) == (first, member, "absent", "reading")
    assert made.note == "The source says 28."


def test_last_one_leads_back_to_the_queue_which_says_that_nothing_waits() -> None:
    project = make_project()
    _, client = owner_of(project)
    claim = disputed(project)
    response = client.post(page(claim, "?show=ties"), form())
    assert response.headers["Location"] == queue(project, "?show=ties")
    assert "Nothing waits" in shown(client, queue(project))


def test_after_the_end_of_the_queue_the_skipped_ones_come_round_again() -> None:
    project = make_project()
    _, client = owner_of(project)
    skipped, settled = disputed(project), disputed(project)
    assert client.post(page(settled), form()).headers["Location"] == page(skipped)


def test_filter_stays_on_from_claim_to_claim() -> None:
    project = make_project()
    _, client = owner_of(project)
    tie = disputed(project, "First.")
    disputed(project, "Two against one.", "stated", "stated", "absent")
    next_tie = disputed(project, "Last.")
    assert page(next_tie, "?show=ties") in shown(client, page(tie, "?show=ties"))
    assert client.post(page(tie, "?show=ties"), form()).headers["Location"] == page(next_tie, "?show=ties")
    assert "Two against one." not in shown(client, queue(project, "?show=ties"))
    assert "Two against one." in shown(client, queue(project))


@pytest.mark.parametrize(
    "wrong",
    [{"verdict": ""}, {"verdict": "true"}, {"reason": ""}, {"reason": "x"}, {"client_id": "1"}, {"based_on": ""}],
)
def test_incomplete_verdict_is_422_and_keeps_what_was_typed(wrong: dict[str, str]) -> None:
    project = make_project()
    _, client = owner_of(project)
    claim = disputed(project)
    response = client.post(page(claim), form(note="My own words.") | wrong)
    assert response.status_code == 422
    assert "My own words." in response.content.decode()
    assert not Adjudication.objects.exists()


def test_settled_meanwhile_is_said_and_the_next_submit_corrects_it() -> None:
    project = make_project()
    _, client = owner_of(project)
    claim = disputed(project)
    make_adjudication(claim, make_member(project, Role.OWNER), "stated")
    response = client.post(page(claim), form())
    html = response.content.decode()
    assert response.status_code == 422
    assert "Somebody settled this as stated in the meantime" in html
    based_on = re.search(r'name="based_on" value="(\d+)"', html)
    assert based_on is not None
    assert client.post(page(claim), form(based_on=based_on[1])).status_code == 302
    assert list(claim.adjudications.values_list("revision", "verdict")) == [(1, "stated"), (2, "absent")]


def test_settled_claim_opens_with_what_stands_for_a_correction() -> None:
    project = make_project()
    owner, client = owner_of(project)
    claim = disputed(project)
    make_adjudication(claim, owner, "partial", reason="guide-unclear", note="As before.")
    fields = client.get(page(claim)).context["form"].initial
    assert (fields["verdict"], fields["reason"], fields["note"], fields["based_on"]) == (
        "partial",
        "guide-unclear",
        "As before.",
        1,
    )


def test_earlier_revisions_stay_readable_beside_the_one_that_stands() -> None:
    project = make_project()
    owner, client = owner_of(project)
    claim = disputed(project)
    make_adjudication(claim, owner, "partial", note="First thought.")
    make_adjudication(claim, owner, "absent", revision=2, note="Second thought.")
    hearing = client.get(page(claim)).context["hearing"]
    assert (hearing.standing.revision, [row.revision for row in hearing.earlier]) == (2, [1])
    assert "First thought." in shown(client, page(claim))


def test_readers_are_shown_without_names() -> None:
    project = make_project()
    _, client = owner_of(project)
    claim = make_claim(project)
    for name, verdict in (("zelda-the-reader", "stated"), ("yorick-the-reader", "absent")):
        make_label(claim, make_member(project, pseudonym=name), verdict, note=f"A note, {verdict}.")
    html = shown(client, page(claim))
    assert "Reader A" in html
    assert "Reader B" in html
    assert "A note, stated." in html
    assert "the-reader" not in html
    for member in project.memberships.filter(role=Role.ANNOTATOR):
        assert member.user is not None
        assert member.user.username not in html


def test_evidence_and_kinds_of_invention_are_on_the_page() -> None:
    project = make_project()
    _, client = owner_of(project)
    source = make_source(project, "Returns are accepted within 14 days.")
    claim = make_claim(project, source=source, span=(0, 7))
    make_label(claim, make_member(project), "stated", evidence=[(source, 12, 20)])
    make_label(claim, make_member(project), "absent", invention="bridging-inference", source_opened=True)
    html = shown(client, page(claim))
    assert re.search(r'class="seg cited">Returns</span>', html)
    assert re.search(r'class="seg lane-\d" data-starts="[AB]">accepted</span>', html)
    assert "A bridging inference" in html
    assert "looked through the whole source" in html


def test_text_from_outside_is_shown_and_never_run() -> None:
    project = make_project()
    _, client = owner_of(project)
    hostile = "<script>alert('x')</script>"
    source = make_source(project, hostile * 2, title=hostile, collection=hostile, superseded_by=hostile)
    answer = make_answer(project, f"{hostile} and {hostile}", question=hostile)
    claim = make_claim(project, hostile, answer=answer, source=source, span=(3, 9))
    label = make_label(claim, make_member(project), "stated", note=hostile, evidence=[(source, 0, len(hostile))])
    make_label(claim, make_member(project), "absent")
    for url in (page(claim), queue(project)):
        html = shown(client, url)
        assert "<script>alert" not in html
        assert "alert(&#x27;x&#x27;)" in html
    assert label.evidence.get().quote == hostile


def test_page_is_not_kept_by_the_browser() -> None:
    project = make_project()
    _, client = owner_of(project)
    assert "no-store" in client.get(page(disputed(project))).headers["Cache-Control"]


def test_unclear_page_lists_what_the_next_guide_should_settle() -> None:
    project = make_project()
    owner, client = owner_of(project)
    url = reverse("labelling:adjudicate-unclear", args=[project.slug])
    assert "None so far" in shown(client, url)
    make_adjudication(disputed(project, "Which year?"), owner, reason="guide-unclear", note="Say which year.")
    make_label(make_claim(project, "What of rounding?"), make_member(project), flag="guide-unclear")
    html = shown(client, url)
    for words in ("Which year?", "Say which year.", "What of rounding?"):
        assert words in html


@pytest.mark.parametrize("query", ["", "?show=ties", "?show=settled", "unclear/"])
def test_lists_cost_the_same_for_two_and_for_many(
    query: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    project = make_project()
    owner, client = owner_of(project)
    counts = []
    for more in (2, 12):
        for _ in range(more):
            disputed(project)
            make_adjudication(disputed(project), owner, reason="guide-unclear", guide_version=project.current_guide)
        with django_assert_max_num_queries(8) as asked:
            shown(client, queue(project, query))
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_one_claim_costs_the_same_with_two_and_with_ten_readers(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    project = make_project(overlap=10)
    _, client = owner_of(project)
    source = make_source(project, "Returns are accepted within 14 days.")
    counts = []
    for many in (2, 10):
        claim = make_claim(project, source=source)
        for i in range(many):
            make_label(claim, make_member(project), ("stated", "partial")[i % 2], evidence=[(source, i, i + 5)])
        disputed(project)
        with django_assert_max_num_queries(13) as asked:
            shown(client, page(claim))
        counts.append(len(asked))
    assert counts[0] >= counts[1] - 1  # the second claim has one before it in the queue, found in the same query


def test_long_queue_is_cut_into_pages_that_keep_the_filter() -> None:
    project = make_project()
    _, client = owner_of(project)
    for _ in range(51):
        disputed(project)
    html = shown(client, queue(project, "?show=ties"))
    assert "?show=ties&amp;page=2" in html
    assert html.count('<li class="card">') == 50
    assert shown(client, queue(project, "?show=ties&page=2")).count('<li class="card">') == 1
