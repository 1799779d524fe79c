"""An entailment judge's three thresholds, from the two probabilities that it keeps of every claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.comparison import ComparisonInput, JudgeColumns, compare
from calibration.differences import Difference
from calibration.four_way import FourWayThresholds, choose_four_way, four_way_verdicts
from calibration.judge_score import JudgeScore
from calibration.sentences import four_way_sentence
from calibration.verdicts import ABSENT, MISSING, NO_JUDGEMENT
from judges.models import JudgeVersion
from labelling.models import Project
from reports.bridge import Rows, read_contradiction
from reports.selection import Selection
from reports.services.comparison import RULES, selected_rows
from reports.stamps import data_stamp, remembered

STATED, CONTRADICTED, PARTIAL = "threshold", "contradiction_threshold", "partial_threshold"
NO_BAND: Mapping[str, float] = {PARTIAL: 1.0}
"""Settings under which a claim below the threshold is never `partial`."""
NEVER = 1.0


def has_four_way(version: JudgeVersion) -> bool:
    """Whether the version gives its verdicts by three thresholds on two probabilities."""
    return all(isinstance(version.config.get(key), int | float) for key in (STATED, CONTRADICTED, PARTIAL))


def verdicts_below(rows: Rows, version: JudgeVersion, *, band: bool) -> NDArray[np.int64]:
    """What the version says of each claim where it is not `stated`; `absent` where a probability is missing.

    Without the band for `partial` it is contradicted or absent.
    """
    opposes = np.nan_to_num(read_contradiction(rows.claim, version))
    supports = np.minimum(np.nan_to_num(rows.judge(version.pk).score), np.nextafter(NEVER, 0.0))
    said = four_way_verdicts(
        supports,
        opposes,
        stated_from=NEVER,
        contradicted_from=version.config[CONTRADICTED],
        partial_from=version.config[PARTIAL] if band else NEVER,
    )
    return np.where(said == NO_JUDGEMENT, ABSENT, said)


@dataclass(frozen=True, slots=True)
class FourWay:
    """Three thresholds chosen together, and the judge before and after on the claims they were chosen on.

    Attributes
    ----------
    gap : Difference
        After minus before, with paired intervals.
    """

    choice: FourWayThresholds
    before: JudgeScore
    after: JudgeScore
    gap: Difference

    @property
    def settings(self) -> dict[str, float]:
        """The thresholds by the names of the judge's settings; only where some were chosen."""
        chosen = {STATED: self.choice.entailment, CONTRADICTED: self.choice.contradiction, PARTIAL: self.choice.partial}
        return {key: value for key, value in chosen.items() if value is not None}

    @property
    def sentence(self) -> str:
        return four_way_sentence(self.choice)


def choose_three(project: Project, version: JudgeVersion, selection: Selection, *, stamp: str = "") -> FourWay | None:
    """The three thresholds with the largest four-way kappa on the development claims of a selection.

    None where the judge has no three thresholds, or nothing can be chosen.

    Raises
    ------
    ValueError
        Where the selection holds claims of the test split.
    """
    if selection.includes_test:
        msg = f"split is {selection.split!r}; thresholds are chosen on development alone"
        raise ValueError(msg)
    if not has_four_way(version):
        return None
    stamp = stamp or data_stamp(project)
    make = partial(_choose, project, version, selection, stamp)
    return remembered(stamp, f"four-way {selection!r} {version.pk}", make, may_lag=True)


def _choose(project: Project, version: JudgeVersion, selection: Selection, stamp: str) -> FourWay | None:
    rows = selected_rows(project, selection, [version], stamp)
    column = rows.judge(version.pk)
    silent = (column.verdict == NO_JUDGEMENT) | (column.verdict == MISSING)
    # A claim that was settled without the model, or by one that knows no contradiction, has the score alone.
    supports = np.where(silent, np.nan, column.score)
    opposes = np.where(np.isnan(supports), np.nan, np.nan_to_num(read_contradiction(rows.claim, version)))
    choice = choose_four_way(np.where(column.verdict == MISSING, MISSING, rows.gold), supports, opposes)
    if choice.entailment is None or choice.contradiction is None or choice.partial is None:
        return None
    after = four_way_verdicts(
        supports,
        opposes,
        stated_from=choice.entailment,
        contradicted_from=choice.contradiction,
        partial_from=choice.partial,
    )
    after = np.where(column.verdict == MISSING, MISSING, after)
    result = compare(
        ComparisonInput(
            answer=rows.answer,
            gold=rows.gold,
            labels=np.zeros((0, len(rows.gold)), dtype=np.int8),
            judges={"after": JudgeColumns(after.astype(np.int8)), "before": JudgeColumns(column.verdict)},
        ),
        partial_is_unsupported=project.partial_is_unsupported,
        rule=RULES[project.consensus_rule],
    )
    (gap,) = result.differences
    return FourWay(choice, result.judge("before"), result.judge("after"), gap)
