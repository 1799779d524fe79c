"""The SDK's client: made once with the key from the environment, its errors read as what they are.

The SDK's own retries are off: it waits as long as a header says, without a limit, and pays again after a time-out.
"""

import json
import os
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from django.conf import settings

from judges.claude.config import ClaudeConfig
from judges.claude.requests import read_json, reply_of, request_for
from judges.prompted.calls import CallError, Reply
from judges.prompted.prompts import REPLY_SCHEMA, Prompt
from judges.prompted.retrying import retry_after
from judges.protocol import Outcome

if TYPE_CHECKING:
    import anthropic

KEY = "ANTHROPIC_API_KEY"
MISSING_EXTRA = 'the extra "claude" is not installed: pip install "touchstone[claude]"'
MISSING_KEY = f"{KEY} is not set in the environment of this process"

_AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_EVERYWHERE = frozenset({401, 402, 403, 404})
# No connection came about, so nothing was asked and nothing can have been charged.
_NOT_CONNECTED = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError"})
_TOO_LONG = ("prompt is too long", "exceeds the maximum", "context window", "too many tokens")


class MissingExtraError(RuntimeError):
    """The judge needs packages that are not installed; the message names the extra."""


class MissingKeyError(RuntimeError):
    """The judge needs a key that the environment does not have; the message names it."""


def extra_installed() -> bool:
    """Say whether the SDK is there, without importing it."""
    return find_spec("anthropic") is not None


class ClaudeEndpoint:
    """Claude by the Messages API; one client, used from many threads."""

    def __init__(self, config: ClaudeConfig, *, schema: Mapping[str, object] = REPLY_SCHEMA) -> None:
        if not extra_installed():
            raise MissingExtraError(MISSING_EXTRA)
        key = os.environ.get(KEY, "").strip()
        if not key:
            raise MissingKeyError(MISSING_KEY)
        import anthropic  # noqa: PLC0415  (a second to import, and not everybody has it)

        self._config = config
        self._schema = schema
        self._key = key
        self._sdk = anthropic
        self.client: anthropic.Anthropic = anthropic.Anthropic(
            api_key=key,
            base_url=settings.ANTHROPIC_BASE_URL,
            timeout=settings.JUDGE_CALL_SECONDS,
            max_retries=0,
        )

    def send(self, prompt: Prompt, *, keep: bool) -> Reply:
        """Ask once.

        Raises
        ------
        CallError
            Where no reply came, saying why; no key stands in it.
        """
        body = request_for(self._config, prompt, keep=keep, schema=self._schema)
        return self.scrubbed(reply_of(self.call(self._create, body)))

    def _create(self, body: dict[str, Any]) -> object:
        extra = {"temperature": body.pop("temperature")} if "temperature" in body else None
        end = time.monotonic() + settings.JUDGE_CALL_SECONDS
        with self.client.messages.with_streaming_response.create(**body, extra_body=extra) as response:
            text = self._read(response, end).decode("utf-8", "replace")
            is_json = "json" in response.headers.get("content-type", "")
        return read_json(text) if is_json else text

    def _read(self, response: Any, end: float) -> bytes:
        """All of an answer, unless it takes too long: the time limit of the SDK is one of each piece."""
        parts: list[bytes] = []
        try:
            for part in response.iter_bytes():
                parts.append(part)
                if time.monotonic() > end:
                    break
            else:
                return b"".join(parts)
        except Exception as error:  # noqa: BLE001  (the SDK lets the errors of what it is made of through here)
            cause = type(error).__name__
            raise _unanswered(cause, timed_out=cause.endswith("Timeout")) from None
        raise _unanswered("", timed_out=True)

    def call(self, function: Any, *args: object) -> Any:
        """Call into the SDK and tell its errors as call errors.

        Raises
        ------
        CallError
            Whatever the SDK raised.
        """
        try:
            return function(*args)
        except json.JSONDecodeError as error:
            raise CallError(
                f"The service answered with broken JSON: {error}.", outcome=Outcome.UNPARSEABLE, may_cost=True
            ) from None
        except self._sdk.APITimeoutError as error:
            raise _unanswered(type(error.__cause__).__name__, timed_out=True) from None
        except self._sdk.APIConnectionError as error:
            raise _unanswered(type(error.__cause__).__name__, timed_out=False) from None
        except self._sdk.APIStatusError as error:
            raise self._status(error) from None
        except self._sdk.AnthropicError as error:
            raise CallError(self.scrub(f"{type(error).__name__}: {error}"), may_cost=True) from None
        except (ValueError, RecursionError) as error:  # pydantic's own errors among them: not what the SDK expects
            reason = f"The service's answer cannot be read: {type(error).__name__}: {error}"
            raise CallError(self.scrub(reason), outcome=Outcome.UNPARSEABLE, may_cost=True) from None

    def scrub(self, text: str) -> str:
        """The text without the key, should a service ever send it back."""
        return text.replace(self._key, "[key]")

    def scrubbed(self, reply: Reply) -> Reply:
        """The reply without the key."""
        if self._key not in reply.text:
            return reply
        return Reply(self.scrub(reply.text), reply.ended, reply.usage, reply.model, reply.note)

    def _status(self, error: "anthropic.APIStatusError") -> CallError:
        status = error.status_code
        said = self.scrub(str(error.api_message or error.message))[:500]
        reason = f"The service answered {status}: {said}"
        if status in (400, 413) and any(words in said.lower() for words in _TOO_LONG):
            return CallError(reason, outcome=Outcome.TRUNCATED)
        return CallError(
            reason,
            again=status in _AGAIN or status >= 500,
            wait=retry_after(error.response.headers.get("retry-after")),
            everywhere=status in _EVERYWHERE,
        )


def _unanswered(cause: str, *, timed_out: bool) -> CallError:
    """The error of a call that brought no answer, or only a part of one; ``cause`` is what the connection says of it."""
    if cause in _NOT_CONNECTED:
        return CallError(
            f"No connection to the service ({cause}).",
            outcome=Outcome.TIMED_OUT if timed_out else Outcome.FAILED,
            again=True,
        )
    if timed_out:
        reason = f"No answer within {settings.JUDGE_CALL_SECONDS:g} seconds; not asked again, since it may be charged."
        return CallError(reason, outcome=Outcome.TIMED_OUT, may_cost=True)
    reason = (
        f"The connection broke off before the answer was there ({cause}); not asked again, since it may be charged."
    )
    return CallError(reason, may_cost=True)
