"""Scores are maxima over passages; verdicts follow from thresholds."""

import pytest

from judges.entailment.config import EntailmentConfig
from judges.entailment.verdicts import verdict_for
from judges.protocol import Verdict

CONFIG = EntailmentConfig(threshold=0.6, contradiction_threshold=0.7, partial_threshold=0.3)


@pytest.mark.parametrize(
    ("entailment", "contradiction", "verdict"),
    [
        (0.6, 0.0, Verdict.STATED),
        (0.6, 0.99, Verdict.STATED),
        (0.59, 0.7, Verdict.CONTRADICTED),
        (0.59, 0.69, Verdict.PARTIAL),
        (0.3, None, Verdict.PARTIAL),
        (0.29, 0.69, Verdict.ABSENT),
        (0.29, None, Verdict.ABSENT),
    ],
)
def test_thresholds_divide_four_verdicts(entailment: float, contradiction: float | None, verdict: Verdict) -> None:
    assert verdict_for(CONFIG, entailment, contradiction) is verdict


def test_a_middle_band_above_the_threshold_is_no_band() -> None:
    config = EntailmentConfig(threshold=0.2, partial_threshold=0.3)
    assert verdict_for(config, 0.25, 0.0) is Verdict.STATED
    assert verdict_for(config, 0.19, 0.0) is Verdict.ABSENT
