"""The judge types there are: the built-in ones by name, then those of the modules that the settings list.

A module listed in ``JUDGE_TYPE_MODULES`` has a tuple ``JUDGE_TYPES``; it is imported when types are first looked up.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from django.conf import settings

from judges import checks, claude, lexical, openai_compatible
from judges.entailment.judge import ENTAILMENT
from judges.external import EXTERNAL
from judges.protocol import JudgeType

BUILT_IN: tuple[JudgeType[Any], ...] = (
    *checks.JUDGE_TYPES,
    *lexical.JUDGE_TYPES,
    ENTAILMENT,
    *claude.JUDGE_TYPES,
    *openai_compatible.JUDGE_TYPES,
    EXTERNAL,
)


class UnknownJudgeTypeError(ValueError):
    """A judge names a type that is not registered here."""


def judge_types() -> Mapping[str, JudgeType[Any]]:
    """Every registered judge type by its name, built-in ones first.

    Raises
    ------
    ValueError
        Where two types share a name, or a listed module has no tuple of judge types.
    """
    types: dict[str, JudgeType[Any]] = {}
    for judge_type in (*BUILT_IN, *_from_modules(settings.JUDGE_TYPE_MODULES)):
        if judge_type.name in types:
            msg = (
                f"two judge types are called {judge_type.name!r}; a name is stored with every version, so it is unique"
            )
            raise ValueError(msg)
        types[judge_type.name] = judge_type
    return types


def judge_type(name: str) -> JudgeType[Any]:
    """The judge type of this name.

    Raises
    ------
    UnknownJudgeTypeError
        Naming the types there are.
    """
    types = judge_types()
    try:
        return types[name]
    except KeyError:
        msg = f"no judge type {name!r}; expected one of {', '.join(types)}"
        raise UnknownJudgeTypeError(msg) from None


def creatable_types() -> dict[str, JudgeType[Any]]:
    """The types that a person can set up; external judges come with their imported judgements instead."""
    return {name: judge_type for name, judge_type in judge_types().items() if judge_type is not EXTERNAL}


def _from_modules(paths: list[str]) -> list[JudgeType[Any]]:
    found: list[JudgeType[Any]] = []
    for path in paths:
        listed = getattr(import_module(path), "JUDGE_TYPES", None)
        if not isinstance(listed, tuple) or not all(isinstance(one, JudgeType) for one in listed):
            msg = f"JUDGE_TYPE_MODULES: {path} has no tuple JUDGE_TYPES of judge types"
            raise ValueError(msg)
        found.extend(listed)
    return found
