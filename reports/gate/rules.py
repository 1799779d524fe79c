"""What a gate asks for, as values; and the names of the figures that it can ask about."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from calibration.groundedness import INVENTIONS, QUADRANTS

End = Literal["safe", "value"]
Find = Literal["miscitation", "prohibited"]

SYSTEM_FIGURES = (
    "claim_level",
    "answer_level",
    "invention_rate",
    "coverage",
    "entailment",
    "grounding_score",
    "miscitation",
    "unresolvable",
    "unsupported_rate",
    "unsupported_weighted",
    "unsupported_critical",
    "unsupported_minor",
    "abstention",
    "over_abstention",
    "retrieval_failure",
    "generation_failure",
    "superseded",
    "judged",
    *(f"inventions.{name}" for name in INVENTIONS),
    *(f"quadrants.{name}" for name in QUADRANTS),
)
"""Of the answers of a system, as the judge reads them; an outcome without a verdict counts as unsupported."""
CORRECTED_FIGURES = tuple(
    f"corrected.{name}" for name in ("claim_level", "answer_level", "invention_rate", "entailment", "miscitation")
)
"""The same corrected for the judge's errors by the claims that people labelled too."""
CERTIFIED_FIGURES = (
    "recall",
    "precision",
    "specificity",
    "balanced_accuracy",
    "kappa_two",
    "kappa_four",
    "answer_recall",
    "answer_precision",
    "judged",
    "share_unsupported",
    "people_kappa_four",
    "people_recall",
)
"""Of the judge, from its certificate; a rule names them with `judge.` before."""
FIGURES = (*SYSTEM_FIGURES, *CORRECTED_FIGURES, *(f"judge.{name}" for name in CERTIFIED_FIGURES))
FINDS: tuple[Find, ...] = ("miscitation", "prohibited")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What figures are held against: a file that a gate wrote, or answers of another system, task type or period."""

    name: str
    file: Path | None = None
    system: str = ""
    task_type: str = ""
    since: dt.date | None = None
    until: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRule:
    """A bound on a figure, or on how far it may fall or rise from a baseline.

    Attributes
    ----------
    at_least, at_most, falls_at_most, rises_at_most : float or None
        Exactly one is given; the last two with a baseline.
    end : "safe" or "value"
        Whether the bound must hold at the careful end of the interval, or at the value.
    """

    name: str
    figure: str
    at_least: float | None = None
    at_most: float | None = None
    falls_at_most: float | None = None
    rises_at_most: float | None = None
    baseline: Baseline | None = None
    end: End = "safe"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoneRule:
    """Nothing of a kind may be found: in all answers of the system, or in a golden set, a collection, a severity."""

    name: str
    none: Find
    golden_set: str = ""
    collection: str = ""
    severity: str = ""
    judge: str = ""


Rule = FigureRule | NoneRule
