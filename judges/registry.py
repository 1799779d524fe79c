"""The judge types there are: the built-in ones, then those that installed packages bring (see ``judges.packages``)."""

from collections.abc import Mapping
from typing import Any

from judges import checks, claude, lexical, openai_compatible
from judges.combined.cascade import CASCADE
from judges.combined.panel import PANEL
from judges.entailment.judge import ENTAILMENT
from judges.external import EXTERNAL
from judges.packages import offered_types
from judges.protocol import JudgeType

BUILT_IN: tuple[JudgeType[Any], ...] = (
    *checks.JUDGE_TYPES,
    *lexical.JUDGE_TYPES,
    ENTAILMENT,
    *claude.JUDGE_TYPES,
    *openai_compatible.JUDGE_TYPES,
    CASCADE,
    PANEL,
    EXTERNAL,
)


class UnknownJudgeTypeError(ValueError):
    """A judge names a type that is not registered here."""


def judge_types() -> Mapping[str, JudgeType[Any]]:
    """Every registered judge type by its name, built-in ones first."""
    return _registered()[0]


def unusable_types() -> list[str]:
    """What packages bring and cannot be used, a sentence each: which package it is and what is wrong."""
    return _registered()[1]


def _registered() -> tuple[dict[str, JudgeType[Any]], list[str]]:
    offered = offered_types()
    types = {judge_type.name: judge_type for judge_type in BUILT_IN}
    faults = list(offered.faults)
    for package, brought in offered.types:
        # A name is stored with every version, so the type that has it already keeps it.
        if types.setdefault(brought.name, brought) is not brought:
            faults.append(
                f"package {package!r} brings a judge type {brought.name!r}, and there is one of that name already"
            )
    return types, faults


def judge_type(name: str) -> JudgeType[Any]:
    """The judge type of this name.

    Raises
    ------
    UnknownJudgeTypeError
        Naming the types there are, and what packages bring in vain.
    """
    types, faults = _registered()
    try:
        return types[name]
    except KeyError:
        known = f"no judge type {name!r}; expected one of {', '.join(types)}"
        raise UnknownJudgeTypeError("; ".join([known, *faults])) from None


def creatable_types() -> dict[str, JudgeType[Any]]:
    """The types that a person can set up; external judges come with their imported judgements instead."""
    return {name: judge_type for name, judge_type in judge_types().items() if judge_type is not EXTERNAL}
