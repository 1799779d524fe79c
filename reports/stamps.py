"""A stamp over the stored data of a project, and figures kept under it.

Figures are made again exactly when something that they rest on has changed. The stamp costs one small query, whatever
the size of the project: triggers of the database note each change (`labelling/changes.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.core.cache import cache
from django.db.models import Sum

from labelling.changes import ANSWERS, VERDICTS
from labelling.models import Change, Project

T = TypeVar("T")
K = TypeVar("K")
CALCULATION = "4"
"""Raised whenever the same data comes to give other figures, or result objects change shape."""


def data_stamp(project: Project) -> str:
    """Return a text that changes whenever a label, verdict, judgement, claim or rule of the project does."""
    parts = [
        CALCULATION,
        project.pk,
        project.created.isoformat(),  # a database made anew counts its ids from one again
        project.partial_is_unsupported,
        project.consensus_rule,
        _changes(project, VERDICTS),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def report_stamp(project: Project, data: str) -> str:
    """Return a stamp over the data stamp and all else that a groundedness report depends on.

    Kept apart, so that a label of a whole answer makes no comparison of judges anew.
    """
    return hashlib.sha256(repr([data, _changes(project, ANSWERS)]).encode()).hexdigest()


def _changes(project: Project, part: str) -> int | None:
    found: int | None = Change.objects.filter(project=project.pk, part=part).aggregate(n=Sum("n"))["n"]
    return found


def remembered(stamp: str, name: str, make: Callable[[], T]) -> T:
    """Return what is kept under a stamp and a name, making it where it is not there.

    Two processes may make the same thing at once; both come to the same figures.
    """
    key = _key(stamp, name)
    kept: T | None = cache.get(key)
    if kept is None:
        kept = make()
        cache.set(key, kept)
    return kept


def remembered_each(stamp: str, names: Mapping[K, str], make: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
    """Return what is kept under a stamp and each of several names, making in one go those that are not there."""
    keys = {item: _key(stamp, name) for item, name in names.items()}
    found: dict[str, T] = cache.get_many(keys.values())
    missing = [item for item, key in keys.items() if key not in found]
    made = make(missing) if missing else {}
    cache.set_many({keys[item]: value for item, value in made.items()})
    return {item: made[item] if item in made else found[key] for item, key in keys.items()}


def _key(stamp: str, name: str) -> str:
    return f"figures:{stamp}:{hashlib.sha256(name.encode()).hexdigest()}"
