"""What came of a plan: how far its claims are labelled, and figures that count each by its probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import Count, Exists, Max, Min, OuterRef, Q
from numpy.typing import NDArray

from calibration.verdicts import MISSING
from calibration.weighted import WeightedScore, weighted_score
from judges.models import JudgeVersion
from labelling.models import Label, PlannedClaim, Project, SamplingPlan, Slot
from labelling.services.sampling import labelled_of
from reports.bridge import Rows, places_of, read_rows, records
from reports.selection import BOTH_SPLITS
from reports.stamps import data_stamp, remembered


@dataclass(frozen=True, slots=True)
class PlanProgress:
    """How far a plan has come.

    Attributes
    ----------
    claims, at_random : int
        Claims drawn, and those of them that the random draw met.
    labelled_before, labelled : int
        Those that had a label when they were drawn, and those that got one since.
    waiting : int
        Places for labels that are still to be filled.
    least, most : float or None
        The smallest and the largest probability of a claim of it.
    beyond : int
        Claims labelled since the plan was drawn that no plan drew at random. The usual figures count them, but not
        the targeted claims, so they are about fewer of the claims that the groups are of than there are.
    """

    plan: SamplingPlan
    claims: int
    at_random: int
    labelled_before: int
    labelled: int
    waiting: int
    least: float | None
    most: float | None
    beyond: int

    @property
    def only_for_groups(self) -> int:
        return self.claims - self.at_random

    @property
    def with_label(self) -> int:
        return self.labelled_before + self.labelled

    @property
    def may_undo(self) -> bool:
        return self.plan.undone is None and not self.labelled


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """Figures over the claims that the plan was drawn from, each labelled one counted one over its probability.

    Attributes
    ----------
    version : JudgeVersion or None
        Whose recall and precision; without one only the share of unsupported claims means anything.
    claims, with_gold : int
        Claims of the plan in the split, and those that have gold.
    in_run : int
        Those with gold that the version judged; the figures rest on these.
    """

    version: JudgeVersion | None
    split: str
    claims: int
    with_gold: int
    in_run: int
    score: WeightedScore


def progress_of(plan: SamplingPlan) -> PlanProgress:
    """How far the plan has come, in a fixed number of queries."""
    counts = plan.planned.aggregate(
        claims=Count("pk"),
        at_random=Count("pk", filter=Q(at_random=True)),
        before=Count("pk", filter=Q(fresh=False)),
        least=Min("chance"),
        most=Max("chance"),
    )
    places = Slot.objects.filter(project=plan.project, claim__in=plan.planned.values("claim"), occasion=1)
    return PlanProgress(
        plan=plan,
        claims=counts["claims"],
        at_random=counts["at_random"],
        labelled_before=counts["before"],
        labelled=labelled_of(plan).count(),
        waiting=0 if plan.undone else places.exclude(state=Slot.State.DONE).count(),
        least=counts["least"],
        most=counts["most"],
        beyond=_beyond(plan) if plan.groups else 0,
    )


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One plan in the list: claims drawn, those drawn for a group alone, and those that have a label by now."""

    plan: SamplingPlan
    claims: int
    only_for_groups: int
    with_label: int


def plans_of(project: Project) -> list[PlanRow]:
    """The project's plans, the newest first, in two queries."""
    label = Exists(Label.objects.counted().filter(claim=OuterRef("claim")))
    planned = PlannedClaim.objects.filter(plan__project=project).order_by()
    counts = {
        plan: row
        for plan, *row in planned.values_list("plan").annotate(
            claims=Count("pk"), alone=Count("pk", filter=Q(at_random=False)), labelled=Count("pk", filter=Q(label))
        )
    }
    return [PlanRow(plan, *counts.get(plan.pk, (0, 0, 0))) for plan in project.plans.select_related("by")]


def plan_figures(plan: SamplingPlan, version: JudgeVersion | None, split: str) -> PlanFigures:
    """The weighted figures of one judge version, or of people alone, over the plan's claims of a split."""
    name = f"plan {plan.pk} {split} {version and version.pk}"
    return remembered(data_stamp(plan.project), name, lambda: _make_figures(plan, version, split))


def _make_figures(plan: SamplingPlan, version: JudgeVersion | None, split: str) -> PlanFigures:
    rows, chance = _planned_rows(plan, version, split)
    gold = rows.gold != MISSING
    # Without a judge each claim is said to be what it is, which leaves the share of unsupported ones to be read.
    said = rows.gold if version is None else rows.judge(version.pk).verdict
    score = weighted_score(
        rows.answer, rows.gold, said, chance, partial_is_unsupported=plan.project.partial_is_unsupported
    )
    return PlanFigures(version, split, len(rows.claim), int(gold.sum()), score.n, score)


def _planned_rows(plan: SamplingPlan, version: JudgeVersion | None, split: str) -> tuple[Rows, NDArray[np.float64]]:
    """The plan's claims of the split, targeted ones included, and the probability of each."""
    drawn = plan.planned.order_by("claim_id")
    if split != BOTH_SPLITS:
        drawn = drawn.filter(claim__answer__split=split)
    planned = records(drawn.values_list("claim_id", "chance").iterator(), [("claim", "i8"), ("chance", "f8")])
    rows = read_rows(plan.project, version_ids=() if version is None else (version.pk,))
    kept = rows.where(np.isin(rows.claim, planned["claim"], assume_unique=True))
    return kept, planned["chance"][places_of(planned["claim"], kept.claim)].astype(np.float64)


def _beyond(plan: SamplingPlan) -> int:
    """Claims labelled since the plan was drawn that no standing plan drew at random."""
    at_random = PlannedClaim.objects.filter(claim=OuterRef("claim"), plan__undone=None, at_random=True)
    labels = Label.objects.counted().filter(
        claim__project=plan.project, claim__targeted=False, imported=False, created__gt=plan.created
    )
    if plan.split:
        labels = labels.filter(claim__answer__split=plan.split)
    return labels.exclude(Exists(at_random)).aggregate(n=Count("claim", distinct=True))["n"] or 0
