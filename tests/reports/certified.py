"""A project whose judge has a certificate: gold frozen, the lexical judge run over it, figures frozen."""

from dataclasses import dataclass

from judges.models import JudgeVersion
from labelling.golden.freezing import freeze_golden
from labelling.models import Claim, GoldenSet, Membership, Project, Role
from reports.models import Certificate
from reports.services.certifying import issue_certificate
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.judges.factories import finish, make_version, start

SAID = "Parcels may come back within {n} days of delivery."
UNSAID = "Giraffes juggle porcelain teapots on Sundays."


@dataclass(frozen=True)
class Scene:
    project: Project
    owner: Membership
    claims: list[Claim]
    version: JudgeVersion
    golden: GoldenSet


def scene(*, claims: int = 24, system: str = "bot", slug: str = "") -> Scene:
    """Claims of one answer each, every third made up and labelled so; a lexical judge that gets all of them right."""
    project = make_project(slug=slug)
    owner = make_member(project, Role.OWNER, pseudonym="lead")
    people = [make_member(project, pseudonym=name) for name in ("ann", "bob")]
    guide = project.guide_versions.get()
    made = []
    for number in range(claims):
        text = UNSAID if number % 3 == 0 else SAID.format(n=number)
        answer = make_answer(project, text, system=system, split="test" if number % 2 else "development")
        claim = make_claim(
            project,
            text,
            answer=answer,
            source=make_source(project, SAID.format(n=number), collection="help"),
            external_id=f"c{number:03}",
            slots=False,
        )
        for person in people:
            make_label(claim, person, "absent" if number % 3 == 0 else "stated", guide_version=guide)
        made.append(claim)
    version = make_version(project, "lexical")
    finish(start(version))
    return Scene(project, owner, made, version, freeze_golden(project=project, name="core").golden_set)


def certified(**given: int | str) -> tuple[Scene, Certificate]:
    made = scene(**given)  # type: ignore[arg-type]  # each key has its own type
    return made, issue_certificate(version=made.version, golden_set=made.golden, by=made.owner)
