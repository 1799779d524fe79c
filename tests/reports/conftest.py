import pytest

from calibration.bootstrap import Cells, Resampled


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred draws instead of thousands, for tests of many pages that are about anything but the intervals."""
    whole = Cells.resample

    def short(self: Cells, *, resamples: int, seed: int) -> Resampled:
        return whole(self, resamples=min(resamples, 100), seed=seed)

    monkeypatch.setattr(Cells, "resample", short)
