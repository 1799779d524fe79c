"""How a combined judge asks its stages: what is known already for nothing, then the rest, stage by stage.

Which claims go on, and what is concluded, is for a :class:`Plan` to say. Money is reserved once a claim: the first paid call
reserves what all paid calls that may follow can cost together, so that a claim that was begun is never left half paid.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Protocol

from judges.asking import ask_each
from judges.combined.stages import Stage
from judges.fingerprints import input_hash
from judges.forecasting import forecast_together
from judges.protocol import (
    AT_MOST,
    ClaimInput,
    Forecast,
    FreePurse,
    JudgeImplementation,
    Opinion,
    Outcome,
    PaidJudge,
    Purse,
    Reserved,
)

_REASON = 500
# Claims that are half-way at most, where another stage follows a paid one: so many are lost with a worker at worst.
_HALF_WAY = 64
_Ended = Iterator[tuple[ClaimInput, Opinion | None]]


@dataclass(frozen=True, slots=True)
class Said:
    """What one stage said of a claim.

    Attributes
    ----------
    place : int
        The number of the stage, from 1.
    opinion : Opinion
        With what it cost when it was asked.
    reused : bool
        Whether it was asked earlier, so that it costs nothing now.
    """

    place: int
    stage: Stage
    opinion: Opinion
    reused: bool = False

    @property
    def name(self) -> str:
        return f"{self.place} ({self.stage.type})"

    def as_data(self) -> dict[str, object]:
        """Plain values, to be kept with the judgement."""
        opinion = self.opinion
        return {
            "stage": self.place,
            "judge": self.stage.type,
            "fingerprint": self.stage.fingerprint,
            "outcome": opinion.outcome.value,
            "verdict": opinion.verdict.value if opinion.verdict else None,
            "score": opinion.score,
            "reason": opinion.reason[:_REASON],
            "reused": self.reused,
            "cost_usd": str(opinion.cost_usd),
            "seconds": opinion.seconds,
        }


class Plan(Protocol):
    """Who is asked about a claim, and what follows from what they say."""

    def takes(self, stage: int, claim: ClaimInput) -> bool:
        """Whether the stage at this index is asked about claims of this kind."""
        ...

    def ends(self, stage: int, opinion: Opinion) -> bool:
        """Whether nobody is asked any more after the stage at this index said this."""
        ...

    def conclude(self, claim: ClaimInput, said: Sequence[Said]) -> Opinion:
        """The opinion that follows; cost, time and the record of the stages are filled in by the caller."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """A stage ready to be asked; ``index`` is its place in the configuration."""

    index: int
    stage: Stage
    implementation: JudgeImplementation

    @property
    def paid(self) -> bool:
        return isinstance(self.implementation, PaidJudge)


def ready_members(stages: Sequence[Stage]) -> tuple[Member, ...]:
    """Build every stage.

    Raises
    ------
    ValueError
        Where one costs money and cannot say how much.
    """
    from judges.registry import judge_type  # noqa: PLC0415  (the registry lists the combined judges themselves)

    made = []
    for index, stage in enumerate(stages):
        kind = judge_type(stage.type)
        member = Member(index, stage, kind.from_data(stage.config))
        if kind.paid and not member.paid:
            msg = f"stage {index + 1} ({stage.type}) costs money and does not say beforehand how much; expected one that does"
            raise ValueError(msg)
        made.append(member)
    return tuple(made)


class CombinedJudge:
    """A judge made of judges that all are free."""

    def __init__(self, *, type_name: str, limits: str, members: Sequence[Member], plan: Plan) -> None:
        self.type_name = type_name
        self.limits = limits
        self._members = members
        self._plan = plan

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """Yield one opinion per claim, in the order of the claims."""
        found = {claim.claim_id: opinion for claim, opinion in self._all(claims, FreePurse())}
        for claim in claims:
            yield found.get(claim.claim_id) or Opinion(outcome=Outcome.FAILED, reason="The claim was not asked.")

    def _all(self, claims: Sequence[ClaimInput], purse: Purse) -> _Ended:
        return _Round(self._members, self._plan, purse).go(claims)


class PaidCombinedJudge(CombinedJudge):
    """A judge made of judges of which some are paid for by the call."""

    @property
    def price_known(self) -> bool:
        """Whether every paid stage can say beforehand what a call can cost."""
        return all(judge.price_known for judge in self._paid())

    @property
    def price_note(self) -> str:
        """What the prices of the paid stages are, or that they are not known."""
        notes = " ".join(dict.fromkeys(judge.price_note for judge in self._paid()))
        return f"{notes} Reckoned as if every claim came to every paid stage that takes it."

    def forecast(self, claim: ClaimInput) -> Forecast:
        """What the claim costs where every paid stage is asked about it."""
        return Forecast.together(forecasts(self._members, self._plan, claim))

    def forecast_together(self, claims: Sequence[ClaimInput]) -> Forecast:
        """What the claims cost where every paid stage is asked about all that it takes.

        About: one question about several claims once. At most: once a claim, since these may come to the stage at other times.
        """
        parts = []
        for member in self._members:
            if isinstance(member.implementation, PaidJudge):
                taken = [member.stage.sees(claim) for claim in claims if self._plan.takes(member.index, claim)]
                parts.append(forecast_together(member.implementation, taken))
        apart = Forecast.together([self.forecast(claim) for claim in claims])
        return Forecast(about=Forecast.together(parts).about, at_most=apart.at_most)

    def ask(self, claims: Sequence[ClaimInput], purse: Purse) -> _Ended:
        """Yield each claim with its opinion as soon as nobody is left to be asked about it."""
        return self._all(claims, purse)

    def _paid(self) -> list[PaidJudge]:
        return [one.implementation for one in self._members if isinstance(one.implementation, PaidJudge)]


def combined_judge(*, type_name: str, limits: str, members: Sequence[Member], plan: Plan) -> CombinedJudge:
    """The judge over these members, in the order in which they are asked."""
    kind = PaidCombinedJudge if any(member.paid for member in members) else CombinedJudge
    return kind(type_name=type_name, limits=limits, members=members, plan=plan)


def forecasts(members: Sequence[Member], plan: Plan, claim: ClaimInput) -> list[Forecast]:
    """What each of the paid members that take the claim costs for it."""
    return [
        member.implementation.forecast(member.stage.sees(claim))
        for member in members
        if isinstance(member.implementation, PaidJudge) and plan.takes(member.index, claim)
    ]


class _Round:
    """One time that claims are put to the stages."""

    def __init__(self, members: Sequence[Member], plan: Plan, purse: Purse) -> None:
        self._members, self._plan, self._purse = members, plan, purse
        self._said: dict[int, list[Said]] = {}
        self._begun: set[int] = set()

    def go(self, claims: Sequence[ClaimInput], at: int = 0) -> _Ended:
        """Put the claims to the member at this place of the line, and on to those behind it."""
        if not claims:
            return
        if at == len(self._members):
            for claim in claims:
                yield self._concluded(claim)
            return
        member = self._members[at]
        taken = [claim for claim in claims if self._plan.takes(member.index, claim)]
        there = {claim.claim_id for claim in taken}
        going_on = [claim for claim in claims if claim.claim_id not in there]
        known = _earlier(member.stage, taken)
        fresh = [claim for claim in taken if claim.claim_id not in known]
        for claim in taken:
            if claim.claim_id in known:
                yield from self._heard(member, claim, known[claim.claim_id], going_on, reused=True)
        if isinstance(member.implementation, PaidJudge):
            yield from self.go(going_on, at + 1)
            yield from self._pay(at, member.implementation, fresh)
            return
        seen = [member.stage.sees(claim) for claim in fresh]
        for claim, (_, opinion) in zip(fresh, ask_each(member.implementation, seen), strict=True):
            yield from self._heard(member, claim, opinion, going_on)
        yield from self.go(going_on, at + 1)

    def _pay(self, at: int, judge: PaidJudge, claims: Sequence[ClaimInput]) -> _Ended:
        """Ask a paid member: all at once where it is the last, else in portions, each taken to its end before the next."""
        last = at + 1 == len(self._members)
        waiting = list(claims)
        while waiting:
            portion = waiting if last else waiting[:_HALF_WAY]
            left: list[ClaimInput] = []
            going_on: list[ClaimInput] = []
            begun = [claim for claim in portion if claim.claim_id in self._begun]
            new = [claim for claim in portion if claim.claim_id not in self._begun]
            for some, finishing in ((begun, True), (new, False)):
                yield from self._put(at, judge, some, going_on, left, finishing=finishing)
            yield from self.go(going_on, at + 1)
            if last or len(left) == len(portion):  # no money, or no use in going on
                return
            # What was bound by this portion is free again: who had to wait for it is asked with the next.
            waiting = left + waiting[len(portion) :]

    def _put(
        self,
        at: int,
        judge: PaidJudge,
        claims: Sequence[ClaimInput],
        going_on: list[ClaimInput],
        left: list[ClaimInput],
        *,
        finishing: bool,
    ) -> _Ended:
        """Ask about some claims; those that no leave is given for are added to ``left``."""
        if not claims:
            return
        member = self._members[at]
        unheard = {claim.claim_id: claim for claim in claims}

        def still(claim: ClaimInput, at_most: Decimal | None) -> Decimal | None:
            later = forecasts(self._members[at + 1 :], self._plan, unheard[claim.claim_id])
            return Forecast.together([Forecast(about=None, at_most=at_most), *later]).at_most

        purse = _ClaimPurse(self._purse, self._begun, still, finishing=finishing)
        for seen, opinion in judge.ask([member.stage.sees(claim) for claim in claims], purse):
            claim = unheard.pop(seen.claim_id)
            if opinion is not None:
                yield from self._heard(member, claim, opinion, going_on)
            elif finishing:
                yield from self._cut_short(member, claim)
            else:  # leave was given, and nothing asked
                self._begun.discard(claim.claim_id)
                yield claim, None
        for claim in unheard.values():
            if finishing:
                yield from self._cut_short(member, claim)
            else:
                left.append(claim)

    def _cut_short(self, member: Member, claim: ClaimInput) -> _Ended:
        """A claim that was paid for by an earlier stage and not asked by this one: what was paid is to be seen."""
        reason = f"Stage {member.index + 1} ({member.stage.type}) was not asked any more."
        yield self._ended(claim, Opinion(outcome=Outcome.FAILED, reason=reason))

    def _heard(
        self, member: Member, claim: ClaimInput, opinion: Opinion, going_on: list[ClaimInput], *, reused: bool = False
    ) -> _Ended:
        said = Said(member.index + 1, member.stage, opinion, reused)
        self._said.setdefault(claim.claim_id, []).append(said)
        if self._plan.ends(member.index, opinion):
            yield self._concluded(claim)
        else:
            going_on.append(claim)

    def _concluded(self, claim: ClaimInput) -> tuple[ClaimInput, Opinion]:
        said = sorted(self._said.get(claim.claim_id, ()), key=lambda one: one.place)
        return self._ended(claim, self._plan.conclude(claim, said))

    def _ended(self, claim: ClaimInput, opinion: Opinion) -> tuple[ClaimInput, Opinion]:
        said = sorted(self._said.get(claim.claim_id, ()), key=lambda one: one.place)
        now = [one.opinion for one in said if not one.reused]
        earlier = [one.opinion for one in said if one.reused]
        unknown = sum((_unknown(one) for one in now), Decimal(0))
        detail: Mapping[str, object] = {
            **opinion.detail,
            "stages": [one.as_data() for one in said],
            **({AT_MOST: str(unknown)} if unknown else {}),
        }
        cost = sum((one.cost_usd for one in now), Decimal(0))
        return claim, replace(
            opinion,
            cost_usd=cost,
            seconds=sum(one.seconds for one in now),
            reused_usd=sum((one.cost_usd for one in earlier), Decimal(0)),
            reused_seconds=sum(one.seconds for one in earlier),
            detail=detail,
        )


class _ClaimPurse:
    """The purse of a run, as one stage has it: leave for a claim is asked for once, with what it can still cost in all."""

    def __init__(self, purse: Purse, begun: set[int], still: "_Still", *, finishing: bool) -> None:
        self._purse, self._begun, self._still, self._finishing = purse, begun, still, finishing

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Ask leave for all that may be asked about the claim; it is given already where the claim was begun."""
        if claim.claim_id in self._begun:
            return Reserved.YES
        answer = self._purse.reserve(claim, self._still(claim, at_most))
        if answer is Reserved.YES:
            self._begun.add(claim.claim_id)
        return answer

    def going(self) -> bool:
        """What was begun is taken to its end: half of it is paid for."""
        return self._finishing or self._purse.going()

    def may_wait(self) -> bool:
        return self._purse.may_wait()

    def batches(self) -> Mapping[str, Sequence[int]]:
        return {}

    def handed_in(self, batch: str, claims: Sequence[ClaimInput]) -> None:
        """No stage is in batches."""


class _Still(Protocol):
    def __call__(self, claim: ClaimInput, at_most: Decimal | None, /) -> Decimal | None: ...


def _earlier(stage: Stage, claims: Sequence[ClaimInput]) -> dict[int, Opinion]:
    """What the version with the settings of a stage said of these claims and the same texts before."""
    from judges.models import Judgement  # noqa: PLC0415  (the registry is read before the models are)

    if not claims:
        return {}
    hashes = {claim.claim_id: input_hash(stage.sees(claim)) for claim in claims}
    rows = Judgement.objects.select_related("cached_from").reusable([stage.fingerprint], hashes)
    return {
        claim: replace(
            row.opinion(), cost_usd=(row.cached_from or row).cost_usd, seconds=(row.cached_from or row).seconds
        )
        for claim, row in rows.items()
    }


def _unknown(opinion: Opinion) -> Decimal:
    """What the stage can have cost beyond what is known."""
    try:
        return Decimal(str(opinion.detail.get(AT_MOST, 0)))
    except InvalidOperation:
        return Decimal(0)
