"""Certificates: what a judge version was found to be on a golden set, and whether that still holds.

A certificate is issued once and stays as it is. Whether it is current is never stored: it is asked by comparing what it
rests on with what there is now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.utils.dateformat import format as date_format

from calibration.sentences import as_sentence
from judges.models import JudgeVersion
from judges.services.versions import is_current
from labelling.golden.items import hash_of
from labelling.models import GoldenSet, GuideVersion, Project
from reports.models import Certificate

NO_CERTIFICATE = "no certificate"


@dataclass(frozen=True, slots=True)
class CertificateState:
    """The certificate of a judge version and whether it holds.

    Attributes
    ----------
    certificate : Certificate or None
        The newest that holds, else the newest.
    reasons : tuple of str
        In words, all that is not any more as it was when it was issued.
    """

    certificate: Certificate | None
    reasons: tuple[str, ...] = ()

    @property
    def current(self) -> bool:
        """Whether the judge may gate and be relied on."""
        return self.certificate is not None and not self.reasons

    @property
    def words(self) -> str:
        """In short: `certified 3 May 2026 on core v2, current`, `stale: …`, or `no certificate`."""
        if self.certificate is None:
            return NO_CERTIFICATE
        if self.reasons:
            return f"stale: {'; '.join(self.reasons)}"
        return f"certified {date_format(self.certificate.created, 'j M Y')} on {self.certificate.golden_set}, current"

    @property
    def sentence(self) -> str:
        return as_sentence([self.words])


@dataclass(frozen=True, slots=True)
class Today:
    """What certificates of a project are held against."""

    guide: GuideVersion | None
    partial_is_unsupported: bool
    newest: Mapping[str, int]

    @classmethod
    def of(cls, project: Project) -> Today:
        """Two queries."""
        numbers = GoldenSet.objects.filter(project=project).order_by().values_list("name").annotate(Max("version"))
        return cls(project.current_guide, project.partial_is_unsupported, dict(numbers))


def certificate_of(version: JudgeVersion, *, thorough: bool = False) -> CertificateState:
    """The certificate of a judge version and whether it holds now. Ask here before relying on a judge.

    With `thorough`, the contents of the golden set are hashed anew instead of trusting the hash that it carries.
    """
    return certificates_of(version.judge.project, [version], thorough=thorough)[version.pk]


def certificates_of(
    project: Project, versions: Sequence[JudgeVersion], *, thorough: bool = False
) -> dict[int, CertificateState]:
    """The same for several versions of a project, by primary key, in three queries whatever their number."""
    rows = Certificate.objects.filter(judge_version__in=versions).select_related("golden_set", "guide_version")
    issued: dict[int, list[Certificate]] = {version.pk: [] for version in versions}
    for certificate in rows.order_by("-id"):
        issued[certificate.judge_version_id].append(certificate)
    if not any(issued.values()):
        return {pk: CertificateState(None) for pk in issued}
    today = Today.of(project)
    return {
        version.pk: _state(issued[version.pk], version, today, thorough=thorough)
        if issued[version.pk]
        else CertificateState(None)
        for version in versions
    }


def states_on(golden_set: GoldenSet) -> list[CertificateState]:
    """Every certificate that was issued on a golden set, newest first, each with its state; three queries."""
    rows = Certificate.objects.filter(golden_set=golden_set)
    certificates = list(rows.select_related("judge_version__judge", "golden_set", "guide_version", "created_by"))
    if not certificates:
        return []
    today = Today.of(golden_set.project)
    return [
        CertificateState(certificate, stale_reasons(certificate, certificate.judge_version, today))
        for certificate in certificates
    ]


def _state(issued: Iterable[Certificate], version: JudgeVersion, today: Today, *, thorough: bool) -> CertificateState:
    states = [
        CertificateState(certificate, stale_reasons(certificate, version, today, thorough=thorough))
        for certificate in issued
    ]
    return next((state for state in states if state.current), states[0])


def stale_reasons(
    certificate: Certificate, version: JudgeVersion, today: Today, *, thorough: bool = False
) -> tuple[str, ...]:
    """All that is not any more as the certificate has it, in words; nothing where it holds."""
    golden = certificate.golden_set
    newest = today.newest.get(golden.name, golden.version)
    hashes = {golden.hash, _recomputed(golden)} if thorough else {golden.hash}
    threshold = version.config.get("threshold")
    reasons = (
        (
            certificate.fingerprint != version.fingerprint or not is_current(version),
            "the judge is not the one that was certified: its code, model, prompt or settings give another fingerprint",
        ),
        (
            certificate.threshold != threshold,
            f"the judge's threshold changed from {certificate.threshold} to {threshold}",
        ),
        _guide_changed(certificate.guide_version, today.guide),
        (newest > golden.version, f"the golden set {golden.name} has a newer version, v{newest}"),
        (hashes != {certificate.golden_hash}, f"the contents of {golden} changed"),
        (
            certificate.partial_is_unsupported != today.partial_is_unsupported,
            f"partial now counts as {'unsupported' if today.partial_is_unsupported else 'supported'}",
        ),
    )
    return tuple(words for holds, words in reasons if holds)


def _guide_changed(then: GuideVersion | None, now: GuideVersion | None) -> tuple[bool, str]:
    if then is None or now is None:
        return then is not now, "the project's guide came or went"
    if then.policy != now.policy:
        return True, f"the guide's policy changed from {then.policy} to {now.policy}"
    return not then.rules_like(now), f"the guide's rulings on borderline cases changed with its version {now.number}"


def _recomputed(golden_set: GoldenSet) -> str:
    # In the order of code points, which need not be the database's.
    items = sorted(golden_set.items.values_list("external_id", "item"))
    return hash_of(item for _, item in items)
