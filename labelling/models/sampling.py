"""Which claims were chosen to be labelled next, by whom, how, and with what probability."""

from typing import Any

from django.db import models
from django.db.models import Q

from labelling.models.claims import Claim
from labelling.models.projects import Membership, Project
from labelling.models.vocabulary import Split


class SamplingPlanQuerySet(models.QuerySet["SamplingPlan"]):
    def standing(self) -> "SamplingPlanQuerySet":
        """Plans that were not undone."""
        return self.filter(undone=None)


class SamplingPlan(models.Model):
    """Claims drawn to be labelled before others. Never changed, only undone while nothing of it is labelled."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="plans")
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    split = models.CharField(
        max_length=20, choices=Split.choices, blank=True, help_text="Drawn from this split alone; empty for both."
    )
    labels = models.PositiveSmallIntegerField(help_text="Labels for each of its claims, instead of the overlap.")
    seed = models.PositiveBigIntegerField()
    frame = models.PositiveIntegerField(help_text="How many claims it was drawn from.")
    draws = models.JSONField(help_text="The random draw and one for each group: criterion, asked, taken, of how many.")
    created = models.DateTimeField(auto_now_add=True)
    undone = models.DateTimeField(null=True, blank=True)

    objects = SamplingPlanQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="plan_number_once"),
            models.CheckConstraint(condition=Q(labels__range=(1, 10)), name="plan_labels_1_to_10"),
            models.CheckConstraint(condition=Q(split__in=["", *Split.values]), name="plan_split_known"),
        ]

    def __str__(self) -> str:
        return f"plan {self.number}"

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The draws besides the random one."""
        return [draw for draw in self.draws if draw["criterion"] != "random"]


class PlannedClaim(models.Model):
    """One claim of a plan, with the probability that it had of being drawn."""

    plan = models.ForeignKey(SamplingPlan, on_delete=models.CASCADE, related_name="planned")
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="+")
    turn = models.PositiveIntegerField(help_text="Its place in the queue, counted over all plans of the project.")
    chance = models.FloatField(help_text="Probability with which the plan draws it, by any of its draws.")
    at_random = models.BooleanField(help_text="Drawn at random; otherwise for a group alone.")
    fresh = models.BooleanField(help_text="Nobody had labelled it when it was drawn.")

    class Meta:
        ordering = ["plan", "turn"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "claim"], name="planned_claim_once"),
            models.CheckConstraint(condition=Q(chance__gt=0, chance__lte=1), name="planned_chance_above_0_to_1"),
        ]

    def __str__(self) -> str:
        return f"{self.plan_id}: {self.claim_id}"
