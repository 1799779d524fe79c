"""What versions have cost for the claims that they were asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, F, Q, Sum

from judges.models import Judgement, JudgeVersion, Run
from judges.services.paying import Spending, dollars, spending_by_run


@dataclass(frozen=True, slots=True)
class VersionCost:
    """What a version has said and cost over all of its plain runs.

    Attributes
    ----------
    judgements : int
        Claims with a judgement that counts, each as often as there are runs over it.
    asked : int
        Those of them that it was asked for; the others were there from earlier runs.
    spending : Spending
        Failures that were tried again included.
    reused_usd : Decimal
        What the parts of these judgements that came from earlier runs cost there: the stages of a combined judge.
    mean_seconds : float or None
        A claim that it was asked for, such parts included.
    """

    judgements: int
    asked: int
    spending: Spending
    reused_usd: Decimal
    mean_seconds: float | None

    @property
    def per_thousand_usd(self) -> Decimal | None:
        """What a thousand claims cost where nothing is there to be reused; ``None`` where none was asked, or nobody knows."""
        if not self.asked or self.spending.price_unknown:
            return None
        return (self.spending.known + self.reused_usd) / self.asked * 1_000

    @property
    def mean_milliseconds(self) -> float | None:
        return None if self.mean_seconds is None else self.mean_seconds * 1_000


def version_costs(versions: Sequence[JudgeVersion]) -> dict[int, VersionCost]:
    """The costs of each version by its id, in five queries."""
    runs = list(Run.objects.plain().filter(judge_version__in=versions))
    spent = spending_by_run(runs)
    asked = Q(cached_from__isnull=True)
    rows = Judgement.objects.counted().filter(run__judge_version__in=versions).order_by().values("run__judge_version")
    counted = rows.annotate(
        n=Count("id"),
        asked=Count("id", filter=asked),
        mean=Avg(F("seconds") + F("reused_seconds"), filter=asked),
        reused=Sum("reused_usd"),
    )
    counts: dict[int, dict[str, Any]] = {row["run__judge_version"]: dict(row) for row in counted}
    found = {}
    for version in versions:
        row = counts.get(version.pk, {"n": 0, "asked": 0, "mean": None, "reused": None})
        spending = Spending.together([spent[run.pk] for run in runs if run.judge_version_id == version.pk])
        found[version.pk] = VersionCost(row["n"], row["asked"], spending, dollars(row["reused"]), row["mean"])
    return found
