"""What a check found, and how findings become an opinion."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from judges.protocol import ClaimInput, Opinion, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a claim that a check flags.

    Attributes
    ----------
    value : str
        What the claim says, verbatim.
    nearest : str
        The closest thing that a cited source has, verbatim, or empty.
    reason : str
        One sentence for a person.
    kind : str
        What sort of thing was looked for: ``figure``, ``date``, ``name``, ``quotation``, ``span``…
    verdict : Verdict
        ``absent`` or ``contradicted``.
    """

    value: str
    nearest: str
    reason: str
    kind: str
    verdict: Verdict = Verdict.ABSENT

    def as_data(self) -> dict[str, object]:
        """Give the finding as plain JSON values."""
        return {"value": self.value, "nearest": self.nearest, "reason": self.reason, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """All findings on one claim; where there are none, why there is no opinion."""

    findings: tuple[Finding, ...] = ()
    silence: str = ""
    cut: bool = False
    """Whether the check stopped looking once it had this many findings."""
    detail: Mapping[str, object] = field(default_factory=dict)
    """What else the check can show, fired or not; plain JSON values only."""


class CheckRule(Protocol):
    """The part of a check that differs: what it finds wrong with one claim."""

    def __call__(self, claim: ClaimInput) -> CheckResult:
        """Look at one claim. Never raises for any text."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """A judge without a model: it flags what it can prove missing and has no opinion otherwise.

    A claim on which nothing fires is not thereby stated, so the outcome is ``no-opinion`` then.
    """

    type_name: str
    limits: str
    rule: CheckRule
    quick: Callable[[ClaimInput], tuple[Finding, ...]] | None = None
    """A way to the same findings that leaves out what only an opinion shows."""

    def findings(self, claim: ClaimInput) -> tuple[Finding, ...]:
        """Give what fires on a claim, without the record keeping of an opinion."""
        return self.quick(claim) if self.quick else self.rule(claim).findings

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """Yield one opinion per claim, in their order."""
        for claim in claims:
            begun = perf_counter()
            result = self.rule(claim)
            yield _opinion(result, perf_counter() - begun)


def _opinion(result: CheckResult, seconds: float) -> Opinion:
    if not result.findings:
        return Opinion(outcome=Outcome.NO_OPINION, reason=result.silence, seconds=seconds, detail=result.detail)
    contradicted = any(finding.verdict is Verdict.CONTRADICTED for finding in result.findings)
    detail: Mapping[str, object] = {"findings": [finding.as_data() for finding in result.findings], **result.detail}
    reasons = [finding.reason for finding in result.findings]
    if result.cut:
        reasons.append(f"The check stopped after {len(reasons)} findings; there may be more.")
    return Opinion(
        outcome=Outcome.JUDGED,
        verdict=Verdict.CONTRADICTED if contradicted else Verdict.ABSENT,
        quote=next((finding.nearest for finding in result.findings if finding.nearest), ""),
        reason=" ".join(reasons),
        seconds=seconds,
        detail=detail,
    )
