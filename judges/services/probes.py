"""Tests of a judge: which claims, what is changed in each, and the run that asks about them.

What is changed is fixed when the test starts, with the claims, so that a test which was stopped or lost its worker goes
on with the same changes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from django.db.models import Exists, OuterRef

from judges.combined.stages import COMBINED
from judges.external import TYPE_NAME as EXTERNAL
from judges.models import Judgement, JudgeVersion, Run
from judges.probes import PROBES
from judges.probes.changes import Change, Pool, Stranger
from judges.probes.perturbation import proper_names
from judges.protocol import ANSWERED, ClaimInput, Verdict
from judges.services.forecasts import RunForecast, forecast_claims
from judges.services.inputs import claim_inputs, reads_whole_answers
from judges.services.runs import RunRefusedError, ready_to_run, save_run
from judges.services.selection import Selection
from judges.text.ranking import ranking_terms
from labelling.gold import gold_by_claim
from labelling.models import Answer, Citation, Claim, Membership, Project, Source

CLAIMS, MOST_CLAIMS = 200, 5_000
LARGEST_SEED = 2**31 - 1
_CHANGES_ONE_CLAIM = (Run.Probe.SILENCE, Run.Probe.REWORDING, Run.Probe.PERTURBATION)
_AT_ONCE = 200
_SOURCES, _NAMED = 500, 900


@dataclass(frozen=True, slots=True)
class Drawn:
    """The claims of a test, what is changed in each, and which of the chosen ones are not in it.

    Attributes
    ----------
    selected : int
        Claims that were chosen.
    without : int
        Those that the version has no usable judgement of, where the test needs one to compare with.
    not_stated : int
        In a perturbation: those that the version or the people did not call stated.
    unchangeable : int
        Those drawn in which nothing could be changed.
    by_gold : int
        In a perturbation: those in the test that people called stated; of the others the judge alone did.
    """

    changes: Mapping[int, Change]
    selected: int
    without: int = 0
    not_stated: int = 0
    unchangeable: int = 0
    by_gold: int = 0

    def as_data(self) -> dict[str, int]:
        """The counts as plain data."""
        names = ("selected", "without", "not_stated", "unchangeable", "by_gold")
        return {name: getattr(self, name) for name in names}


def start_probe(
    *,
    version: JudgeVersion,
    probe: str,
    selection: Selection,
    by: Membership | None,
    claims: int = CLAIMS,
    seed: int = 1,
    budget_usd: Decimal | None = None,
) -> Run:
    """Start a test of a judge over a random sample of so many of the chosen claims.

    Raises
    ------
    RunRefusedError
        Where the version cannot be run or tested in this way, where nothing can be changed in any of the claims, or
        where another run of it is going.
    """
    ready = ready_to_run(version, budget_usd=budget_usd)
    drawn = draw(version=version, probe=probe, selection=selection, claims=claims, seed=seed)
    run = Run(
        judge_version=version,
        probe=probe,
        seed=seed,
        selection={**selection.as_data(), "test": {"claims": claims, **drawn.as_data()}},
        budget_usd=budget_usd,
        created_by=by,
    )
    changes = {claim: change.as_data() for claim, change in drawn.changes.items()}
    return save_run(run, sorted(changes), at_once=ready.at_once, changes=changes)


def forecast_probe(
    *, version: JudgeVersion, probe: str, selection: Selection, claims: int = CLAIMS, seed: int = 1
) -> RunForecast:
    """Reckon what a test would cost, from the claims as they are; nothing is taken from earlier answers.

    Raises
    ------
    RunRefusedError
        Where the test could not be started.
    """
    ready_to_run(version, budget_usd=None)
    drawn = draw(version=version, probe=probe, selection=selection, claims=claims, seed=seed)
    return forecast_claims(version=version, claim_ids=sorted(drawn.changes))


def draw(*, version: JudgeVersion, probe: str, selection: Selection, claims: int, seed: int) -> Drawn:
    """Draw the claims of a test and what is changed in each; the same seed over the same data draws the same.

    Raises
    ------
    RunRefusedError
        Where there is nothing to draw; the message says why.
    """
    if claims < 1 or claims > MOST_CLAIMS:
        raise RunRefusedError(f"claims is {claims}; expected a number from 1 to {MOST_CLAIMS:,}")
    if seed < 0 or seed > LARGEST_SEED:
        raise RunRefusedError(f"seed is {seed}; expected a whole number from 0 to {LARGEST_SEED:,}")
    refusal = cannot_be_tested(version, probe)
    if refusal:
        raise RunRefusedError(refusal)
    project = version.judge.project
    ids = list(selection.claims(project).values_list("id", flat=True))
    if not ids:
        raise RunRefusedError(f"no claim with a citation is among the chosen ones ({selection})")
    eligible = _eligible(version, probe, ids)
    random = Random(seed)
    order = sorted(eligible.claims)
    random.shuffle(order)
    pool = _pool(project, probe, random)
    changes: dict[int, Change] = {}
    used: Counter[str] = Counter()
    seen = 0
    for claim, own in _inputs(version, probe, order):
        seen += 1
        options = PROBES[probe](claim, Random(f"{seed} {claim.claim_id}"), replace(pool, own=own))
        if options:
            kind = min(options, key=lambda one: used[one])  # the first of those that were made least often
            used[kind] += 1
            changes[claim.claim_id] = options[kind]
        if len(changes) == claims:
            break
    if not changes:
        raise RunRefusedError(f"nothing can be changed in any of the {seen:,} claims, so there is nothing to ask")
    return Drawn(
        changes=changes,
        selected=len(ids),
        without=eligible.without,
        not_stated=eligible.not_stated,
        unchangeable=seen - len(changes),
        by_gold=len(eligible.by_gold & changes.keys()),
    )


def cannot_be_tested(version: JudgeVersion, probe: str) -> str:
    """Why a version cannot be tested in this way, or an empty text where it can."""
    if version.judge.type == EXTERNAL:
        return f"{version} repeats what was imported: there is nothing to ask, so it cannot be tested"
    if probe == Run.Probe.REPETITION and version.judge.type in COMBINED:
        return f"{version} takes what its stages said of the same text from there: test the stages instead"
    if probe in _CHANGES_ONE_CLAIM and reads_whole_answers(version):
        return f"{version} asks about whole answers: the test {probe} changes single claims and would not reach it"
    return ""


@dataclass(frozen=True, slots=True)
class _Eligible:
    """The claims that a test can be made of, and how many others there are for which reason."""

    claims: AbstractSet[int]
    without: int = 0
    not_stated: int = 0
    by_gold: AbstractSet[int] = frozenset()


def _eligible(version: JudgeVersion, probe: str, ids: Sequence[int]) -> _Eligible:
    """Those that the version has a word on to compare with; for a perturbation, those called stated.

    Raises
    ------
    RunRefusedError
        Where there is none.
    """
    if probe == Run.Probe.SILENCE:
        return _Eligible(frozenset(ids))
    chosen = set(ids)
    said = {claim: verdict for claim, verdict in plain_verdicts(version).items() if claim in chosen}
    without = len(chosen) - len(said)
    if not said:
        raise RunRefusedError(f"{version} has judged none of the chosen claims yet: run it over the claims first")
    if probe != Run.Probe.PERTURBATION:
        return _Eligible(said.keys(), without=without)
    gold = gold_by_claim(version.judge.project)
    stated = {
        claim
        for claim, verdict in said.items()
        if verdict == Verdict.STATED and (claim not in gold or gold[claim].verdict == Verdict.STATED)
    }
    if not stated:
        raise RunRefusedError(
            f"{version} called none of the chosen claims stated that people call stated: nothing can fall"
        )
    return _Eligible(stated, without=without, not_stated=len(said) - len(stated), by_gold=gold.keys() & stated)


def plain_verdicts(version: JudgeVersion) -> dict[int, str]:
    """What the version last said of each claim as it is: a verdict, or nothing where it had no opinion."""
    rows = Judgement.objects.counted().filter(run__judge_version=version, outcome__in=ANSWERED)
    return dict(rows.order_by("run_id").values_list("claim_id", "verdict"))


def _inputs(version: JudgeVersion, probe: str, ids: Sequence[int]) -> Iterator[tuple[ClaimInput, frozenset[str]]]:
    """The inputs of the claims in the order given, some at a time; where the test asks for it with their own sources."""
    whole = reads_whole_answers(version)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        found = {claim.claim_id: claim for claim in claim_inputs(some, whole_answers=whole)}
        own = _own(some) if probe == Run.Probe.SILENCE else {}
        yield from ((found[one], own.get(one, frozenset())) for one in some if one in found)


def _pool(project: Project, probe: str, random: Random) -> Pool:
    """What of the project a test of this kind draws on: a sample of the cited sources, or of the names in claims."""
    if probe == Run.Probe.SILENCE:
        cited = Exists(Citation.objects.filter(source=OuterRef("pk")))
        ids = list(Source.objects.filter(cited, project=project).order_by("id").values_list("id", flat=True))
        rows = Source.objects.filter(id__in=random.sample(ids, min(_SOURCES, len(ids)))).order_by("id")
        found = rows.exclude(text="").values_list("external_id", "title", "text")
        return Pool(strangers=tuple(Stranger(name, _terms(title, text)) for name, title, text in found))
    if probe == Run.Probe.PERTURBATION:
        ids = list(Claim.objects.filter(project=project).order_by("id").values_list("id", flat=True))
        sample = random.sample(ids, min(_NAMED, len(ids)))
        texts = Claim.objects.filter(id__in=sample).order_by("id").values_list("text", flat=True)
        return Pool(names=tuple(dict.fromkeys(name for text in texts for name in proper_names(text))))
    return Pool()


def _terms(title: str, text: str) -> frozenset[str]:
    return frozenset(ranking_terms(f"{title}\n{text}"))


def _own(claim_ids: Sequence[int]) -> dict[int, frozenset[str]]:
    """By claim the sources that its answer cites anywhere, or retrieved."""
    answer_of = dict(Claim.objects.filter(id__in=claim_ids).values_list("id", "answer_id"))
    answers = Answer.objects.filter(id__in=set(answer_of.values())).values_list("id", "retrieved")
    sources = {answer: set(map(str, retrieved)) for answer, retrieved in answers}
    cited = Citation.objects.filter(claim__answer__in=sources).order_by()
    for answer, source in cited.values_list("claim__answer_id", "source__external_id"):
        sources[answer].add(source)
    return {claim: frozenset(sources[answer]) for claim, answer in answer_of.items()}
