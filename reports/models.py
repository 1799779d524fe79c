from django.db import models

from judges.models import JudgeVersion
from labelling.models import GoldenSet, GuideVersion, Membership, Policy, Project


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


class Certificate(models.Model):
    """What one judge version was found to be on the test split of one golden set. Issued once, never changed.

    Whether it still holds is asked each time: what it rests on stands here, to be compared with what there is now.
    """

    judge_version = models.ForeignKey(JudgeVersion, on_delete=models.PROTECT, related_name="+")
    golden_set = models.ForeignKey(GoldenSet, on_delete=models.PROTECT, related_name="+")
    fingerprint = models.CharField(max_length=64, help_text="Of the judge version, on that day.")
    golden_hash = models.CharField(max_length=64, help_text="Of the golden set, on that day.")
    guide_version = models.ForeignKey(GuideVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    policy = models.CharField(max_length=20, choices=Policy.choices)
    partial_is_unsupported = models.BooleanField()
    threshold = models.FloatField(null=True, blank=True, help_text="Of the judge's score, where it has one.")
    guarantee = models.TextField(help_text="What can be said of the judge, from the safe ends of the intervals.")
    figures = models.JSONField(help_text="Each with its interval and what it rests on, by name.")
    chosen = models.JSONField(
        default=dict,
        blank=True,
        help_text="How the threshold was chosen on development and what was promised of it; empty where it was set by hand.",
    )
    data_hash = models.CharField(max_length=64, help_text="SHA-256 over all that the figures were made of.")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["judge_version", "golden_set", "data_hash"], name="certificate_once"),
            models.CheckConstraint(condition=models.Q(policy__in=Policy.values), name="certificate_policy_known"),
        ]

    def __str__(self) -> str:
        return f"{self.judge_version} on {self.golden_set}"


class ChosenThreshold(models.Model):
    """How the threshold of a judge version was chosen on development rows, and what was promised of it.

    It stands beside the version and not in its settings: the same threshold gives the same verdicts however it was
    chosen, so it makes no other version.
    """

    class Way(models.TextChoices):
        KAPPA = "kappa", "Largest kappa"
        RECALL = "recall", "Least flagging at a recall reached"
        PROMISE = "promise", "Least flagging at a recall promised"
        COST = "cost", "Least expected cost"
        FOUR_WAY = "four-way", "Three thresholds with the largest four-way kappa"

    judge_version = models.ForeignKey(JudgeVersion, on_delete=models.PROTECT, related_name="+")
    way = models.CharField(max_length=10, choices=Way.choices)
    record = models.JSONField(help_text="The choice with its terms, the claims it was made on and what it did on them.")
    digest = models.CharField(max_length=64, help_text="SHA-256 over the record.")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["judge_version", "digest"], name="chosen_threshold_once"),
            models.CheckConstraint(
                condition=models.Q(way__in=["kappa", "recall", "promise", "cost", "four-way"]),
                name="chosen_threshold_way_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge_version}: {self.get_way_display()}"


class ImportJob(models.Model):
    """A file that somebody uploaded, how it is to be read, and what came of it."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "Uploaded"
        QUEUED = "queued", "Waiting for a worker"
        RUNNING = "running", "Being read"
        CHECKED = "checked", "Checked"
        DONE = "done", "Imported"
        FAILED = "failed", "Not imported"
        REMOVED = "removed", "Removed unused"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    token = models.UUIDField(unique=True, help_text="Names its folder; the uploaded file's own name never does.")
    name = models.CharField(max_length=300, help_text="What the person called the file; shown, never opened.")
    size = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.UPLOADED)
    attempt = models.PositiveIntegerField(default=0)
    dry_run = models.BooleanField(default=True)
    choices = models.JSONField(default=dict, blank=True, help_text="Columns, words and options, as chosen on the page.")
    report = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["uploaded", "queued", "running", "checked", "done", "failed", "removed"]),
                name="import_job_state_known",
            ),
        ]
        indexes = [models.Index(fields=["project", "-id"], name="import_job_of_project")]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"


class ApiToken(models.Model):
    """Lets a program post answers to a project. Of the token itself only the hash of its secret is kept.

    ``minute`` and ``calls`` count what came in the running minute: the row is what all processes share.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=100, help_text="What it is for; once among those in force.")
    prefix = models.CharField(max_length=8, unique=True, help_text="The part of the token that is shown.")
    hash = models.CharField(max_length=64, help_text="SHA-256 of the token's secret.")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    minute = models.DateTimeField(null=True, blank=True)
    calls = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=models.Q(revoked__isnull=True), name="api_token_name_once"
            ),
            models.CheckConstraint(
                condition=models.Q(revoked_by__isnull=True) | models.Q(revoked__isnull=False),
                name="api_token_revoked_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class Release(models.Model):
    """When a version of a system went out: a line in its trends, and an end of periods. Mended and removed freely."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    system = models.CharField(max_length=200, blank=True, help_text="As its answers call it.")
    name = models.CharField(max_length=100)
    at = models.DateTimeField(help_text="When it went out.")
    note = models.TextField(blank=True, max_length=2_000)
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "system", "name"], name="release_name_once"),
            # Between two at one moment there would be a period of no length.
            models.UniqueConstraint(fields=["project", "system", "at"], name="release_moment_once"),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.name}".strip()
