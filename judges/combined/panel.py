"""The panel: several judges are asked, and a logistic model fitted on development labels weighs what they say.

The model gives the probability that the claim is unsupported. It is fitted elsewhere (``reports.services.panels``), since
judges see no labels; what is kept here are its coefficients and a record of what it was fitted on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite

from judges.combined.asking import Said, combined_judge, ready_members
from judges.combined.features import NAMES, features
from judges.combined.stages import PANEL as NAME
from judges.combined.stages import Stage, needs_of_stages, read_stage, read_stages
from judges.protocol import (
    ClaimInput,
    JudgeImplementation,
    JudgeType,
    Opinion,
    Outcome,
    Verdict,
    read_number,
    reject_unknown_keys,
)
from judges.setting import Setting

LIMITS = (
    "Knows only what its members say, weighed as suits the claims of one project: other texts, or another mix of claims, ask "
    "for another fit. It never says partial."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelConfig:
    """A fitted panel.

    Attributes
    ----------
    members : tuple of Stage
        The judges that are asked.
    coefficients : tuple of tuple of float
        For each member one a feature, in the order of `judges.combined.features.NAMES`.
    intercept : float
    threshold : float
        The lowest support score, from 0 to 1, that means *stated*.
    fit : dict
        What it was fitted on; says nothing about verdicts by itself, and keeps two fits apart.
    """

    members: tuple[Stage, ...]
    coefficients: tuple[tuple[float, ...], ...]
    intercept: float
    threshold: float
    fit: dict[str, object]


def default_config() -> dict[str, object]:
    """Give the keys; there is no panel without a fit."""
    return {"members": [], "coefficients": [], "intercept": 0.0, "threshold": 0.5, "fit": {}}


def parse_config(data: Mapping[str, object]) -> PanelConfig:
    """Read a fitted panel.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=tuple(default_config()))
    listed = read_stages(data.get("members", ()), "members")
    members = tuple(read_stage(one, f"members[{place}]") for place, one in enumerate(listed))
    names = [member.fingerprint for member in members]
    if len(set(names)) < len(names):
        msg = "members names one judge version twice; expected each once"
        raise ValueError(msg)
    fit = data.get("fit", {})
    if not isinstance(fit, Mapping):
        msg = f"fit is {fit!r:.80}; expected the record of a fit"
        raise ValueError(msg)  # noqa: TRY004  (a configuration is refused with ValueError throughout)
    return PanelConfig(
        members=members,
        coefficients=_coefficients(data.get("coefficients"), len(members)),
        intercept=_number(data.get("intercept", 0.0), "intercept"),
        threshold=read_number(data, "threshold", default=0.5, low=0, high=1),
        fit=dict(fit),
    )


def _coefficients(data: object, members: int) -> tuple[tuple[float, ...], ...]:
    expected = f"expected a list of {len(NAMES)} numbers for each of the {members} members ({', '.join(NAMES)})"
    if not isinstance(data, list | tuple) or len(data) != members:
        msg = f"coefficients is {data!r:.80}; {expected}"
        raise ValueError(msg)
    for one in data:
        if not isinstance(one, list | tuple) or len(one) != len(NAMES):
            msg = f"coefficients has {one!r:.80}; {expected}"
            raise ValueError(msg)
    return tuple(tuple(_number(number, "coefficients") for number in one) for one in data)


