"""Which claims a figure is about: the filters of a page or command, as one value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet

from labelling.models import Answer, Citation, Claim, Project, Split

BOTH_SPLITS = "both"
DEVELOPMENT_SPLIT = Split.DEVELOPMENT.value
UNSET = "none"
"""Stands in a filter for "not given": a claim without a kind, a source without a collection."""
_MARK = "="


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Filters over the claims of a project; an empty string filters nothing.

    Attributes
    ----------
    split : str
        `development`, `test` or `both`. Development unless asked: figures of the test split are for reporting, and
        each look at them is counted, so nobody should open them by just passing through.
    since, until : str
        Days as `2026-05-31`: only answers made on or after the one and before the other; those without a time are in neither.
    versions : str
        `latest`: of each judge the newest version that has judgements; `all`: every such version.
    """

    split: str = DEVELOPMENT_SPLIT
    collection: str = ""
    kind: str = ""
    severity: str = ""
    system: str = ""
    task_type: str = ""
    since: str = ""
    until: str = ""
    versions: str = "latest"

    @property
    def includes_test(self) -> bool:
        return self.split != Split.DEVELOPMENT

    @property
    def is_narrowed(self) -> bool:
        """Whether anything but the split leaves claims out."""
        return any((self.collection, self.kind, self.severity, self.system, self.task_type, self.since, self.until))

    @property
    def made_words(self) -> str:
        """The days in words, empty where there are none."""
        since = f"made on or after {self.since}" if self.since else ""
        until = f"{'' if since else 'made '}before {self.until}" if self.until else ""
        return " and ".join(part for part in (since, until) if part)

    @property
    def narrowed_words(self) -> str:
        """What leaves claims out besides the split, empty where nothing does: `system a, kind not given, made before …`."""
        names = ("system", "task_type", "collection", "kind", "severity")
        given = [(name.replace("_", " "), value) for name in names if (value := getattr(self, name))]
        said = [f"{name} {stored_value(value) or 'not given'}" for name, value in given]
        return ", ".join([*said, *filter(None, [self.made_words])])

    def query(self, **more: str) -> str:
        """The selection as a query string, defaults left out."""
        plain = asdict(Selection())
        given = {key: value for key, value in (asdict(self) | more).items() if value != plain.get(key, "")}
        return urlencode(given)

    def claims(self, project: Project) -> QuerySet[Claim]:
        """The claims that the selection picks, targeted ones included."""
        claims = Claim.objects.filter(project=project)
        if self.split != BOTH_SPLITS:
            claims = claims.filter(answer__split=self.split)
        if self.collection:
            cited = Citation.objects.filter(claim=OuterRef("pk"), source__collection=stored_value(self.collection))
            claims = claims.filter(Exists(cited))
        if self.kind:
            claims = claims.filter(kind=stored_value(self.kind))
        if self.severity:
            claims = claims.filter(severity=stored_value(self.severity))
        if self.system:
            claims = claims.filter(answer__system=stored_value(self.system))
        if self.task_type:
            claims = claims.filter(answer__task_type=stored_value(self.task_type))
        if self.since or self.until:
            claims = claims.filter(answer__in=self.made_between(project).order_by().values("pk"))
        return claims

    def made_between(self, project: Project) -> QuerySet[Answer]:
        """The answers of the project that were made in the period; days are those of UTC."""
        answers = Answer.objects.filter(project=project)
        if self.since:
            answers = answers.filter(created__gte=_midnight(self.since))
        return answers.filter(created__lt=_midnight(self.until)) if self.until else answers


def _midnight(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def filter_value(stored: str) -> str:
    """How a stored value stands in a filter; one that reads like "not given" gets a mark before it."""
    if not stored:
        return UNSET
    return f"{_MARK}{stored}" if stored.lstrip(_MARK) == UNSET else stored


def stored_value(value: str) -> str:
    """What a filter looks for: the other way round."""
    if value == UNSET:
        return ""
    return value.removeprefix(_MARK) if value.lstrip(_MARK) == UNSET else value
