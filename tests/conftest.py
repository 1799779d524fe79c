import pytest
from hypothesis import settings

from calibration.bootstrap import RESAMPLES, SEED, Cells, Resampled

# Machines are shared and noisy: a property is about values, never about time.
settings.register_profile("touchstone", deadline=None)
settings.load_profile("touchstone")


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred draws instead of thousands, for tests of many pages that are about anything but the intervals."""
    whole = Cells.resample

    def short(self: Cells, *, resamples: int = RESAMPLES, seed: int = SEED) -> Resampled:
        return whole(self, resamples=min(resamples, 100), seed=seed)

    monkeypatch.setattr(Cells, "resample", short)
