"""A stamp over the stored data of a project, and figures kept under it.

Figures are made again exactly when something that can change them has changed. The stamp is cheap: a handful of
grouped sums in the database instead of reading the rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import Count, F, Max, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Substr

from judges.models import Judgement, JudgeVersion
from labelling.models import Adjudication, Answer, AnswerLabel, Citation, Claim, Label, Project, Source

T = TypeVar("T")
K = TypeVar("K")
_REMAINDER = 1_000_003
CALCULATION = "4"
"""Raised whenever the same data comes to give other figures, or result objects change shape."""


def data_stamp(project: Project) -> str:
    """Return 64 hex digits that change whenever a label, verdict, judgement, claim or rule of the project does.

    Rows are grouped by every column that a figure depends on; count and sum of the ids of each group then change when
    a row is added or moves from one group to another. Evidence rows are append-only, so this catches all of it. What an
    import may change in place can also change places, 1 and 4 with 2 and 3: the squares of the ids tell that too.
    """
    parts = [
        CALCULATION,
        project.pk,
        project.created.isoformat(),  # a database made anew counts its ids from one again
        project.partial_is_unsupported,
        project.consensus_rule,
        _groups(Claim.objects.filter(project=project), "kind", "severity", "targeted", editable=True),
        _groups(Answer.objects.filter(project=project), "system", "split", editable=True),
        _groups(Citation.objects.filter(source__project=project), "source__collection", editable=True),
        _groups(Label.objects.filter(annotator__project=project), "verdict", "surplus", "withdrawn", "occasion"),
        _groups(Adjudication.objects.filter(claim__project=project), "verdict"),
        _groups(JudgeVersion.objects.filter(judge__project=project), "judge_id"),
        _groups(Judgement.objects.filter(run__project=project, run__probe=""), "run_id", "replaced"),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def report_stamp(project: Project, data: str) -> str:
    """Return a stamp over the data stamp and all else that a groundedness report depends on.

    Kept apart, so that a label of a whole answer makes no comparison of judges anew.
    """
    day = Substr(Cast("created", TextField()), 1, 10)
    sources = Source.objects.filter(project=project)
    dates = ("effective_from", "superseded_by", "version", "collection")
    parts = [
        data,
        _groups(
            Answer.objects.filter(project=project).annotate(day=day),
            "task_type",
            "should_abstain",
            "day",
            editable=True,
        ),
        _groups(sources.exclude(effective_from=None, superseded_by="", version=""), *dates, editable=True),
        _groups(sources.filter(text=""), editable=True),
        _groups(
            Label.objects.filter(annotator__project=project).exclude(invention="", severity=""), "invention", "severity"
        ),
        _groups(AnswerLabel.objects.filter(answer__project=project), "correct", "answer_in_retrieved", "abstained"),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


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


def _groups(rows: QuerySet[Any], *columns: str, editable: bool = False) -> list[tuple[object, ...]]:
    grouped = rows.order_by().values_list(*columns).annotate(Count("id"), Sum("id"), Max("id"))
    if editable:
        # Of the squares only a remainder, so that no sum of them leaves what a database can hold.
        grouped = grouped.annotate(squares=Sum(F("id") * F("id") % _REMAINDER))
    return sorted((tuple(map(str, group)) for group in grouped), key=repr)
