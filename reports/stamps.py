"""The stamps that reports are kept under; how they are kept stands in `labelling/keeping.py`."""

from __future__ import annotations

from labelling.changes import ANSWERS
from labelling.keeping import changes_noted, data_stamp, remembered, remembered_each
from labelling.models import Project

__all__ = ["data_stamp", "remembered", "remembered_each", "report_stamp"]


def report_stamp(project: Project, data: str) -> str:
    """Return a stamp over the data stamp and all else that a groundedness report depends on.

    Kept apart, so that a label of a whole answer makes no comparison of judges anew.
    """
    return f"report-{data}:{changes_noted(project, ANSWERS)}"
