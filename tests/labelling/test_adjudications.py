import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from labelling.models import Adjudication, Claim, Label, Membership, Project, Role
from labelling.services.adjudications import (
    SettledMeanwhileError,
    disagreements,
    flagged_unclear,
    hear,
    next_disagreement,
    previous_disagreement,
    queue_rows,
    settle,
    settled,
    unclear,
)
from tests.factories import (
    make_adjudication,
    make_claim,
    make_label,
    make_labels,
    make_member,
    make_project,
    make_source,
)

pytestmark = pytest.mark.django_db


def readers(project: Project, count: int = 3) -> list[Membership]:
    return [make_member(project) for _ in range(count)]


def claim_with(project: Project, people: list[Membership], *verdicts: str) -> Claim:
    claim = make_claim(project)
    make_labels(claim, people[: len(verdicts)], list(verdicts))
    return claim


def waiting(project: Project, *, ties_only: bool = False) -> list[Claim]:
    claims = Claim.objects.in_bulk(ids := list(disagreements(project, ties_only=ties_only)))
    return [claims[pk] for pk in ids]


def test_only_claims_whose_readers_differ_wait_and_the_oldest_is_first() -> None:
    project = make_project()
    people = readers(project)
    first = claim_with(project, people, "stated", "absent", "stated")
    claim_with(project, people, "stated", "stated", "stated")
    claim_with(project, people, "absent")
    claim_with(project, people)
    last = claim_with(project, people, "partial", "absent")
    assert waiting(project) == [first, last]


def test_claims_of_other_projects_do_not_wait_here() -> None:
    project, other = make_project(), make_project()
    claim_with(other, readers(other), "stated", "absent")
    assert waiting(project) == []


def test_settled_claim_waits_no_more() -> None:
    project = make_project()
    claim = claim_with(project, readers(project), "stated", "absent")
    make_adjudication(claim, make_member(project, Role.OWNER))
    assert waiting(project) == []


@pytest.mark.parametrize("left_out", [{"surplus": True}, {"withdrawn": True}, {"occasion": 2}])
def test_labels_that_do_not_count_make_no_disagreement(left_out: dict[str, Any]) -> None:
    project = make_project()
    people = readers(project)
    claim = claim_with(project, people, "stated", "stated")
    make_label(claim, people[2], "absent", **left_out)
    assert waiting(project) == []


def test_reader_who_came_round_ends_the_disagreement() -> None:
    project = make_project()
    people = readers(project)
    claim = claim_with(project, people, "stated", "absent")
    make_label(claim, people[1], "stated", revision=2)
    assert waiting(project) == []


def test_ties_are_where_no_verdict_is_ahead() -> None:
    project = make_project(overlap=4)
    people = readers(project, 4)
    two = claim_with(project, people, "stated", "absent")
    claim_with(project, people, "stated", "absent", "stated")
    three = claim_with(project, people, "stated", "absent", "partial")
    even = claim_with(project, people, "contradicted", "absent", "contradicted", "absent")
    claim_with(project, people, "contradicted", "absent", "contradicted", "stated")
    assert waiting(project, ties_only=True) == [two, three, even]
    assert len(waiting(project)) == 5


def test_under_the_unanimous_rule_every_difference_is_without_consensus() -> None:
    project = make_project(consensus_rule="unanimous")
    claim = claim_with(project, readers(project), "stated", "absent", "stated")
    assert waiting(project, ties_only=True) == [claim]


def test_neighbours_in_the_queue_pass_over_what_agrees() -> None:
    project = make_project()
    people = readers(project)
    first = claim_with(project, people, "stated", "absent", "absent")
    agreed = claim_with(project, people, "stated", "stated")
    last = claim_with(project, people, "stated", "absent")
    assert next_disagreement(project, after=first.pk) == last.pk
    assert next_disagreement(project, after=last.pk) is None
    assert previous_disagreement(project, before=last.pk) == first.pk
    assert previous_disagreement(project, before=last.pk, ties_only=True) is None
    assert next_disagreement(project, after=agreed.pk) == last.pk


def test_row_counts_verdicts_in_their_fixed_order() -> None:
    project = make_project()
    claim = claim_with(project, readers(project), "absent", "stated", "absent")
    assert queue_rows([claim.pk])[0].counts == (("stated", 1), ("absent", 2))


def test_readers_keep_their_letters_on_one_claim_and_are_shuffled_between_claims() -> None:
    project = make_project()
    people = readers(project)
    orders = set()
    for _ in range(12):
        claim = claim_with(project, people, "stated", "absent", "partial")
        once = [reader.label.annotator_id for reader in hear(claim).readers]
        assert once == [reader.label.annotator_id for reader in hear(claim).readers]
        assert [reader.letter for reader in hear(claim).readers] == ["A", "B", "C"]
        orders.add(tuple(once))
    assert len(orders) > 1


