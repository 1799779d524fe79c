"""Plain functions that make rows for tests; each fills in what the test does not care about."""

import itertools
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from labelling.models import (
    Adjudication,
    Answer,
    Citation,
    Claim,
    Evidence,
    GuideVersion,
    Label,
    Membership,
    Policy,
    Project,
    Role,
    Slot,
    Source,
    Split,
)

_numbers = itertools.count(1)


def make_project(*, slug: str = "", overlap: int = 3, guide: bool = True, **fields: Any) -> Project:
    project = Project.objects.create(
        slug=slug or f"project-{next(_numbers)}",
        name=str(fields.pop("name", "Returns assistant")),
        overlap=overlap,
        **fields,
    )
    if guide:
        GuideVersion.objects.create(project=project, number=1, policy=Policy.STRICT, text="# Guide")
    return project


def make_user(name: str = "", *, password: str | None = None, **fields: Any) -> User:
    user = User(username=name or f"user-{next(_numbers)}", **fields)
    if password is None:
        user.set_unusable_password()
    else:
        user.set_password(password)
    user.save()
    return user


def make_member(
    project: Project,
    role: Role = Role.ANNOTATOR,
    *,
    user: User | None = None,
    pseudonym: str = "",
    account: bool = True,
) -> Membership:
    return Membership.objects.create(
        project=project,
        user=(user or make_user()) if account else None,
        role=role,
        pseudonym=pseudonym or f"{role}-{next(_numbers)}",
    )


def make_source(project: Project, text: str = "Returns are accepted within 14 days.", **fields: Any) -> Source:
    return Source.objects.create(
        project=project, external_id=str(fields.pop("external_id", f"s{next(_numbers)}")), text=text, **fields
    )


def make_answer(project: Project, text: str = "You have 14 days.", **fields: Any) -> Answer:
    return Answer.objects.create(
        project=project,
        external_id=str(fields.pop("external_id", f"a{next(_numbers)}")),
        text=text,
        split=fields.pop("split", Split.DEVELOPMENT),
        **fields,
    )


def make_claim(
    project: Project,
    text: str = "You have 14 days.",
    *,
    answer: Answer | None = None,
    source: Source | None = None,
    cited: bool = True,
    span: tuple[int, int] | None = None,
    slots: bool = True,
    **fields: Any,
) -> Claim:
    answer = answer or make_answer(project, text)
    claim = Claim.objects.create(
        project=project,
        answer=answer,
        external_id=str(fields.pop("external_id", f"{answer.external_id}.{next(_numbers)}")),
        text=text,
        **fields,
    )
    if cited:
        start, end = span or (None, None)
        Citation.objects.create(claim=claim, order=1, source=source or make_source(project), start=start, end=end)
    if slots:
        Slot.objects.bulk_create(
            Slot(project=project, claim=claim, position=position) for position in range(1, project.overlap + 1)
        )
    return claim


def make_claims(project: Project, count: int, **fields: Any) -> list[Claim]:
    source = make_source(project)
    return [make_claim(project, f"Claim number {i}.", source=source, **fields) for i in range(count)]


def make_label(
    claim: Claim,
    annotator: Membership,
    verdict: str = "stated",
    *,
    evidence: Iterable[tuple[Source, int, int]] = (),
    **fields: Any,
) -> Label:
    label = Label.objects.create(
        claim=claim,
        annotator=annotator,
        verdict=verdict,
        client_id=fields.pop("client_id", uuid.uuid4()),
        created=fields.pop("created", timezone.now()),
        **fields,
    )
    for source, start, end in evidence:
        Evidence.objects.create(label=label, source=source, start=start, end=end, quote=source.text[start:end])
    return label


def make_labels(claim: Claim, annotators: Sequence[Membership], verdicts: Sequence[str]) -> list[Label]:
    return [make_label(claim, who, verdict) for who, verdict in zip(annotators, verdicts, strict=True)]


def make_adjudication(claim: Claim, by: Membership, verdict: str = "absent", **fields: Any) -> Adjudication:
    return Adjudication.objects.create(
        claim=claim,
        by=by,
        verdict=verdict,
        client_id=fields.pop("client_id", uuid.uuid4()),
        created=fields.pop("created", timezone.now()),
        **fields,
    )