def _number(value: object, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        msg = f"{key} has {value!r:.80}; expected a number"
        raise ValueError(msg)
    return float(value)


class _PanelPlan:
    """Every member is asked, free ones first, until one fails."""

    def __init__(self, config: PanelConfig) -> None:
        self._config = config

    def takes(self, stage: int, claim: ClaimInput) -> bool:  # noqa: ARG002  (a plan may go by the claim)
        return True

    def ends(self, stage: int, opinion: Opinion) -> bool:  # noqa: ARG002  (a plan may go by the stage)
        return _read(opinion) is None

    def conclude(self, claim: ClaimInput, said: Sequence[Said]) -> Opinion:  # noqa: ARG002
        for one in said:
            if _read(one.opinion) is None:
                reason = f"Member {one.name} ended {one.opinion.outcome}: {one.opinion.reason}"
                return Opinion(outcome=one.opinion.outcome, reason=reason)
        pushes = [self._pushes(one) for one in said]
        total = self._config.intercept + sum(sum(push.values()) for push in pushes)
        score = 1 - _sigmoid(total)
        verdict = Verdict.STATED if score >= self._config.threshold else _how_unsupported(said, pushes)
        return Opinion(
            outcome=Outcome.JUDGED,
            verdict=verdict,
            score=score,
            quote=_quote(said, pushes, stated=verdict is Verdict.STATED),
            reason=_reason(said, pushes, score, self._config.threshold),
            detail={
                "intercept": self._config.intercept,
                "sum": total,
                "shares": [{key: value for key, value in push.items() if value} for push in pushes],
            },
        )

    def _pushes(self, said: Said) -> dict[str, float]:
        """What each feature of a member adds to the sum: above 0 it speaks for unsupported."""
        read = _read(said.opinion) or ()
        coefficients = self._config.coefficients[said.place - 1]
        return {name: weight * value for name, weight, value in zip(NAMES, coefficients, read, strict=True)}


def _read(opinion: Opinion) -> tuple[float, ...] | None:
    verdict = opinion.verdict.value if opinion.verdict else None
    return features(outcome=opinion.outcome.value, verdict=verdict, score=opinion.score)


def _sigmoid(total: float) -> float:
    if total >= 0:
        return 1 / (1 + exp(-total))
    return exp(total) / (1 + exp(total))


def _how_unsupported(said: Sequence[Said], pushes: Sequence[Mapping[str, float]]) -> Verdict:
    """Contradicted where those who say so push harder than those who say absent or partial."""
    weight = dict.fromkeys(Verdict, 0.0)
    for one, push in zip(said, pushes, strict=True):
        if one.opinion.verdict is not None:
            weight[one.opinion.verdict] += max(0.0, sum(push.values()))
    otherwise = weight[Verdict.ABSENT] + weight[Verdict.PARTIAL]
    return Verdict.CONTRADICTED if weight[Verdict.CONTRADICTED] > otherwise else Verdict.ABSENT


def _quote(said: Sequence[Said], pushes: Sequence[Mapping[str, float]], *, stated: bool) -> str:
    """The quotation of the member that spoke for the verdict most."""
    sign = -1 if stated else 1
    quoting = [(sign * sum(push.values()), one) for one, push in zip(said, pushes, strict=True) if one.opinion.quote]
    best = max(quoting, key=lambda pair: pair[0], default=None)
    return best[1].opinion.quote if best is not None and best[0] > 0 else ""


def _reason(said: Sequence[Said], pushes: Sequence[Mapping[str, float]], score: float, threshold: float) -> str:
    members = "; ".join(
        f"{one.name} {one.opinion.verdict or one.opinion.outcome}"
        + ("" if one.opinion.score is None else f" at {one.opinion.score:.2f}")
        + f", {sum(push.values()):+.2f}"
        for one, push in zip(said, pushes, strict=True)
    )
    side = "reaches" if score >= threshold else "is below"
    return f"Support {score:.2f} {side} the threshold of {threshold:.2f}. Members, with their push towards unsupported: {members}."


def _build(config: PanelConfig) -> JudgeImplementation:
    members = sorted(ready_members(config.members), key=lambda member: member.paid)
    return combined_judge(type_name=NAME, limits=LIMITS, members=members, plan=_PanelPlan(config))


PANEL: JudgeType[PanelConfig] = JudgeType(
    name=NAME,
    title="Panel",
    summary="Asks several judges and weighs what they say, by a logistic model fitted on development labels.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="1",
    at_once=200,
    settings={
        "threshold": Setting(label="Threshold", help="The lowest support score that means stated."),
        "intercept": Setting(label="Intercept", help="Where the sum begins; above 0 it speaks for unsupported."),
        "fit": Setting(label="Fitted on"),
    },
    needs=needs_of_stages,
    page="reports:panel-new",
)
