"""The judge that asks a language model: claims to prompts, prompts through the pump, replies to opinions."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from judges.prices import Price
from judges.prompted.beforehand import prompt_of, settled_beforehand
from judges.prompted.calls import CallError, Endpoint
from judges.prompted.config import PromptedConfig
from judges.prompted.costs import about_it_costs, most_it_costs, price_note
from judges.prompted.opinions import Terms, opinion_of_error, opinion_of_reply
from judges.prompted.pacing import Pace
from judges.prompted.prompts import Prompt
from judges.prompted.pump import Job, Pump, Result
from judges.prompted.retrying import Patience, ask
from judges.protocol import ClaimInput, Forecast, FreePurse, Opinion, Outcome, Purse, Reserved

_USUAL_REPLY_TOKENS = 120
Twins = Mapping[int, Sequence[ClaimInput]]


class PromptedJudge:
    """A judge over one endpoint; ``judge`` asks without counting, ``ask`` under a purse."""

    def __init__(
        self,
        *,
        type_name: str,
        limits: str,
        config: PromptedConfig,
        endpoint: Endpoint,
        pace: Pace,
        patience: Patience,
        price: Price | None,
        keeps_prefixes: bool = False,
    ) -> None:
        self.type_name = type_name
        self.limits = limits
        self.config = config
        self.price = price
        self._endpoint = endpoint
        self._pace = pace
        self._patience = patience
        self._keeps_prefixes = keeps_prefixes

    @property
    def price_known(self) -> bool:
        """Whether it can say beforehand what a call can cost."""
        return self.price is not None

    @property
    def price_note(self) -> str:
        """What its prices are and of which day, or that they are not known."""
        return price_note(self.config.model, self.price)

    def prompt(self, claim: ClaimInput) -> Prompt:
        """Exactly what is sent for a claim."""
        return prompt_of(self.config, claim)

    def forecast(self, claim: ClaimInput) -> Forecast:
        """What this claim is going to cost; nothing where its opinion needs no call."""
        return self.forecast_together([claim])

    def forecast_together(self, claims: Sequence[ClaimInput]) -> Forecast:
        """What these claims are going to cost: claims that come to one question, as those of one answer may, cost it once."""
        asking = [claim for claim in claims if settled_beforehand(self.config, claim) is None]
        prompts = dict.fromkeys(map(self.prompt, asking))
        return Forecast.together([Forecast(about=self._about(one), at_most=self.at_most(one)) for one in prompts])

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """Yield one opinion per claim, in the order of the claims."""
        waiting: dict[int, Opinion] = {}
        place = 0
        for claim, opinion in self.ask(claims, FreePurse()):
            waiting[claim.claim_id] = opinion or Opinion(outcome=Outcome.FAILED, reason="The claim was not asked.")
            while place < len(claims) and claims[place].claim_id in waiting:
                yield waiting[claims[place].claim_id]
                place += 1

    def ask(self, claims: Sequence[ClaimInput], purse: Purse) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        """Yield each claim with its opinion as soon as it is there, in any order."""
        asking: list[ClaimInput] = []
        for claim in claims:
            settled = settled_beforehand(self.config, claim)
            if settled is None:
                asking.append(claim)
            else:
                yield claim, settled
        if not asking:
            return
        # Claims of one answer come to one question where the whole answer is asked about: it is asked once.
        going = {claim for ids in purse.batches().values() for claim in ids}
        first: dict[Prompt, ClaimInput] = {}
        twins: dict[int, list[ClaimInput]] = {}
        alone: list[ClaimInput] = []
        for claim in sorted(asking, key=lambda one: one.claim_id not in going):
            same = first.setdefault(self.prompt(claim), claim)
            if same is claim or claim.claim_id in going:  # what is on its way already is waited for
                alone.append(claim)
            else:
                twins.setdefault(same.claim_id, []).append(claim)
        for claim, opinion in self._asked(alone, purse, twins):
            # The one that is noted as asked comes last: until then, who comes after a lost worker knows of it.
            for twin in twins.get(claim.claim_id, ()):
                yield twin, _copy(opinion)
            yield claim, opinion

    def _asked(
        self, claims: Sequence[ClaimInput], purse: Purse, twins: Twins
    ) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        """Ask about claims that each come to a question of their own; ``twins`` are those that share it, by claim."""
        prompts = [self.prompt(claim) for claim in claims]
        sharing = Counter(prompt.sources for prompt in prompts)
        jobs = [
            Job(claim, prompt, shared=self._keeps_prefixes and sharing[prompt.sources] > 1)
            for claim, prompt in zip(claims, prompts, strict=True)
        ]
        pump = Pump(
            jobs,
            purse=_TogetherPurse(purse, twins),
            at_most=lambda job: self.at_most(job.prompt),
            send=self._send,
            at_once=self._pace.at_once,
            one_first=self._keeps_prefixes,
        )
        for result in pump.results():
            yield result.job.claim, self._opinion(result)

    def _send(self, job: Job, given_up: threading.Event) -> Result:
        begun = time.perf_counter()
        try:
            reply = ask(
                self._endpoint,
                job.prompt,
                keep=job.shared,
                pace=self._pace,
                patience=self._patience,
                given_up=given_up,
            )
        except CallError as error:
            return Result(job, error=error, seconds=time.perf_counter() - begun)
        return Result(job, reply=reply, seconds=time.perf_counter() - begun)

    def _opinion(self, result: Result) -> Opinion | None:
        at_most = self.at_most(result.job.prompt)
        if result.reply is not None:
            terms = self.terms(result.job.claim, at_most)
            return opinion_of_reply(result.reply, terms, seconds=result.seconds)
        if result.error is not None:
            return opinion_of_error(result.error, at_most=at_most if result.asked else None, seconds=result.seconds)
        return None

    def terms(self, claim: ClaimInput, at_most: Decimal | None, *, batch: bool = False) -> Terms:
        """The terms under which a reply about this claim becomes an opinion."""
        return Terms(
            cited=claim.cited_for(self.config.unit),
            price=self.price,
            at_most=at_most,
            batch=batch,
            unverified_is_error=self.config.unverified_quote == "error",
        )

    def at_most(self, prompt: Prompt) -> Decimal | None:
        """What one call can cost: no text has more tokens than bytes, and no reply more than it may have."""
        return most_it_costs(prompt, price=self.price, reply_tokens=self.config.reply_tokens)

    def _about(self, prompt: Prompt) -> Decimal | None:
        return about_it_costs(prompt, price=self.price, reply_tokens=_USUAL_REPLY_TOKENS)


class _TogetherPurse:
    """The purse of a run, as one that notes every claim which a question is about: where it is lost, all of them are."""

    def __init__(self, purse: Purse, twins: Twins) -> None:
        self._purse, self._twins = purse, twins

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Ask leave for the question; the other claims cost nothing more."""
        answer = self._purse.reserve(claim, at_most)
        if answer is Reserved.YES:
            for twin in self._twins.get(claim.claim_id, ()):
                self._purse.reserve(twin, Decimal(0))
        return answer

    def going(self) -> bool:
        """Whether there is any use in going on."""
        return self._purse.going()


def _copy(opinion: Opinion | None) -> Opinion | None:
    """The same opinion for another claim that came to the same question: it was paid once."""
    if opinion is None:
        return None
    detail = {key: value for key, value in opinion.detail.items() if key not in ("tokens", "cost_at_most_usd")}
    return Opinion(
        outcome=opinion.outcome,
        verdict=opinion.verdict,
        score=opinion.score,
        quote=opinion.quote,
        reason=opinion.reason,
        seconds=0.0,
        detail={**detail, "asked_with": "another claim that came to the same question"},
    )
