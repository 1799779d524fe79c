"""The pages of extraction: who may open them, what they list, and the review of an answer by form."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.models import AnswerDraft, DraftRevision, ExtractionJob
from judges.services.drafts import accept_draft, proposals_of, standing_of
from judges.services.extraction_lists import still_without
from judges.views import extraction as views
from labelling.models import Claim, Membership, Project, Role
from tests.factories import make_claim, make_member, make_project, make_user
from tests.judges.extraction.factories import finish, make_bare_answer, make_draft, start
from tests.judges.fake_messages_api import FakeMessagesApi

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("x")</script>'
HTMX = {"HX-Request": "true"}
Written = Mapping[str, str | list[str]]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judges.tasks._send_extraction", lambda job_id: None)


def address(name: str, project: Project, *parts: object) -> str:
    return reverse(f"judges:{name}", args=[project.slug, *parts])


def body(draft: AnswerDraft, action: str, changes: Written | None = None) -> dict[str, Any]:
    """What the form of a draft sends, with some fields written over."""
    now = standing_of(draft)
    sent: dict[str, Any] = {"have": str(now.number), "action": action, "new-text": ""}
    for claim in now.claims:
        if not claim.dropped:
            sent[f"c{claim.key}-text"] = claim.text
            sent[f"c{claim.key}-kind"] = claim.kind
            sent[f"c{claim.key}-severity"] = claim.severity
            sent[f"c{claim.key}-citations"] = list(claim.citations)
    return sent | dict(changes or {})


def send(client: Client, draft: AnswerDraft, action: str, changes: Written | None = None, *, htmx: bool = False) -> Any:
    page = address("draft", draft.job.project, draft.pk)
    return client.post(page, body(draft, action, changes), headers=HTMX if htmx else {})


def texts(draft: AnswerDraft) -> list[str]:
    return [claim.text for claim in standing_of(draft).claims if not claim.dropped]


def every_address(project: Project, draft: AnswerDraft) -> dict[str, list[str]]:
    reads, writes = ("extraction", "extraction-progress"), ("extraction-start", "extraction-stop")
    return {
        "get": [*(address(name, project) for name in reads), address("draft", project, draft.pk)],
        "post": [*(address(name, project) for name in writes), address("draft-set-aside", project, draft.pk)],
    }


def test_engineers_and_owners_open_every_page(project: Project, client: Client) -> None:
    draft = make_draft(project)
    for role in (Role.ENGINEER, Role.OWNER):
        member = make_member(project, role)
        assert member.user is not None
        client.force_login(member.user)
        for page in every_address(project, draft)["get"]:
            assert client.get(page).status_code == 200, page
            assert client.get(page, headers=HTMX).status_code == 200, page


def test_strangers_and_annotators_find_nothing(project: Project, client: Client) -> None:
    draft = make_draft(project)
    addresses = every_address(project, draft)
    annotator = make_member(project, Role.ANNOTATOR)
    assert annotator.user is not None
    for who in (annotator.user, make_user()):
        client.force_login(who)
        assert {client.get(page).status_code for page in addresses["get"]} == {404}
        posts = (*addresses["post"], address("draft", project, draft.pk))
        assert {client.post(page).status_code for page in posts} == {404}
    draft.refresh_from_db()
    assert draft.state == "drafted"


def test_writes_are_never_a_get_and_other_projects_are_not_found(
    project: Project, engineer: Membership, client: Client
) -> None:
    other = make_draft(make_project())
    assert {client.get(page).status_code for page in every_address(project, other)["post"]} == {405}
    assert client.get(address("draft", project, other.pk)).status_code == 404
    assert client.post(address("draft", project, other.pk), body(other, "accept")).status_code == 404
    assert client.post(address("draft-set-aside", project, other.pk)).status_code == 404


def test_an_extraction_is_started_once_and_shown_as_it_goes(
    project: Project, engineer: Membership, client: Client
) -> None:
    make_bare_answer(project)
    page = client.get(address("extraction", project)).content.decode()
    assert "Take them apart" in page
    for _ in range(2):
        answer = client.post(address("extraction-start", project), {"extractor": "rules"})
        assert (answer.status_code, answer.headers["Location"]) == (302, address("extraction", project))
    job = ExtractionJob.objects.get()
    assert job.created_by == engineer
    going = client.get(address("extraction-progress", project)).content.decode()
    assert 'hx-trigger="every 1s"' in going
    finish(job)
    done = client.get(address("extraction-progress", project)).content.decode()
    assert "hx-trigger" not in done
    assert "1 answer to review" in done
    assert "3 claims proposed by rules" in client.get(address("extraction", project)).content.decode()


def test_a_start_with_nothing_to_do_is_told_in_the_form(project: Project, engineer: Membership, client: Client) -> None:
    answer = client.post(address("extraction-start", project), {"extractor": "rules"})
    assert answer.status_code == 422
    assert "nothing to extract" in answer.content.decode()
    assert client.post(address("extraction-start", project), {"extractor": "guess"}).status_code == 422
    assert client.post(address("extraction-start", project), {"extractor": "rules", "most": "0"}).status_code == 422


def test_stopping_works_with_and_without_htmx_and_twice(project: Project, engineer: Membership, client: Client) -> None:
    make_bare_answer(project)
    start(project)
    answer = client.post(address("extraction-stop", project), headers=HTMX)
    assert answer.status_code == 200
    assert "HX-Request" in answer.headers["Vary"]
    assert client.post(address("extraction-stop", project)).status_code == 302
    assert not AnswerDraft.objects.exists()


def test_claude_is_not_started_without_a_key(
    project: Project, engineer: Membership, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    make_bare_answer(project)
    assert "ANTHROPIC_API_KEY is not set" in client.get(address("extraction", project)).content.decode()
    given = {"extractor": "claude", "budget_usd": "1"}
    answer = client.post(address("extraction-start", project), given)
    assert answer.status_code == 422
    assert not ExtractionJob.objects.exists()


def test_claude_needs_a_budget_and_says_what_it_would_cost(
    project: Project, engineer: Membership, client: Client, api: FakeMessagesApi
) -> None:
    make_bare_answer(project)
    page = client.post(address("extraction-start", project), {"extractor": "claude", "forecast": "1"})
    assert page.status_code == 200
    assert "at most $" in page.content.decode()
    answer = client.post(address("extraction-start", project), {"extractor": "claude"})
    assert answer.status_code == 422
    assert "budget is missing" in answer.content.decode()
    bad = client.post(address("extraction-start", project), {"extractor": "claude", "budget_usd": "1", "model": "gpt"})
    assert "expected the name of a Claude model" in bad.content.decode()
    assert not ExtractionJob.objects.exists()
    client.post(address("extraction-start", project), {"extractor": "claude", "budget_usd": "1"})
    assert ExtractionJob.objects.get().budget_usd == 1
    key = next(iter(api.keys), "sk-")
    assert key not in client.get(address("extraction", project)).content.decode()


def test_failures_stand_beside_their_answers(project: Project, engineer: Membership, client: Client) -> None:
    make_bare_answer(project)
    job = start(project)
    job.drafts.update(state="failed", outcome="refused", reason=HOSTILE)
    page = client.get(address("extraction", project), {"show": "without"}).content.decode()
    assert "refused" in page
    assert HOSTILE not in page


@pytest.mark.parametrize("show", ["review", "without", "reviewed"])
def test_lists_ask_the_same_number_of_queries_whatever_is_in_them(
    project: Project,
    engineer: Membership,
    client: Client,
    show: str,
    django_assert_num_queries: DjangoAssertNumQueries,
    django_assert_max_num_queries: DjangoAssertNumQueries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fill(count: int) -> None:
        for number in range(count):
            accept_draft(draft=make_draft(project, f"Reviewed {number} is here."), have=0, by=engineer)
            make_draft(project, f"Open {number} is here.")
        for number in range(count):
            make_bare_answer(project, f"Bare {number} is here.")
        AnswerDraft.objects.bulk_create(
            AnswerDraft(
                job=ExtractionJob.objects.filter(project=project)[0], answer=answer, state="failed", outcome="failed"
            )
            for answer in still_without(project)
        )

    monkeypatch.setattr(views, "PAGE", 50)
    fill(1)
    page = address("extraction", project)
    client.get(page, {"show": show})
    with django_assert_max_num_queries(13) as few:
        client.get(page, {"show": show})
    fill(4)
    with django_assert_num_queries(len(few.captured_queries)):
        client.get(page, {"show": show})


def test_the_list_is_paged(project: Project, engineer: Membership, client: Client) -> None:
    for number in range(views.PAGE + 1):
        make_bare_answer(project, f"Answer {number} is here.")
    finish(start(project))
    second = client.get(address("extraction", project), {"page": "2", "show": "review"})
    assert len(second.context["rows"]) == 1
    assert "show=review&amp;page=1" in second.content.decode()


def test_the_desk_shows_answer_sources_and_what_markers_point_at(
    project: Project, engineer: Membership, client: Client
) -> None:
    draft = make_draft(project, f"Refunds take 14 days [1][7]. {HOSTILE} is here [2].", question=HOSTILE)
    page = client.get(address("draft", project, draft.pk)).content.decode()
    assert HOSTILE not in page
    assert "What s-one says." in page
    assert "is number 1 of the retrieved sources" in page
    assert "points at nothing" in page
    assert page.count("<mark>") == 2


def test_one_button_keeps_what_was_written_into_every_row(
    project: Project, engineer: Membership, client: Client
) -> None:
    draft = make_draft(project)
    written: Written = {"c1-text": "Refunds take two weeks.", "c3-citations": ["s-two"], "new-text": " It is  closed. "}
    answer = send(client, draft, "drop-2", written)
    assert (answer.status_code, answer.headers["Location"]) == (302, address("draft", project, draft.pk))
    assert texts(draft) == ["Refunds take two weeks.", "The shop opened in May.", "It is closed."]
    assert standing_of(draft).claims[2].citations == ("s-two",)
    assert DraftRevision.objects.get().by == engineer


def test_split_merge_put_back_and_undo_by_form(project: Project, engineer: Membership, client: Client) -> None:
    draft = make_draft(project)
    send(client, draft, "split-1", {"c1-text": "Refunds take\r\n14 days."})
    assert texts(draft)[:2] == ["Refunds take", "14 days."]
    send(client, draft, "merge-1")
    assert texts(draft)[0] == "Refunds take 14 days."
    send(client, draft, "drop-1")
    send(client, draft, "restore-1")
    assert len(texts(draft)) == 3
    for _ in range(4):
        send(client, draft, "undo")
    assert standing_of(draft).claims == proposals_of(draft)


def test_a_step_that_cannot_be_taken_loses_nothing_that_was_written(
    project: Project, engineer: Membership, client: Client
) -> None:
    draft = make_draft(project)
    for htmx in (False, True):
        answer = send(client, draft, "split-1", {"c2-text": "Written just now."}, htmx=htmx)
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "put a line break" in page
        assert "Written just now." in page
    assert not DraftRevision.objects.exists()


def test_with_htmx_the_changed_part_comes_back(project: Project, engineer: Membership, client: Client) -> None:
    draft = make_draft(project)
    answer = send(client, draft, "drop-1", htmx=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.lstrip().startswith('<section class="claims"')
    assert 'id="draft-answer" dir="auto" hx-swap-oob="true"' in page
    assert 'id="id_c2-text" rows="2" dir="auto" data-key="2" autofocus' in page
    assert "HX-Request" in answer.headers["Vary"]


def test_accepting_keeps_what_was_written_and_goes_on_to_the_next(
    project: Project, engineer: Membership, client: Client
) -> None:
    draft, following = make_draft(project), make_draft(project, "The office is closed.")
    sent = body(draft, "accept") | {"c1-text": "Refunds take two weeks."}
    answer: HttpResponse = client.post(address("draft", project, draft.pk), sent)  # type: ignore[assignment]  # the test client's own type
    assert answer.headers["Location"] == address("draft", project, following.pk)
    assert Claim.objects.filter(answer=draft.answer).values_list("text", flat=True)[0] == "Refunds take two weeks."
    again = client.post(address("draft", project, draft.pk), sent)
    assert again.status_code == 302
    assert Claim.objects.filter(answer=draft.answer).count() == 3
    last = send(client, following, "accept", htmx=True)
    assert last.headers["HX-Redirect"] == address("extraction", project)
    page = client.get(address("draft", project, draft.pk)).content.decode()
    assert "of 3 proposed 2 kept, 1 edited" in page
    assert "draft-form" not in page


def test_an_answer_that_got_claims_meanwhile_says_so(project: Project, engineer: Membership, client: Client) -> None:
    draft = make_draft(project)
    make_claim(project, answer=draft.answer)
    assert "got claims by another way" in client.get(address("draft", project, draft.pk)).content.decode()
    answer = send(client, draft, "accept")
    assert answer.status_code == 422
    assert "has claims by now" in answer.content.decode()


def test_a_page_that_is_out_of_date_is_told(project: Project, engineer: Membership, client: Client) -> None:
    draft = make_draft(project)
    old = body(draft, "drop-1")
    send(client, draft, "drop-2")
    answer = client.post(address("draft", project, draft.pk), old)
    assert answer.status_code == 422
    assert "Somebody has changed these claims" in answer.content.decode()
    for have in ("99", "-1", "x", "9" * 30):
        assert client.post(address("draft", project, draft.pk), old | {"have": have}).status_code == 422, have


def test_a_source_that_the_answer_does_not_have_cannot_be_cited(
    project: Project, engineer: Membership, client: Client
) -> None:
    draft = make_draft(project)
    answer = send(client, draft, "save", {"c1-citations": ["elsewhere"], "c1-kind": "opinion"})
    assert answer.status_code == 422
    assert not DraftRevision.objects.exists()


def test_laying_drafts_aside_is_once(project: Project, engineer: Membership, client: Client) -> None:
    draft = make_draft(project)
    for _ in range(2):
        assert client.post(address("draft-set-aside", project, draft.pk)).status_code == 302
    draft.refresh_from_db()
    assert draft.state == "set-aside"
    assert "laid aside" in client.get(address("draft", project, draft.pk)).content.decode()
