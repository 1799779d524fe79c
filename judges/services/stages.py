"""Versions of a project as stages of a combined judge, and a cascade made of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from judges.combined.stages import CASCADE, COMBINED, stage_of
from judges.models import JudgeVersion
from judges.registry import judge_types
from judges.services.versions import create_judge, create_version, is_current
from labelling.models import Membership, Project


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenStage:
    """A version as a stage of a cascade, with the band of scores and the claim kinds of `judges.combined.cascade`."""

    version: JudgeVersion
    band: tuple[float, float] | None = None
    kinds: tuple[str, ...] = ()


def stage_versions(project: Project) -> list[JudgeVersion]:
    """The versions of the project that can be part of a combined judge, by name and the newest of each first."""
    known = judge_types()
    rows = JudgeVersion.objects.filter(judge__project=project).exclude(judge__type__in=COMBINED)
    rows = rows.select_related("judge").order_by("judge__name", "-number")
    return [row for row in rows if row.judge.type in known and row.config.get("batch") is not True]


def check_stage(version: JudgeVersion, project: Project) -> None:
    """Refuse a version that cannot be part of a combined judge of the project.

    Raises
    ------
    ValueError
        Saying why.
    """
    if version.judge.project_id != project.pk:
        msg = f"{version} is of another project; expected versions of {project.slug}"
        raise ValueError(msg)
    if version.judge.type in COMBINED:
        msg = f"{version} is made of other judges itself; expected those instead"
        raise ValueError(msg)
    if not is_current(version):
        msg = f"{version} was made by other code than today's: make a new version of it"
        raise ValueError(msg)


def create_cascade(
    *,
    project: Project,
    name: str,
    stages: Sequence[ChosenStage],
    policy: str,
    by: Membership | None,
    based_on: JudgeVersion | None = None,
) -> JudgeVersion:
    """The version of the cascade of this name with these stages, made where it is not there yet.

    Raises
    ------
    ValueError
        Where the stages do not make a cascade, or the name belongs to a judge of another type.
    """
    for stage in stages:
        check_stage(stage.version, project)
    listed = [{**stage_of(stage.version), "band": stage.band, "kinds": stage.kinds} for stage in stages]
    with transaction.atomic():  # no judge without a version is left where the stages are refused
        judge = create_judge(project=project, name=name, type_name=CASCADE)
        return create_version(judge=judge, config={"stages": listed}, policy=policy, by=by, based_on=based_on)
