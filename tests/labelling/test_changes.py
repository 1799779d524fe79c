"""The database notes every change of what figures rest on, whoever makes it, and nobody waits for it."""

import threading
import uuid
from collections.abc import Callable

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model, Sum
from django.utils import timezone

from judges.models import Judge, Judgement, JudgeVersion
from labelling.changes import ANSWERS, VERDICTS
from labelling.models import (
    Adjudication,
    Answer,
    AnswerLabel,
    Change,
    Citation,
    Claim,
    Label,
    Project,
    Source,
)
from tests.factories import make_adjudication, make_claim, make_label, make_member, make_project, make_source
from tests.reports.rows import make_run, make_version

pytestmark = pytest.mark.django_db

IN_PLACE: dict[type[Model], dict[str, object]] = {
    Source: {"collection": "other"},
    Answer: {"system": "other"},
    Claim: {"kind": "date"},
    Citation: {"order": 7},
    Label: {"surplus": True},
    Adjudication: {"verdict": "partial"},
    AnswerLabel: {"correct": False},
    Judge: {"name": "other"},
    JudgeVersion: {"policy": "inference"},
    Judgement: {"seconds": 5.0},
}


def noted(project: Project, part: str = VERDICTS) -> int | None:
    found: int | None = Change.objects.filter(project=project.pk, part=part).aggregate(n=Sum("n"))["n"]
    return found


def one_of_each(project: Project) -> dict[type[Model], Callable[[], Model]]:
    """For each watched table, what adds a row to it."""
    member, claim, source = make_member(project), make_claim(project), make_source(project)
    version = make_version(project)
    run = make_run(version, {})
    return {
        Source: lambda: make_source(project),
        Answer: lambda: Answer.objects.create(project=project, external_id="new", split="test"),
        Claim: lambda: Claim.objects.create(project=project, answer=claim.answer, external_id="new", text="It is so."),
        Citation: lambda: Citation.objects.create(claim=claim, source=source, order=5),
        Label: lambda: make_label(claim, member, "absent"),
        Adjudication: lambda: make_adjudication(claim, member, "absent"),
        AnswerLabel: lambda: AnswerLabel.objects.create(
            answer=claim.answer, annotator=member, correct=True, created=timezone.now()
        ),
        Judge: lambda: Judge.objects.create(project=project, name="new", type="lexical"),
        JudgeVersion: lambda: make_version(project, number=2),
        Judgement: lambda: Judgement.objects.create(
            run=run, claim=claim, outcome="judged", verdict="stated", input_hash="0" * 64
        ),
    }


@pytest.mark.parametrize("table", IN_PLACE, ids=lambda table: table.__name__)
def test_a_row_that_comes_changes_or_goes_is_noted_for_its_project_alone(table: type[Model]) -> None:
    project, other = make_project(), make_project()
    add = one_of_each(project)[table]
    part = ANSWERS if table is AnswerLabel else VERDICTS
    seen = [noted(project, part)]
    elsewhere = [noted(other), noted(project, VERDICTS if part == ANSWERS else ANSWERS)]
    row = add()
    seen.append(noted(project, part))
    table._default_manager.filter(pk=row.pk).update(**IN_PLACE[table])
    seen.append(noted(project, part))
    table._default_manager.filter(pk=row.pk)._raw_delete(using="default")
    seen.append(noted(project, part))
    assert len(set(seen)) == 4
    assert [noted(other), noted(project, VERDICTS if part == ANSWERS else ANSWERS)] == elsewhere


def test_many_rows_in_one_statement_are_noted() -> None:
    project = make_project()
    before = noted(project)
    Source.objects.bulk_create(Source(project=project, external_id=f"s{n}", text="x") for n in range(3))
    assert noted(project) != before


def test_what_was_said_in_a_test_of_a_judge_is_no_change() -> None:
    project = make_project()
    claim, version = make_claim(project), make_version(project)
    before = noted(project)
    make_run(version, {claim: "absent"}, probe="repetition")
    assert noted(project) == before
    make_run(version, {claim: "absent"})
    assert noted(project) != before


def test_what_was_rolled_back_left_no_number_that_comes_again() -> None:
    project = make_project()
    before, numbers = noted(project), set()
    for _ in range(5):
        with transaction.atomic():
            make_source(project)
            numbers.add(noted(project))
            transaction.set_rollback(True)
    assert noted(project) == before
    assert len(numbers) == 5


def test_a_project_can_be_deleted_with_all_it_has() -> None:
    project = make_project()
    make_claim(project)
    Citation.objects.filter(claim__project=project).delete()
    project.delete()
    assert not Claim.objects.filter(project_id=project.pk).exists()


def test_every_table_of_claims_and_evidence_that_figures_read_is_watched() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger'"
            if connection.vendor == "sqlite"
            else "SELECT event_object_table FROM information_schema.triggers"
        )
        there = [table for (table,) in cursor.fetchall()]
    assert {table._meta.db_table for table in IN_PLACE} <= {table for table in there if there.count(table) == 3}
    assert set(there) <= {model._meta.db_table for model in apps.get_models()}


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_another_persons_open_transaction() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer; DATABASE_URL names a PostgreSQL database")
    project = make_project()
    claims, people = [make_claim(project) for _ in range(2)], [make_member(project) for _ in range(2)]
    before = noted(project) or 0
    open_, saved = threading.Event(), threading.Event()
    seen: list[int] = []

    def hold() -> None:
        try:
            with transaction.atomic():
                make_label(claims[0], people[0], "absent", client_id=uuid.uuid4())
                open_.set()
                saved.wait(20)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert open_.wait(20)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '2s'")
        make_label(claims[1], people[1], "absent", client_id=uuid.uuid4())
    seen.append(noted(project) or 0)
    saved.set()
    holder.join()
    seen.append(noted(project) or 0)  # the transaction that began first ended last, and is noted all the same
    assert before < seen[0] < seen[1]
