from django.db import models
from django.db.models import Q


class Extraction(models.Model):
    """The claims that one extractor version found in one answer text; kept, as claims stay when judges change."""

    answer_hash = models.CharField(max_length=64, help_text="SHA-256 over the question and the answer's text.")
    extractor = models.CharField(max_length=64, help_text="Fingerprint of the extractor version.")
    claims = models.JSONField(help_text="The claims found, in the order of the answer.")
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["answer_hash", "extractor"], name="extraction_once"),
            models.CheckConstraint(condition=Q(cost_usd__gte=0), name="extraction_cost"),
        ]

    def __str__(self) -> str:
        return f"{self.extractor[:8]} {self.answer_hash[:8]}"
