from django.db import models

from judges.models import JudgeVersion
from labelling.models import Membership, Project


class Look(models.Model):
    """One look at figures of the test split: who, when, at which judge version. Counted and shown."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    judge_version = models.ForeignKey(JudgeVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    page = models.CharField(max_length=50)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["project", "created"], name="look_of_project")]

    def __str__(self) -> str:
        return f"{self.page} by {self.member_id} at {self.created}"
