"""Message batches: handed in once, looked at until they have ended, read by custom id.

The id of a batch is kept the moment it is known, so that whoever comes next reads it instead of paying again.
"""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from django.conf import settings

from judges.claude.client import ClaudeEndpoint
from judges.claude.requests import read_json, reply_of
from judges.prompted.calls import CallError, Reply
from judges.prompted.pacing import GivenUpError
from judges.prompted.retrying import Patience
from judges.protocol import ClaimInput, Purse

LARGEST_BYTES = 20_000_000  # handed in well within the time that a worker may be silent
LARGEST_COUNT = 50_000

Ending = Reply | CallError
_STEP_SECONDS = 1.0


def custom_id(claim: ClaimInput) -> str:
    """The name of a claim's request in its batch."""
    return f"claim-{claim.claim_id}"


class Batches:
    """The message batches of one endpoint."""

    def __init__(
        self, endpoint: ClaudeEndpoint, patience: Patience, *, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._endpoint = endpoint
        self._client = endpoint.client.messages.batches
        self._patience = patience
        self._sleep = sleep

    def hand_in(self, bodies: Mapping[str, dict[str, Any]], purse: Purse) -> str:
        """Hand requests in, custom id to body, and give the id of the batch.

        Raises
        ------
        CallError
            Where it was not taken.
        GivenUpError
            Where the purse says to stop before it was.
        """
        requests = [{"custom_id": name, "params": body} for name, body in bodies.items()]
        batch = self._patiently(lambda: self._client.create(requests=requests), purse)  # type: ignore[arg-type]  # built as the API has it
        name = getattr(batch, "id", None)
        if not isinstance(name, str) or not name:
            raise CallError("The service took a batch and gave it no id.", may_cost=True)
        return name

    def endings(
        self, batch: str, claims: Sequence[ClaimInput], purse: Purse
    ) -> Generator[tuple[ClaimInput, Ending], None, bool]:
        """Wait for a batch and give each claim its ending; returns whether it has ended, else it is to be read later."""
        try:
            if not self._wait(batch, purse):
                return False
            found = self._patiently(lambda: self._results(batch), purse)
        except GivenUpError:
            return False
        except CallError as error:
            if error.again:  # what is in it is paid for: it is read another time
                return False
            reason = f"Batch {batch} cannot be read: {error}"
            for claim in claims:
                yield claim, CallError(reason, outcome=error.outcome, may_cost=True)
            return True
        for claim in claims:
            missing = CallError(f"Batch {batch} ended without a result for this claim that can be read.", may_cost=True)
            yield claim, found.get(custom_id(claim), missing)
        return True

    def _wait(self, batch: str, purse: Purse) -> bool:
        while True:
            state = self._patiently(lambda: self._client.retrieve(batch), purse)
            if getattr(state, "processing_status", None) == "ended":
                return True
            if not self._rest(settings.JUDGE_BATCH_POLL_SECONDS, purse.may_wait):
                return False

    def _rest(self, seconds: float, going: Callable[[], bool]) -> bool:
        """Sleep in small steps, as whoever waits has to show that it is alive; whether to go on."""
        while seconds > 0:
            if not going():
                return False
            self._sleep(min(seconds, _STEP_SECONDS))
            seconds -= _STEP_SECONDS
        return going()

    def _results(self, batch: str) -> dict[str, Ending]:
        """The endings by custom id; a line that cannot be read costs no other line."""
        with self._client.with_streaming_response.results(batch) as response:
            try:
                raw = response.read()
            except Exception as error:  # noqa: BLE001  (the SDK lets the errors of what it is made of through here)
                reason = f"The results of batch {batch} broke off ({type(error).__name__})."
                raise CallError(reason, again=True) from None
        lines = [line for line in raw.split(b"\n") if line.strip()]
        read = [one for one in map(_read_line, lines) if isinstance(getattr(one, "custom_id", None), str)]
        if lines and not read:  # a page of a gateway's in the place of the results
            raise CallError(f"What came for the results of batch {batch} is none.", again=True)
        return {one.custom_id: self._ending(batch, getattr(one, "result", None)) for one in read}

    def _ending(self, batch: str, result: Any) -> Ending:
        kind = getattr(result, "type", None)
        if kind == "succeeded":
            return self._endpoint.scrubbed(reply_of(getattr(result, "message", None)))
        if kind == "errored":
            error = getattr(getattr(result, "error", None), "error", None)
            said = f"{getattr(error, 'type', 'unknown')}: {getattr(error, 'message', '')}"
            return CallError(self._endpoint.scrub(f"In batch {batch} this request failed: {said}"[:500]))
        # Those that were cancelled or ran out of time are not charged.
        return CallError(f"In batch {batch} this request was not done: {kind}.")

    def _patiently(self, function: Callable[[], Any], purse: Purse) -> Any:
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return self._endpoint.call(function)
            except CallError as error:
                if not error.again or attempt == self._patience.attempts:
                    raise
                if not self._rest(self._patience.wait_before(attempt + 1, error.wait), purse.going):
                    raise GivenUpError from None
        raise AssertionError  # pragma: no cover  (attempts is at least 1)


def _read_line(line: bytes) -> Any:
    """One result with attributes for its keys; ``None`` where the line is broken."""
    try:
        return read_json(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
