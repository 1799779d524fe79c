"""Packages that a test has installed: folders with their metadata, on the path of this process."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judges.packages import offered_types

SAMPLES = Path(__file__).parent / "sample_package"


@contextmanager
def installed(*folders: Path) -> Iterator[None]:
    """Have the packages of these folders on the path, and of all that tests install no others."""
    before = sys.path
    ours = {str(SAMPLES)}
    sys.path = [*map(str, folders), *(entry for entry in before if entry not in ours)]
    offered_types.cache_clear()
    try:
        yield
    finally:
        sys.path = before
        offered_types.cache_clear()
