"""What is in a project and how far the labelling has come, without anybody's verdicts."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db.models import Count, Exists, Max, OuterRef, Q

from labelling.keeping import data_stamp, remembered
from labelling.models import Adjudication, Citation, Claim, GuideVersion, Label, Project, Role, Slot
from labelling.services.adjudications import disagreements


@dataclass(frozen=True, slots=True)
class CollectionRow:
    name: str
    sources: int
    claims: int


@dataclass(frozen=True, slots=True)
class SystemRow:
    name: str
    answers: int


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    pseudonym: str
    has_account: bool
    labels: int
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts only. `claims_cited` of `claims` cite a source; `places` are what the overlap asks for."""

    sources: int
    answers: int
    claims: int
    claims_cited: int
    collections: tuple[CollectionRow, ...]
    systems: tuple[SystemRow, ...]
    annotators: tuple[AnnotatorRow, ...]
    labels: int
    places_waiting: int
    places_held: int
    disagreements: int
    settled: int
    guide: GuideVersion | None

    @property
    def cited_percent(self) -> int | None:
        return round(100 * self.claims_cited / self.claims) if self.claims else None

    @property
    def labels_wanted(self) -> int:
        return self.labels + self.places_waiting + self.places_held


@dataclass(frozen=True, slots=True)
class _Counts:
    """What takes a look at every claim or label; `done` is labels and the time of the last by annotator."""

    claims: int
    claims_cited: int
    collections: tuple[CollectionRow, ...]
    systems: tuple[SystemRow, ...]
    done: dict[int, tuple[int, datetime | None]]
    labels: int
    disagreements: int
    settled: int


def project_overview(project: Project) -> Overview:
    """Everything the project page shows, in a fixed number of queries."""
    counts = remembered(data_stamp(project), "overview", partial(_count, project), may_lag=True)
    places = Slot.objects.filter(project=project).aggregate(
        waiting=Count("pk", filter=Q(state=Slot.State.OPEN)), held=Count("pk", filter=Q(state=Slot.State.LEASED))
    )
    return Overview(
        sources=sum(row.sources for row in counts.collections),
        answers=sum(row.answers for row in counts.systems),
        claims=counts.claims,
        claims_cited=counts.claims_cited,
        collections=counts.collections,
        systems=counts.systems,
        annotators=_annotators(project, counts.done),
        labels=counts.labels,
        places_waiting=places["waiting"],
        places_held=places["held"],
        disagreements=counts.disagreements,
        settled=counts.settled,
        guide=project.current_guide,
    )


def _count(project: Project) -> _Counts:
    cited = Exists(Citation.objects.filter(claim=OuterRef("pk")))
    claims = Claim.objects.filter(project=project).aggregate(n=Count("pk"), cited=Count("pk", filter=cited))
    systems = project.answers.order_by("system").values_list("system").annotate(n=Count("pk"))
    labels = Label.objects.current().filter(annotator__project=project, withdrawn=False, occasion=1).order_by()
    return _Counts(
        claims=claims["n"],
        claims_cited=claims["cited"],
        collections=_collections(project),
        systems=tuple(SystemRow(name, n) for name, n in systems),
        done={
            pk: (n, last)
            for pk, n, last in labels.values_list("annotator").annotate(n=Count("pk"), last=Max("created"))
        },
        labels=Label.objects.counted().filter(claim__project=project).count(),
        disagreements=disagreements(project).count(),
        settled=Adjudication.objects.current().filter(claim__project=project).count(),
    )


def _collections(project: Project) -> tuple[CollectionRow, ...]:
    sources = dict(project.sources.order_by().values_list("collection").annotate(n=Count("pk")))
    citations = Citation.objects.filter(claim__project=project).order_by()
    claims = dict(citations.values_list("source__collection").annotate(n=Count("claim", distinct=True)))
    return tuple(CollectionRow(name, n, claims.get(name, 0)) for name, n in sorted(sources.items()))


def _annotators(project: Project, done: dict[int, tuple[int, datetime | None]]) -> tuple[AnnotatorRow, ...]:
    members = project.memberships.filter(Q(role=Role.ANNOTATOR) | Q(pk__in=list(done))).order_by("pseudonym")
    return tuple(
        AnnotatorRow(member.pseudonym, member.user_id is not None, *done.get(member.pk, (0, None)))
        for member in members
    )
