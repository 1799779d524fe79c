"""Answers on their way to claims: asked of an extractor, reviewed by a person, accepted once."""

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from judges.models.extraction import Extraction
from judges.protocol import FAILURES
from labelling.models import Answer, Claim, Membership, Project


class ExtractionJob(models.Model):
    """One extractor version over some answers. Which answers is fixed when it starts, as its drafts."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    extractor = models.CharField(max_length=40, help_text="Name of the extractor.")
    config = models.JSONField(default=dict, blank=True)
    fingerprint = models.CharField(max_length=64, help_text="Fingerprint of the extractor version.")
    budget_usd = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, help_text="It stops before it would cost more."
    )
    over_budget = models.BooleanField(
        default=False, help_text="A further call could have passed the budget; what was not asked is left out."
    )
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(over_budget=False) | Q(budget_usd__isnull=False), name="extraction_over_a_budget_it_has"
            ),
            models.CheckConstraint(
                condition=Q(budget_usd__isnull=True) | Q(budget_usd__isnull=False, budget_usd__gte=0),
                name="extraction_budget_no_less_than_nothing",
            ),
        ]

    def __str__(self) -> str:
        return f"extraction {self.pk} by {self.extractor}"


class AnswerDraftQuerySet(models.QuerySet["AnswerDraft"]):
    def live(self) -> "AnswerDraftQuerySet":
        """Those that stand for their answer: neither failed nor set aside."""
        return self.exclude(state__in=[AnswerDraft.State.FAILED, AnswerDraft.State.SET_ASIDE])

    def for_review(self) -> "AnswerDraftQuerySet":
        """Those that a person may review: claims are proposed, and the answer got none by another way meanwhile."""
        return self.filter(~Exists(Claim.objects.filter(answer=OuterRef("answer"))), state=AnswerDraft.State.DRAFTED)


class AnswerDraft(models.Model):
    """One answer of a job: waiting, being worked on, asked for money, failed, drafted, accepted or set aside.

    The counts say what the person who accepted made of the proposals; they are written with the claims, once.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        WORKING = "working", "Being worked on"
        ASKED = "asked", "Asked"
        FAILED = "failed", "Failed"
        DRAFTED = "drafted", "To review"
        ACCEPTED = "accepted", "Reviewed"
        SET_ASIDE = "set-aside", "Set aside"

    job = models.ForeignKey(ExtractionJob, on_delete=models.PROTECT, related_name="drafts")
    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempt = models.PositiveIntegerField(
        default=0, help_text="Later writes name it: a worker that lost its lease writes nothing."
    )
    asking = models.CharField(
        max_length=64, blank=True, help_text="The text and extractor version that a worker is about to pay for."
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    counted_usd = models.DecimalField(
        max_digits=12,
        decimal_places=6,
        default=0,
        help_text="What it counts against the budget: the most it can cost until it is answered, then what it did cost.",
    )
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    outcome = models.CharField(max_length=20, blank=True, help_text="How it failed, where it did.")
    reason = models.TextField(blank=True)
    extraction = models.ForeignKey(Extraction, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    accepted = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    proposed = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    edited = models.PositiveIntegerField(default=0)
    split = models.PositiveIntegerField(default=0)
    merged = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)
    added = models.PositiveIntegerField(default=0)
    made = models.PositiveIntegerField(default=0, help_text="Claims that came of it.")

    objects = AnswerDraftQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["job", "answer"], name="draft_once_a_job"),
            models.UniqueConstraint(
                fields=["answer"], condition=~Q(state__in=["failed", "set-aside"]), name="draft_live_once_an_answer"
            ),
            # Two workers with the same text in the same moment: one of them asks.
            models.UniqueConstraint(
                fields=["asking"],
                condition=Q(state__in=["working", "asked"]) & ~Q(asking=""),
                name="draft_text_asked_by_one",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["working", "asked"], leased_until__isnull=False)
                | Q(state__in=["waiting", "failed", "drafted", "accepted", "set-aside"], leased_until__isnull=True),
                name="draft_state_whole",
            ),
            models.CheckConstraint(
                condition=Q(state="failed", outcome__in=list(FAILURES)) | (~Q(state="failed") & Q(outcome="")),
                name="draft_outcome_only_where_failed",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["drafted", "accepted", "set-aside"], extraction__isnull=False)
                | Q(state__in=["waiting", "working", "asked", "failed"], extraction__isnull=True),
                name="draft_rests_on_an_extraction",
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", accepted__isnull=False)
                | (~Q(state="accepted") & Q(accepted__isnull=True)),
                name="draft_accepted_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(proposed=F("kept") + F("edited") + F("split") + F("merged") + F("dropped")),
                name="draft_every_proposal_counted_once",
            ),
            models.CheckConstraint(condition=Q(cost_usd__gte=0) & Q(counted_usd__gte=0), name="draft_cost"),
        ]

    def __str__(self) -> str:
        return f"{self.job_id}/{self.answer_id} {self.state}"


class DraftRevision(models.Model):
    """The draft claims of an answer after one more step of its review. Append-only: undoing is a step too."""

    draft = models.ForeignKey(AnswerDraft, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    before = models.PositiveIntegerField(
        help_text="The revision that undoing this step goes back to; 0 is as proposed."
    )
    action = models.CharField(max_length=20)
    claims = models.JSONField(help_text="Every draft claim, the dropped ones too, in order.")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["draft", "number"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="draft_revision_once"),
            models.CheckConstraint(condition=Q(number__gte=1, before__lt=F("number")), name="draft_revision_goes_back"),
        ]

    def __str__(self) -> str:
        return f"{self.draft_id} r{self.number} {self.action}"
