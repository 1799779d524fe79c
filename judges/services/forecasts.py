"""What a run is going to cost, said before it starts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from judges.forecasting import forecast_together
from judges.models import Judgement, JudgeVersion
from judges.protocol import ANSWERED, PaidJudge
from judges.services.inputs import answers_of, claim_inputs, reads_whole_answers
from judges.services.paying import dollars
from judges.services.selection import Selection
from judges.services.versions import build
from labelling.models import Project

SAMPLE = 1_000


@dataclass(frozen=True, slots=True)
class RunForecast:
    """What a run is going to cost, in US dollars.

    Attributes
    ----------
    claims : int
        How many are chosen.
    asked_before : int
        Those that the version has judged already: they cost nothing where their texts are still the same.
    about : Decimal or None
        A guess from the length of the texts; ``None`` where the price is unknown.
    at_most : Decimal or None
        What it cannot pass, unless it was reckoned from a sample.
    sampled : int
        Claims that it was reckoned from; fewer than were to be asked where these are many.
    note : str
        What the prices are, or why there is none.
    """

    claims: int
    asked_before: int
    about: Decimal | None
    at_most: Decimal | None
    sampled: int
    note: str

    @property
    def rough(self) -> bool:
        """Whether it was reckoned from a sample."""
        return self.sampled < self.claims - self.asked_before


def forecast_run(*, version: JudgeVersion, selection: Selection) -> RunForecast:
    """Reckon what a run would cost, from evenly spaced claims where there are more than a thousand.

    Raises
    ------
    JudgeUnavailableError
        Where the version cannot judge.
    """
    project: Project = version.judge.project
    ids = list(selection.claims(project).values_list("id", flat=True))
    before = set(
        Judgement.objects.counted()
        .filter(
            run__judge_version__fingerprint=version.fingerprint,
            claim__in=selection.claims(project).values("id"),
            outcome__in=ANSWERED,
        )
        .values_list("claim_id", flat=True)
    )
    fresh = [one for one in ids if one not in before]
    return forecast_claims(version=version, claim_ids=fresh, asked_before=len(before))


def forecast_claims(
    *, version: JudgeVersion, claim_ids: Sequence[int], asked_before: int = 0, batches: bool = True
) -> RunForecast:
    """Reckon what asking about these claims costs, beside those that were asked before; without ``batches`` one by one.

    Raises
    ------
    JudgeUnavailableError
        Where the version cannot judge.
    """
    ready = build(version, batches=batches)
    total = len(claim_ids) + asked_before
    judge = ready.implementation
    if not isinstance(judge, PaidJudge):
        free = not ready.paid
        note = "It costs nothing." if free else "This judge does not say beforehand what a call costs."
        nothing = Decimal(0) if free else None
        return RunForecast(total, asked_before, nothing, nothing, len(claim_ids), note)
    whole_answers = reads_whole_answers(version)
    sample = _whole_answers(claim_ids) if whole_answers else spread(claim_ids, SAMPLE)
    each = forecast_together(judge, claim_inputs(sample, whole_answers=whole_answers))
    scale = Decimal(len(claim_ids)) / max(1, len(sample))
    about, at_most = (None if one is None else dollars(one * scale) for one in (each.about, each.at_most))
    return RunForecast(total, asked_before, about, at_most, len(sample), judge.price_note)


def _whole_answers(claim_ids: Sequence[int]) -> list[int]:
    """About a thousand of the claims at most, those of an answer together: it is asked about once for all of them."""
    by_answer: defaultdict[int, list[int]] = defaultdict(list)
    answers = answers_of(claim_ids)
    for claim in claim_ids:
        by_answer[answers[claim]].append(claim)
    chosen = spread(list(by_answer), max(1, SAMPLE * len(by_answer) // max(SAMPLE, len(claim_ids))))
    return [claim for answer in chosen for claim in by_answer[answer]]


def spread(ids: Sequence[int], most: int, *, shift: int = 0) -> list[int]:
    """At most so many, evenly spaced; with a shift the ones so many places on, and round again once all had their turn."""
    if len(ids) <= most:
        return list(ids)
    shift %= len(ids) // most
    return [ids[place * len(ids) // most + shift] for place in range(most)]
