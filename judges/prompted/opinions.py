"""From a reply, or from the lack of one, to an opinion: each ending is recorded as what it is."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from judges.prices import Price
from judges.prompted.calls import CallError, Ended, Reply
from judges.prompted.replies import Found, ReadReply, UnreadableReplyError, find_quote, read_reply
from judges.protocol import AT_MOST, CitedText, Opinion, Outcome, Verdict

_SHOWN = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under which terms a reply becomes an opinion.

    Attributes
    ----------
    cited : sequence of CitedText
        Where a quotation must stand.
    price : Price or None
        ``None`` where it is unknown; the cost is then 0, and the detail says so.
    at_most : Decimal or None
        What the call can have cost, in US dollars, should the service not say what it did.
    batch : bool
        Whether it was asked in a batch.
    unverified_is_error : bool
        Whether *stated* without a quotation that stands in a source is a failure.
    """

    cited: Sequence[CitedText]
    price: Price | None
    at_most: Decimal | None
    batch: bool
    unverified_is_error: bool


def opinion_of_reply(reply: Reply, terms: Terms, *, seconds: float) -> Opinion:
    """The opinion of one reply; its cost is counted whatever it says."""
    cost, detail = _spent(reply, terms)

    def failed(outcome: Outcome, reason: str) -> Opinion:
        shown = {"reply": reply.text[:_SHOWN]} if reply.text else {}
        return Opinion(outcome=outcome, reason=reason, cost_usd=cost, seconds=seconds, detail={**detail, **shown})

    if reply.ended is Ended.REFUSED:
        return failed(Outcome.REFUSED, "The model refused to answer." + (f" {reply.note}" if reply.note else ""))
    if reply.ended is Ended.TRUNCATED:
        return failed(Outcome.TRUNCATED, reply.note or "The reply reached its limit of tokens before it was complete.")
    if not reply.text.strip():
        return failed(Outcome.UNPARSEABLE, reply.note or "The reply is empty.")
    try:
        read = read_reply(reply.text)
    except UnreadableReplyError as error:
        return failed(Outcome.UNPARSEABLE, str(error))
    found = find_quote(read.quote, terms.cited) if read.quote else None
    detail |= _quote_detail(read, found)
    if found is None and read.verdict is Verdict.STATED and terms.unverified_is_error:
        said = "gave no quotation" if not read.quote else "quoted what no cited source has"
        return failed(Outcome.FAILED, f"The model called the claim stated and {said}.")
    return Opinion(
        outcome=Outcome.JUDGED,
        verdict=read.verdict,
        quote=found.text if found else "",
        reason=read.reason,
        cost_usd=cost,
        seconds=seconds,
        detail=detail,
    )


def _spent(reply: Reply, terms: Terms) -> tuple[Decimal, dict[str, object]]:
    """What the reply cost, and what there is to show of it."""
    detail: dict[str, object] = {"model": reply.model} if reply.model else {}
    if terms.price is None:
        detail["price"] = "unknown"
    if reply.usage is None:
        return Decimal(0), detail | ({AT_MOST: str(terms.at_most)} if terms.at_most is not None else {})
    detail["tokens"] = asdict(reply.usage)
    return (reply.usage.cost(terms.price, batch=terms.batch) if terms.price else Decimal(0)), detail


def _quote_detail(read: ReadReply, found: Found | None) -> dict[str, object]:
    if found is not None:
        return {"quote": {"state": "verified", "source": found.order, "start": found.start, "end": found.end}}
    if not read.quote and read.verdict is Verdict.ABSENT:
        return {}
    return {"quote": {"state": "unverified", "text": read.quote[:_SHOWN]}}


def opinion_of_error(error: Exception, *, at_most: Decimal | None, seconds: float) -> Opinion:
    """The opinion where no reply came; where the call may have been charged, with what it can have cost."""
    if not isinstance(error, CallError):
        error = CallError(f"{type(error).__name__}: {error}", may_cost=True)
    detail = {AT_MOST: str(at_most)} if error.may_cost and at_most is not None else {}
    return Opinion(outcome=error.outcome, reason=str(error), seconds=seconds, detail=detail)
