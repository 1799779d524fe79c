from labelling.models.changes import Change
from labelling.models.claims import Answer, Citation, Claim, Source
from labelling.models.golden import GoldenItem, GoldenSet
from labelling.models.labels import Adjudication, AnswerLabel, Evidence, Label, Skip, Slot
from labelling.models.projects import GuideVersion, Membership, Project
from labelling.models.sampling import PlannedClaim, SamplingPlan
from labelling.models.vocabulary import (
    ClaimKind,
    Confidence,
    ConsensusRule,
    Invention,
    Policy,
    Role,
    Severity,
    Split,
    Verdict,
)

__all__ = [
    "Adjudication",
    "Answer",
    "AnswerLabel",
    "Change",
    "Citation",
    "Claim",
    "ClaimKind",
    "Confidence",
    "ConsensusRule",
    "Evidence",
    "GoldenItem",
    "GoldenSet",
    "GuideVersion",
    "Invention",
    "Label",
    "Membership",
    "PlannedClaim",
    "Policy",
    "Project",
    "Role",
    "SamplingPlan",
    "Severity",
    "Skip",
    "Slot",
    "Source",
    "Split",
    "Verdict",
]
