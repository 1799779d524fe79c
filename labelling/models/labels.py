"""What people said of a claim. Append-only: a change is a new revision, and the old one stays readable."""

from datetime import datetime

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from labelling.models.claims import Answer, Claim, Source
from labelling.models.projects import GuideVersion, Membership, Project
from labelling.models.vocabulary import Confidence, Invention, Severity, Verdict


class SlotQuerySet(models.QuerySet["Slot"]):
    def free(self, now: datetime) -> "SlotQuerySet":
        """Places that may be taken: open ones, and those whose lease ran out."""
        gone = Q(state=Slot.State.LEASED, leased_until__lt=now)
        # The exclusion says nothing new; it lets both databases use the index of places that are not done.
        return self.exclude(state=Slot.State.DONE).filter(Q(state=Slot.State.OPEN) | gone)

    def unseen_by(self, member: Membership) -> "SlotQuerySet":
        """Places of claims that the person has neither labelled nor skipped nor holds a place of."""
        return self.filter(
            ~Exists(Slot.objects.filter(claim=OuterRef("claim"), annotator=member)),
            ~Exists(Label.objects.filter(claim=OuterRef("claim"), annotator=member)),
            ~Exists(Skip.objects.filter(claim=OuterRef("claim"), annotator=member, withdrawn=False)),
        )

    def held_by(self, member: Membership) -> "SlotQuerySet":
        """Places leased to the person, run out or not, the one handed out first in front."""
        return self.filter(annotator=member, state=Slot.State.LEASED).order_by("leased_until", "claim_id")


class Slot(models.Model):
    """One of the places that a claim has for a label: overlap of them a claim, so no claim gets more.

    A slot is taken by a conditional UPDATE (`... WHERE id = ? AND state = 'open'`): one row changed means that it
    is yours, on SQLite and on PostgreSQL alike. A lease that ran out may be taken over in the same way.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        LEASED = "leased", "Leased"
        DONE = "done", "Done"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="slots")
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="slots")
    position = models.PositiveSmallIntegerField()
    occasion = models.PositiveSmallIntegerField(
        default=1, help_text="2 and up where the same person is shown the claim again on purpose."
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    annotator = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="slots")
    leased_until = models.DateTimeField(null=True, blank=True)
    turn = models.PositiveIntegerField(
        null=True, blank=True, help_text="Where a plan drew the claim, its place in the queue before all others."
    )

    objects = SlotQuerySet.as_manager()

    class Meta:
        ordering = ["claim", "position"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "position"], name="slot_position_once"),
            models.UniqueConstraint(
                fields=["claim", "annotator", "occasion"],
                condition=Q(annotator__isnull=False),
                name="slot_never_the_same_claim_twice",
            ),
            models.CheckConstraint(
                condition=Q(state="open", annotator__isnull=True, leased_until__isnull=True)
                | Q(state="leased", annotator__isnull=False, leased_until__isnull=False)
                | Q(state="done", leased_until__isnull=True),
                name="slot_state_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "claim"], condition=~Q(state="done"), name="slot_waiting"),
            models.Index(
                fields=["project", "turn"], condition=~Q(state="done") & Q(turn__isnull=False), name="slot_planned"
            ),
            models.Index(fields=["annotator", "turn"], condition=Q(turn__isnull=False), name="slot_turn_of_annotator"),
            models.Index(fields=["annotator", "state", "claim"], name="slot_of_annotator"),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id}/{self.position} {self.state}"


class Skip(models.Model):
    """A claim that a person did not label, and why; it is not offered to them again."""

    class Reason(models.TextChoices):
        NOT_A_CLAIM = "not-a-claim", "Not a claim: an opinion, a greeting, an offer"
        UNCLEAR_CLAIM = "unclear-claim", "The claim cannot be understood"
        UNREADABLE_SOURCE = "unreadable-source", "The source cannot be read"
        LANGUAGE = "language", "I do not read this language well enough"
        OTHER = "other", "Something else"

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="skips")
    annotator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="skips")
    reason = models.CharField(max_length=30, choices=Reason.choices)
    note = models.TextField(blank=True)
    withdrawn = models.BooleanField(default=False, help_text="Undone by the person who skipped.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "annotator"], condition=Q(withdrawn=False), name="skip_standing_once"
            ),
            models.CheckConstraint(
                condition=Q(reason__in=["not-a-claim", "unclear-claim", "unreadable-source", "language", "other"]),
                name="skip_reason_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} skipped: {self.reason}"


class LabelQuerySet(models.QuerySet["Label"]):
    def current(self) -> "LabelQuerySet":
        """The last revision of each person's label of each claim."""
        newer = Label.objects.filter(
            claim=OuterRef("claim"),
            annotator=OuterRef("annotator"),
            occasion=OuterRef("occasion"),
            revision__gt=OuterRef("revision"),
        )
        return self.filter(~Exists(newer))

    def counted(self) -> "LabelQuerySet":
        """Current labels that enter figures: no surplus, first showing, no withdrawn ones."""
        return self.current().filter(surplus=False, occasion=1, withdrawn=False)


