"""An entailment judge's three thresholds, from the two probabilities that it keeps of every claim."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.four_way import four_way_verdicts
from calibration.verdicts import ABSENT, NO_JUDGEMENT
from judges.models import JudgeVersion
from reports.bridge import Rows, read_contradiction

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
