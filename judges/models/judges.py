from django.db import models
from django.db.models import Q

from labelling.models import Membership, Policy, Project


class Judge(models.Model):
    """Something that gives a verdict automatically; what can change a verdict lives in its versions."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.SlugField(max_length=100)
    type = models.SlugField(max_length=50, help_text="The registered judge type that builds it.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="judge_name_once")]

    def __str__(self) -> str:
        return self.name


class JudgeVersion(models.Model):
    """Everything that can change a verdict, frozen and named by a fingerprint over it. Never updated."""

    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=100, blank=True, help_text="The name an external harness gave its version.")
    config = models.JSONField(default=dict)
    policy = models.CharField(max_length=20, choices=Policy.choices)
    fingerprint = models.CharField(max_length=64)
    based_on = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["judge", "number"]
        constraints = [
            models.UniqueConstraint(fields=["judge", "number"], name="judge_version_number_once"),
            models.UniqueConstraint(fields=["judge", "fingerprint"], name="judge_version_fingerprint_once"),
            models.CheckConstraint(condition=Q(policy__in=Policy.values), name="judge_version_policy_known"),
        ]
        indexes = [models.Index(fields=["fingerprint"], name="judge_version_fingerprint")]

    def __str__(self) -> str:
        return f"{self.judge.name} v{self.number}"
