"""Asking again where that may help and cannot pay twice: after 429, 5xx, 529, and where no connection came about.

A time-out is not tried again. The service may have answered, and charged, after we stopped listening.
"""

import random
import threading
from dataclasses import dataclass

from django.conf import settings

from judges.prompted.calls import CallError, Endpoint, Reply
from judges.prompted.pacing import GivenUpError, Pace
from judges.prompted.prompts import Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long one claim is tried.

    Attributes
    ----------
    attempts : int
        Calls at most.
    first_wait, longest_wait : float
        Seconds before the second call, which double from call to call, and at most; a random part of up to a half is
        taken off, so that calls that failed together do not come back together. A wait that the service asks for counts
        instead, up to ``longest_wait``.
    """

    attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0

    @classmethod
    def from_settings(cls) -> "Patience":
        """As the settings of this process have it."""
        return cls(
            attempts=settings.JUDGE_CALL_ATTEMPTS,
            first_wait=settings.JUDGE_CALL_FIRST_WAIT,
            longest_wait=settings.JUDGE_CALL_LONGEST_WAIT,
        )

    def wait_before(self, attempt: int, asked: float | None) -> float:
        """Seconds to wait before this attempt; the second one is number 2."""
        own = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 2))
        own -= own * random.random() / 2
        if asked is None:
            return own
        # Nobody may be held for an hour by one header; a little on top keeps the waiters apart.
        return min(self.longest_wait, max(asked, 0.0) + own / 10)


def ask(
    endpoint: Endpoint, prompt: Prompt, *, keep: bool, pace: Pace, patience: Patience, given_up: threading.Event
) -> Reply:
    """The reply to a prompt, tried as often as patience allows.

    Raises
    ------
    CallError
        The last one, its reason with the number of calls where there were several.
    GivenUpError
        Where ``given_up`` is set before a call was answered, and none can have cost anything.
    """
    for attempt in range(1, patience.attempts + 1):
        try:
            with pace.turn(given_up):
                return endpoint.send(prompt, keep=keep)
        except CallError as error:
            if not error.again:
                raise
            if attempt == patience.attempts:
                error.args = (f"{error} Tried {attempt} times.",) if attempt > 1 else error.args
                raise
            wait = patience.wait_before(attempt + 1, error.wait)
            if error.wait is not None:
                pace.pause(min(error.wait, patience.longest_wait))
        if given_up.wait(wait):
            raise GivenUpError
    raise AssertionError  # pragma: no cover  (attempts is at least 1)


def retry_after(header: str | None) -> float | None:
    """The seconds of a ``retry-after`` header; a date or nonsense counts as none."""
    try:
        seconds = float(header) if header is not None else -1.0
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
