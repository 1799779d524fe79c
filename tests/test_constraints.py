"""The rules of the domain hold in the database itself: each constraint is broken once, and none is left untried."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from judges.models import (
    AnswerDraft,
    Chunk,
    DraftRevision,
    Extraction,
    ExtractionJob,
    Intent,
    Judge,
    Judgement,
    JudgeVersion,
    Run,
)
from labelling.models import (
    AnswerLabel,
    Change,
    Citation,
    Evidence,
    GoldenItem,
    GoldenSet,
    GuideVersion,
    Membership,
    PlannedClaim,
    Project,
    SamplingPlan,
    Skip,
    Slot,
)
from reports.models import ApiToken, Certificate, ChosenThreshold, ImportJob, Release
from tests.factories import (
    make_adjudication,
    make_answer,
    make_claim,
    make_label,
    make_member,
    make_project,
    make_source,
    make_user,
)

NOW = timezone.now()
SOON = NOW + timedelta(minutes=5)


class World:
    """One of everything, for the breakers below to add a second one that may not be."""

    def __init__(self) -> None:
        self.project = make_project(slug="world", overlap=2, guide=False)
        self.user = make_user("ada")
        self.member = make_member(self.project, user=self.user, pseudonym="ann-01")
        self.other = make_member(self.project, pseudonym="ann-02")
        self.guide = GuideVersion.objects.create(project=self.project, number=1, policy="strict", text="")
        self.source = make_source(self.project, "Returns within 14 days.", external_id="s1")
        self.answer = make_answer(self.project, external_id="a1")
        self.claim = make_claim(self.project, answer=self.answer, source=self.source, external_id="c1", span=(0, 7))
        self.label = make_label(self.claim, self.member, "absent", client_id=uuid.UUID(int=1))
        self.evidence = Evidence.objects.create(label=self.label, source=self.source, start=0, end=7, quote="Returns")
        self.adjudication = make_adjudication(self.claim, self.other, client_id=uuid.UUID(int=1))
        self.slot = self.claim.slots.get(position=1)
        Slot.objects.filter(pk=self.slot.pk).update(state="done", annotator=self.member)
        self.skip = Skip.objects.create(claim=self.claim, annotator=self.member, reason="other")
        AnswerLabel.objects.create(answer=self.answer, annotator=self.member, created=NOW)
        self.golden = GoldenSet.objects.create(project=self.project, name="g", version=1, hash="0" * 64)
        self.golden_item(external_id="c1")
        self.judge = Judge.objects.create(project=self.project, name="j", type="lexical")
        self.version = self.judge_version(number=1, fingerprint="f1")
        self.run = Run.objects.create(project=self.project, judge_version=self.version, claims_total=1)
        self.chunk = Chunk.objects.create(run=self.run, position=1, claim_ids=[self.claim.pk])
        self.judgement()
        self.intent()
        self.extraction()
        self.job = ExtractionJob.objects.create(project=self.project, extractor="rules", fingerprint="f")
        self.draft = AnswerDraft.objects.create(
            job=self.job, answer=self.answer, state="drafted", extraction=Extraction.objects.get()
        )
        self.draft_revision()
        self.certificate()
        self.plan = self.plan_with(number=1)
        self.planned()
        self.release()
        self.chosen_threshold()

    def certificate(self, **fields: Any) -> None:
        whole = {"policy": "strict", "partial_is_unsupported": True, "guarantee": "", "figures": {}}
        Certificate.objects.create(
            judge_version=self.version,
            golden_set=self.golden,
            fingerprint="f",
            golden_hash="h",
            data_hash="d",
            **whole | fields,
        )

    def chosen_threshold(self, **fields: Any) -> None:
        ChosenThreshold.objects.create(
            **{"judge_version": self.version, "way": "kappa", "record": {}, "digest": "d"} | fields
        )

    def api_token(self, **fields: Any) -> ApiToken:
        whole = {"project": self.project, "name": "pipeline", "prefix": "p1", "hash": "h"}
        return ApiToken.objects.create(**whole | fields)

    def golden_item(self, **fields: Any) -> None:
        GoldenItem.objects.create(
            **{"golden_set": self.golden, "claim": self.claim, "verdict": "absent", "split": "test", "item": {}}
            | fields
        )

    def judge_version(self, **fields: Any) -> JudgeVersion:
        return JudgeVersion.objects.create(**{"judge": self.judge, "policy": "strict", "config": {}} | fields)

    def judgement(self, **fields: Any) -> None:
        Judgement.objects.create(
            **{"run": self.run, "claim": self.claim, "outcome": "judged", "verdict": "stated", "input_hash": "h"}
            | fields
        )

    def intent(self, **fields: Any) -> None:
        Intent.objects.create(**{"run": self.run, "claim": self.claim, "counted_usd": 1} | fields)

    def extraction(self, **fields: Any) -> None:
        Extraction.objects.create(**{"answer_hash": "a", "extractor": "e", "claims": []} | fields)

    def draft_revision(self, **fields: Any) -> None:
        DraftRevision.objects.create(**{"draft": self.draft, "number": 1, "before": 0, "claims": []} | fields)

    def release(self, **fields: Any) -> None:
        whole = {"project": self.project, "system": "bot", "name": "2.0", "at": NOW}
        Release.objects.create(**whole | fields)

    def draft_with(self, **fields: Any) -> None:
        AnswerDraft.objects.filter(pk=self.draft.pk).update(**fields)

    def plan_with(self, **fields: Any) -> SamplingPlan:
        whole = {"project": self.project, "number": 2, "labels": 1, "seed": 1, "frame": 1, "draws": []}
        return SamplingPlan.objects.create(**whole | fields)

    def planned(self, **fields: Any) -> None:
        whole = {"plan": self.plan, "claim": self.claim, "turn": 1, "chance": 0.5, "at_random": True, "fresh": True}
        PlannedClaim.objects.create(**whole | fields)

    def label_again(self, **fields: Any) -> None:
        make_label(self.claim, fields.pop("annotator", self.member), **{"revision": 2} | fields)

    def project_with(self, **fields: Any) -> None:
        Project.objects.create(**{"slug": "second", "name": "Second"} | fields)


BREAKERS: dict[str, Callable[[World], object]] = {
    "project_overlap_1_to_10": lambda w: w.project_with(overlap=11),
    "project_lease_at_least_a_minute": lambda w: w.project_with(lease_minutes=0),
    "project_rule_known": lambda w: w.project_with(consensus_rule="loudest"),
    "membership_pseudonym_once": lambda w: make_member(w.project, pseudonym="ann-01"),
    "membership_user_once": lambda w: make_member(w.project, user=w.user),
    "membership_role_known": lambda w: Membership.objects.create(project=w.project, role="boss", pseudonym="x"),
    "guide_version_number_once": lambda w: GuideVersion.objects.create(
        project=w.project, number=1, policy="strict", text=""
    ),
    "guide_policy_known": lambda w: GuideVersion.objects.create(project=w.project, number=2, policy="lax", text=""),
    "source_id_once": lambda w: make_source(w.project, external_id="s1"),
    "answer_id_once": lambda w: make_answer(w.project, external_id="a1"),
    "answer_split_known": lambda w: make_answer(w.project, split="training"),
    "claim_id_once": lambda w: make_claim(w.project, external_id="c1"),
    "claim_kind_known": lambda w: make_claim(w.project, kind="opinion"),
    "claim_severity_known": lambda w: make_claim(w.project, severity="grave"),
    "claim_weight_positive": lambda w: make_claim(w.project, weight=0),
    "citation_order_once": lambda w: Citation.objects.create(claim=w.claim, order=1, source=w.source),
    "citation_span_whole": lambda w: Citation.objects.create(claim=w.claim, order=2, source=w.source, start=3),
    "slot_position_once": lambda w: Slot.objects.create(project=w.project, claim=w.claim, position=1),
    "slot_never_the_same_claim_twice": lambda w: Slot.objects.filter(claim=w.claim, position=2).update(
        state="leased", annotator=w.member, leased_until=SOON
    ),
    "slot_state_whole": lambda w: Slot.objects.filter(claim=w.claim, position=2).update(state="leased"),
    "skip_standing_once": lambda w: Skip.objects.create(claim=w.claim, annotator=w.member, reason="other"),
    "skip_reason_known": lambda w: Skip.objects.create(claim=w.claim, annotator=w.other, reason="bored"),
    "plan_number_once": lambda w: w.plan_with(number=1),
    "plan_labels_1_to_10": lambda w: w.plan_with(labels=11),
    "plan_split_known": lambda w: w.plan_with(split="training"),
    "planned_claim_once": lambda w: w.planned(),
    "planned_chance_above_0_to_1": lambda w: w.planned(plan=w.plan_with(), chance=0.0),
    "label_revision_once": lambda w: w.label_again(revision=1),
    "label_submit_once": lambda w: w.label_again(client_id=uuid.UUID(int=1)),
    "label_verdict_known": lambda w: w.label_again(verdict="fine"),
    "label_invention_only_where_not_stated": lambda w: w.label_again(verdict="stated", invention="bridging-inference"),
    "label_severity_known": lambda w: w.label_again(severity="grave"),
    "label_confidence_known": lambda w: w.label_again(confidence="very"),
    "evidence_span_whole": lambda w: Evidence.objects.create(label=w.label, source=w.source, start=5, end=5, quote=""),
    "evidence_once": lambda w: Evidence.objects.create(label=w.label, source=w.source, start=0, end=7, quote=""),
    "answer_label_revision_once": lambda w: AnswerLabel.objects.create(
        answer=w.answer, annotator=w.member, created=NOW
    ),
    "change_shard_once": lambda w: Change.objects.bulk_create(
        [Change(project=w.project.pk, part="verdicts", shard=-1, n=1) for _ in range(2)]
    ),
    "adjudication_revision_once": lambda w: make_adjudication(w.claim, w.other),
    "adjudication_submit_once": lambda w: make_adjudication(w.claim, w.other, revision=2, client_id=uuid.UUID(int=1)),
    "adjudication_verdict_known": lambda w: make_adjudication(w.claim, w.other, "fine", revision=2),
    "golden_set_version_once": lambda w: GoldenSet.objects.create(project=w.project, name="g", version=1, hash="1"),
    "golden_item_once": lambda w: w.golden_item(external_id="c1"),
    "golden_item_verdict_known": lambda w: w.golden_item(external_id="c2", verdict="fine"),
    "golden_item_split_known": lambda w: w.golden_item(external_id="c2", split="training"),
    "judge_name_once": lambda w: Judge.objects.create(project=w.project, name="j", type="quotes"),
    "judge_version_number_once": lambda w: w.judge_version(number=1, fingerprint="f2"),
    "judge_version_fingerprint_once": lambda w: w.judge_version(number=2, fingerprint="f1"),
    "judge_version_policy_known": lambda w: w.judge_version(number=2, fingerprint="f2", policy="lax"),
    "run_state_known": lambda w: Run.objects.filter(pk=w.run.pk).update(state="lost"),
    "run_active_once_a_version": lambda w: Run.objects.create(
        project=w.project, judge_version=w.version, claims_total=1
    ),
    "chunk_position_once": lambda w: Chunk.objects.create(run=w.run, position=1, claim_ids=[]),
    "chunk_state_whole": lambda w: Chunk.objects.filter(pk=w.chunk.pk).update(state="leased"),
    "judgement_once_a_claim": lambda w: w.judgement(),
    "judgement_verdict_only_where_judged": lambda w: w.judgement(replaced=True, outcome="failed", verdict="absent"),
    "judgement_outcome_known": lambda w: w.judgement(replaced=True, outcome="shrug", verdict=""),
    "judgement_cost_and_time": lambda w: w.judgement(replaced=True, outcome="failed", verdict="", cost_usd=-1),
    "judgement_reused_cost_and_time": lambda w: w.judgement(replaced=True, outcome="failed", verdict="", reused_usd=-1),
    "judgement_only_failures_are_replaced": lambda w: w.judgement(replaced=True),
    "run_budget_no_less_than_nothing": lambda w: Run.objects.filter(pk=w.run.pk).update(budget_usd=-1),
    "run_over_budget_is_stopped": lambda w: Run.objects.filter(pk=w.run.pk).update(over_budget=True, budget_usd=1),
    "run_probe_known_and_seeded": lambda w: Run.objects.filter(pk=w.run.pk).update(probe="silence"),
    "intent_open_once_a_claim": lambda w: w.intent(),
    "intent_state_known": lambda w: w.intent(state="lost"),
    "intent_counts_no_less_than_nothing": lambda w: w.intent(state="settled", counted_usd=-1),
    "extraction_once": lambda w: w.extraction(),
    "extraction_cost": lambda w: w.extraction(answer_hash="b", cost_usd=-1),
    "extraction_budget_no_less_than_nothing": lambda w: ExtractionJob.objects.update(budget_usd=-1),
    "extraction_over_a_budget_it_has": lambda w: ExtractionJob.objects.update(over_budget=True),
    "draft_once_a_job": lambda w: AnswerDraft.objects.create(
        job=w.job, answer=w.answer, state="failed", outcome="refused"
    ),
    "draft_live_once_an_answer": lambda w: AnswerDraft.objects.create(
        job=ExtractionJob.objects.create(project=w.project, extractor="rules", fingerprint="f"), answer=w.answer
    ),
    "draft_state_whole": lambda w: w.draft_with(state="working", extraction=None),
    "draft_text_asked_by_one": lambda w: AnswerDraft.objects.bulk_create(
        AnswerDraft(job=w.job, answer=answer, state="working", leased_until=timezone.now(), asking="t")
        for answer in (make_answer(w.project), make_answer(w.project))
    ),
    "draft_outcome_only_where_failed": lambda w: w.draft_with(outcome="refused"),
    "draft_rests_on_an_extraction": lambda w: w.draft_with(extraction=None),
    "draft_accepted_at_a_time": lambda w: w.draft_with(state="accepted"),
    "draft_every_proposal_counted_once": lambda w: w.draft_with(proposed=2, kept=1),
    "draft_cost": lambda w: w.draft_with(cost_usd=-1),
    "draft_revision_once": lambda w: w.draft_revision(),
    "draft_revision_goes_back": lambda w: w.draft_revision(number=2, before=2),
    "certificate_once": lambda w: w.certificate(),
    "release_name_once": lambda w: w.release(at=SOON),
    "release_moment_once": lambda w: w.release(name="2.1"),
    "certificate_policy_known": lambda w: w.certificate(policy="lenient"),
    "chosen_threshold_once": lambda w: w.chosen_threshold(),
    "chosen_threshold_way_known": lambda w: w.chosen_threshold(way="whim", digest="e"),
    "api_token_name_once": lambda w: [w.api_token(prefix=prefix) for prefix in ("p1", "p2")],
    "api_token_revoked_at_a_time": lambda w: w.api_token(revoked_by=w.member),
    "import_job_state_known": lambda w: ImportJob.objects.create(
        project=w.project, member=w.member, token=uuid.uuid4(), name="f", size=1, state="lost"
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", BREAKERS)
def test_database_refuses_what_breaks_the_rule(name: str) -> None:
    world = World()
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        BREAKERS[name](world)
    # SQLite names the columns of a unique constraint, PostgreSQL its name; a check is named by both.
    said = str(refusal.value)
    assert name in said or "UNIQUE constraint failed" in said


def test_no_constraint_is_left_untried() -> None:
    ours = {
        constraint.name
        for app in ("labelling", "judges", "reports")
        for model in apps.get_app_config(app).get_models()
        for constraint in model._meta.constraints
    }
    assert ours == set(BREAKERS)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "what", ["project", "member", "claim", "label", "source", "answer", "version", "run", "golden"]
)
def test_what_evidence_rests_on_cannot_be_deleted(what: str) -> None:
    world = World()
    with pytest.raises(ProtectedError):
        getattr(world, what).delete()
