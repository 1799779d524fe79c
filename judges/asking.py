"""Asking a judge that may raise anything: what goes wrong costs the claim that it went wrong at, never the others."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from judges.protocol import ClaimInput, JudgeImplementation, Opinion, Outcome

logger = logging.getLogger(__name__)


def ask_each(
    implementation: JudgeImplementation, claims: Sequence[ClaimInput], *, one_by_one: bool = False
) -> Iterator[tuple[ClaimInput, Opinion]]:
    """Every claim with its opinion, in order. What the judge raises costs the claim that it was at, never the others."""
    answered = 0
    started = time.perf_counter()
    if not one_by_one:
        try:
            opinions = iter(implementation.judge(claims))
            for claim in claims:
                opinion = next(opinions, None)
                if not isinstance(opinion, Opinion):
                    break
                answered += 1
                yield claim, _timed(opinion, time.perf_counter() - started)
                started = time.perf_counter()
        except Exception as error:  # noqa: BLE001  (a judge may raise anything; the rest is asked one at a time)
            logger.warning("judge %s: %s: %s", implementation.type_name, type(error).__name__, error)
    for claim in claims[answered:]:
        yield claim, _ask_alone(implementation, claim)


def _ask_alone(implementation: JudgeImplementation, claim: ClaimInput) -> Opinion:
    started = time.perf_counter()
    try:
        opinions = list(implementation.judge([claim]))
    except Exception as error:  # noqa: BLE001
        return _timed(
            Opinion(outcome=Outcome.FAILED, reason=f"{type(error).__name__}: {error}"), time.perf_counter() - started
        )
    if len(opinions) != 1 or not isinstance(opinions[0], Opinion):
        return Opinion(
            outcome=Outcome.FAILED, reason=f"The judge gave {len(opinions)} opinions of one claim; expected one."
        )
    return _timed(opinions[0], time.perf_counter() - started)


def _timed(opinion: Opinion, seconds: float) -> Opinion:
    """The opinion with the time measured here, where the judge did not measure its own."""
    return opinion if opinion.seconds else replace(opinion, seconds=seconds)
