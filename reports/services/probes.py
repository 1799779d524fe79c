"""What came of a test of a judge: its figure, the same by kind of change, and the claims behind it, the worst first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from calibration.stability import Share, Stability, share_of, stability
from calibration.verdicts import NO_JUDGEMENT, VERDICTS
from judges.models import Judgement, JudgeVersion, Run
from judges.probes import PROBES
from judges.probes.changes import Change
from judges.protocol import ANSWERED, Outcome
from judges.services.probes import cannot_be_tested
from labelling.models import Citation, Claim, Source
from reports.shown.probe_words import WORDS, ProbeWords

NO_OPINION = Outcome.NO_OPINION.value
_CODES = {**{name: code for code, name in enumerate(VERDICTS)}, NO_OPINION: NO_JUDGEMENT}
EXCERPT = 400
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Case:
    """One claim of a test with what the judge said of it as it is, and what it said in the test.

    Attributes
    ----------
    before, after : str
        A verdict, "no-opinion", or nothing where there is no usable word.
    outcome : str
        How the judging ended in the test.
    counts : bool
        Whether it is in the figure.
    hit : bool
        Whether the figure counts it.
    """

    claim_id: int
    answer_id: int
    change: Change
    before: str
    after: str
    before_score: float | None
    after_score: float | None
    outcome: str
    counts: bool
    hit: bool


@dataclass(frozen=True, slots=True)
class KindOfChange:
    """The figure over the claims in which the same kind of thing was changed."""

    kind: str
    share: Share
    contradicted: Share | None


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """A test of a judge.

    Attributes
    ----------
    share : Share
        The figure: what it counts is in ``words``.
    contradicted : Share or None
        In a perturbation: those called contradicted.
    verdicts : tuple of (verdict, Share)
        In a silence: how the claims were judged.
    kinds : tuple of KindOfChange
        The figure by kind of change, where there is more than one.
    stability : Stability or None
        In a test that should change nothing: agreement with what was said before.
    flips : tuple of (before, after, count)
        The same: which words changed into which, the most frequent first.
    cases : tuple of Case
        The worst first.
    without : tuple of (outcome, count)
        Claims of the test without a verdict, by how they ended.
    without_before : int
        Claims of the test with no earlier word of the version to compare with.
    """

    run: Run
    words: ProbeWords
    share: Share
    contradicted: Share | None
    verdicts: tuple[tuple[str, Share], ...]
    kinds: tuple[KindOfChange, ...]
    stability: Stability | None
    flips: tuple[tuple[str, str, int], ...]
    cases: tuple[Case, ...]
    without: tuple[tuple[str, int], ...]
    without_before: int

    @property
    def done(self) -> int:
        return len(self.cases)

    @property
    def compares(self) -> bool:
        """Whether it sets what was said in the test beside what was said before."""
        return self.run.probe != Run.Probe.SILENCE

    @property
    def drawn(self) -> Mapping[str, int]:
        """How many claims were chosen, and how many were left out for which reason."""
        found: Mapping[str, int] = self.run.selection.get("test", {})
        return found


@dataclass(frozen=True, slots=True)
class LastProbe:
    """A kind of test of one version: the last run of it, or why there can be none."""

    probe: str
    words: ProbeWords
    report: ProbeReport | None
    refusal: str


def report_probe(run: Run) -> ProbeReport:
    """The figures of a test as far as it has come, in two queries."""
    cases = _cases(run)
    counted = [case for case in cases if case.counts]
    perturbed = run.probe == Run.Probe.PERTURBATION
    compared = run.probe not in (Run.Probe.SILENCE, Run.Probe.PERTURBATION)
    ended = Counter(case.outcome for case in cases if case.outcome != Outcome.JUDGED)
    return ProbeReport(
        run=run,
        words=WORDS[run.probe],
        share=_share(counted, _is_hit),
        contradicted=_share(counted, _is_contradicted) if perturbed else None,
        verdicts=_by_verdict(counted) if run.probe == Run.Probe.SILENCE else (),
        kinds=_by_kind(counted, perturbed=perturbed),
        stability=_stability(run, counted) if compared else None,
        flips=_flips(counted) if compared else (),
        cases=tuple(sorted(cases, key=lambda case: _badness(case, run.probe))),
        without=tuple(sorted(ended.items())),
        without_before=sum(not case.before for case in cases) if run.probe != Run.Probe.SILENCE else 0,
    )


def last_probes(version: JudgeVersion) -> list[LastProbe]:
    """Every kind of test with what came of the last of its kind."""
    last = {run.probe: run for run in version.runs.filter(probe__in=PROBES).order_by("id")}
    return [
        LastProbe(
            probe,
            WORDS[probe],
            report_probe(last[probe]) if probe in last else None,
            cannot_be_tested(version, probe),
        )
        for probe in PROBES
    ]


def _cases(run: Run) -> list[Case]:
    before = said_before(run)
    rows = run.judgements.filter(replaced=False).order_by("claim_id")
    found = rows.values_list("claim_id", "claim__answer_id", "outcome", "verdict", "score", "detail__probe")
    return [_case(run.probe, before.get(row[0]), *row) for row in found]


def _case(
    probe: str,
    before: tuple[str, float | None] | None,
    claim_id: int,
    answer_id: int,
    outcome: str,
    verdict: str,
    score: float | None,
    change: Mapping[str, object] | None,
) -> Case:
    said, said_score = before or ("", None)
    after = verdict or (outcome if outcome == NO_OPINION else "")
    if probe == Run.Probe.SILENCE:
        counts, hit = bool(verdict), verdict == "stated"
    elif probe == Run.Probe.PERTURBATION:
        counts, hit = bool(after) and said == "stated", after != "stated"
    else:
        counts, hit = bool(after and said), after == said
    return Case(
        claim_id=claim_id,
        answer_id=answer_id,
        change=Change.from_data(change or {}),
        before=said,
        after=after,
        before_score=said_score,
        after_score=score,
        outcome=outcome,
        counts=counts,
        hit=hit,
    )


def said_before(run: Run) -> dict[int, tuple[str, float | None]]:
    """What the version last said of each claim of the test before the test was started, with its score."""
    rows = Judgement.objects.counted().filter(
        run__judge_version=run.judge_version_id,
        run__lt=run.pk,
        outcome__in=ANSWERED,
        claim__in=run.judgements.values("claim"),
    )
    found = rows.order_by("run_id").values_list("claim_id", "verdict", "outcome", "score")
    return {claim: (verdict or outcome, score) for claim, verdict, outcome, score in found}


def _is_hit(case: Case) -> bool:
    return case.hit


def _is_contradicted(case: Case) -> bool:
    return case.after == "contradicted"


def _share(cases: Sequence[Case], holds: Callable[[Case], bool]) -> Share:
    return share_of([case.answer_id for case in cases], [holds(case) for case in cases])


def _by_verdict(cases: Sequence[Case]) -> tuple[tuple[str, Share], ...]:
    answers = [case.answer_id for case in cases]
    return tuple((verdict, share_of(answers, [case.after == verdict for case in cases])) for verdict in VERDICTS)


def _by_kind(cases: Sequence[Case], *, perturbed: bool) -> tuple[KindOfChange, ...]:
    groups: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.change.kind].append(case)
    if len(groups) < 2:
        return ()
    return tuple(
        KindOfChange(kind, _share(group, _is_hit), _share(group, _is_contradicted) if perturbed else None)
        for kind, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    )


def _stability(run: Run, cases: Sequence[Case]) -> Stability:
    nothing = float("nan")
    return stability(
        [case.answer_id for case in cases],
        [_CODES[case.before] for case in cases],
        [_CODES[case.after] for case in cases],
        first_score=[nothing if case.before_score is None else case.before_score for case in cases],
        second_score=[nothing if case.after_score is None else case.after_score for case in cases],
        partial_is_unsupported=run.project.partial_is_unsupported,
    )


def _flips(cases: Sequence[Case]) -> tuple[tuple[str, str, int], ...]:
    counts = Counter((case.before, case.after) for case in cases if not case.hit)
    return tuple((before, after, n) for (before, after), n in counts.most_common())


def _badness(case: Case, probe: str) -> tuple[int, float, int]:
    """Cases that show the fault first, the surer ones before, then the others, then those that are in no figure."""
    fault = case.hit if probe == Run.Probe.SILENCE else not case.hit
    if probe in (Run.Probe.SILENCE, Run.Probe.PERTURBATION):
        sure = -(case.after_score or 0.0)
    else:
        sure = -abs((case.after_score or 0.0) - (case.before_score or 0.0))
    return (0 if case.counts and fault else 1 if case.counts else 2, sure, case.claim_id)


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source that stood in for a cited one: its name and its beginning."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownCase:
    """One case to read: the claim with the changed part apart, and both judgements' words.

    Attributes
    ----------
    head, old, new, tail : str
        The claim as it is reads head + old + tail, as it was asked head + new + tail.
    """

    case: Case
    claim: Claim
    head: str
    old: str
    new: str
    tail: str
    strangers: tuple[ShownSource, ...]
    judgement: Judgement


def shown_cases(report: ProbeReport, cases: Sequence[Case]) -> list[ShownCase]:
    """The cases in the order given, in five queries."""
    cited = Prefetch("citations", queryset=Citation.objects.select_related("source").order_by("order"))
    ids = [case.claim_id for case in cases]
    claims = Claim.objects.select_related("answer").prefetch_related(cited).in_bulk(ids)
    said = {row.claim_id: row for row in report.run.judgements.filter(claim__in=ids, replaced=False)}
    wanted = {name for case in cases for name in case.change.sources}
    sources = {
        source.external_id: ShownSource(str(source), _cut(source.text))
        for source in Source.objects.filter(project=report.run.project_id, external_id__in=wanted)
    }
    return [_shown(case, claims[case.claim_id], said[case.claim_id], sources) for case in cases]


def _shown(case: Case, claim: Claim, judgement: Judgement, sources: Mapping[str, ShownSource]) -> ShownCase:
    head, old, new, tail = difference(claim.text, case.change.claim or claim.text)
    strangers = tuple(sources.get(name) or ShownSource(name, "") for name in case.change.sources)
    return ShownCase(case, claim, head, old, new, tail, strangers, judgement)


def difference(before: str, after: str) -> tuple[str, str, str, str]:
    """What two texts share at the beginning, what differs in the one and the other, and what they share at the end.

    Words are kept whole.

    >>> difference("It has 40 staff.", "It has 90 staff.")
    ('It has ', '40', '90', ' staff.')
    """
    one, two = _WORDS.findall(before), _WORDS.findall(after)
    start = end = 0
    most = min(len(one), len(two))
    while start < most and one[start] == two[start]:
        start += 1
    while end < most - start and one[-1 - end] == two[-1 - end]:
        end += 1
    shared, old, new = one[:start], one[start : len(one) - end], two[start : len(two) - end]
    return "".join(shared), "".join(old), "".join(new), "".join(one[len(one) - end :])


def _cut(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]} …"
