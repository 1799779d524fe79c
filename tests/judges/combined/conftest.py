import pytest

from tests.judges.combined import scripted


@pytest.fixture(autouse=True)
def _nobody_asked() -> None:
    scripted.asked.clear()
    scripted.seen.clear()
