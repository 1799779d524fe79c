"""Where a run stands, from its rows alone: there is no counter that could disagree with them."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Avg, Count, Min, Q
from django.utils import timezone

from judges.models import Chunk, Judgement, Run
from judges.protocol import ANSWERED, FAILURES, Outcome
from judges.services.paying import Spending, dollars, spending_of
from judges.services.versions import costs_money

RATE_WINDOW = timedelta(seconds=30)
REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How many claims ended so, and for failures the most frequent reasons with their counts."""

    outcome: str
    count: int
    is_failure: bool
    reasons: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands.

    Attributes
    ----------
    done, total, left : int
        Claims with a judgement of this run, of all of its claims, and those without.
    rate : float or None
        Judgements a second over the last half minute; ``None`` where nothing was written in that time.
    seconds_left : float or None
        At that rate; ``None`` where the rate is unknown or the run is not running.
    spending : Spending
        What this run has cost, failures that were tried again included.
    to_come_usd : Decimal or None
        What the claims that are still to be asked about cost if they cost what a claim did so far; ``None`` where nothing
        was asked yet or nobody knows.
    cached : int
        Claims whose judgement came from an earlier run of the version, at no cost.
    mean_seconds : float or None
        The judge's time a claim, of those that it was asked; ``None`` where it was asked none.
    outcomes : tuple of OutcomeCount
        Only those that occur, in the order of the vocabulary.
    failures, replaced : int
        Failures that count, and earlier ones that were tried again.
    working : bool
        Whether a worker holds some of its claims now.
    """

    done: int
    total: int
    rate: float | None
    seconds_left: float | None
    spending: Spending
    to_come_usd: Decimal | None
    cached: int
    mean_seconds: float | None
    outcomes: tuple[OutcomeCount, ...] = field(default=())
    verdicts: tuple[tuple[str, int], ...] = field(default=())
    failures: int = 0
    replaced: int = 0
    working: bool = False
    waiting_seconds: float = 0.0

    @property
    def cost_usd(self) -> Decimal:
        """What the services said that the run cost."""
        return self.spending.known

    @property
    def left(self) -> int:
        return self.total - self.done

    @property
    def mean_milliseconds(self) -> float | None:
        return None if self.mean_seconds is None else self.mean_seconds * 1000

    @property
    def every_call_failed(self) -> bool:
        """Whether there is not one usable answer among those given."""
        return self.done > 0 and self.failures == self.done

    @property
    def no_worker(self) -> bool:
        """Whether the run has waited for a worker longer than a message takes to arrive."""
        return not self.working and self.left > 0 and self.waiting_seconds > 5


def progress_of(run: Run, *, now: datetime | None = None) -> Progress:
    """Where the run stands now, in twelve queries at most."""
    now = now or timezone.now()
    standing = run.judgements.filter(replaced=False)
    counts: dict[str, int] = {}
    verdicts: dict[str, int] = {}
    for row in standing.order_by().values("outcome", "verdict").annotate(n=Count("id")):
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + row["n"]
        if row["verdict"]:
            verdicts[row["verdict"]] = row["n"]
    totals = run.judgements.aggregate(
        asked=Count("id", filter=Q(cached_from__isnull=True)),
        cached=Count("id", filter=Q(replaced=False, cached_from__isnull=False)),
        set_aside=Count("id", filter=Q(replaced=True)),
        mean=Avg("seconds", filter=Q(replaced=False, cached_from__isnull=True)),
    )
    failures = sum(counts.get(outcome, 0) for outcome in FAILURES)
    done = sum(counts.values())
    active = run.state == Run.State.ACTIVE
    rate, latest = _rate(run, now) if active else (None, None)
    reasons = _reasons(run) if failures else {}
    spending = spending_of(run)
    return Progress(
        done=done,
        total=run.claims_total,
        rate=rate,
        seconds_left=(run.claims_total - done) / rate if rate else None,
        spending=spending,
        to_come_usd=_to_come(spending, asked=totals["asked"], left=run.claims_total - done - _free(run)),
        cached=totals["cached"],
        mean_seconds=totals["mean"],
        outcomes=tuple(
            OutcomeCount(outcome, counts[outcome], outcome in FAILURES, tuple(reasons.get(outcome, ())))
            for outcome in Outcome
            if outcome in counts
        ),
        verdicts=tuple(
            (verdict, verdicts.get(verdict, 0)) for verdict in ("stated", "partial", "absent", "contradicted")
        ),
        failures=failures,
        replaced=totals["set_aside"],
        working=run.chunks.filter(state=Chunk.State.LEASED, leased_until__gte=now).exists(),
        waiting_seconds=(now - (latest or run.created)).total_seconds() if active else 0.0,
    )


def _to_come(spending: Spending, *, asked: int, left: int) -> Decimal | None:
    if spending.price_unknown or (left and not asked):
        return None
    return dollars((spending.known + spending.unknown) / asked * left) if left else Decimal(0)


def _free(run: Run) -> int:
    """Claims still to come that its version has judged in another run: they are taken from there where their texts are the same."""
    if run.probe or run.state == Run.State.FINISHED or not costs_money(run.judge_version):
        return 0
    before = (
        Judgement.objects.counted()
        .exclude(run=run)
        .filter(
            run__judge_version__fingerprint=run.judge_version.fingerprint,
            claim__project=run.project_id,
            outcome__in=ANSWERED,
        )
    )
    known = set(before.order_by().values_list("claim_id", flat=True).distinct())
    if not known:
        return 0
    undone = run.chunks.exclude(state=Chunk.State.DONE).values_list("claim_ids", flat=True)
    known &= {claim for ids in undone for claim in ids}
    return len(known - set(run.judgements.filter(replaced=False).values_list("claim_id", flat=True)))


def _rate(run: Run, now: datetime) -> tuple[float | None, datetime | None]:
    recent = run.judgements.filter(created__gt=now - RATE_WINDOW)
    seen = recent.aggregate(n=Count("id"), first=Min("created"))
    if not seen["n"]:
        return None, None
    begun = min(seen["first"], max(run.created, now - RATE_WINDOW))
    return seen["n"] / max((now - begun).total_seconds(), 0.1), now


def _reasons(run: Run) -> dict[str, list[tuple[str, int]]]:
    """The most frequent reasons of each kind of failure."""
    rows = (
        Judgement.objects.filter(run=run, replaced=False, outcome__in=FAILURES)
        .values("outcome", "reason")
        .annotate(n=Count("id"))
        .order_by("-n", "reason")
    )
    found: dict[str, list[tuple[str, int]]] = {}
    for row in rows[:200]:
        kept = found.setdefault(row["outcome"], [])
        if len(kept) < REASONS_SHOWN:
            kept.append((row["reason"], row["n"]))
    return found
