"""What was said and what it points at: sources, answers, claims, citations."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q

from labelling.models.projects import Project
from labelling.models.vocabulary import ClaimKind, Severity, Split


class Source(models.Model):
    """A document as it was given to the answering system."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="sources")
    external_id = models.CharField(max_length=300)
    title = models.TextField(blank=True)
    collection = models.CharField(max_length=200, blank=True)
    version = models.CharField(max_length=100, blank=True)
    effective_from = models.DateField(null=True, blank=True)
    superseded_by = models.CharField(
        max_length=300, blank=True, help_text="The id of the source that replaced this one, known here or not."
    )
    text = models.TextField()
    fields = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder, help_text="A structured record.")
    meta = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ["external_id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="source_id_once"),
        ]
        indexes = [models.Index(fields=["project", "collection"], name="source_collection")]

    def __str__(self) -> str:
        return self.title or self.external_id


class Answer(models.Model):
    """One response of a system under test to one question."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="answers")
    external_id = models.CharField(max_length=300)
    question = models.TextField(blank=True)
    text = models.TextField(blank=True)
    system = models.CharField(max_length=200, blank=True)
    task_type = models.CharField(max_length=200, blank=True)
    model = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(null=True, blank=True, help_text="When the system gave the answer.")
    should_abstain = models.BooleanField(null=True, blank=True)
    retrieved = models.JSONField(default=list, blank=True, help_text="Ids of the sources it retrieved, in order.")
    split = models.CharField(max_length=20, choices=Split.choices)
    meta = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="answer_id_once"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="answer_split_known"),
        ]
        indexes = [models.Index(fields=["project", "system", "task_type"], name="answer_system")]

    def __str__(self) -> str:
        return self.external_id


class Claim(models.Model):
    """One verifiable assertion taken from an answer."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="claims")
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="claims")
    external_id = models.CharField(max_length=300)
    text = models.TextField()
    kind = models.CharField(max_length=20, choices=ClaimKind.choices, blank=True)
    severity = models.CharField(max_length=20, choices=Severity.choices, blank=True)
    stratum = models.CharField(max_length=100, blank=True, help_text="Sampling stratum; empty for a random sample.")
    weight = models.FloatField(
        default=1.0, help_text="One over the known probability that this claim was chosen, up to a factor."
    )
    targeted = models.BooleanField(
        default=False, help_text="Chosen because judges disagreed or were unsure: never counted as a random sample."
    )
    meta = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="claim_id_once"),
            models.CheckConstraint(condition=Q(kind__in=["", *ClaimKind.values]), name="claim_kind_known"),
            models.CheckConstraint(condition=Q(severity__in=["", *Severity.values]), name="claim_severity_known"),
            models.CheckConstraint(condition=Q(weight__gt=0), name="claim_weight_positive"),
        ]

    def __str__(self) -> str:
        return self.external_id


class Citation(models.Model):
    """The source, and where known the span of it, that the answer points at for a claim."""

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="citations")
    order = models.PositiveSmallIntegerField(default=0)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="citations")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True, help_text="Unicode code points, end exclusive.")

    class Meta:
        ordering = ["claim", "order"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "order"], name="citation_order_once"),
            # Each side says that it is there: a comparison with NULL is not false, and a check passes on "unknown".
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True)
                | Q(start__isnull=False, end__isnull=False, start__lt=F("end")),
                name="citation_span_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} → {self.source_id}"
