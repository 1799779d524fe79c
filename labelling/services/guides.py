"""Writing guide versions. Editing is always a new version; the one that labels were made under stays as it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from django.db import IntegrityError, transaction

from labelling.guide.wording import check_switches, default_prose, effective_switches, guide_text
from labelling.models import GuideVersion, Policy, Project

CONTEXT_LINES = 2


class GuideMovedOnError(Exception):
    """Somebody else wrote a version while this one was being edited."""

    def __init__(self, number: int) -> None:
        super().__init__(f"version {number} of the guide was written in the meantime")
        self.number = number


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference: kept, gone, new, or a gap where unchanged lines are left out."""

    kind: Literal["same", "gone", "new", "gap"]
    text: str


def start_guide(*, project: Project, policy: str) -> GuideVersion:
    """Give a project the default guide of a policy as version 1; the current version where it has one already."""
    current = project.current_guide
    if current is not None:
        return current
    text = guide_text(default_prose(policy), policy=policy, switched={})
    return GuideVersion.objects.create(project=project, number=1, policy=Policy(policy), text=text)


def write_guide_version(
    *, project: Project, policy: str, prose: str, cases: Mapping[str, str], based_on: int
) -> GuideVersion:
    """Write the next version of the guide, or return the current one where nothing was changed.

    Parameters
    ----------
    project
        Whose guide.
    policy
        `strict` or `inference`.
    prose
        Markdown of everything before the borderline cases.
    cases
        Case key to the verdict that the project gives it; those that agree with the policy's own are dropped.
    based_on
        Number of the version that was being edited, 0 where there was none.

    Raises
    ------
    GuideMovedOnError
        Where another version has been written since.
    ValueError
        For an unknown policy, case or verdict.
    """
    if policy not in Policy.values:
        raise ValueError(f"unknown policy {policy!r}; expected one of {', '.join(Policy.values)}")
    check_switches(cases)
    switched = effective_switches(policy, cases)
    text = guide_text(prose, policy=policy, switched=switched)
    current = project.current_guide
    if current is not None and (current.text, current.policy, current.cases) == (text, policy, switched):
        return current
    number = current.number if current is not None else 0
    if number != based_on:
        raise GuideMovedOnError(number)
    try:
        with transaction.atomic():
            return GuideVersion.objects.create(
                project=project, number=number + 1, policy=Policy(policy), text=text, cases=switched
            )
    except IntegrityError as error:
        raise GuideMovedOnError(number + 1) from error


def guide_difference(old: str, new: str) -> list[DiffLine]:
    """What changed between two guides, line by line, with two lines around each change."""
    before, after = old.splitlines(), new.splitlines()
    lines: list[DiffLine] = []
    blocks = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    for index, (tag, a, b, c, d) in enumerate(blocks):
        if tag == "equal":
            lines += _kept(before[a:b], first=index == 0, last=index == len(blocks) - 1)
        else:
            lines += [DiffLine("gone", line) for line in before[a:b]]
            lines += [DiffLine("new", line) for line in after[c:d]]
    return lines if any(line.kind in ("gone", "new") for line in lines) else []


def _kept(block: Sequence[str], *, first: bool, last: bool) -> list[DiffLine]:
    head = 0 if first else CONTEXT_LINES
    tail = 0 if last else CONTEXT_LINES
    if len(block) <= head + tail:
        return [DiffLine("same", line) for line in block]
    return [
        *(DiffLine("same", line) for line in block[:head]),
        DiffLine("gap", ""),
        *(DiffLine("same", line) for line in block[len(block) - tail :]),
    ]


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version in the list, with what set it apart from the one before."""

    version: GuideVersion
    before: int | None
    added: int
    removed: int


def version_history(project: Project) -> list[VersionRow]:
    """All versions, newest first, each with the number of lines that came and went. One query."""
    versions = list(project.guide_versions.order_by("number"))
    rows = [VersionRow(version, None, 0, 0) for version in versions[:1]]
    for old, new in pairwise(versions):
        kinds = [line.kind for line in guide_difference(old.text, new.text)]
        rows.append(VersionRow(new, old.number, kinds.count("new"), kinds.count("gone")))
    return rows[::-1]
