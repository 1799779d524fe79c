import uuid
from typing import Any

import pytest
from django.utils import timezone

from labelling.access import Seat
from labelling.models import Claim, Evidence, Label, Project, Skip, Slot
from labelling.services.labels import Span, Submission, SubmissionError, submit_label
from labelling.services.queue import take_next
from labelling.services.skips import last_act, skip_claim, withdraw_skip
from tests.factories import make_claim, make_member, make_project, make_source

pytestmark = pytest.mark.django_db


def a_seat(project: Project) -> Seat:
    return Seat(project, make_member(project))


def said(verdict: str = "absent", **fields: Any) -> Submission:
    return Submission(client_id=fields.pop("client_id", uuid.uuid4()), verdict=verdict, **fields)


def cited_claim(project: Project, text: str = "Returns take 14 days.", span: tuple[int, int] | None = (0, 7)) -> Claim:
    return make_claim(project, source=make_source(project, text), span=span)


def test_a_label_takes_the_leased_place() -> None:
    project = make_project()
    claim = cited_claim(project)
    seat = a_seat(project)
    take_next(seat=seat)
    label = submit_label(seat=seat, claim=claim, given=said("stated")).label
    assert not label.surplus
    assert label.guide_version == project.current_guide
    assert list(claim.slots.filter(annotator=seat.member).values_list("state", flat=True)) == ["done"]


def test_the_same_client_id_again_makes_no_second_label() -> None:
    project = make_project()
    claim = cited_claim(project)
    seat = a_seat(project)
    first = submit_label(seat=seat, claim=claim, given=said("stated", client_id=uuid.UUID(int=7)))
    again = submit_label(seat=seat, claim=claim, given=said("absent", client_id=uuid.UUID(int=7)))
    assert again.again
    assert again.label == first.label
    assert Label.objects.get().verdict == "stated"


def test_a_client_id_of_another_claim_is_refused() -> None:
    project = make_project()
    one, two = cited_claim(project), cited_claim(project)
    seat = a_seat(project)
    submit_label(seat=seat, claim=one, given=said("stated", client_id=uuid.UUID(int=7)))
    with pytest.raises(SubmissionError, match="another claim"):
        submit_label(seat=seat, claim=two, given=said("stated", client_id=uuid.UUID(int=7)))


def test_a_change_is_a_new_revision_and_the_old_one_stays() -> None:
    project = make_project()
    claim = cited_claim(project)
    seat = a_seat(project)
    submit_label(seat=seat, claim=claim, given=said("stated"))
    submit_label(seat=seat, claim=claim, given=said("partial"))
    assert list(Label.objects.values_list("revision", "verdict")) == [(1, "stated"), (2, "partial")]
    assert Label.objects.counted().get().verdict == "partial"
    assert Slot.objects.filter(state="done").count() == 1


def test_a_label_after_a_lost_lease_takes_another_free_place() -> None:
    project = make_project(overlap=2)
    claim = cited_claim(project)
    seat = a_seat(project)
    label = submit_label(seat=seat, claim=claim, given=said()).label
    assert not label.surplus
    assert Slot.objects.filter(state="done", annotator=seat.member).count() == 1


def test_a_label_over_the_target_is_kept_and_marked() -> None:
    project = make_project(overlap=1)
    claim = cited_claim(project)
    seat = a_seat(project)
    submit_label(seat=a_seat(project), claim=claim, given=said())
    late = submit_label(seat=seat, claim=claim, given=said("partial")).label
    assert late.surplus
    assert Label.objects.counted().filter(claim=claim).count() == 1


def test_the_live_lease_of_somebody_else_is_not_taken() -> None:
    project = make_project(overlap=1)
    claim = cited_claim(project)
    take_next(seat=a_seat(project))
    assert submit_label(seat=a_seat(project), claim=claim, given=said()).label.surplus


def test_quotes_are_cut_by_the_server_in_code_points() -> None:
    project = make_project()
    text = "😀 Cafe\u0301\r\n\u05e2\u05d1\u05e8\u05d9\u05ea  ok"
    source = make_source(project, text)
    claim = make_claim(project, source=source)
    spans = (Span(source.pk, 2, 7), Span(source.pk, 9, 14))
    submit_label(seat=a_seat(project), claim=claim, given=said("partial", spans=spans))
    assert list(Evidence.objects.values_list("quote", flat=True)) == ["Cafe\u0301", text[9:14]]


def test_the_cited_span_is_the_evidence_where_none_was_marked() -> None:
    project = make_project()
    claim = cited_claim(project)
    submit_label(seat=a_seat(project), claim=claim, given=said("stated"))
    assert Evidence.objects.get().quote == "Returns"


def test_absent_rests_on_nothing_unless_something_was_marked() -> None:
    project = make_project()
    claim = cited_claim(project)
    submit_label(seat=a_seat(project), claim=claim, given=said("absent", source_opened=True))
    assert not Evidence.objects.exists()
    assert Label.objects.get().source_opened is True


