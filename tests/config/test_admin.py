"""Evidence is read-only in the administrators' view, for a superuser too; set-up can be changed."""

import uuid
from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judges.models import Chunk, Judge, Judgement, JudgeVersion, Run
from labelling.models import (
    Adjudication,
    Answer,
    AnswerLabel,
    Citation,
    Claim,
    Evidence,
    GoldenItem,
    GoldenSet,
    GuideVersion,
    Label,
    Membership,
    PlannedClaim,
    Project,
    Role,
    SamplingPlan,
    Skip,
    Slot,
    Source,
)
from reports.models import ApiToken, Certificate, ImportJob, Look
from tests.factories import make_adjudication, make_claim, make_label, make_member, make_project, make_user

pytestmark = pytest.mark.django_db

SET_UP: tuple[type[Model], ...] = (Project, Membership, GuideVersion)
EVIDENCE: tuple[type[Model], ...] = (
    Source,
    Answer,
    Claim,
    Citation,
    Label,
    Evidence,
    Slot,
    Skip,
    SamplingPlan,
    PlannedClaim,
    AnswerLabel,
    Adjudication,
    GoldenSet,
    GoldenItem,
    Judge,
    JudgeVersion,
    Run,
    Chunk,
    Judgement,
    Look,
    Certificate,
    ImportJob,
    ApiToken,
)


def superuser() -> Client:
    client = Client()
    client.force_login(make_user(is_staff=True, is_superuser=True))
    return client


def url(model: type[Model], action: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{action}", args=args)


def one_of_everything(number: int) -> None:
    project = make_project()
    owner, reader = make_member(project, Role.OWNER), make_member(project)
    claim = make_claim(project, external_id=f"c{number}")
    source = claim.citations.get().source
    guide = project.guide_versions.get()
    make_label(claim, reader, evidence=[(source, 0, 4)], guide_version=guide)
    make_adjudication(claim, owner, guide_version=guide)
    Skip.objects.create(claim=claim, annotator=reader, reason="other")
    plan = SamplingPlan.objects.create(project=project, by=owner, number=1, labels=1, seed=1, frame=1, draws=[])
    PlannedClaim.objects.create(plan=plan, claim=claim, turn=1, chance=0.5, at_random=True, fresh=True)
    AnswerLabel.objects.create(answer=claim.answer, annotator=reader, correct=True, created="2026-01-01T00:00:00Z")
    golden = GoldenSet.objects.create(project=project, name="set", version=1, hash="0" * 64)
    GoldenItem.objects.create(
        golden_set=golden, claim=claim, external_id=claim.external_id, verdict="absent", split="test", item={}
    )
    judge = Judge.objects.create(project=project, name="quotes", type="quotes")
    version = JudgeVersion.objects.create(judge=judge, number=1, policy="strict", fingerprint=uuid.uuid4().hex * 2)
    run = Run.objects.create(project=project, judge_version=version, claims_total=1)
    Chunk.objects.create(run=run, position=1, claim_ids=[claim.pk])
    Judgement.objects.create(run=run, claim=claim, outcome="judged", verdict="stated", input_hash="0" * 64)
    Look.objects.create(project=project, member=owner, judge_version=version, page="compare")
    Certificate.objects.create(
        judge_version=version, golden_set=golden, policy="strict", partial_is_unsupported=True, figures={}
    )
    ImportJob.objects.create(project=project, member=owner, token=uuid.uuid4(), name=f"claims-{number}.csv", size=9)
    ApiToken.objects.create(
        project=project, created_by=owner, name="nightly", prefix=uuid.uuid4().hex[:8], hash="0" * 64
    )


def test_every_model_is_in_one_of_the_two_lists() -> None:
    ours = {m for m in admin.site._registry if m._meta.app_label in ("labelling", "judges", "reports")}
    assert ours >= {*SET_UP, *EVIDENCE}
    for model in ours - {*SET_UP}:
        assert not admin.site._registry[model].get_exclude(None, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("model", EVIDENCE)
def test_superuser_reads_evidence_and_cannot_touch_it(model: type[Model]) -> None:
    one_of_everything(1)
    client = superuser()
    row = model._default_manager.first()
    assert row is not None
    before = list(model._default_manager.values())
    assert client.get(url(model, "changelist")).status_code == 200
    assert client.get(url(model, "change", row.pk)).status_code == 200
    assert client.get(url(model, "add")).status_code == 403
    data: dict[str, Any] = {"verdict": "absent", "text": "forged", "note": "forged"}
    assert client.post(url(model, "change", row.pk), data).status_code == 403
    assert client.post(url(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    client.post(url(model, "changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
    assert list(model._default_manager.values()) == before


@pytest.mark.parametrize("model", [*SET_UP, *EVIDENCE])
def test_every_list_is_searched_filtered_and_costs_the_same_however_long(
    model: type[Model], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = superuser()
    options = admin.site._registry[model]
    assert options.search_fields
    counts = []
    for upto in (1, 6):
        for number in range(upto):
            one_of_everything(number)
        assert client.get(url(model, "changelist"), {"q": "c1"}).status_code == 200
        with django_assert_max_num_queries(12) as asked:
            assert client.get(url(model, "changelist")).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_guide_that_labels_remember_is_read_only_and_a_fresh_one_is_not() -> None:
    one_of_everything(1)
    used = GuideVersion.objects.get()
    fresh = make_project().guide_versions.get()
    client = superuser()
    data = {"policy": "inference", "text": "# Changed", "cases": "{}"}
    assert client.post(url(GuideVersion, "change", used.pk), data).status_code == 403
    assert client.post(url(GuideVersion, "delete", used.pk), {"post": "yes"}).status_code == 403
    assert client.post(url(GuideVersion, "change", fresh.pk), data).status_code == 302
    used.refresh_from_db()
    fresh.refresh_from_db()
    assert (used.text, fresh.text) == ("# Guide", "# Changed")
    assert client.get(url(GuideVersion, "add")).status_code == 403


def test_project_made_here_starts_with_a_guide_and_its_overlap_opens_places() -> None:
    client = superuser()
    data = {"slug": "made-here", "name": "Made here", "overlap": 2, "consensus_rule": "majority", "lease_minutes": 30}
    assert client.post(url(Project, "add"), data).status_code == 302
    project = Project.objects.get(slug="made-here")
    assert project.guide_versions.get().number == 1
    claim = make_claim(project)
    assert client.post(url(Project, "change", project.pk), {**data, "overlap": 4}).status_code == 302
    assert claim.slots.count() == 4


def test_roles_can_be_changed_here() -> None:
    member = make_member(make_project())
    data = {"role": "engineer", "pseudonym": member.pseudonym, "user": member.user_id}
    assert superuser().post(url(Membership, "change", member.pk), data).status_code == 302
    member.refresh_from_db()
    assert member.role == Role.ENGINEER


def test_staff_without_permissions_see_nothing() -> None:
    one_of_everything(1)
    client = Client()
    client.force_login(make_user(is_staff=True))
    for model in (*SET_UP, *EVIDENCE):
        assert client.get(url(model, "changelist")).status_code == 403
