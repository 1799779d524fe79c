from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from judges.services import chunks
from tests.judges import sample_types


@pytest.fixture(autouse=True)
def _sample_types(settings: Settings) -> Iterator[None]:
    settings.JUDGE_TYPE_MODULES = ["tests.judges.sample_types"]
    sample_types.asked.clear()
    sample_types.broken.clear()
    chunks.forget_built()
    yield
    chunks.forget_built()
