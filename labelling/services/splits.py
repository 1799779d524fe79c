"""Giving new answers their split, and saying how far development and test are apart."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, Exists, OuterRef, QuerySet

from labelling.models import Answer, Citation, Project, Split
from labelling.splits import splits_by_source

T = TypeVar("T")
AT_ONCE = 900
_CHUNK = 10_000


def assign_splits(*, project: Project, answers: Collection[int]) -> None:
    """Let new answers follow the sources that they cite; call in the transaction that added them and their citations.

    They have been stored with the split of their own id, which stands where no source decides. An answer that cites
    nothing goes by what it retrieved, since its claims will be found there. Other answers are never moved.
    """
    fresh = set(answers)
    if not fresh:
        return
    sources: defaultdict[int, list[str]] = defaultdict(list)
    settled: defaultdict[str, dict[int, str]] = defaultdict(dict)
    names: dict[str, str] = {}

    def read(citing: QuerySet[Citation]) -> None:
        rows = citing.order_by().values_list("claim__answer_id", "source__external_id", "claim__answer__split")
        for answer, source, split in rows.iterator(_CHUNK):
            # One object a name, however often it is cited.
            name = names.setdefault(source, source)
            if answer in fresh:
                sources[answer].append(name)
            else:
                settled[name][answer] = split

    new = Citation.objects.filter(claim__project=project, claim__answer__gte=min(fresh), claim__answer__lte=max(fresh))
    read(Citation.objects.filter(source__in=new.order_by().values("source")))
    retrieved = {
        source
        for answer, given in _retrieved(fresh - sources.keys())
        for source in sources.setdefault(answer, given)
        if source not in names
    }
    for chunk in _chunks(retrieved):
        read(Citation.objects.filter(source__project=project, source__external_id__in=chunk))
    total = Answer.objects.filter(project=project).count()
    decided = splits_by_source(sources, settled=settled, answers=total)
    for split in Split.values:
        for keys in _chunks(answer for answer, given in decided.items() if given == split):
            Answer.objects.filter(pk__in=keys).exclude(split=split).update(split=split)


def _retrieved(answers: Collection[int]) -> Iterator[tuple[int, list[str]]]:
    for keys in _chunks(answers):
        yield from Answer.objects.filter(pk__in=keys).order_by().values_list("pk", "retrieved")


def _chunks(values: Iterable[T]) -> Iterator[list[T]]:
    rows = list(values)
    for start in range(0, len(rows), AT_ONCE):
        yield rows[start : start + AT_ONCE]


@dataclass(frozen=True, slots=True)
class SplitSummary:
    """How the answers of a project fall into development and test.

    Attributes
    ----------
    development, test : int
        Answers.
    shared_sources : int
        Sources that answers of both cite.
    tied : int
        Answers that cite such a source: what was chosen on development has seen something of these.
    """

    development: int
    test: int
    shared_sources: int
    tied: int

    @property
    def answers(self) -> int:
        return self.development + self.test


def summarise_splits(project: Project) -> SplitSummary:
    """Count the answers of each split, and those whose sources stand on both sides; three queries."""
    counts = dict(Answer.objects.filter(project=project).order_by().values_list("split").annotate(count=Count("pk")))
    shared = (
        Citation.objects.filter(claim__project=project)
        .order_by()
        .values("source")
        .annotate(sides=Count("claim__answer__split", distinct=True))
        .filter(sides=2)
        .values_list("source", flat=True)
    )
    sources = list(shared)
    tied = (
        Answer.objects.filter(project=project)
        .filter(Exists(Citation.objects.filter(claim__answer=OuterRef("pk"), source__in=shared)))
        .count()
        if sources
        else 0
    )
    return SplitSummary(counts.get(Split.DEVELOPMENT, 0), counts.get(Split.TEST, 0), len(sources), tied)
