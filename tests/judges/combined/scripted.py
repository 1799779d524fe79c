"""Judges that say what the claim tells them to: one that is free, one that is paid for by the call.

A judge called a says ``absent`` with a score of 0.4 of a claim with ``a=absent@0.4`` in its text, and ends as told by
``a=failed`` or ``a=no-opinion``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from judges.protocol import (
    ClaimInput,
    Forecast,
    FreePurse,
    JudgeType,
    Opinion,
    Outcome,
    Purse,
    Reserved,
    Verdict,
    reject_unknown_keys,
)

COST, AT_MOST = Decimal("0.01"), Decimal("0.02")
asked: list[tuple[str, int]] = []
seen: list[ClaimInput] = []


@dataclass(frozen=True, slots=True)
class ScriptedConfig:
    name: str = "a"
    unit: str = "claim"
    batch: bool = False


def say(name: str, claim: ClaimInput, *, cost: Decimal = Decimal(0)) -> Opinion:
    asked.append((name, claim.claim_id))
    seen.append(claim)
    found = re.search(rf"\b{name}=([a-z-]+)(?:@([0-9.]+[0-9]))?", claim.text)
    word, score = (found[1], found[2]) if found else ("stated", None)
    verdict = Verdict(word) if word in list(Verdict) else None
    return Opinion(
        outcome=Outcome.JUDGED if verdict else Outcome(word),
        verdict=verdict,
        score=float(score) if score else None,
        reason=f"{name} says {word}.",
        cost_usd=cost,
        seconds=0.5,
    )


@dataclass(frozen=True, slots=True)
class Scripted:
    config: ScriptedConfig
    type_name: str = "scripted"
    limits: str = "It does as it is told."

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        for claim in claims:
            yield say(self.config.name, claim)


@dataclass(frozen=True, slots=True)
class Priced:
    """Asks one claim after the other, each for a cent, and never for more than two."""

    config: ScriptedConfig
    type_name: str = "priced"
    limits: str = "It does as it is told."
    price_known: bool = True
    price_note: str = "A cent a claim."

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        for _, opinion in self.ask(claims, FreePurse()):
            assert opinion is not None
            yield opinion

    def forecast(self, claim: ClaimInput) -> Forecast:
        return Forecast(about=COST, at_most=AT_MOST)

    def ask(self, claims: Sequence[ClaimInput], purse: Purse) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        for claim in claims:
            if not purse.going() or purse.reserve(claim, AT_MOST) is not Reserved.YES:
                return
            yield claim, say(self.config.name, claim, cost=COST)


def parse_config(data: Mapping[str, object]) -> ScriptedConfig:
    reject_unknown_keys(data, known=("name", "unit", "batch"))
    return ScriptedConfig(
        str(data.get("name", "a")), str(data.get("unit", "claim")), batch=bool(data.get("batch", False))
    )


def default_config() -> dict[str, object]:
    return {"name": "a", "unit": "claim", "batch": False}


SCRIPTED: JudgeType[ScriptedConfig] = JudgeType(
    name="scripted",
    title="Scripted",
    summary="A judge for tests.",
    limits="It does as it is told.",
    default_config=default_config,
    parse_config=parse_config,
    build=Scripted,
    code_version="1",
)
PRICED: JudgeType[ScriptedConfig] = JudgeType(
    name="priced",
    title="Priced",
    summary="A judge for tests.",
    limits="It does as it is told.",
    default_config=default_config,
    parse_config=parse_config,
    build=Priced,
    code_version="1",
    paid=True,
)
JUDGE_TYPES = (SCRIPTED, PRICED)
