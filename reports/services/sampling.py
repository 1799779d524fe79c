"""Claims worth a closer look, as groups that a plan draws from: they need judges' verdicts, or the filters of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.verdicts import NO_JUDGEMENT, unsupported
from judges.models import JudgeVersion
from labelling.models import Project
from labelling.services.sampling import Group, PlanRefusedError, frame_of
from reports.bridge import read_judgements
from reports.selection import BOTH_SPLITS, Selection, stored_value
from reports.services.thresholds import threshold_of
from reports.shown.wording import threshold_words

DISAGREE = "disagree"
NEAR = "near"
ALIKE = "alike"


def where_judges_disagree(project: Project, versions: Sequence[JudgeVersion], number: int) -> Group:
    """Claims that one of the named versions calls supported and another one not, by the project's rule for `partial`.

    Raises
    ------
    PlanRefusedError
        Where no claim that is left to draw from has verdicts of two of them.
    """
    claims = _frame(project)
    columns = read_judgements(claims, [version.pk for version in versions])
    said = np.stack([column.verdict for column in columns])
    judged = (said >= 0) & (said < NO_JUDGEMENT)
    if not (judged.sum(axis=0) > 1).any():
        msg = "disagree: no claim that is left has a verdict of two of these judges: run them over it first"
        raise PlanRefusedError(msg)
    flagged = unsupported(said, project.partial_is_unsupported)
    differ = (judged & flagged).any(axis=0) & (judged & ~flagged).any(axis=0)
    return Group(DISAGREE, number, claims[differ], {"versions": [name_of(version) for version in versions]})


def near_threshold(project: Project, version: JudgeVersion, number: int, *, within: float) -> Group:
    """Claims whose support score is at most so far from the threshold of the version.

    Raises
    ------
    PlanRefusedError
        Where no claim that is left to draw from has a score.
    """
    claims = _frame(project)
    (column,) = read_judgements(claims, [version.pk])
    if np.isnan(column.score).all():
        msg = f"near: no claim that is left has a score of {version}: run it over these claims first"
        raise PlanRefusedError(msg)
    threshold = threshold_of(version)
    near = np.abs(column.score - threshold) <= within + 1e-9
    detail = {"versions": [name_of(version)], "threshold": threshold, "within": within}
    return Group(NEAR, number, claims[near], detail)


def alike(
    project: Project, number: int, *, kind: str = "", collection: str = "", system: str = "", severity: str = ""
) -> Group:
    """Claims that share all that is given, as in the filters of the comparison."""
    given = {"kind": kind, "collection": collection, "system": system, "severity": severity}
    picked = Selection(split=BOTH_SPLITS, **given).claims(project).order_by().values_list("pk", flat=True)
    claims = np.fromiter(picked.iterator(), dtype=np.int64)
    return Group(ALIKE, number, claims, {key: value for key, value in given.items() if value})


def name_of(version: JudgeVersion) -> str:
    """A version as commands and forms name it: `judge@3`."""
    return f"{version.judge.name}@{version.number}"


def draw_words(draw: Mapping[str, Any]) -> str:
    """What a draw of a plan was made from.

    >>> draw_words({"criterion": "disagree", "versions": ["quotes@1", "words@2"]})
    'judges disagree: quotes@1, words@2'
    >>> draw_words({"criterion": "alike", "kind": "figure", "asked": 3, "taken": 3, "of": 9})
    'alike: kind figure'
    """
    names = ", ".join(draw.get("versions", ()))
    if draw["criterion"] == DISAGREE:
        return f"judges disagree: {names}"
    if draw["criterion"] == NEAR:
        within, threshold = threshold_words(draw["within"]), threshold_words(draw["threshold"])
        return f"near a threshold: {names} within {within} of {threshold}"
    if draw["criterion"] == ALIKE:
        given = {key: draw[key] for key in sorted(draw) if key not in ("criterion", "asked", "taken", "of")}
        words = (f"{key} {stored_value(value) or 'not given'}" for key, value in given.items())
        return f"alike: {', '.join(words)}"
    return "at random from all"


def _frame(project: Project) -> NDArray[np.int64]:
    return np.fromiter(frame_of(project).values_list("pk", flat=True).iterator(), dtype=np.int64)
