"""Rows become the arrays they stand for."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from labelling.gold import gold_by_claim
from labelling.models import ConsensusRule, Role
from reports.bridge import VERDICT_CODE, read_rows, selected_ids
from reports.selection import Selection
from tests.factories import (
    make_adjudication,
    make_answer,
    make_claim,
    make_claims,
    make_label,
    make_labels,
    make_member,
    make_project,
    make_source,
)
from tests.reports.rows import labelled_claims, make_run, make_version, small_project

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rule", list(ConsensusRule))
def test_gold_is_the_gold_of_labelling(rule: ConsensusRule) -> None:
    project = make_project(consensus_rule=rule)
    people = [make_member(project) for _ in range(3)]
    claims = make_claims(project, 6, slots=False)
    for claim, verdicts in zip(
        claims,
        [
            ("stated", "stated", "absent"),
            ("stated", "absent", "partial"),
            ("absent", "absent", "absent"),
            ("contradicted", "absent", "absent"),
            ("stated", "partial", "absent"),
        ],
        strict=False,
    ):
        make_labels(claim, people, verdicts)
    make_adjudication(claims[4], make_member(project, Role.OWNER), "contradicted")
    rows = read_rows(project, version_ids=[])
    found = {int(claim): int(code) for claim, code in zip(rows.claim, rows.gold, strict=True) if code >= 0}
    assert found == {claim: VERDICT_CODE[gold.verdict] for claim, gold in gold_by_claim(project).items()}
    assert found[claims[4].pk] == VERDICT_CODE["contradicted"]


def test_surplus_withdrawn_and_second_labels_are_not_counted() -> None:
    project = make_project()
    one, two = make_member(project), make_member(project)
    claim, other, empty = make_claims(project, 3, slots=False)
    make_label(claim, one, "stated")
    make_label(claim, one, "absent", revision=2)
    make_label(claim, two, "stated", surplus=True)
    make_label(other, one, "stated")
    make_label(other, one, "stated", revision=2, withdrawn=True)
    rows = read_rows(project, version_ids=[]).comparable()
    assert rows.claim.tolist() == [claim.pk]
    assert rows.labels.tolist() == [[VERDICT_CODE["absent"]]]
    assert empty.pk not in rows.claim


def test_targeted_claims_are_left_out_and_their_number_is_kept() -> None:
    project, claims = small_project(["stated", "absent", "absent"])
    claims[0].targeted = True
    claims[0].save()
    rows = read_rows(project, version_ids=[]).comparable()
    assert rows.claim.tolist() == [claim.pk for claim in claims[1:]]
    assert rows.targeted_left_out == 1


def test_the_newest_run_that_holds_a_claim_has_the_say() -> None:
    project, claims = small_project(["stated", "absent", "absent"])
    version = make_version(project)
    make_run(version, dict(zip(claims, ["stated", "stated", "stated"], strict=True)))
    make_run(version, {claims[1]: "absent", claims[2]: "refused"}, score=None)
    column = read_rows(project, version_ids=[version.pk]).judge(version.pk)
    assert column.verdict.tolist() == [0, 2, 4]
    assert np.isnan(column.score[2])


def test_a_claim_outside_every_run_has_no_verdict_code() -> None:
    project, claims = small_project(["stated", "absent"])
    version = make_version(project)
    make_run(version, {claims[0]: "stated"})
    column = read_rows(project, version_ids=[version.pk]).judge(version.pk)
    assert column.verdict.tolist() == [0, -1]
    assert np.isnan(column.cost[1])


def test_a_cached_judgement_costs_what_the_original_did() -> None:
    project, claims = small_project(["stated"])
    version = make_version(project)
    first = make_run(version, {claims[0]: "stated"}, cost_usd="0.25", seconds=2.0).judgements.get()
    make_run(version, {claims[0]: "stated"}, cached_from=first)
    column = read_rows(project, version_ids=[version.pk]).judge(version.pk)
    assert (column.cost.tolist(), column.seconds.tolist()) == ([0.25], [2.0])


def test_a_replaced_failure_is_not_read() -> None:
    project, claims = small_project(["stated"])
    version = make_version(project)
    make_run(version, {claims[0]: "failed"}, replaced=True)
    assert read_rows(project, version_ids=[version.pk]).judge(version.pk).verdict.tolist() == [-1]


def test_filters_pick_by_cited_collection_kind_severity_system_and_split() -> None:
    project = make_project()
    wanted = make_claim(
        project,
        answer=make_answer(project, system="bot", split="test"),
        source=make_source(project, collection="scanned-pdf"),
        kind="date",
        severity="critical",
    )
    make_claim(project, source=make_source(project, collection="help-centre"), kind="figure")
    for given in ({"collection": "scanned-pdf"}, {"kind": "date"}, {"severity": "critical"}, {"system": "bot"}):
        assert selected_ids(project, Selection(split="both", **given)).tolist() == [wanted.pk], given
    assert selected_ids(project, Selection(split="test")).tolist() == [wanted.pk]
    assert wanted.pk not in selected_ids(project, Selection())
    assert wanted.pk not in selected_ids(project, Selection(split="both", kind="none"))


def test_reading_takes_as_many_queries_for_many_claims_as_for_few() -> None:
    project = make_project()
    people = [make_member(project) for _ in range(3)]
    version = make_version(project)
    counts = []
    for _ in range(2):
        claims = labelled_claims(project, ["stated", "absent"] * 5, people=people)
        make_run(version, dict.fromkeys(claims, "stated"))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            read_rows(project, version_ids=[version.pk])
        counts.append(len(queries))
    assert counts == [4, 4]
