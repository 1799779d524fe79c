"""Whether a lower precision gives the same verdicts, measured before it may be used."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judges.entailment.config import LEAST_AGREEMENT, EntailmentConfig
from judges.entailment.judge import build
from judges.protocol import ClaimInput


@dataclass(frozen=True, slots=True)
class Agreement:
    """Same verdicts among the claims that were judged.

    ``value`` is their share, None with a ``reason`` where no claim was judged; ``largest_shift`` is the largest change of a
    score.
    """

    value: float | None
    same: int
    n: int
    largest_shift: float
    reason: str = ""

    @property
    def enough(self) -> bool:
        """Whether the lower precision may be used, by the point estimate alone."""
        return self.value is not None and self.value >= LEAST_AGREEMENT


def measure_agreement(config: EntailmentConfig, claims: Sequence[ClaimInput]) -> Agreement:
    """Judge the claims in float32 and in bfloat16 and compare outcome and verdict, claim by claim."""
    full = list(build(replace(config, precision="float32", precision_agreement=None)).judge(claims))
    low = list(build(replace(config, precision="bfloat16", precision_agreement=1.0)).judge(claims))
    compared = [(one, two) for one, two in zip(full, low, strict=True) if one.verdict is not None]
    if not compared:
        return Agreement(None, 0, 0, 0.0, "none of the claims was judged")
    same = sum(one.verdict is two.verdict for one, two in compared)
    shift = max(abs((one.score or 0.0) - (two.score or 0.0)) for one, two in compared)
    return Agreement(same / len(compared), same, len(compared), shift)
