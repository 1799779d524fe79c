from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from labelling.models.vocabulary import ConsensusRule, Policy, Role


class Project(models.Model):
    """A workspace: its guide, its people, its answers, its judges."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    overlap = models.PositiveSmallIntegerField(
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
        help_text="How many people label each claim, 1 to 10.",
    )
    consensus_rule = models.CharField(max_length=20, choices=ConsensusRule.choices, default=ConsensusRule.MAJORITY)
    partial_is_unsupported = models.BooleanField(default=True)
    ask_invention = models.BooleanField(default=True, help_text="Ask for the kind of invention where not stated.")
    ask_severity = models.BooleanField(default=False, help_text="Ask the annotator how severe the claim is.")
    assistance = models.BooleanField(
        default=False, help_text="Show annotators sentences suggested by a machine; recorded with each label."
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1)], help_text="How long a claim is kept for the person who has it."
    )
    illustrative = models.BooleanField(default=False, help_text="Invented people and labels; pages say so.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__range=(1, 10)), name="project_overlap_1_to_10"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="project_lease_at_least_a_minute"),
            models.CheckConstraint(condition=Q(consensus_rule__in=ConsensusRule.values), name="project_rule_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def current_guide(self) -> "GuideVersion | None":
        return self.guide_versions.order_by("-number").first()


class Membership(models.Model):
    """One person's role in one project.

    People whose labels were imported have no account here: their membership has no user, only the pseudonym
    under which their work came. A pseudonym is what exports show.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships", null=True, blank=True
    )
    role = models.CharField(max_length=20, choices=Role.choices)
    pseudonym = models.CharField(max_length=100)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["project", "pseudonym"], name="membership_pseudonym_once"),
            models.UniqueConstraint(
                fields=["project", "user"], condition=Q(user__isnull=False), name="membership_user_once"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} ({self.role})"

    @property
    def may_engineer(self) -> bool:
        """Engineers and owners see judges and figures; annotators never do."""
        return self.role in (Role.ENGINEER, Role.OWNER)

    @property
    def may_own(self) -> bool:
        return self.role == Role.OWNER


class GuideVersion(models.Model):
    """One version of the labelling guide; labels remember the version they were made under."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guide_versions")
    number = models.PositiveIntegerField()
    policy = models.CharField(max_length=20, choices=Policy.choices)
    text = models.TextField(help_text="Markdown.")
    cases = models.JSONField(
        default=dict,
        blank=True,
        help_text="Borderline cases switched away from the policy's own ruling: case key to verdict.",
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project", "number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="guide_version_number_once"),
            models.CheckConstraint(condition=Q(policy__in=Policy.values), name="guide_policy_known"),
        ]

    def __str__(self) -> str:
        return f"guide v{self.number} ({self.policy})"

    def rules_like(self, other: "GuideVersion | None") -> bool:
        """Whether both rule the same: policy and borderline cases, whatever the prose around them."""
        return other is not None and (self.policy, self.cases) == (other.policy, other.cases)
