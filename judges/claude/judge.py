"""The Claude judge: prompts by the Messages API one by one, or in message batches."""

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from decimal import Decimal

from django.conf import settings

from judges.claude.batches import LARGEST_BYTES, LARGEST_COUNT, Batches, custom_id
from judges.claude.client import KEY, MISSING_EXTRA, MISSING_KEY, ClaudeEndpoint, extra_installed
from judges.claude.config import SETTINGS, ClaudeConfig, default_config, parse_config
from judges.claude.requests import request_for
from judges.preview import Preview
from judges.prices import price_of
from judges.prompted.beforehand import preview_of
from judges.prompted.calls import CallError
from judges.prompted.judge import PromptedJudge, Twins
from judges.prompted.opinions import opinion_of_error, opinion_of_reply
from judges.prompted.pacing import GivenUpError, shared_pace
from judges.prompted.prompts import Prompt
from judges.prompted.retrying import Patience
from judges.protocol import ClaimInput, JudgeType, Opinion, Purse, Reserved
from judges.setting import Need

NAME = "claude"
LIMITS = (
    "Gives a verdict and no score, so it has no threshold to set. Asked twice it may answer differently, and it can let "
    "through what it happens to know."
)
_Reading = Generator[tuple[ClaimInput, Opinion | None], None, bool]
# A worker drains its calls at the end of every portion, so portions are large.
_AT_ONCE = 1_000


class ClaudeJudge(PromptedJudge):
    """Claude over the cited sources and the claim."""

    def __init__(self, config: ClaudeConfig) -> None:
        self._claude = ClaudeEndpoint(config)
        self._settings = config
        self._tries = Patience.from_settings()
        super().__init__(
            type_name=NAME,
            limits=LIMITS,
            config=config,
            endpoint=self._claude,
            pace=shared_pace(
                f"claude {self._claude.client.base_url}",
                at_once=settings.JUDGE_CALLS_AT_ONCE,
                per_minute=settings.JUDGE_CALLS_PER_MINUTE,
            ),
            patience=self._tries,
            price=price_of(config.model),
            keeps_prefixes=True,
        )

    def at_most(self, prompt: Prompt) -> Decimal | None:
        """What one call can cost; half of it in a batch."""
        return self._at_the_rate(super().at_most(prompt))

    def _about(self, prompt: Prompt) -> Decimal | None:
        return self._at_the_rate(super()._about(prompt))

    def _at_the_rate(self, whole: Decimal | None) -> Decimal | None:
        return whole * self.price.batch if self._settings.batch and self.price and whole is not None else whole

    def _asked(
        self, claims: Sequence[ClaimInput], purse: Purse, twins: Twins
    ) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        if self._settings.batch:  # what is in a batch is read again and never lost, so only its own claim is noted
            return self._in_batches(claims, purse)
        return super()._asked(claims, purse, twins)

    def _in_batches(self, claims: Sequence[ClaimInput], purse: Purse) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        batches = Batches(self._claude, self._tries)
        waiting = {claim.claim_id: claim for claim in claims}
        for batch, ids in purse.batches().items():
            handed_in = [waiting.pop(one) for one in ids if one in waiting]
            if not (yield from self._read(batches, batch, handed_in, purse)):
                return
        rest = list(waiting.values())
        while rest and purse.going():
            portion = self._portion(rest, purse)
            rest = rest[len(portion) :]
            if not portion or not (yield from self._one_batch(batches, portion, rest, purse)):
                return

    def _one_batch(
        self, batches: Batches, portion: Sequence[tuple[ClaimInput, Prompt]], rest: Sequence[ClaimInput], purse: Purse
    ) -> _Reading:
        """Hand one batch in and read it; returns whether to go on with the rest."""
        bodies = {custom_id(claim): request_for(self._settings, prompt, keep=False) for claim, prompt in portion}
        try:
            batch = batches.hand_in(bodies, purse)
        except GivenUpError:
            for claim, _ in portion:
                yield claim, None
            return False
        except CallError as error:
            for claim, prompt in portion:
                yield claim, opinion_of_error(error, at_most=self.at_most(prompt), seconds=0.0)
            for claim in rest if error.everywhere else ():
                yield claim, opinion_of_error(error, at_most=None, seconds=0.0)
            return not error.everywhere
        asked = [claim for claim, _ in portion]
        purse.handed_in(batch, asked)
        return (yield from self._read(batches, batch, asked, purse))

    def _portion(self, claims: Sequence[ClaimInput], purse: Purse) -> list[tuple[ClaimInput, Prompt]]:
        """The claims from the first on that fit one batch and that there is money for."""
        portion: list[tuple[ClaimInput, Prompt]] = []
        size = 0
        for claim in claims[:LARGEST_COUNT]:
            prompt = self.prompt(claim)
            size += prompt.utf8_bytes
            if portion and size > LARGEST_BYTES:
                break
            if purse.reserve(claim, self.at_most(prompt)) is not Reserved.YES:
                break
            portion.append((claim, prompt))
        return portion

    def _read(self, batches: Batches, batch: str, claims: Sequence[ClaimInput], purse: Purse) -> _Reading:
        """The opinions of a batch; returns whether it has ended."""
        endings = batches.endings(batch, claims, purse)
        while True:
            try:
                claim, ending = next(endings)
            except StopIteration as stop:
                return bool(stop.value)
            at_most = self.at_most(self.prompt(claim))
            if isinstance(ending, CallError):
                yield claim, opinion_of_error(ending, at_most=at_most, seconds=0.0)
            else:
                yield claim, opinion_of_reply(ending, self.terms(claim, at_most, batch=True), seconds=0.0)


def _needs(_: Mapping[str, object]) -> Sequence[Need]:
    return (
        Need("the extra “claude”", extra_installed(), MISSING_EXTRA),
        Need(KEY, bool(os.environ.get(KEY, "").strip()), MISSING_KEY),
    )


def _preview(config: ClaudeConfig, claim: ClaimInput) -> Preview:
    return preview_of(config, claim, lambda prompt: request_for(config, prompt, keep=False))


CLAUDE: JudgeType[ClaudeConfig] = JudgeType(
    name=NAME,
    title="Claude",
    summary="Asks Claude whether the cited sources support the claim; it quotes the words that decide, and says why.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=ClaudeJudge,
    code_version="1",
    paid=True,
    prompted=True,
    at_once=_AT_ONCE,
    settings=SETTINGS,
    needs=_needs,
    preview=_preview,
)
