"""A project whose people agree, but not always, so that the ceiling has something to say."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from labelling.models import Claim, Label, Membership, Project
from tests.factories import make_claim, make_label, make_member, make_project, make_source

EVERY = 5
"""One claim in so many has a person who says otherwise."""


def disputed_claims(
    project: Project,
    people: Sequence[Membership],
    *,
    count: int = 30,
    collection: str = "",
    created: datetime | None = None,
    guide: int | None = None,
    **fields: Any,
) -> list[Claim]:
    """In turn stated and absent, one answer each; on every fifth, the people in turn say the other."""
    source = make_source(project, collection=collection)
    given: dict[str, Any] = {} if created is None else {"created": created}
    if guide is not None:
        given["guide_version"] = project.guide_versions.get(number=guide)
    claims = []
    for place in range(count):
        claim = make_claim(project, f"Claim {place}.", source=source, slots=False, **fields)
        verdicts = ["stated" if place % 2 == 0 else "absent"] * len(people)
        if place % EVERY == 0:
            odd = (place // EVERY) % len(people)
            verdicts[odd] = "absent" if verdicts[odd] == "stated" else "stated"
        for who, verdict in zip(people, verdicts, strict=True):
            make_label(claim, who, verdict, **given)
        claims.append(claim)
    return claims


def disputed_project(*, people: int = 3, **fields: Any) -> tuple[Project, list[Membership], list[Claim]]:
    project = make_project()
    who = [make_member(project, pseudonym=f"reader-{place}") for place in range(people)]
    return project, who, disputed_claims(project, who, **fields)


def labelled_again(claims: Sequence[Claim], who: Membership, *, changed: int = 0) -> None:
    """The person says the same of the claims a second time, but of the first so many the other."""
    for place, claim in enumerate(claims):
        first = Label.objects.get(claim=claim, annotator=who, occasion=1).verdict
        other = "absent" if first == "stated" else "stated"
        make_label(claim, who, other if place < changed else first, occasion=2)
