"""What a panel reads off one member's opinion, as numbers: the same when it is fitted and when it judges.

A member that failed has none: there is nothing to weigh.
"""

from math import log

from judges.protocol import Outcome, Verdict

NAMES = ("score", "no score", *(verdict.value for verdict in Verdict), "no opinion")
"""The features of one member, in the order of its coefficients."""

_CLIP = 0.01


def features(*, outcome: str, verdict: str | None, score: float | None) -> tuple[float, ...] | None:
    """The features of one opinion, in the order of ``NAMES``; ``None`` for an outcome that is a failure.

    The score comes as its logit, held to what 0.01 and 0.99 give, and as 0 beside an indicator where there is none.

    Examples
    --------
    >>> features(outcome="judged", verdict="absent", score=0.5)
    (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    >>> features(outcome="no-opinion", verdict=None, score=None)
    (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    >>> features(outcome="failed", verdict=None, score=None) is None
    True
    """
    if outcome not in (Outcome.JUDGED, Outcome.NO_OPINION):
        return None
    return (
        0.0 if score is None else _logit(score),
        float(score is None),
        *(float(verdict == one.value) for one in Verdict),
        float(outcome == Outcome.NO_OPINION),
    )


def _logit(score: float) -> float:
    held = min(max(score, _CLIP), 1 - _CLIP)
    return log(held / (1 - held))
