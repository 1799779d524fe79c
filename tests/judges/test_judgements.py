from decimal import Decimal

import pytest
from django.db import connection

from judges.models import Judgement
from judges.protocol import Opinion, Outcome, Verdict
from judges.services.inputs import claim_inputs
from judges.services.judgements import LONGEST_TEXT, judgement_row
from tests.factories import make_claim, make_claims, make_project, make_source
from tests.judges.factories import make_version, start

pytestmark = pytest.mark.django_db


def kept(opinion: Opinion) -> Judgement:
    """The opinion after it has been through the database."""
    project = make_project()
    claim = make_claim(project)
    row = judgement_row(start(make_version(project)), claim_inputs([claim.pk])[0], opinion)
    Judgement.objects.bulk_create([row])
    return Judgement.objects.get()


def test_what_no_database_keeps_is_replaced_and_the_verdict_stays() -> None:
    row = kept(
        Opinion(
            outcome=Outcome.JUDGED,
            verdict=Verdict.STATED,
            quote="a\x00b",
            reason="half \ud83d a pair",
            detail={"seen": ["x\x00", {"deep\x00": "\udc00"}], "n": 1},
        )
    )
    assert (row.verdict, row.quote, row.reason) == ("stated", "a\ufffdb", "half \ufffd a pair")
    assert row.detail == {"seen": ["x\ufffd", {"deep\ufffd": "\ufffd"}], "n": 1}


@pytest.mark.parametrize("detail", [{"x": float("nan")}, {"x": object()}, {"x": {1, 2}}])
def test_detail_that_is_no_json_makes_a_failure_and_no_verdict(detail: dict[str, object]) -> None:
    row = kept(Opinion(outcome=Outcome.JUDGED, verdict=Verdict.STATED, detail=detail, cost_usd=Decimal("0.5")))
    assert (row.outcome, row.verdict, row.cost_usd) == ("failed", "", Decimal("0.5"))
    assert "not plain JSON" in row.reason


def test_an_absurdly_long_reason_is_cut_with_a_mark_and_an_absurd_cost_capped() -> None:
    row = kept(Opinion(outcome=Outcome.FAILED, reason="x" * 10**6, cost_usd=Decimal(10**9)))
    assert len(row.reason) == LONGEST_TEXT
    assert row.reason.endswith("…")
    assert row.cost_usd == Decimal("999999.999999")


def test_a_judge_is_given_every_cited_text_with_its_place() -> None:
    project = make_project()
    first = make_source(project, "First.", title="One", fields={"days": 14})
    second = make_source(project, "Second.")
    claim = make_claim(project, "Both say so.", source=first, span=(0, 5), kind="date", severity="critical")
    claim.citations.create(order=2, source=second)
    (given,) = claim_inputs([claim.pk, 10**9])
    assert (given.claim_id, given.text, given.kind, given.severity) == (claim.pk, "Both say so.", "date", "critical")
    assert given.answer == claim.answer.text
    assert [(one.order, one.text, one.start, one.end) for one in given.cited] == [
        (1, "First.", 0, 5),
        (2, "Second.", None, None),
    ]
    assert dict(given.cited[0].fields) == {"days": 14}


def test_a_cited_source_without_text_does_not_resolve() -> None:
    project = make_project()
    claim = make_claim(project, source=make_source(project, " \n", title="Made for an unknown id"))
    claim.citations.create(order=2, source=make_source(project, "", fields={"window_days": 14}))
    claim.citations.create(order=3, source=make_source(project, "Within 14 days."))
    (given,) = claim_inputs([claim.pk])
    assert [one.resolved for one in given.cited] == [False, True, True]


def test_inputs_take_the_same_queries_however_many_claims() -> None:
    project = make_project()
    ids = [claim.pk for claim in make_claims(project, 30)]
    with connection.execute_wrapper(counter := _Counter()):
        claim_inputs(ids)
    assert counter.count == 4


class _Counter:
    count = 0

    def __call__(self, execute: object, sql: str, params: object, many: bool, context: object) -> object:
        self.count += 1
        return execute(sql, params, many, context)  # type: ignore[operator]