def test_evidence_is_laid_over_the_source_with_its_readers_letters() -> None:
    project = make_project()
    people = readers(project, 2)
    source = make_source(project, "🧥 coats go back within 14 days")
    claim = make_claim(project, source=source, span=(2, 15))
    make_label(claim, people[0], "stated", evidence=[(source, 8, 22)])
    make_label(claim, people[1], "partial", evidence=[(source, 16, 30)])
    hearing = hear(claim)
    first, second = (next(r for r in hearing.readers if r.label.annotator == who) for who in people)
    pieces = [(p.text, set(p.css.split()), p.starts) for p in hearing.sheets[0].lines[0]]
    a, b = f"lane-{first.lane}", f"lane-{second.lane}"
    assert pieces == [
        ("🧥 ", set(), ""),
        ("coats ", {"cited"}, ""),
        ("go back", {"cited", a}, first.letter),
        (" ", {a}, ""),
        ("within", {a, b}, second.letter),
        (" 14 days", {b}, ""),
    ]
    assert not hearing.sheets[0].cited_whole


def test_source_cited_without_a_span_is_said_to_be_cited_whole() -> None:
    project = make_project()
    claim = claim_with(project, readers(project), "stated", "absent")
    assert hear(claim).sheets[0].cited_whole


def test_same_submit_twice_makes_one_adjudication() -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    claim = claim_with(project, readers(project), "stated", "absent")
    client_id = uuid.uuid4()
    made = {settle(claim=claim, by=owner, client_id=client_id, verdict="absent", reason="reading").pk for _ in range(2)}
    assert len(made) == Adjudication.objects.count() == 1


def test_retry_of_a_settled_submit_is_harmless_after_a_correction() -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    claim = claim_with(project, readers(project), "stated", "absent")
    client_id = uuid.uuid4()
    first = settle(claim=claim, by=owner, client_id=client_id, verdict="absent", reason="reading")
    settle(claim=claim, by=owner, client_id=uuid.uuid4(), verdict="stated", reason="other", based_on=1)
    again = settle(claim=claim, by=owner, client_id=client_id, verdict="absent", reason="reading")
    assert again == first
    assert claim.adjudications.count() == 2


def test_correction_is_a_new_revision_and_the_old_one_stays() -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    claim = claim_with(project, readers(project), "stated", "absent")
    settle(claim=claim, by=owner, client_id=uuid.uuid4(), verdict="absent", reason="reading", note="no")
    settle(claim=claim, by=owner, client_id=uuid.uuid4(), verdict="partial", reason="other", based_on=1)
    assert list(claim.adjudications.values_list("revision", "verdict", "note")) == [
        (1, "absent", "no"),
        (2, "partial", ""),
    ]
    assert [row.verdict for row in settled(project)] == ["partial"]


def test_verdict_of_another_is_not_overruled_unseen() -> None:
    project = make_project()
    one, two = make_member(project, Role.OWNER), make_member(project, Role.OWNER)
    claim = claim_with(project, readers(project), "stated", "absent")
    settle(claim=claim, by=one, client_id=uuid.uuid4(), verdict="absent", reason="reading")
    with pytest.raises(SettledMeanwhileError, match="settled as absent"):
        settle(claim=claim, by=two, client_id=uuid.uuid4(), verdict="stated", reason="reading")
    assert claim.adjudications.count() == 1


def test_labels_stay_as_they_are_when_a_claim_is_settled() -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    claim = claim_with(project, readers(project), "stated", "absent")
    before = list(Label.objects.values())
    settle(claim=claim, by=owner, client_id=uuid.uuid4(), verdict="absent", reason="reading")
    assert list(Label.objects.values()) == before


def test_adjudication_remembers_the_guide_it_was_made_under() -> None:
    project = make_project()
    claim = claim_with(project, readers(project), "stated", "absent")
    made = settle(
        claim=claim, by=make_member(project, Role.OWNER), client_id=uuid.uuid4(), verdict="absent", reason="reading"
    )
    assert made.guide_version == project.current_guide


def test_unclear_lists_standing_ones_alone_latest_first() -> None:
    project = make_project()
    owner = make_member(project, Role.OWNER)
    people = readers(project)
    now = timezone.now()
    old, new, cleared = (claim_with(project, people, "stated", "absent") for _ in range(3))
    make_adjudication(old, owner, reason="guide-unclear", created=now - timedelta(days=1))
    make_adjudication(new, owner, reason="guide-unclear", created=now)
    make_adjudication(cleared, owner, reason="guide-unclear")
    make_adjudication(cleared, owner, reason="guide-applied", revision=2)
    assert [row.claim for row in unclear(project)] == [new, old]


def test_flagged_claims_come_with_the_number_of_readers_who_flagged() -> None:
    project = make_project()
    people = readers(project)
    claim = make_claim(project)
    make_label(claim, people[0], flag="guide-unclear")
    make_label(claim, people[1], flag="guide-unclear")
    make_label(claim, people[2], flag="other")
    claim_with(project, people, "stated")
    assert [(row.pk, row.flags) for row in flagged_unclear(project)] == [(claim.pk, 2)]  # type: ignore[attr-defined]
