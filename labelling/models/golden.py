from django.db import models
from django.db.models import Q

from labelling.models.claims import Claim
from labelling.models.projects import GuideVersion, Membership, Project
from labelling.models.vocabulary import Policy, Split, Verdict


class GoldenSet(models.Model):
    """A frozen, numbered, content-hashed snapshot of claims with gold and its provenance."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="golden_sets")
    name = models.SlugField(max_length=100)
    version = models.PositiveIntegerField()
    hash = models.CharField(max_length=64, help_text="SHA-256 of the canonical JSON of its items in id order.")
    policy = models.CharField(max_length=20, choices=Policy.choices, blank=True)
    guide_version = models.ForeignKey(GuideVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    manifest = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["name", "version"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name", "version"], name="golden_set_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class GoldenItem(models.Model):
    """One claim of a golden set, with everything the hash covers kept as it was on that day."""

    golden_set = models.ForeignKey(GoldenSet, on_delete=models.PROTECT, related_name="items")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="+")
    external_id = models.CharField(max_length=300)
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    split = models.CharField(max_length=20, choices=Split.choices)
    item = models.JSONField()

    class Meta:
        ordering = ["golden_set", "external_id"]
        constraints = [
            models.UniqueConstraint(fields=["golden_set", "external_id"], name="golden_item_once"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="golden_item_verdict_known"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="golden_item_split_known"),
        ]

    def __str__(self) -> str:
        return self.external_id
