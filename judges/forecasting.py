"""What several claims cost together: a judge that puts one question about several of them is paid for it once."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from judges.protocol import ClaimInput, Forecast, PaidJudge


@runtime_checkable
class ForecastsTogether(Protocol):
    """A paid judge for which claims together may cost less than each alone."""

    def forecast_together(self, claims: Sequence[ClaimInput]) -> Forecast:
        """What these claims cost where they are asked about together."""
        ...


def forecast_together(judge: PaidJudge, claims: Sequence[ClaimInput]) -> Forecast:
    """What these claims cost where they are asked about together: the sum of all, unless the judge says otherwise."""
    if isinstance(judge, ForecastsTogether):
        return judge.forecast_together(claims)
    return Forecast.together([judge.forecast(claim) for claim in claims])
