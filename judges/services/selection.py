"""Which claims of a project a run is over."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db.models import Exists, OuterRef, QuerySet

from labelling.models import Citation, Claim, ClaimKind, Project, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The claims that share all of these; an empty value leaves that one open.

    Only claims with a citation are ever chosen: without one there is nothing to be faithful to.
    """

    split: str = ""
    kind: str = ""
    collection: str = ""

    def __post_init__(self) -> None:
        for key, value, known in (("split", self.split, Split.values), ("kind", self.kind, ClaimKind.values)):
            if value and value not in known:
                msg = f"{key} is {value!r}; expected one of {', '.join(known)}, or nothing for all"
                raise ValueError(msg)

    @classmethod
    def from_data(cls, data: Mapping[str, str]) -> "Selection":
        """Read what ``as_data`` wrote; keys of other origins (an import has one) are passed over."""
        return cls(**{key: data[key] for key in ("split", "kind", "collection") if key in data})

    def as_data(self) -> dict[str, str]:
        """What was asked for, as plain data, open ones left out."""
        return {key: value for key, value in asdict(self).items() if value}

    def claims(self, project: Project) -> QuerySet[Claim]:
        """The chosen claims, in order of their ids."""
        cited = Citation.objects.filter(claim=OuterRef("pk"))
        if self.collection:
            cited = cited.filter(source__collection=self.collection)
        rows = project.claims.filter(Exists(cited))
        if self.split:
            rows = rows.filter(answer__split=self.split)
        if self.kind:
            rows = rows.filter(kind=self.kind)
        return rows.order_by("id")

    def __str__(self) -> str:
        return ", ".join(f"{key} {value}" for key, value in self.as_data().items()) or "all cited claims"
