"""Paid calls of a run: an intent before, its outcome after, and a budget that is not passed.

What is open without an outcome may have been paid for, so it is not asked again: the claim's judgement is then a failure
that says so, and a person decides whether to try it again.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from judges.models import Intent, Judgement, Run
from judges.protocol import AT_MOST, ClaimInput, Opinion, Outcome, Reserved

_LOOK_SECONDS = 0.5
LOST = "A worker was lost while it waited for the answer. It may have been charged, so it was not asked again."


@dataclass(frozen=True, slots=True)
class Spending:
    """What one run, or several together, have cost, in US dollars; failures and what was tried again included.

    Attributes
    ----------
    known : Decimal
        The sum of what the services said.
    unknown : Decimal
        What calls can have cost at most whose answer never came, or came without saying.
    bound : Decimal
        What the calls that are going on can cost at most.
    price_unknown : bool
        Whether calls were made at a price that nobody knows: they are among the known ones as 0.
    budget : Decimal or None
        What a single run may cost; ``None`` for any amount.
    """

    known: Decimal = Decimal(0)
    unknown: Decimal = Decimal(0)
    bound: Decimal = Decimal(0)
    price_unknown: bool = False
    budget: Decimal | None = None

    @property
    def at_most(self) -> Decimal:
        """What it can have cost by the time that the calls going on have ended."""
        return self.known + self.unknown + self.bound

    @classmethod
    def together(cls, each: Collection["Spending"]) -> "Spending":
        """What several runs have cost."""
        return cls(
            known=sum((one.known for one in each), Decimal(0)),
            unknown=sum((one.unknown for one in each), Decimal(0)),
            bound=sum((one.bound for one in each), Decimal(0)),
            price_unknown=any(one.price_unknown for one in each),
        )


def spending_of(run: Run) -> Spending:
    """What the run has cost until now."""
    return spending_by_run([run])[run.pk]


def spending_by_run(runs: Sequence[Run]) -> dict[int, Spending]:
    """What each of the runs has cost until now, by its id, in three queries."""
    ids = [run.pk for run in runs]
    said = Judgement.objects.filter(run__in=ids).order_by().values("run").annotate(total=Sum("cost_usd"))
    known = {row["run"]: dollars(row["total"]) for row in said}
    counted: dict[tuple[int, str], Decimal] = {}
    for row in Intent.objects.filter(run__in=ids).order_by().values("run", "state").annotate(total=Sum("counted_usd")):
        counted[row["run"], row["state"]] = dollars(row["total"])
    free = [run for run in ids if not known.get(run)]
    nameless = Judgement.objects.filter(run__in=free, detail__price="unknown").order_by().values_list("run", flat=True)
    unpriced = set(nameless.distinct())
    return {
        run.pk: Spending(
            known=known.get(run.pk, Decimal(0)),
            # An intent is settled with what the service said, or with the most where it said nothing.
            unknown=max(
                Decimal(0), counted.get((run.pk, Intent.State.SETTLED), Decimal(0)) - known.get(run.pk, Decimal(0))
            ),
            bound=counted.get((run.pk, Intent.State.ASKED), Decimal(0)),
            price_unknown=run.pk in unpriced,
            budget=run.budget_usd,
        )
        for run in runs
    }


class RunPurse:
    """The purse of one worker for the claims of one chunk.

    Parameters
    ----------
    going : callable
        Says that this worker is alive, and whether the claims are still its own and the run still going.
    seconds : float
        How long it waits for batches before other work gets its turn.
    """

    def __init__(self, run: Run, claims: Sequence[ClaimInput], *, going: Callable[[], bool], seconds: float) -> None:
        self.over = False
        self._run = run
        self._ids = [claim.claim_id for claim in claims]
        self._ask_whether_going = going
        self._going, self._looked = True, 0.0
        self._until = time.monotonic() + seconds

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Write down that the claim is about to be asked, if it still is ours to ask and the budget allows."""
        with transaction.atomic():
            # Who was overtaken must not ask: whoever has the claims by now takes open intents for lost.
            if not self._ask_whether_going():
                return Reserved.NO
            self.over = self._run.budget_usd is not None and not self._has_room(at_most)
            if self.over:
                return Reserved.LATER
            Intent.objects.create(run=self._run, claim_id=claim.claim_id, counted_usd=at_most or Decimal(0))
        return Reserved.YES

    def _has_room(self, at_most: Decimal | None) -> bool:
        """Whether the budget allows this much more."""
        rows = Run.objects.filter(id=self._run.pk)
        # Changes nothing and takes the row's lock, where the database has them: budgets are checked one at a time.
        rows.update(state=F("state"))
        budget = rows.values_list("budget_usd", flat=True).get()
        return budget is None or (at_most is not None and _counted(self._run) + at_most <= budget)

    def going(self) -> bool:
        """Whether to go on, by a look at the rows every half second."""
        if self._going and time.monotonic() - self._looked > _LOOK_SECONDS:
            self._going = self._ask_whether_going()
            self._looked = time.monotonic()
        return self._going

    def may_wait(self) -> bool:
        """Whether to go on waiting for a batch."""
        return self.going() and time.monotonic() < self._until

    def batches(self) -> Mapping[str, Sequence[int]]:
        """The batches of these claims that were handed in and not read yet."""
        found: dict[str, list[int]] = {}
        for batch, claim in self._open().exclude(batch="").values_list("batch", "claim"):
            found.setdefault(batch, []).append(claim)
        return found

    def handed_in(self, batch: str, claims: Sequence[ClaimInput]) -> None:
        """Keep the id of the batch that the claims went out in."""
        ids = [claim.claim_id for claim in claims]
        for start in range(0, len(ids), 500):
            self._open().filter(claim__in=ids[start : start + 500]).update(batch=batch)

    def lost(self) -> dict[int, Decimal]:
        """The claims that were asked by a worker that is no more, and what each can have cost."""
        return dict(self._open().filter(batch="").values_list("claim", "counted_usd"))

    def settle(self, claim: ClaimInput, opinion: Opinion | None) -> None:
        """Close the intent of a claim with what it cost, or take it back where nothing was asked."""
        mine = Intent.objects.filter(run=self._run, claim=claim.claim_id, state=Intent.State.ASKED)
        if opinion is None:
            mine.delete()
        else:
            mine.update(state=Intent.State.SETTLED, counted_usd=counted(opinion))

    def _open(self) -> QuerySet[Intent]:
        return Intent.objects.filter(run=self._run, state=Intent.State.ASKED, claim__in=self._ids)


def lost_opinion(at_most: Decimal) -> Opinion:
    """The opinion of a claim whose answer nobody heard."""
    return Opinion(outcome=Outcome.FAILED, reason=LOST, detail={AT_MOST: str(at_most)} if at_most else {})


def counted(opinion: Opinion) -> Decimal:
    """What an opinion counts against a budget: its cost, and where that is not known, what it can have been."""
    try:
        unknown = Decimal(str(opinion.detail.get(AT_MOST, 0)))
    except InvalidOperation:
        unknown = Decimal(0)
    return dollars(opinion.cost_usd + unknown)


def dollars(total: Decimal | None) -> Decimal:
    """A sum as it was meant: SQLite adds decimals as floating-point numbers."""
    return (total or Decimal(0)).quantize(Decimal("0.000001"))


def stop_over_budget(run: Run) -> bool:
    """Stop a running run because a further call could pass its budget. Whether it was running."""
    rows = Run.objects.filter(id=run.pk, state=Run.State.ACTIVE, budget_usd__isnull=False)
    return bool(rows.update(state=Run.State.STOPPED, over_budget=True))


def _counted(run: Run) -> Decimal:
    return dollars(Intent.objects.filter(run=run).aggregate(total=Sum("counted_usd"))["total"])