@pytest.mark.parametrize("verdict", ["stated", "partial", "contradicted"])
def test_without_a_cited_span_a_verdict_on_the_source_needs_evidence(verdict: str) -> None:
    project = make_project()
    claim = cited_claim(project, span=None)
    with pytest.raises(SubmissionError, match="Mark the words") as caught:
        submit_label(seat=a_seat(project), claim=claim, given=said(verdict))
    assert caught.value.field == "evidence"
    assert not Label.objects.exists()


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 2), (0, 22), (30, 40)])
def test_a_span_outside_the_source_is_refused(start: int, end: int) -> None:
    project = make_project()
    claim = cited_claim(project, "Returns take 14 days.")
    source = claim.citations.get().source
    with pytest.raises(SubmissionError, match="21 characters"):
        submit_label(seat=a_seat(project), claim=claim, given=said("stated", spans=(Span(source.pk, start, end),)))


def test_a_span_in_a_source_that_is_not_cited_is_refused() -> None:
    project = make_project()
    claim = cited_claim(project)
    other = make_source(project)
    with pytest.raises(SubmissionError, match="cites"):
        submit_label(seat=a_seat(project), claim=claim, given=said("stated", spans=(Span(other.pk, 0, 3),)))


def test_severity_is_needed_where_the_project_asks() -> None:
    project = make_project(ask_severity=True)
    claim = cited_claim(project)
    with pytest.raises(SubmissionError, match="critical or minor"):
        submit_label(seat=a_seat(project), claim=claim, given=said())


def test_a_stated_claim_keeps_no_kind_of_invention() -> None:
    project = make_project()
    claim = cited_claim(project)
    given = said("stated", invention="bridging-inference")
    assert submit_label(seat=a_seat(project), claim=claim, given=given).label.invention == ""


def test_a_skipped_claim_goes_to_others_and_never_back() -> None:
    project = make_project(overlap=1)
    claim = cited_claim(project)
    seat, other = a_seat(project), a_seat(project)
    take_next(seat=seat)
    skip_claim(seat=seat, claim=claim, reason="language")
    skip_claim(seat=seat, claim=claim, reason="language")
    assert Skip.objects.count() == 1
    assert take_next(seat=seat).claims == ()
    assert take_next(seat=other).claims == (claim.pk,)


def test_a_skip_taken_back_brings_the_claim_back() -> None:
    project = make_project(overlap=1)
    claim = cited_claim(project)
    seat = a_seat(project)
    skip_claim(seat=seat, claim=claim, reason="other")
    assert withdraw_skip(seat=seat, claim=claim)
    assert not withdraw_skip(seat=seat, claim=claim)
    assert take_next(seat=seat).claims == (claim.pk,)


def test_skipping_a_labelled_claim_takes_the_label_back_and_keeps_it_readable() -> None:
    project = make_project(overlap=1)
    claim = cited_claim(project)
    seat, other = a_seat(project), a_seat(project)
    submit_label(seat=seat, claim=claim, given=said("stated"))
    skip_claim(seat=seat, claim=claim, reason="not-a-claim")
    assert list(Label.objects.values_list("revision", "withdrawn")) == [(1, False), (2, True)]
    assert not Label.objects.counted().exists()
    assert not submit_label(seat=other, claim=claim, given=said()).label.surplus
    assert Label.objects.counted().get().annotator == other.member


def test_labelling_a_skipped_claim_takes_the_skip_back() -> None:
    project = make_project()
    claim = cited_claim(project)
    seat = a_seat(project)
    skip_claim(seat=seat, claim=claim, reason="other")
    submit_label(seat=seat, claim=claim, given=said())
    assert Skip.objects.get().withdrawn


def test_the_last_act_is_found_step_by_step_backwards() -> None:
    project = make_project()
    one, two, three = cited_claim(project), cited_claim(project), cited_claim(project)
    seat = a_seat(project)
    assert last_act(seat=seat) is None
    submit_label(seat=seat, claim=one, given=said())
    skip_claim(seat=seat, claim=two, reason="other")
    submit_label(seat=seat, claim=three, given=said())
    steps: list[tuple[int, str] | None] = []
    before: int | None = None
    for _ in range(4):
        act = last_act(seat=seat, before=before)
        steps.append((act.claim_id, act.kind) if act else None)
        before = act.claim_id if act else before
    assert steps == [(three.pk, "label"), (two.pk, "skip"), (one.pk, "label"), None]


def test_labels_of_others_are_never_the_last_act() -> None:
    project = make_project()
    submit_label(seat=a_seat(project), claim=cited_claim(project), given=said())
    assert last_act(seat=a_seat(project)) is None


def test_a_label_carries_the_moment_it_was_made() -> None:
    before = timezone.now()
    project = make_project()
    label = submit_label(seat=a_seat(project), claim=cited_claim(project), given=said()).label
    assert before <= label.created <= timezone.now()
