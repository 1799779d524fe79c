"""Paid calls within one request: a budget and a time of its own, and each call written down before it is made."""

import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from judges.models import Intent, Run
from judges.protocol import ClaimInput, FreePurse, Opinion, Reserved
from judges.services.paying import counted, lost_opinion

LOST_AFTER = timedelta(hours=1)
"""No request lasts as long: a call that is open by then was made by one that is no more."""


class RequestPurse(FreePurse):
    """Leave for the calls of one request. It stands in the run that keeps the judgements, which has no budget itself.

    Parameters
    ----------
    run : Run
    budget_usd : Decimal
        No call is begun that could cost more, with what was begun before.
    seconds : float
        After so many no call is begun; what is going on is waited for.
    """

    def __init__(self, run: Run, budget_usd: Decimal, *, seconds: float) -> None:
        self._run, self._budget = run, budget_usd
        self._counted: dict[int, Decimal] = {}
        self._until = time.monotonic() + seconds

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Write down that the claim is about to be asked about, if the budget allows and nobody else is asking."""
        if not self.going():
            return Reserved.NO
        if at_most is None or sum(self._counted.values(), at_most) > self._budget:
            return Reserved.LATER
        try:
            with transaction.atomic():
                Intent.objects.create(run=self._run, claim_id=claim.claim_id, counted_usd=at_most)
        except IntegrityError:  # another request has begun to ask since we looked
            return Reserved.NO
        self._counted[claim.claim_id] = at_most
        return Reserved.YES

    def going(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self._until

    def may_wait(self) -> bool:
        """No batch is waited for."""
        return False

    def settle(self, claim: ClaimInput, opinion: Opinion | None) -> None:
        """Close the call about a claim with what it cost, or take it back where nothing was asked."""
        mine = self._open([claim])
        if opinion is None:
            self._counted.pop(claim.claim_id, None)
            mine.delete()
        else:
            self._counted[claim.claim_id] = counted(opinion)
            mine.update(state=Intent.State.SETTLED, counted_usd=counted(opinion))

    def open_elsewhere(self, claims: Sequence[ClaimInput]) -> set[int]:
        """The claims that another request is asking about."""
        return set(self._open(claims).values_list("claim_id", flat=True))

    def lost(self, claims: Sequence[ClaimInput]) -> Iterator[tuple[ClaimInput, Opinion]]:
        """The claims that were asked about by a process that is no more, each with the failure that says so."""
        old = self._open(claims).filter(created__lt=timezone.now() - LOST_AFTER)
        cost = dict(old.values_list("claim_id", "counted_usd"))
        yield from ((claim, lost_opinion(cost[claim.claim_id])) for claim in claims if claim.claim_id in cost)

    def _open(self, claims: Sequence[ClaimInput]) -> QuerySet[Intent]:
        ids = [claim.claim_id for claim in claims]
        return Intent.objects.filter(run=self._run, claim__in=ids, state=Intent.State.ASKED)
