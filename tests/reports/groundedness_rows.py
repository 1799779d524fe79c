"""A small project with everything that a groundedness report tells apart."""

from datetime import UTC, date, datetime
from typing import Any

from django.utils import timezone

from judges.models import JudgeVersion
from labelling.models import Answer, AnswerLabel, Membership, Project, Source
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.reports.rows import make_run, make_version

TEXT = "Returns are accepted within 14 days. Sale items are excluded."


def label_answer(project: Project, external_id: str, who: Membership, **said: bool) -> None:
    answer = project.answers.get(external_id=external_id)
    AnswerLabel.objects.create(answer=answer, annotator=who, created=timezone.now(), **said)


def grounded_project() -> Project:
    """Four answers of two systems: one grounded; one with a miscitation; one without a citation; one that abstains.

    `a1` (desk, returns) is stated twice, once by a source that had a successor by then. `a2` (desk, refunds) has one
    stated claim and one contradicted, critical one. `a3` (bot, returns) cites nothing in one claim, and in the other a
    source that is not there.
    """
    project = make_project(slug="grounded", guide=True)
    who = make_member(project, pseudonym="p1")
    new = make_source(project, TEXT, external_id="returns#8", collection="help", effective_from=date(2026, 3, 1))
    old = make_source(
        project,
        TEXT,
        external_id="returns#7",
        collection="archive",
        effective_from=date(2025, 1, 1),
        superseded_by="returns#8",
        title="Returns, old",
    )
    gone = make_source(project, "", external_id="gone", collection="help")
    made = datetime(2026, 4, 1, tzinfo=UTC)
    a1 = make_answer(project, external_id="a1", system="desk", task_type="returns", created=made)
    a2 = make_answer(project, external_id="a2", system="desk", task_type="refunds", created=made)
    a3 = make_answer(project, external_id="a3", system="bot", task_type="returns", created=made)
    make_answer(project, external_id="a4", system="bot", task_type="returns", should_abstain=True)

    def claim(name: str, answer: Answer, source: Source, verdict: str, **fields: Any) -> None:
        made = make_claim(
            project, f"Claim {name}.", answer=answer, source=source, external_id=name, slots=False, **fields
        )
        evidence = [] if verdict == "absent" else [(source, 0, 36)]
        kind = "" if verdict == "stated" else "plausible-specific"
        make_label(made, who, verdict, invention=kind, evidence=evidence)

    claim("c1", a1, new, "stated", span=(0, 36), severity="minor")
    claim("c2", a1, old, "stated", span=(0, 36), severity="minor")
    claim("c3", a2, new, "stated", span=(0, 36), severity="minor")
    claim("c4", a2, old, "contradicted", span=(0, 36), severity="critical")
    claim("c5", a3, gone, "absent")
    make_claim(project, "Claim c6.", answer=a3, cited=False, external_id="c6", slots=False)
    label_answer(project, "a1", who, correct=True)
    label_answer(project, "a2", who, correct=False, answer_in_retrieved=True)
    label_answer(project, "a3", who, correct=False, answer_in_retrieved=False)
    label_answer(project, "a4", who, abstained=True)
    return project


def judged_by(project: Project, said: dict[str, str], **fields: Any) -> JudgeVersion:
    """A judge version that says these verdicts of the claims of these names."""
    version = make_version(project, "oracle")
    make_run(version, {project.claims.get(external_id=name): verdict for name, verdict in said.items()}, **fields)
    return version
