"""The closed lists of the field: one word, one thing."""

from django.db import models


class Verdict(models.TextChoices):
    """What the cited source says of the claim. Order matters: tables and plots use this one."""

    STATED = "stated", "Stated"
    PARTIAL = "partial", "Partial"
    ABSENT = "absent", "Absent"
    CONTRADICTED = "contradicted", "Contradicted"


class ClaimKind(models.TextChoices):
    FIGURE = "figure", "Figure"
    DATE = "date", "Date"
    NAME = "name", "Name"
    POLICY = "policy", "Policy"
    RELATION = "relation", "Relation"


class Severity(models.TextChoices):
    CRITICAL = "critical", "Critical"
    MINOR = "minor", "Minor"


class Invention(models.TextChoices):
    """How a claim that is not stated came to be; asked only where the verdict is not `stated`."""

    PLAUSIBLE_SPECIFIC = "plausible-specific", "A plausible specific"
    BRIDGING_INFERENCE = "bridging-inference", "A bridging inference"
    CONFIDENT_GENERALISATION = "confident-generalisation", "A confident generalisation"
    FABRICATED_PROVENANCE = "fabricated-provenance", "A made-up provenance"


class Confidence(models.TextChoices):
    SURE = "sure", "Sure"
    UNSURE = "unsure", "Unsure"


class Policy(models.TextChoices):
    STRICT = "strict", "Strict: only what the source asserts"
    INFERENCE = "inference", "Inference: what a reasonable reader would infer"


class Split(models.TextChoices):
    DEVELOPMENT = "development", "Development"
    TEST = "test", "Test"


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "Annotator"
    ENGINEER = "engineer", "Engineer"
    OWNER = "owner", "Owner"


class ConsensusRule(models.TextChoices):
    MAJORITY = "majority", "The most frequent verdict; a tie has none"
    UNANIMOUS = "unanimous", "Only where everybody agrees"
