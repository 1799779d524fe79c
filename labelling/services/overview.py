"""What is in a project and how far the labelling has come, without anybody's verdicts."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q

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


def project_overview(project: Project) -> Overview:
    """Everything the project page shows, in a fixed number of queries."""
    cited = Exists(Citation.objects.filter(claim=OuterRef("pk")))
    claims = Claim.objects.filter(project=project).aggregate(n=Count("pk"), cited=Count("pk", filter=cited))
    places = Slot.objects.filter(project=project).aggregate(
        waiting=Count("pk", filter=Q(state=Slot.State.OPEN)), held=Count("pk", filter=Q(state=Slot.State.LEASED))
    )
    collections = _collections(project)
    systems = project.answers.order_by("system").values_list("system").annotate(n=Count("pk"))
    system_rows = tuple(SystemRow(name, n) for name, n in systems)
    annotators = _annotators(project)
    return Overview(
        sources=sum(row.sources for row in collections),
        answers=sum(row.answers for row in system_rows),
        claims=claims["n"],
        claims_cited=claims["cited"],
        collections=collections,
        systems=system_rows,
        annotators=annotators,
        labels=Label.objects.counted().filter(claim__project=project).count(),
        places_waiting=places["waiting"],
        places_held=places["held"],
        disagreements=disagreements(project).count(),
        settled=Adjudication.objects.current().filter(claim__project=project).count(),
        guide=project.current_guide,
    )


def _collections(project: Project) -> tuple[CollectionRow, ...]:
    sources = dict(project.sources.order_by().values_list("collection").annotate(n=Count("pk")))
    citations = Citation.objects.filter(claim__project=project).order_by()
    claims = dict(citations.values_list("source__collection").annotate(n=Count("claim", distinct=True)))
    return tuple(CollectionRow(name, n, claims.get(name, 0)) for name, n in sorted(sources.items()))


def _annotators(project: Project) -> tuple[AnnotatorRow, ...]:
    labels = Label.objects.current().filter(annotator__project=project, withdrawn=False, occasion=1).order_by()
    done = {
        pk: (n, last) for pk, n, last in labels.values_list("annotator").annotate(n=Count("pk"), last=Max("created"))
    }
    members = project.memberships.filter(Q(role=Role.ANNOTATOR) | Q(pk__in=list(done))).order_by("pseudonym")
    return tuple(
        AnnotatorRow(member.pseudonym, member.user_id is not None, *done.get(member.pk, (0, None)))
        for member in members
    )
