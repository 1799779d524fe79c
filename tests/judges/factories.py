"""Judge versions and runs for tests, over the sample judge types."""

from collections.abc import Mapping

from judges.models import JudgeVersion, Run
from judges.services import chunks
from judges.services.runs import start_run
from judges.services.selection import Selection
from judges.services.versions import create_judge, create_version
from labelling.models import Policy, Project


def make_version(
    project: Project, type_name: str = "counting", *, name: str = "", config: Mapping[str, object] | None = None
) -> JudgeVersion:
    judge = create_judge(project=project, name=name or type_name, type_name=type_name)
    return create_version(judge=judge, config=config or {}, policy=Policy.STRICT, by=None)


def start(version: JudgeVersion, **selection: str) -> Run:
    return start_run(version=version, selection=Selection(**selection), by=None)


def finish(run: Run) -> Run:
    while chunks.work_on_run(run.pk, seconds=60):
        pass
    run.refresh_from_db()
    return run
