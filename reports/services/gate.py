"""The gate: may this system be released, by the figures of a judge that has a current certificate?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from calibration.groundedness import Groundedness
from calibration.results import Figure
from judges.models import JudgeVersion
from judges.protocol import ClaimInput, Verdict
from judges.services.naming import named_version
from judges.services.versions import JudgeUnavailableError, build
from labelling.models import Answer, Claim, GoldenItem, GoldenSet, Project
from reports.gate.deciding import Exit, RuleResult, decide_figure, decide_none, exit_of, missing
from reports.gate.reading import GateFileError
from reports.gate.rules import CORRECTED_FIGURES, FIGURES, Baseline, FigureRule, NoneRule, Rule
from reports.selection import BOTH_SPLITS, Selection
from reports.services.certificates import CertificateState, certificate_of
from reports.services.groundedness import JUDGE, GroundednessFigures, report_groundedness
from reports.services.looks import note_look

PROHIBITED = "prohibited"


class GateRefusedError(ValueError):
    """The gate could not run; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class GateReport:
    """What a gate came to.

    Attributes
    ----------
    results : tuple of RuleResult
        In the order of the rules; empty where there was no current certificate.
    figures : mapping of str to Figure
        Every figure that a rule may name, ready to be the baseline of the next gate.
    """

    project: Project
    version: JudgeVersion
    selection: Selection
    certificate: CertificateState
    results: tuple[RuleResult, ...] = ()
    figures: Mapping[str, Figure] | None = None

    @property
    def exit(self) -> Exit:
        return exit_of(self.results) if self.certificate.current else Exit.NO_CERTIFICATE


def run_gate(*, project: Project, version: JudgeVersion, selection: Selection, rules: Sequence[Rule]) -> GateReport:
    """Hold the answers of a selection against the rules, as the judge reads them.

    Without a current certificate of the judge nothing is read. The selection takes both splits: its answers are not
    what anything was chosen on, and no gold is shown, unless a rule asks for a corrected figure, which is a look at test.

    Raises
    ------
    GateRefusedError
        Where there is nothing to read, the judge has not judged all of it, or a rule names what is not there.
    """
    certificate = certificate_of(version, thorough=True)
    if not certificate.current:
        return GateReport(project, version, selection, certificate)
    _check_system(project, selection)
    reading = _Reading(project, version, selection)
    figures = reading.figures | _certified(certificate)
    if any(isinstance(rule, FigureRule) and rule.figure in CORRECTED_FIGURES for rule in rules):
        note_look(project=project, member=None, page="gate", version=version)
    against = {rule.baseline.name: rule.baseline for rule in rules if isinstance(rule, FigureRule) and rule.baseline}
    baselines = {name: _baseline(reading, baseline) for name, baseline in against.items()}
    results = tuple(
        _decide_none(reading, rule)
        if isinstance(rule, NoneRule)
        else decide_figure(
            rule,
            missing(rule.figure, figures),
            missing(rule.figure, baselines[rule.baseline.name]) if rule.baseline else None,
        )
        for rule in rules
    )
    return GateReport(project, version, selection, certificate, results, figures)


class _Reading:
    """The judge's reading of one selection; refused where it has not read all of it."""

    def __init__(self, project: Project, version: JudgeVersion, selection: Selection) -> None:
        self.project, self.version, self.selection = project, version, selection
        report = report_groundedness(project, selection, version=version, origin=JUDGE)
        assert report.figures.judged is not None  # a version was given
        self.all: GroundednessFigures = report.figures
        self.worst: Groundedness = report.figures.judged.worst
        if self.worst.n_claims == 0:
            raise GateRefusedError(f"{_said(selection)} has no claims to read")
        unread = self.worst.n_cited - self.worst.n_settled
        if unread:
            raise GateRefusedError(
                f"{version} has not judged {unread} of {self.worst.n_cited} cited claims of {_said(selection)}: "
                f"run it over them first"
            )

    @property
    def figures(self) -> dict[str, Figure]:
        """Every figure of the system by the name that rules have for it."""
        judged, worst = self.all.judged, self.worst
        assert judged is not None
        found = worst.named()
        found |= {f"corrected.{name}": share.prediction_powered for name, share in judged.corrected.items()}
        found["unsupported_rate"] = _complement(worst.entailment)
        found["judged"] = _judged(worst)
        return {name: found[name] for name in FIGURES if name in found}


def _certified(state: CertificateState) -> dict[str, Figure]:
    assert state.certificate is not None
    return {f"judge.{name}": Figure(**data) for name, data in state.certificate.figures.items()}


def _complement(share: Figure) -> Figure:
    if share.value is None:
        return share
    low, high = (None, None) if share.low is None or share.high is None else (1 - share.high, 1 - share.low)
    k = None if share.k is None else share.n - share.k
    return Figure(1 - share.value, low, high, n=share.n, k=k, method=share.method, reason=share.reason)


def _judged(worst: Groundedness) -> Figure:
    """The share of the cited claims that got a verdict: counted, so its ends are where it is."""
    if worst.n_cited == 0:
        return Figure.undefined("no claim carries a citation")
    k = worst.n_settled - worst.n_without_verdict
    share = k / worst.n_cited
    return Figure(share, share, share, n=worst.n_cited, k=k, method="counted")


