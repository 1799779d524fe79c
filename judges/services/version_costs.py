"""What versions have cost for the claims that they were asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Avg, Count, Q

from judges.models import Judgement, JudgeVersion, Run
from judges.services.paying import Spending, spending_by_run


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
    mean_seconds : float or None
        A claim that it was asked for.
    """

    judgements: int
    asked: int
    spending: Spending
    mean_seconds: float | None

    @property
    def per_thousand_usd(self) -> Decimal | None:
        """What a thousand claims cost; ``None`` where none was asked, or nobody knows the price."""
        if not self.asked or self.spending.price_unknown:
            return None
        return self.spending.known / self.asked * 1_000

    @property
    def mean_milliseconds(self) -> float | None:
        return None if self.mean_seconds is None else self.mean_seconds * 1_000


def version_costs(versions: Sequence[JudgeVersion]) -> dict[int, VersionCost]:
    """The costs of each version by its id, in five queries."""
    runs = list(Run.objects.plain().filter(judge_version__in=versions))
    spent = spending_by_run(runs)
    asked = Q(cached_from__isnull=True)
    rows = Judgement.objects.counted().filter(run__judge_version__in=versions).order_by().values("run__judge_version")
    counted = rows.annotate(n=Count("id"), asked=Count("id", filter=asked), mean=Avg("seconds", filter=asked))
    counts = {row["run__judge_version"]: (row["n"], row["asked"], row["mean"]) for row in counted}
    found = {}
    for version in versions:
        judgements, asked_for, mean = counts.get(version.pk, (0, 0, None))
        spending = Spending.together([spent[run.pk] for run in runs if run.judge_version_id == version.pk])
        found[version.pk] = VersionCost(judgements, asked_for, spending, mean)
    return found
