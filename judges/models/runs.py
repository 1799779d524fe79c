from collections.abc import Collection, Mapping

from django.db import models
from django.db.models import F, Q

from judges.models.judges import JudgeVersion
from judges.protocol import ANSWERED, Opinion, Outcome
from judges.protocol import Verdict as OpinionVerdict
from labelling.models import Claim, Membership, Project, Verdict


class RunQuerySet(models.QuerySet["Run"]):
    def plain(self) -> "RunQuerySet":
        """Runs over the claims as they are: no tests of the judge."""
        return self.filter(probe="")


class Run(models.Model):
    """One judge version over one set of claims. The set is fixed when the run is made, as its chunks.

    A run with a ``probe`` is a test of the judge: it judges inputs that were altered on purpose, or asks the same again.
    What it says is about the judge and not about the claims, so it never counts as the version's word on them. A dry run
    asks about a few claims as they are, to see what comes, and counts no more than a test does.
    """

    class State(models.TextChoices):
        ACTIVE = "active", "Running"
        STOPPED = "stopped", "Stopped"
        FINISHED = "finished", "Finished"

    class Probe(models.TextChoices):
        SILENCE = "silence", "Silence"
        ORDER = "order", "Order"
        REWORDING = "rewording", "Rewording"
        PERTURBATION = "perturbation", "Perturbation"
        REPETITION = "repetition", "Repetition"
        DRY_RUN = "dry-run", "Dry run"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    judge_version = models.ForeignKey(JudgeVersion, on_delete=models.PROTECT, related_name="runs")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    selection = models.JSONField(default=dict, blank=True, help_text="How the claims were chosen.")
    probe = models.CharField(
        max_length=20,
        choices=Probe.choices,
        blank=True,
        help_text="Which test of the judge it is; empty for a plain run.",
    )
    seed = models.PositiveIntegerField(null=True, blank=True, help_text="What a test's random choices follow from.")
    claims_total = models.PositiveIntegerField()
    budget_usd = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, help_text="It stops before it would cost more."
    )
    over_budget = models.BooleanField(default=False, help_text="Stopped because a further call could pass the budget.")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    finished = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(probe="", seed__isnull=True)
                | Q(
                    probe__in=["silence", "order", "rewording", "perturbation", "repetition", "dry-run"],
                    seed__isnull=False,
                ),
                name="run_probe_known_and_seeded",
            ),
            models.CheckConstraint(condition=Q(state__in=["active", "stopped", "finished"]), name="run_state_known"),
            models.CheckConstraint(
                condition=Q(budget_usd__isnull=True) | Q(budget_usd__isnull=False, budget_usd__gte=0),
                name="run_budget_no_less_than_nothing",
            ),
            models.CheckConstraint(
                condition=Q(over_budget=False) | Q(state="stopped", budget_usd__isnull=False),
                name="run_over_budget_is_stopped",
            ),
            # Two runs of one version side by side would ask, and pay for, the same claim twice: neither finds the
            # other's answer to reuse yet.
            models.UniqueConstraint(
                fields=["judge_version"], condition=Q(state="active"), name="run_active_once_a_version"
            ),
        ]
        indexes = [models.Index(fields=["project", "state"], name="run_state")]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.judge_version}"


class Chunk(models.Model):
    """Some claims of a run that one worker takes at a time, by a conditional UPDATE with a lease."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        LEASED = "leased", "Leased"
        DONE = "done", "Done"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks")
    position = models.PositiveIntegerField()
    claim_ids = models.JSONField()
    changes = models.JSONField(
        default=dict, blank=True, help_text="In a test of the judge: what is changed in each claim, by its id."
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    attempt = models.PositiveIntegerField(
        default=0, help_text="Later writes name it: a worker that lost its lease writes nothing."
    )
    losses = models.PositiveIntegerField(
        default=0, help_text="Workers lost while they held it; after a few, the claim they died on is a failure."
    )
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="chunk_position_once"),
            models.CheckConstraint(
                condition=Q(state="leased", leased_until__isnull=False)
                | Q(state__in=["open", "done"], leased_until__isnull=True),
                name="chunk_state_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.position} {self.state}"


class JudgementQuerySet(models.QuerySet["Judgement"]):
    def counted(self) -> "JudgementQuerySet":
        """The word of judge versions on claims: nothing that was tried again since, and nothing of a test of a judge."""
        return self.filter(replaced=False, run__probe="")

    def reusable(self, fingerprints: Collection[str], hashes: Mapping[int, str]) -> "dict[int, Judgement]":
        """The last word of some judge versions on each claim, as far as given the texts with these hashes by claim.

        A failure is none: it is asked again.
        """
        rows = self.counted().filter(
            run__judge_version__fingerprint__in=fingerprints, claim__in=list(hashes), outcome__in=ANSWERED
        )
        return {row.claim_id: row for row in rows.order_by("id") if row.input_hash == hashes[row.claim_id]}


class Judgement(models.Model):
    """What one run says of one claim. A failure is an outcome, never a verdict.

    Whoever wants to know what a judge says of a claim asks ``Judgement.objects.counted()``.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="judgements")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="+")
    replaced = models.BooleanField(default=False, help_text="A failure that was tried again; kept, not counted.")
    outcome = models.CharField(max_length=20, choices=[(o.value, o.value) for o in Outcome])
    verdict = models.CharField(max_length=20, choices=Verdict.choices, blank=True)
    score = models.FloatField(null=True, blank=True, help_text="Support score, P(stated) where the judge has one.")
    quote = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    detail = models.JSONField(default=dict, blank=True)
    input_hash = models.CharField(max_length=64, help_text="SHA-256 over the claim and the cited texts it was given.")
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    seconds = models.FloatField(default=0.0)
    reused_usd = models.DecimalField(
        max_digits=12,
        decimal_places=6,
        default=0,
        help_text="What the parts that were taken from earlier judgements cost then: not spent, and due if asked anew.",
    )
    reused_seconds = models.FloatField(default=0.0, help_text="The same for the time.")
    cached_from = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    objects = JudgementQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "claim"], condition=Q(replaced=False), name="judgement_once_a_claim"
            ),
            models.CheckConstraint(
                condition=(Q(outcome="judged") & Q(verdict__in=Verdict.values))
                | (~Q(outcome="judged") & Q(verdict="")),
                name="judgement_verdict_only_where_judged",
            ),
            models.CheckConstraint(condition=Q(outcome__in=[o.value for o in Outcome]), name="judgement_outcome_known"),
            models.CheckConstraint(condition=Q(cost_usd__gte=0) & Q(seconds__gte=0), name="judgement_cost_and_time"),
            models.CheckConstraint(
                condition=Q(reused_usd__gte=0, reused_seconds__gte=0), name="judgement_reused_cost_and_time"
            ),
            models.CheckConstraint(
                condition=Q(replaced=False) | ~Q(outcome="judged"), name="judgement_only_failures_are_replaced"
            ),
        ]
        indexes = [models.Index(F("claim"), F("input_hash"), name="judgement_of_claim")]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.claim_id}: {self.verdict or self.outcome}"

    def opinion(self) -> Opinion:
        """What the judge said, at no cost and in no time now."""
        return Opinion(
            outcome=Outcome(self.outcome),
            verdict=OpinionVerdict(self.verdict) if self.verdict else None,
            score=self.score,
            quote=self.quote,
            reason=self.reason,
            detail=self.detail,
        )
