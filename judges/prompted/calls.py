"""One call to a language model: what comes back, what can go wrong with it, and what it costs."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from judges.prices import Price
from judges.prompted.prompts import Prompt
from judges.protocol import Outcome


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the service counted them; those read from and written to its cache are not among ``read``."""

    read: int
    written: int
    cache_written: int = 0
    cache_read: int = 0

    def cost(self, price: Price, *, batch: bool = False) -> Decimal:
        """What the tokens cost in US dollars."""
        return price.cost(
            read=self.read,
            written=self.written,
            cache_written=self.cache_written,
            cache_read=self.cache_read,
            batch=batch,
        )


class Ended(StrEnum):
    """How the model's own writing ended."""

    WHOLE = "whole"
    REFUSED = "refused"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model wrote; ``usage`` is ``None`` where the service did not say, and the cost then unknown."""

    text: str
    ended: Ended
    usage: Usage | None
    model: str = ""
    note: str = ""


class CallError(Exception):
    """A call that brought no reply.

    Attributes
    ----------
    outcome : Outcome
        What a judgement of it is recorded as, unless a further try succeeds.
    again : bool
        Whether trying again may help and cannot pay twice.
    wait : float or None
        Seconds that the service asked to wait.
    may_cost : bool
        Whether the service may have charged for it all the same.
    everywhere : bool
        Whether every other call would end the same way, as with a key that is refused.
    """

    def __init__(
        self,
        reason: str,
        *,
        outcome: Outcome = Outcome.FAILED,
        again: bool = False,
        wait: float | None = None,
        may_cost: bool = False,
        everywhere: bool = False,
    ) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.again = again
        self.wait = wait
        self.may_cost = may_cost
        self.everywhere = everywhere


class Endpoint(Protocol):
    """A service that answers prompts; called from many threads at once."""

    def send(self, prompt: Prompt, *, keep: bool) -> Reply:
        """Ask once, without a second try. ``keep`` says that further prompts begin with the same sources.

        Raises
        ------
        CallError
            Where no reply came, saying why.
        """
        ...
