import pytest

from labelling.gold import Gold, consensus, gold_by_claim
from labelling.models import ConsensusRule
from tests.factories import make_adjudication, make_claim, make_label, make_labels, make_member, make_project

MAJORITY, UNANIMOUS = ConsensusRule.MAJORITY, ConsensusRule.UNANIMOUS


@pytest.mark.parametrize(
    ("verdicts", "rule", "expected"),
    [
        ([], MAJORITY, None),
        (["absent"], MAJORITY, "absent"),
        (["absent", "stated", "absent"], MAJORITY, "absent"),
        (["absent", "stated"], MAJORITY, None),
        (["absent", "stated", "partial"], MAJORITY, None),
        (["absent", "stated", "absent", "stated", "partial"], MAJORITY, None),
        (["absent", "stated", "absent"], UNANIMOUS, None),
        (["absent", "absent", "absent"], UNANIMOUS, "absent"),
    ],
)
def test_consensus_is_what_the_labels_agree_on_and_a_tie_has_none(
    verdicts: list[str], rule: str, expected: str | None
) -> None:
    assert consensus(verdicts, rule=rule) == expected
    assert consensus(reversed(verdicts), rule=rule) == expected


@pytest.mark.django_db
def test_adjudication_outranks_the_consensus_and_settles_a_tie() -> None:
    project = make_project()
    people = [make_member(project) for _ in range(2)]
    agreed, overruled, tied, settled = (make_claim(project) for _ in range(4))
    for claim, verdicts in (
        (agreed, ["stated", "stated"]),
        (overruled, ["stated", "stated"]),
        (tied, ["stated", "absent"]),
        (settled, ["stated", "absent"]),
    ):
        make_labels(claim, people, verdicts)
    for claim in (overruled, settled):
        make_adjudication(claim, people[0], "stated")
        make_adjudication(claim, people[0], "contradicted", revision=2)
    assert gold_by_claim(project) == {
        agreed.pk: Gold("stated", "consensus"),
        overruled.pk: Gold("contradicted", "adjudication"),
        settled.pk: Gold("contradicted", "adjudication"),
    }


@pytest.mark.django_db
def test_labels_that_do_not_count_and_other_projects_make_no_gold() -> None:
    project = make_project()
    who, other = make_member(project), make_member(project)
    surplus, withdrawn, again = (make_claim(project) for _ in range(3))
    make_label(surplus, who, surplus=True)
    make_label(withdrawn, who)
    make_label(withdrawn, who, revision=2, withdrawn=True)
    make_label(again, who, "absent")
    make_label(again, who, "partial", revision=2)
    make_label(again, other, "stated", surplus=True)
    elsewhere = make_claim(make_project())
    make_label(elsewhere, who)
    assert gold_by_claim(project) == {again.pk: Gold("partial", "consensus")}
    assert gold_by_claim(project, claim_ids=[surplus.pk]) == {}
