from django.db import models
from django.db.models import Q

from judges.models.runs import Run
from labelling.models import Claim


class Intent(models.Model):
    """Written before a paid call, settled with its outcome. One that stays open may have been paid for."""

    class State(models.TextChoices):
        ASKED = "asked", "Asked"
        SETTLED = "settled", "Settled"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="intents")
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKED)
    counted_usd = models.DecimalField(
        max_digits=12,
        decimal_places=6,
        help_text="What it counts against the budget: the most it can cost until it is settled, then what it did cost.",
    )
    batch = models.CharField(max_length=200, blank=True, help_text="The service's id of the batch that it is in.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "claim"], condition=Q(state="asked"), name="intent_open_once_a_claim"
            ),
            models.CheckConstraint(condition=Q(state__in=["asked", "settled"]), name="intent_state_known"),
            models.CheckConstraint(condition=Q(counted_usd__gte=0), name="intent_counts_no_less_than_nothing"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.claim_id} {self.state}"
