"""The stamps that reports are kept under; how they are kept stands in `labelling/keeping.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from labelling.changes import ANSWERS
from labelling.keeping import changes_noted, data_stamp, remembered, remembered_each
from labelling.models import Project

__all__ = ["data_stamp", "remembered", "remembered_beside", "remembered_each", "report_stamp"]
T = TypeVar("T")


def report_stamp(project: Project, data: str) -> str:
    """Return a stamp over the data stamp and all else that a groundedness report depends on.

    Kept apart, so that a label of a whole answer makes no comparison of judges anew.
    """
    return f"report-{data}:{changes_noted(project, ANSWERS)}"


def remembered_beside(claims: NDArray[np.int64], stamp: str, name: str, make: Callable[[], T]) -> T:
    """Return what is kept beside these claims, in their order; made again where it was made of others.

    A change between two readings can leave the claims of one moment under a stamp, and columns of another moment.
    """
    of, kept = remembered(stamp, name, lambda: (claims, make()))
    return kept if np.array_equal(of, claims) else make()
