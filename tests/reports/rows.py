"""Rows for tests of figures: a labelled project with a judge, in one call."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from judges.models import Judge, Judgement, JudgeVersion, Run
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from labelling.models import Claim, Membership, Policy, Project, Role
from tests.factories import make_claim, make_label, make_member, make_project, make_source, make_user


def make_version(
    project: Project, name: str = "words", *, number: int = 1, type_name: str = "lexical", **fields: Any
) -> JudgeVersion:
    judge, _ = Judge.objects.get_or_create(project=project, name=name, defaults={"type": type_name})
    return JudgeVersion.objects.create(
        judge=judge,
        number=number,
        config=fields.pop("config", {"threshold": 0.6}),
        policy=fields.pop("policy", Policy.STRICT),
        fingerprint=fields.pop("fingerprint", f"{name[:50]}-{number}"),
        **fields,
    )


def make_run(
    version: JudgeVersion, said: Mapping[Claim, str], *, state: str = Run.State.FINISHED, probe: str = "", **fields: Any
) -> Run:
    """A run that said a verdict, or an outcome without one, of each claim; with a probe it is a test of the judge."""
    run = Run.objects.create(
        project=version.judge.project,
        judge_version=version,
        state=state,
        claims_total=len(said),
        probe=probe,
        seed=1 if probe else None,
    )
    verdicts = ("stated", "partial", "absent", "contradicted")
    Judgement.objects.bulk_create(
        Judgement(
            run=run,
            claim=claim,
            outcome="judged" if what in verdicts else what,
            verdict=what if what in verdicts else "",
            input_hash="0" * 64,
            **({"score": 0.9 if what == "stated" else 0.2} | fields),
        )
        for claim, what in said.items()
    )
    return run


def labelled_claims(
    project: Project, gold: Sequence[str], *, people: Sequence[Membership] | None = None, **fields: Any
) -> list[Claim]:
    """One claim an answer for each verdict, all people agreeing on it."""
    source = make_source(project)
    who = list(people) if people is not None else [make_member(project, pseudonym=f"p{n}") for n in range(3)]
    claims: list[Claim] = []
    for verdict in gold:
        claim = make_claim(project, f"Claim {len(claims)}.", source=source, slots=False, **fields)
        for person in who:
            make_label(claim, person, verdict)
        claims.append(claim)
    return claims


def signed_in(client: Client, project: Project, role: Role = Role.ENGINEER) -> User:
    user = make_user()
    make_member(project, role, user=user)
    client.force_login(user)
    return user


def small_project(gold: Sequence[str] = ("stated", "absent") * 8, **fields: Any) -> tuple[Project, list[Claim]]:
    project = make_project(**fields)
    return project, labelled_claims(project, gold)


def scored_project() -> tuple[Project, list[Claim], JudgeVersion]:
    """Sixteen claims in turn stated and absent, and an external judge whose scores tell them apart but for two."""
    project, claims = small_project(["stated", "absent"] * 8)
    version = external_version(project=project, judge_name="overnight", version_name="2026-05")
    scores = [0.9 if place % 2 == 0 else 0.3 for place in range(16)]
    scores[1], scores[2] = 0.8, 0.2
    judgements = [
        ImportedJudgement(claim_id=claim.pk, verdict="stated" if score >= 0.5 else "absent", score=score)
        for claim, score in zip(claims, scores, strict=True)
    ]
    add_judgements(run=imported_run(version=version), judgements=judgements)
    return project, claims, version
