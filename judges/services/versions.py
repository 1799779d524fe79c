"""Judges and their versions. A version is made once and never changed: any other setting is another version."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Max

from judges.combined.stages import stages_in
from judges.external import TYPE_NAME as EXTERNAL
from judges.fingerprints import fingerprint
from judges.models import Judge, JudgeVersion
from judges.protocol import JudgeImplementation, PaidJudge
from judges.registry import judge_type, judge_types
from labelling.guide.wording import policy_wording
from labelling.models import Membership, Policy, Project

_NAME = re.compile(r"[-a-zA-Z0-9_]{1,100}")


class JudgeUnavailableError(Exception):
    """A version cannot judge as it was made to; the message says why and what to do."""


def create_judge(*, project: Project, name: str, type_name: str) -> Judge:
    """The project's judge of this name, made where it is not there yet.

    Raises
    ------
    ValueError
        Where the type is unknown, the name cannot stand in an address, or it already belongs to a judge of another type.
    """
    judge_type(type_name)
    if not _NAME.fullmatch(name):
        msg = f"name is {name!r:.120}; expected 1 to 100 letters, digits, hyphens and underscores, as it stands in addresses"
        raise ValueError(msg)
    judge, _ = Judge.objects.get_or_create(project=project, name=name, defaults={"type": type_name})
    if judge.type != type_name:
        msg = f"name is {name!r}; that is already a judge of type {judge.type!r} here, so expected another name"
        raise ValueError(msg)
    return judge


def create_version(
    *,
    judge: Judge,
    config: Mapping[str, object],
    policy: str,
    by: Membership | None,
    based_on: JudgeVersion | None = None,
    label: str = "",
) -> JudgeVersion:
    """The judge's version with these settings: the existing one where nothing differs, else the next number.

    ``config`` is plain data for the judge's type; defaults are filled in before the fingerprint is taken. ``label`` is
    the name that an external harness gave its version; it says nothing about the verdicts and is not in the
    fingerprint. A judge that is asked in words is told the policy as the project's guide has it now; the wording is
    part of the version, so another ruling in the guide makes another version.

    Raises
    ------
    ValueError
        Naming the key of the configuration, or the policy, and what was expected.
    """
    if policy not in Policy.values:
        msg = f"policy is {policy!r}; expected one of {', '.join(Policy.values)}"
        raise ValueError(msg)
    kind = judge_type(judge.type)
    complete = kind.complete_config(config)
    if kind.prompted:
        complete["wording"] = _wording(judge.project, policy)
    name = fingerprint(type_name=kind.name, code_version=kind.code_version, config=complete, policy=policy)
    while True:
        existing = judge.versions.filter(fingerprint=name).first()
        if existing is not None:
            return existing
        last = judge.versions.aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                return JudgeVersion.objects.create(
                    judge=judge,
                    number=last + 1,
                    label=label,
                    config=complete,
                    policy=policy,
                    fingerprint=name,
                    based_on=based_on,
                    created_by=by,
                )
        except IntegrityError:  # somebody else took the number, or made this very version, in the same moment
            continue


def _wording(project: Project, policy: str) -> str:
    """The policy in words, with the rulings on borderline cases that the project has switched."""
    guide = project.current_guide
    return policy_wording(policy, guide.cases if guide is not None else {})


def with_threshold(
    *,
    version: JudgeVersion,
    threshold: float,
    by: Membership | None,
    beside: Mapping[str, float] | None = None,
) -> JudgeVersion:
    """The version that differs from this one in its thresholds alone; the existing one where there is one.

    ``beside`` has the other thresholds of a judge that has several. A version of an external judge keeps the scores it
    was imported with: the new version names it as its base.

    Raises
    ------
    ValueError
        Where the judge has no such threshold to set, or a value lies outside its range.
    """
    config = dict(version.config)
    for key in ("threshold", *(beside or {})):
        if key not in config:
            msg = f"{version} has no {key} to set; its settings are {', '.join(sorted(config)) or 'none'}"
            raise ValueError(msg)
    if version.judge.type == EXTERNAL and not config["base"]:
        config["base"] = version.fingerprint
    config |= {**(beside or {}), "threshold": threshold}
    return create_version(
        judge=version.judge, config=config, policy=version.policy, by=by, based_on=version, label=version.label
    )


def renewed(*, version: JudgeVersion, by: Membership | None) -> JudgeVersion:
    """The version with the same settings under today's code: this one where the code has not changed since."""
    return create_version(
        judge=version.judge,
        config=version.config,
        policy=version.policy,
        by=by,
        based_on=version,
        label=version.label,
    )


def is_current(version: JudgeVersion) -> bool:
    """Whether the version's fingerprint still holds: today's code would judge under the same name."""
    kind = judge_type(version.judge.type)
    try:
        complete = kind.complete_config(version.config)
    except ValueError:  # a setting that the type no longer takes
        return False
    now = fingerprint(type_name=kind.name, code_version=kind.code_version, config=complete, policy=version.policy)
    return now == version.fingerprint


def costs_money(version: JudgeVersion) -> bool:
    """Whether a run of the version can cost money: its type is paid for, or that of a judge that it is made of.

    Told from its settings alone, so that a page can say so where the judge cannot be built.
    """
    known = judge_types()
    names = [version.judge.type, *(str(one.get("type")) for one in stages_in(version.config))]
    return any(name in known and known[name].paid for name in names)


@dataclass(frozen=True, slots=True)
class ReadyJudge:
    """A judge built from a version, and what the worker has to know of its type."""

    implementation: JudgeImplementation
    paid: bool
    at_once: int = 0


def in_batches(version: JudgeVersion) -> bool:
    """Whether the version hands its claims in as batches, which a service may take a day over."""
    return version.config.get("batch") is True


def build(version: JudgeVersion, *, batches: bool = True) -> ReadyJudge:
    """The judge that this version names, ready to judge; without ``batches`` one that asks claim by claim in any case.

    Raises
    ------
    JudgeUnavailableError
        Where its type is not registered here, its settings are refused, or its fingerprint no longer holds because the
        judge's code has changed: judgements under the old name would then say something else than before.
    """
    try:
        kind = judge_type(version.judge.type)
        complete = kind.complete_config(version.config)
    except ValueError as error:
        raise JudgeUnavailableError(f"{version} cannot be built: {error}") from error
    now = fingerprint(type_name=kind.name, code_version=kind.code_version, config=complete, policy=version.policy)
    if now != version.fingerprint:
        msg = f"{version} was made by other code than today's ({kind.code_version}): make a new version of it"
        raise JudgeUnavailableError(msg)
    if in_batches(version) and not batches:  # how a question is sent; the question itself stays the same
        complete["batch"] = False
    try:
        implementation = kind.from_data(complete)
    except Exception as error:  # whatever a judge's own set-up raises: a missing model, a missing key
        raise JudgeUnavailableError(f"{version} cannot be built: {type(error).__name__}: {error}") from error
    # Whether a judge made of others is paid for depends on them, so it is the judge that says so, not its type.
    return ReadyJudge(implementation, kind.paid or isinstance(implementation, PaidJudge), kind.at_once)
