"""Judge types of a package that tests install: each misbehaves, or lets itself be watched, in one way."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from judges.protocol import (
    ClaimInput,
    JudgeImplementation,
    JudgeType,
    NoConfig,
    Opinion,
    Outcome,
    Verdict,
    parse_no_config,
    read_number,
    reject_unknown_keys,
)

asked: list[int] = []
broken: set[int] = set()
COST = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Sample:
    """A judge made of one function from a claim to an opinion."""

    type_name: str
    decide: Callable[[ClaimInput], Opinion]
    limits: str = "It knows nothing."

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        for claim in claims:
            yield self.decide(claim)


def stated(claim: ClaimInput) -> Opinion:
    return Opinion(outcome=Outcome.JUDGED, verdict=Verdict.STATED, quote=claim.cited[0].text[:40], reason="Says so.")


def count(claim: ClaimInput) -> Opinion:
    asked.append(claim.claim_id)
    return Opinion(outcome=Outcome.JUDGED, verdict=Verdict.STATED, score=0.9, cost_usd=COST, reason="Counted.")


def break_down(claim: ClaimInput) -> Opinion:
    """Raises for the claims that a test put into `broken`, as a judge with a fault does."""
    asked.append(claim.claim_id)
    if claim.claim_id in broken:
        raise RuntimeError(f"cannot read <b>{claim.text}</b>")
    return stated(claim)


ENDINGS = (Outcome.REFUSED, Outcome.UNPARSEABLE, Outcome.TRUNCATED, Outcome.TIMED_OUT, Outcome.FAILED)


def end_badly(claim: ClaimInput) -> Opinion:
    """One claim in ten ends in each of the five ways that are no verdict, by its number in its text."""
    digit = int("".join(filter(str.isdigit, claim.text)) or 0) % 10
    if digit < len(ENDINGS):
        return Opinion(outcome=ENDINGS[digit], reason=f"Ended {ENDINGS[digit]}.", cost_usd=COST)
    return stated(claim)


def log_and_wait(claim: ClaimInput) -> Opinion:
    """Writes down every claim that it is asked, for a test that looks on from another process."""
    with Path(os.environ["SAMPLE_JUDGE_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{claim.claim_id}\n")
    time.sleep(float(os.environ.get("SAMPLE_JUDGE_SECONDS", "0.02")))
    return stated(claim)


class Eager:
    """Does its work when it is called, not when it is iterated over, and breaks on the claims in `broken`."""

    type_name = "eager"
    limits = "It knows nothing."

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        return iter([break_down(claim) for claim in claims])


def die(claim: ClaimInput) -> Opinion:
    """Takes the whole worker with it at a claim that says so, as a crash in native code does."""
    if "poison" in claim.text:
        os._exit(9)
    return stated(claim)


def no_config(
    name: str, decide: Callable[[ClaimInput], Opinion], *, paid: bool = False, code_version: str = "1"
) -> JudgeType[NoConfig]:
    def build(_: NoConfig) -> JudgeImplementation:
        return Sample(name, decide)

    return JudgeType(
        name=name,
        title=name.capitalize(),
        summary="A judge for tests.",
        limits="It knows nothing.",
        default_config=dict,
        parse_config=parse_no_config,
        build=build,
        code_version=code_version,
        paid=paid,
    )


@dataclass(frozen=True, slots=True)
class LeaningConfig:
    threshold: float = 0.5
    greeting: str = "hello"


def parse_leaning(data: Mapping[str, object]) -> LeaningConfig:
    reject_unknown_keys(data, known=("threshold", "greeting"))
    greeting = data.get("greeting", "hello")
    if not isinstance(greeting, str) or not greeting:
        raise ValueError(f"greeting is {greeting!r}; expected some text")
    return LeaningConfig(read_number(data, "threshold", default=0.5, low=0, high=1), greeting)


def build_leaning(config: LeaningConfig) -> JudgeImplementation:
    def lean(claim: ClaimInput) -> Opinion:
        verdict = Verdict.STATED if config.threshold <= 0.7 else Verdict.ABSENT
        return Opinion(outcome=Outcome.JUDGED, verdict=verdict, score=0.7)

    return Sample("leaning", lean)


LEANING = JudgeType(
    name="leaning",
    title="Leaning",
    summary="Has two settings.",
    limits="It does not read.",
    default_config=lambda: {"threshold": 0.5, "greeting": "hello"},
    parse_config=parse_leaning,
    build=build_leaning,
    code_version="1",
)

EAGER: JudgeType[NoConfig] = JudgeType(
    name="eager",
    title="Eager",
    summary="A judge for tests.",
    limits="It knows nothing.",
    default_config=dict,
    parse_config=parse_no_config,
    build=lambda _: Eager(),
    code_version="1",
)

JUDGE_TYPES = (
    no_config("counting", count, paid=True),
    EAGER,
    no_config("breaking", break_down),
    no_config("badly", end_badly),
    no_config("logging", log_and_wait, paid=True),
    no_config("deadly", die),
    LEANING,
)
