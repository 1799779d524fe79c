"""An opinion as a row: judge output is outside text, and is made fit for every database before it is kept."""

import math
import re
from collections.abc import Mapping
from decimal import Decimal

from judges.fingerprints import canonical_json, input_hash
from judges.models import Judgement, Run
from judges.protocol import ClaimInput, Opinion, Outcome

LONGEST_TEXT = 20_000
MOST_DOLLARS = Decimal("999999.999999")
# PostgreSQL keeps no NUL, and no database keeps half of a surrogate pair.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def judgement_row(run: Run, claim: ClaimInput, opinion: Opinion) -> Judgement:
    """The unsaved judgement of this opinion; an opinion that cannot be stored becomes a failure that says why."""
    try:
        detail = storable_detail(opinion.detail)
    except (ValueError, TypeError, RecursionError) as error:
        opinion = Opinion(
            outcome=Outcome.FAILED,
            reason=f"The judge's detail is not plain JSON: {error}",
            cost_usd=opinion.cost_usd,
            seconds=opinion.seconds,
        )
        detail = {}
    return Judgement(
        run=run,
        claim_id=claim.claim_id,
        outcome=opinion.outcome.value,
        verdict=opinion.verdict.value if opinion.verdict else "",
        score=opinion.score,
        quote=storable(opinion.quote),
        reason=storable(opinion.reason),
        detail=detail,
        input_hash=input_hash(claim),
        cost_usd=_amount(opinion.cost_usd),
        seconds=opinion.seconds if math.isfinite(opinion.seconds) else 0.0,
        reused_usd=_amount(opinion.reused_usd),
        reused_seconds=opinion.reused_seconds,
    )


def _amount(dollars: Decimal) -> Decimal:
    return min(dollars, MOST_DOLLARS).quantize(Decimal("0.000001"))


def storable(text: str) -> str:
    """The text without what no database keeps, cut with a mark where it is absurdly long."""
    text = _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", str(text))
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def storable_detail(detail: Mapping[str, object]) -> dict[str, object]:
    """A deep copy that is plain JSON and storable.

    Raises
    ------
    ValueError, TypeError
        Where it is not plain JSON.
    """
    canonical_json(dict(detail))
    return {storable(key): _clean(value) for key, value in detail.items()}


def _clean(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _clean(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(one) for one in value]
    return value