def _check_system(project: Project, selection: Selection) -> None:
    """Refuse a system or task type that the project does not have: a slip of the pen would pass as nothing to see."""
    for field in ("system", "task_type"):
        wanted = getattr(selection, field)
        rows = Answer.objects.filter(project=project)
        known = sorted(set(rows.order_by().values_list(field, flat=True).distinct()) - {""})
        if wanted and wanted not in known:
            word = field.replace("_", " ")
            raise GateRefusedError(f"found the {word} {wanted!r}, expected one of {', '.join(known) or 'none yet'}")


def _said(selection: Selection) -> str:
    return " ".join(part for part in (selection.system or "the project", selection.task_type) if part)


def _baseline(reading: _Reading, baseline: Baseline) -> Mapping[str, Figure]:
    if baseline.file is not None:
        return _from_file(baseline)
    selection = Selection(
        split=BOTH_SPLITS,
        system=baseline.system or reading.selection.system,
        task_type=baseline.task_type or reading.selection.task_type,
        since=baseline.since.isoformat() if baseline.since else "",
        until=baseline.until.isoformat() if baseline.until else "",
    )
    try:
        _check_system(reading.project, selection)
        return _Reading(reading.project, reading.version, selection).figures
    except GateRefusedError as error:
        raise GateRefusedError(f"baseline.{baseline.name}: {error}") from None


def _from_file(baseline: Baseline) -> Mapping[str, Figure]:
    """The figures that an earlier gate wrote."""
    assert baseline.file is not None
    where = f"baseline.{baseline.name}: {baseline.file}"
    try:
        data = json.loads(baseline.file.read_text(encoding="utf-8"))
        return {str(name): Figure(**figure) for name, figure in data["figures"].items()}
    except OSError as error:
        raise GateFileError(f"{where}: cannot be read: {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise GateFileError(f"{where}: expected the JSON that a gate wrote, with its figures") from None


def _decide_none(reading: _Reading, rule: NoneRule) -> RuleResult:
    claims = _claims(reading, rule)
    if rule.none == PROHIBITED:
        answers = Answer.objects.filter(pk__in=claims.order_by().values("answer")).order_by("external_id")
        found = _prohibited(reading.project, rule, list(answers))
        return decide_none(rule, found, looked_at=len(answers), unit="answer")
    cited = claims.filter(citations__isnull=False).distinct()
    miscited = set(reading.all.failing.miscited.tolist())
    names = sorted(name for pk, name in cited.values_list("pk", "external_id") if pk in miscited)
    return decide_none(rule, names, looked_at=cited.count(), unit="cited claim")


def _claims(reading: _Reading, rule: NoneRule) -> QuerySet[Claim]:
    """The claims that a rule looks at: of the selection, and of the set, collection or severity that it names."""
    claims = reading.selection.claims(reading.project)
    if rule.collection:
        if not reading.project.sources.filter(collection=rule.collection).exists():
            raise GateRefusedError(f"{rule.name}: found no collection {rule.collection!r} in this project")
        claims = claims.filter(citations__source__collection=rule.collection).distinct()
    if rule.severity:
        claims = claims.filter(severity=rule.severity)
    if rule.golden_set:
        golden = GoldenSet.objects.filter(project=reading.project, name=rule.golden_set).order_by("-version").first()
        if golden is None:
            raise GateRefusedError(f"{rule.name}: found no golden set {rule.golden_set!r} in this project")
        claims = claims.filter(pk__in=GoldenItem.objects.filter(golden_set=golden).order_by().values("claim"))
    return claims


def _prohibited(project: Project, rule: NoneRule, answers: Sequence[Answer]) -> list[str]:
    """The answers that have what the project's check forbids, asked on the spot: it is free and always the same."""
    version = _forbidding(project, rule)
    try:
        check = build(version).implementation
    except JudgeUnavailableError as error:
        raise GateRefusedError(f"{rule.name}: {error}") from error
    texts = [
        ClaimInput(claim_id=answer.pk, text=answer.text or _of_claims(answer), kind="", severity="", cited=())
        for answer in answers
    ]
    said = zip(answers, check.judge(texts), strict=True)
    return [f"{answer.external_id} ({opinion.reason})" for answer, opinion in said if opinion.verdict is Verdict.ABSENT]


def _of_claims(answer: Answer) -> str:
    return "\n".join(answer.claims.order_by("pk").values_list("text", flat=True))


def _forbidding(project: Project, rule: NoneRule) -> JudgeVersion:
    """The version of the check that says what is forbidden."""
    if rule.judge:
        try:
            version = named_version(project, rule.judge)
        except ValueError as error:
            raise GateRefusedError(f"{rule.name}: {error}") from error
    else:
        versions = JudgeVersion.objects.filter(judge__project=project, judge__type=PROHIBITED)
        newest = versions.select_related("judge").order_by("-pk").first()
        if newest is None:
            raise GateRefusedError(
                f"{rule.name}: the project has no judge of type {PROHIBITED} that says what is forbidden"
            )
        version = newest
    if version.judge.type != PROHIBITED:
        raise GateRefusedError(f"{rule.name}: {version} is of type {version.judge.type}, expected {PROHIBITED}")
    if not any(version.config.get(key) for key in ("phrases", "classes", "patterns")):
        raise GateRefusedError(f"{rule.name}: {version} forbids nothing")
    return version
