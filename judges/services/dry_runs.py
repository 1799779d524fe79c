"""A dry run: a version asked about a few claims as they are, to see what comes before it is run over all of them.

It is a run like any other, so that it has a budget, can be stopped and hangs nobody; marked as it is, nothing that it
says is ever the version's word on a claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judges.models import Judgement, JudgeVersion, Run
from judges.services.forecasts import RunForecast, forecast_claims, spread
from judges.services.runs import RunRefusedError, ready_to_run, save_run
from judges.services.selection import Selection
from labelling.models import Claim, Membership, Split

CLAIMS = 5
_CHOSEN = Selection(split=Split.DEVELOPMENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which claims a dry run asks about.

    Attributes
    ----------
    named : tuple of str
        The ids of those that a person chose; empty for claims that are evenly spread.
    others : int
        Of these, which: 0 for the first ones, 1 for others, and so on.
    """

    named: tuple[str, ...] = ()
    others: int = 0

    @property
    def following(self) -> int:
        """The number of the next ones."""
        return self.others + 1


SPREAD = Choice()


def dry_run_claims(version: JudgeVersion, choice: Choice = SPREAD) -> list[Claim]:
    """The claims that a dry run asks about, all of the development split, where prompts are chosen.

    Raises
    ------
    ValueError
        Naming the claims that cannot be asked about, or saying that there are too many.
    """
    claims = _CHOSEN.claims(version.judge.project)
    if not choice.named:
        ids = list(claims.values_list("id", flat=True))
        return list(Claim.objects.filter(id__in=spread(ids, CLAIMS, shift=choice.others)).order_by("id"))
    if len(set(choice.named)) > CLAIMS:
        msg = f"{len(set(choice.named))} claims are named; expected {CLAIMS} at most"
        raise ValueError(msg)
    found = list(claims.filter(external_id__in=choice.named))
    if missing := sorted(set(choice.named) - {claim.external_id for claim in found}):
        msg = f"no claim of the development split that cites a source has the id {', '.join(missing)}"
        raise ValueError(msg)
    return found


def forecast_dry_run(version: JudgeVersion, claims: Sequence[Claim]) -> RunForecast:
    """What asking about these claims costs.

    Raises
    ------
    JudgeUnavailableError
        Where the version cannot judge.
    """
    return forecast_claims(version=version, claim_ids=[claim.pk for claim in claims], batches=False)


@dataclass(frozen=True, slots=True)
class DryResult:
    """One claim of a dry run with what was said of it, where it was asked already."""

    claim: Claim
    judgement: Judgement | None


def dry_run_results(run: Run) -> list[DryResult]:
    """The claims of a dry run, in order, each with its judgement and with its cited sources at hand."""
    ids = [claim for ids in run.chunks.values_list("claim_ids", flat=True) for claim in ids]
    said = {row.claim_id: row for row in run.judgements.filter(replaced=False)}
    claims = Claim.objects.filter(id__in=ids).order_by("id").prefetch_related("citations__source")
    return [DryResult(claim, said.get(claim.pk)) for claim in claims]


def start_dry_run(*, version: JudgeVersion, by: Membership | None, choice: Choice = SPREAD) -> Run:
    """Start a dry run that stops before it costs more than its forecast allows; the same start again gives the same run.

    A version that hands claims in as batches asks one by one here, at the price of that: somebody waits for it.

    Raises
    ------
    RunRefusedError
        Where the version cannot judge or has nothing to ask, there is no claim, or a run of the version is going.
    """
    ready = ready_to_run(version, budget_usd=None)
    try:
        claims = dry_run_claims(version, choice)
    except ValueError as error:
        raise RunRefusedError(str(error)) from error
    if not claims:
        raise RunRefusedError("no claim of the development split cites a source, so there is none to ask about")
    run = Run(
        judge_version=version,
        probe=Run.Probe.DRY_RUN,
        seed=choice.others,
        selection={**_CHOSEN.as_data(), **({"named": sorted(choice.named)} if choice.named else {})},
        budget_usd=forecast_dry_run(version, claims).at_most if ready.paid else None,
        created_by=by,
    )
    return save_run(run, [claim.pk for claim in claims], at_once=ready.at_once)
