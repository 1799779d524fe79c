"""A panel fitted to a project's development labels: the one place where labels reach a judge, as coefficients."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import Count
from numpy.typing import NDArray

from calibration import panel
from calibration.verdicts import MISSING, OUTCOMES, VERDICTS
from judges.combined.features import NAMES, features
from judges.combined.stages import PANEL, stage_of
from judges.models import Judgement, JudgeVersion
from judges.protocol import ANSWERED
from judges.services.stages import check_stage, stage_versions
from judges.services.versions import create_judge, create_version
from labelling.models import Membership, Policy, Project, Split
from reports.bridge import JudgeColumn, Rows
from reports.selection import Selection
from reports.services.comparison import selected_rows
from reports.stamps import data_stamp

FEWEST = 30
"""Claims that a panel is fitted on at least."""


class PanelRefusedError(ValueError):
    """No panel can be fitted of what was given; the message says why."""


def fit_panel(*, project: Project, name: str, members: Sequence[JudgeVersion], by: Membership | None) -> JudgeVersion:
    """Fit a panel on the project's development claims with gold, and keep it as a version of the judge of this name.

    Targeted claims are left out, and so are claims on which a member failed or has said nothing yet; how many is part
    of the record. The same labels and judgements give the same version.

    Raises
    ------
    PanelRefusedError
        Where the members or the claims do not allow it.
    """
    _check(project, members)
    rows = selected_rows(project, Selection(split=Split.DEVELOPMENT), members, data_stamp(project))
    with_gold = rows.where(rows.gold != MISSING)
    if len(with_gold.claim) == 0:
        raise PanelRefusedError("no development claim has gold yet: label some first")
    read = [_features(with_gold.judge(version.pk)) for version in members]
    for version, (_, said) in zip(members, read, strict=True):
        if not said.any():
            raise PanelRefusedError(
                f"{version} has judged none of the {len(said)} development claims with gold: run it"
            )
    usable = np.logical_and.reduce([said for _, said in read])
    kept = with_gold.where(usable)
    if len(kept.claim) < FEWEST:
        raise PanelRefusedError(
            f"every member has an opinion on {len(kept.claim)} of the {len(usable)} development claims with gold; "
            f"expected at least {FEWEST}"
        )
    opinions = np.hstack([numbers[usable] for numbers, _ in read])
    try:
        fit = panel.fit_panel(opinions, kept.gold, kept.answer, partial_is_unsupported=project.partial_is_unsupported)
    except ValueError as error:
        raise PanelRefusedError(f"too few development claims: {error}") from error
    width = len(NAMES)
    guide = project.current_guide
    try:
        with transaction.atomic():  # no judge without a version is left where the members are refused
            judge = create_judge(project=project, name=name, type_name=PANEL)
            return create_version(
                judge=judge,
                config={
                    "members": [stage_of(version) for version in members],
                    "coefficients": [
                        fit.coefficients[start : start + width] for start in range(0, len(fit.coefficients), width)
                    ],
                    "intercept": fit.intercept,
                    "threshold": fit.threshold,
                    "fit": {
                        "split": Split.DEVELOPMENT.value,
                        "claims": fit.n,
                        "unsupported": fit.n_unsupported,
                        "answers": fit.answers,
                        "left_out": int((~usable).sum()),
                        "partial_is_unsupported": project.partial_is_unsupported,
                        "kappa_held_out": round(fit.kappa, 4),
                        "data": _data_hash(kept, opinions),
                    },
                },
                policy=guide.policy if guide is not None else Policy.STRICT,
                by=by,
            )
    except ValueError as error:
        raise PanelRefusedError(str(error)) from error


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that a panel can have as a member, and on how many development claims it has an opinion."""

    version: JudgeVersion
    judged: int


def panel_candidates(project: Project) -> list[Candidate]:
    """The versions that can be members, with judgements of development claims, by name and the newest of each first."""
    versions = stage_versions(project)
    rows = Judgement.objects.counted().filter(
        run__judge_version__in=[version.pk for version in versions],
        claim__answer__split=Split.DEVELOPMENT,
        outcome__in=ANSWERED,
    )
    counts = rows.order_by().values_list("run__judge_version").annotate(Count("claim", distinct=True))
    judged = dict(counts)
    return [Candidate(version, judged[version.pk]) for version in versions if version.pk in judged]


def _check(project: Project, members: Sequence[JudgeVersion]) -> None:
    """Refuse members that no panel can be made of."""
    if len({version.pk for version in members}) < 2:
        raise PanelRefusedError(f"{len(set(members))} judge version is chosen; expected at least two different ones")
    for version in members:
        try:
            check_stage(version, project)
        except ValueError as error:
            raise PanelRefusedError(str(error)) from error


def _features(column: JudgeColumn) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The features of one member, and where it has said something to weigh."""
    read = [
        features(
            outcome=OUTCOMES[outcome],
            verdict=VERDICTS[verdict] if 0 <= verdict < len(VERDICTS) else None,
            score=None if np.isnan(score) else float(score),
        )
        if outcome != MISSING
        else None
        for outcome, verdict, score in zip(column.outcome, column.verdict, column.score, strict=True)
    ]
    said = np.array([one is not None for one in read], dtype=np.bool_)
    nothing = (0.0,) * len(NAMES)
    return np.array([one or nothing for one in read], dtype=np.float64).reshape(-1, len(NAMES)), said


def _data_hash(rows: Rows, opinions: NDArray[np.float64]) -> str:
    """SHA-256 over the claims, their answers, their gold and what the members said of them."""
    digest = hashlib.sha256()
    for column in (rows.claim, rows.answer, rows.gold, opinions):
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()
