"""Judge versions by the names that people write: `claude@3`, `claude@v3`, or `claude` for the newest."""

from judges.models import JudgeVersion
from labelling.models import Project


def named_version(project: Project, name: str) -> JudgeVersion:
    """The version that a name like `claude@3` means in a project; without a number the newest of the judge.

    Raises
    ------
    ValueError
        Naming what there is instead.
    """
    judge, at, number = name.partition("@")
    versions = list(
        JudgeVersion.objects.filter(judge__project=project, judge__name=judge)
        .select_related("judge__project")
        .order_by("number")
    )
    if not versions:
        there = JudgeVersion.objects.filter(judge__project=project).order_by("judge__name")
        names = ", ".join(there.values_list("judge__name", flat=True).distinct())
        raise ValueError(
            f"found the judge {judge!r}, expected one with a version in this project: {names or 'none yet'}"
        )
    if not at:
        return versions[-1]
    for version in versions:
        if number.removeprefix("v") == str(version.number):
            return version
    numbers = ", ".join(str(version.number) for version in versions)
    raise ValueError(f"found the version {number!r} of {judge!r}, expected one of {numbers}")
