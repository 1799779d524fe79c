"""The cascade: cheap judges first, and a claim goes on only where they leave it open.

A stage decides where it has a verdict, but for scores that lie inside its band, and is asked only about the kinds of claims that it
takes. Where a stage fails or has no opinion the claim goes on. Where nobody decides, what was said last stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judges.combined.asking import Said, combined_judge, ready_members
from judges.combined.stages import CASCADE as NAME
from judges.combined.stages import Stage, needs_of_stages, read_stage, read_stages
from judges.protocol import (
    ClaimInput,
    JudgeImplementation,
    JudgeType,
    Opinion,
    Outcome,
    read_number,
    reject_unknown_keys,
)

KINDS = ("figure", "date", "name", "policy", "relation")
LIMITS = "Is no better than the stage that decides: what a cheap stage gets wrong outside its band, nobody sees again."


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeStage(Stage):
    """One stage with what sends a claim on.

    Attributes
    ----------
    band : tuple of two floats or None
        A claim goes on where the score lies inside, bounds included; without one the stage decides wherever it has a
        verdict. The last stage has none.
    kinds : tuple of str
        The claim kinds that it is asked about; empty for every claim.
    """

    band: tuple[float, float] | None = None
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeConfig:
    """``stages``: in the order in which they are asked."""

    stages: tuple[CascadeStage, ...]


def default_config() -> dict[str, object]:
    """Give the one key; there is no cascade without stages."""
    return {"stages": []}


def parse_config(data: Mapping[str, object]) -> CascadeConfig:
    """Read the stages.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=("stages",))
    listed = read_stages(data.get("stages", ()), "stages")
    stages = tuple(_stage(one, f"stages[{place}]") for place, one in enumerate(listed))
    if stages[-1].band is not None:
        msg = f"stages[{len(stages) - 1}].band is {list(stages[-1].band)}; no stage follows the last one, so expected null"
        raise ValueError(msg)
    return CascadeConfig(stages=stages)


def _stage(data: Mapping[str, object], where: str) -> CascadeStage:
    stage = read_stage({key: value for key, value in data.items() if key not in ("band", "kinds")}, where)
    return CascadeStage(
        type=stage.type,
        code_version=stage.code_version,
        config=stage.config,
        policy=stage.policy,
        band=_band(data.get("band"), f"{where}.band"),
        kinds=_kinds(data.get("kinds", ()), f"{where}.kinds"),
    )


def _band(value: object, where: str) -> tuple[float, float] | None:
    if value is None:
        return None
    expected = "expected two numbers from 0 to 1, the lower first, or null"
    if not isinstance(value, list | tuple) or len(value) != 2:
        msg = f"{where} is {value!r:.80}; {expected}"
        raise ValueError(msg)
    low, high = (read_number({where: one}, where, default=0, low=0, high=1) for one in value)
    if low > high:
        msg = f"{where} is [{low:g}, {high:g}]; {expected}"
        raise ValueError(msg)
    return low, high


def _kinds(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or any(one not in KINDS for one in value):
        msg = f"{where} is {value!r:.80}; expected a list of {', '.join(KINDS)}, or an empty one for all claims"
        raise ValueError(msg)
    return tuple(kind for kind in KINDS if kind in value)


class _CascadePlan:
    def __init__(self, stages: Sequence[CascadeStage]) -> None:
        self._stages = stages

    def takes(self, stage: int, claim: ClaimInput) -> bool:
        kinds = self._stages[stage].kinds
        return not kinds or claim.kind in kinds

    def ends(self, stage: int, opinion: Opinion) -> bool:
        if opinion.outcome is not Outcome.JUDGED:
            return False
        band = self._stages[stage].band
        return band is None or opinion.score is None or not band[0] <= opinion.score <= band[1]

    def conclude(self, claim: ClaimInput, said: Sequence[Said]) -> Opinion:
        if not said:
            kind = f"of the kind {claim.kind}" if claim.kind else "without a kind"
            return Opinion(outcome=Outcome.NO_OPINION, reason=f"No stage takes claims {kind}.")
        last = said[-1]
        opinion = last.opinion
        decided = opinion.outcome is Outcome.JUDGED
        how = "decided" if decided else f"was the last and ended {opinion.outcome}"
        before = "; ".join(map(_told, said[:-1]))
        reason = f"Stage {last.name} {how}: {opinion.reason}" + (f" Before: {before}." if before else "")
        return Opinion(
            outcome=opinion.outcome,
            verdict=opinion.verdict,
            score=opinion.score,
            quote=opinion.quote,
            reason=reason,
            detail={"decided_by": last.place if decided else None},
        )


def _told(said: Said) -> str:
    opinion = said.opinion
    score = "" if opinion.score is None else f" at {opinion.score:.2f}"
    return f"stage {said.name} {opinion.verdict or opinion.outcome}{score}"


def _build(config: CascadeConfig) -> JudgeImplementation:
    members = ready_members(config.stages)
    return combined_judge(type_name=NAME, limits=LIMITS, members=members, plan=_CascadePlan(config.stages))


CASCADE: JudgeType[CascadeConfig] = JudgeType(
    name=NAME,
    title="Cascade",
    summary="Asks cheap judges first, and dearer ones only about claims that these leave open.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="1",
    at_once=200,
    needs=needs_of_stages,
    page="judges:cascade-new",
)