class Label(models.Model):
    """One annotator's verdict on one claim, one revision of it."""

    class Flag(models.TextChoices):
        SOURCE_FAULT = "source-fault", "The source is broken at this place"
        SOURCE_CONTRADICTS_ITSELF = "source-contradicts-itself", "The source contradicts itself"
        REFERENT_MISSING = "referent-missing", "The claim lacks what it refers to"
        GUIDE_UNCLEAR = "guide-unclear", "The guide does not settle this"
        OTHER = "other", "Something else to look at"

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="labels")
    annotator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="labels")
    occasion = models.PositiveSmallIntegerField(default=1)
    revision = models.PositiveIntegerField(default=1)
    client_id = models.UUIDField(help_text="Made by the page: the same submit twice makes one label.")
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    invention = models.CharField(max_length=40, choices=Invention.choices, blank=True)
    severity = models.CharField(max_length=20, choices=Severity.choices, blank=True)
    confidence = models.CharField(max_length=10, choices=Confidence.choices, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    note = models.TextField(blank=True)
    flag = models.CharField(max_length=40, choices=Flag.choices, blank=True)
    guide_version = models.ForeignKey(GuideVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    assistance = models.JSONField(default=list, blank=True, help_text="What a machine showed while labelling.")
    source_opened = models.BooleanField(
        null=True, blank=True, help_text="Whether the whole source was opened; recorded for `absent`."
    )
    surplus = models.BooleanField(default=False, help_text="Late or over the target: kept and marked, not counted.")
    withdrawn = models.BooleanField(
        default=False, help_text="This revision takes the label back; the earlier ones stay readable."
    )
    imported = models.BooleanField(default=False)
    created = models.DateTimeField()
    meta = models.JSONField(default=dict, blank=True)

    objects = LabelQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "annotator", "occasion", "revision"], name="label_revision_once"),
            models.UniqueConstraint(fields=["annotator", "client_id"], name="label_submit_once"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="label_verdict_known"),
            models.CheckConstraint(
                condition=Q(invention="") | (Q(invention__in=Invention.values) & ~Q(verdict=Verdict.STATED)),
                name="label_invention_only_where_not_stated",
            ),
            models.CheckConstraint(condition=Q(severity__in=["", *Severity.values]), name="label_severity_known"),
            models.CheckConstraint(condition=Q(confidence__in=["", *Confidence.values]), name="label_confidence_known"),
        ]
        indexes = [models.Index(fields=["annotator", "created"], name="label_of_annotator")]

    def __str__(self) -> str:
        return f"{self.claim_id} {self.annotator_id} r{self.revision}: {self.verdict}"


class Evidence(models.Model):
    """A span of a source that a label rests on; the quote is cut by the server."""

    label = models.ForeignKey(Label, on_delete=models.PROTECT, related_name="evidence")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()

    class Meta:
        ordering = ["label", "source", "start"]
        verbose_name_plural = "evidence"
        constraints = [
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="evidence_span_whole"),
            models.UniqueConstraint(fields=["label", "source", "start", "end"], name="evidence_once"),
        ]

    def __str__(self) -> str:
        return f"{self.label_id}: {self.start}–{self.end}"


class AnswerLabel(models.Model):
    """What a person said of a whole answer: correctness is its own label, apart from faithfulness."""

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="answer_labels")
    annotator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="answer_labels")
    revision = models.PositiveIntegerField(default=1)
    correct = models.BooleanField(null=True, blank=True)
    answer_in_retrieved = models.BooleanField(null=True, blank=True)
    abstained = models.BooleanField(null=True, blank=True)
    created = models.DateTimeField()
    meta = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "annotator", "revision"], name="answer_label_revision_once"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id} {self.annotator_id}"


class AdjudicationQuerySet(models.QuerySet["Adjudication"]):
    def current(self) -> "AdjudicationQuerySet":
        newer = Adjudication.objects.filter(claim=OuterRef("claim"), revision__gt=OuterRef("revision"))
        return self.filter(~Exists(newer))


class Adjudication(models.Model):
    """A verdict given by someone who saw the labels; it outranks the consensus."""

    class Reason(models.TextChoices):
        READING = "reading", "One of them misread the source"
        GUIDE_APPLIED = "guide-applied", "The guide settles it"
        GUIDE_UNCLEAR = "guide-unclear", "The guide is unclear here"
        SOURCE_FAULT = "source-fault", "The source is at fault"
        CLAIM_FAULT = "claim-fault", "The claim is badly cut"
        OTHER = "other", "Something else"

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="adjudications")
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="adjudications")
    revision = models.PositiveIntegerField(default=1)
    client_id = models.UUIDField()
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    reason = models.CharField(max_length=30, choices=Reason.choices, blank=True)
    note = models.TextField(blank=True)
    guide_version = models.ForeignKey(GuideVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    imported = models.BooleanField(default=False)
    created = models.DateTimeField()
    meta = models.JSONField(default=dict, blank=True)

    objects = AdjudicationQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "revision"], name="adjudication_revision_once"),
            models.UniqueConstraint(fields=["by", "client_id"], name="adjudication_submit_once"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="adjudication_verdict_known"),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id}: {self.verdict}"
