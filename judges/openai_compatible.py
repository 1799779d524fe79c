"""A judge over any endpoint that speaks the OpenAI chat protocol: vLLM, Ollama, a gateway. The same prompts as Claude's.

Endpoints are named in the environment, with their addresses and keys; a judge names one and never an address, so that
nobody who may set up a judge can send a key elsewhere. It needs nothing but the standard library.
"""

import http.client
import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeGuard
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings

from judges.preview import Preview
from judges.prices import price_of, priced_models
from judges.prompted.beforehand import preview_of
from judges.prompted.calls import CallError, Ended, Reply, Usage
from judges.prompted.config import (
    SETTINGS as PROMPTED,
)
from judges.prompted.config import (
    PromptedConfig,
    read_choice,
    read_common,
    read_prompt,
    read_temperature,
    read_text,
)
from judges.prompted.judge import PromptedJudge
from judges.prompted.pacing import shared_pace
from judges.prompted.prompts import REPLY_SCHEMA, Prompt
from judges.prompted.retrying import Patience, retry_after
from judges.protocol import ClaimInput, JudgeType, Outcome, reject_unknown_keys
from judges.setting import Need, Setting, worded

NAME = "openai-compatible"
LIMITS = (
    "As good as the model behind the endpoint, which may change without a sign of it. Gives a verdict and no score, so it "
    "has no threshold to set."
)
REPLY_FORMATS = ("schema", "object", "none")

_LARGEST_REPLY = 10_000_000
_AGAIN = frozenset({408, 409, 429})
_EVERYWHERE = frozenset({401, 402, 403, 404, 405})
_TOO_LONG = ("context length", "context window", "too long", "too many tokens", "maximum context")
_ENDPOINT = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAICompatibleConfig(PromptedConfig):
    """What the judge is made of, beside what every prompted judge has.

    Attributes
    ----------
    endpoint : str
        Name of an endpoint in the settings.
    address : str
        Its address as it was when the version was made: another address may be another model.
    temperature : float or None
        ``None`` leaves it to the endpoint.
    reply_format : str
        How the reply's form is asked for: by ``schema``, as any JSON ``object``, or in the prompt only (``none``).
    """

    endpoint: str = ""
    address: str = ""
    temperature: float | None = 0.0
    reply_format: str = "schema"


SETTINGS: Mapping[str, Setting] = {
    "endpoint": Setting(
        label="Endpoint",
        help="TOUCHSTONE_ENDPOINTS names them with their addresses, in the environment of the server and of the workers.",
        group="Which model",
        choices=lambda: [(name, f"{name} ({address})") for name, address in settings.JUDGE_ENDPOINTS.items()],
    ),
    "model": Setting(
        label="Model",
        help="The name of the model as the endpoint has it. TOUCHSTONE_PRICES gives it a price.",
        group="Which model",
        choices=lambda: [(name, words) for name, words in priced_models() if not name.startswith("claude-")],
        others=True,
    ),
    "temperature": Setting(
        label="Temperature",
        help="From 0 to 2; leave it empty for the endpoint's own. 0 makes replies alike, not the same.",
        group="Which model",
        low=0,
        high=2,
    ),
    "reply_format": Setting(
        label="How the form of a reply is asked for",
        group="Which model",
        choices=worded(
            ("schema", "By a schema"),
            ("object", "As any JSON object"),
            ("none", "In the prompt only, for endpoints without"),
        ),
    ),
    **PROMPTED,
}


def default_config() -> dict[str, object]:
    """Give every setting that a person may choose with its default, as plain data."""
    plain = asdict(OpenAICompatibleConfig(model="", endpoint=next(iter(settings.JUDGE_ENDPOINTS), "")))
    del plain["wording"], plain["address"]
    return plain


def parse_config(data: Mapping[str, object]) -> OpenAICompatibleConfig:
    """Read the configuration, and pin the endpoint to its address.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    reject_unknown_keys(data, known=(*default_config(), "wording", "address"))
    endpoint = read_text(data, "endpoint", default=next(iter(settings.JUDGE_ENDPOINTS), ""))
    model = read_text(data, "model", default="").strip()
    if not model:
        msg = "model is ''; expected the name of a model as the endpoint has it"
        raise ValueError(msg)
    common: dict[str, Any] = read_common(data)
    return OpenAICompatibleConfig(
        model=model,
        prompt=read_prompt(data),
        endpoint=endpoint,
        address=_address(endpoint, read_text(data, "address", default="")),
        temperature=read_temperature({"temperature": data.get("temperature", 0.0)}),
        reply_format=read_choice(data, "reply_format", REPLY_FORMATS, default="schema"),
        **common,
    )


def _address(endpoint: str, given: str) -> str:
    if endpoint not in settings.JUDGE_ENDPOINTS or not _ENDPOINT.fullmatch(endpoint):
        there = ", ".join(settings.JUDGE_ENDPOINTS) or "none: TOUCHSTONE_ENDPOINTS names them"
        msg = f"endpoint is {endpoint!r}; expected one of those in the settings ({there})"
        raise ValueError(msg)
    now = str(settings.JUDGE_ENDPOINTS[endpoint]).rstrip("/")
    if urlsplit(now).scheme not in ("http", "https") or not urlsplit(now).netloc:
        msg = f"TOUCHSTONE_ENDPOINTS: {endpoint} is {now!r}; expected an address such as http://localhost:8000/v1"
        raise ValueError(msg)
    if given not in ("", now):
        msg = f"address is {given!r}, but the endpoint {endpoint!r} is now at {now!r}: make a new version"
        raise ValueError(msg)
    return now


class _NoRedirect(HTTPRedirectHandler):
    """A key goes where it was sent and nowhere else."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


class ChatEndpoint:
    """One endpoint by ``/chat/completions``."""

    def __init__(self, config: OpenAICompatibleConfig) -> None:
        self._config = config
        self._key = os.environ.get(key_variable(config.endpoint), "").strip()
        self._opener = build_opener(_NoRedirect())

    def send(self, prompt: Prompt, *, keep: bool) -> Reply:  # noqa: ARG002  (such endpoints keep beginnings by themselves)
        """Ask once.

        Raises
        ------
        CallError
            Where no reply came, saying why; no key stands in it.
        """
        raw = self._post(json.dumps(request_for(self._config, prompt)).encode())
        text = self._scrub(raw.decode("utf-8", "replace"))
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return Reply(text, Ended.WHOLE, None)
        return reply_of(data)

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(f"{self._config.address}/chat/completions", data=body, headers=headers, method="POST")  # noqa: S310  (http and https only, by _address)
        end = time.monotonic() + settings.JUDGE_CALL_SECONDS
        try:
            with self._opener.open(request, timeout=settings.JUDGE_CALL_SECONDS) as response:
                return _read(response, end)
        except HTTPError as error:
            raise self._status(error) from None
        except URLError as error:
            raise CallError(f"No connection to the endpoint ({type(error.reason).__name__}).", again=True) from None
        except TimeoutError:
            reason = (
                f"No answer within {settings.JUDGE_CALL_SECONDS:g} seconds; not asked again, since it may be charged."
            )
            raise CallError(reason, outcome=Outcome.TIMED_OUT, may_cost=True) from None
        except (OSError, http.client.HTTPException) as error:
            reason = f"The connection broke off before the answer was there ({type(error).__name__})."
            raise CallError(reason, may_cost=True) from None

    def _status(self, error: HTTPError) -> CallError:
        try:
            said = error.read(5_000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            said = ""
        reason = self._scrub(f"The endpoint answered {error.code}: {said[:500]}")
        if error.code in (400, 413, 422) and any(words in said.lower() for words in _TOO_LONG):
            return CallError(reason, outcome=Outcome.TRUNCATED)
        return CallError(
            reason,
            again=error.code in _AGAIN or error.code >= 500,
            wait=retry_after(error.headers.get("retry-after")),
            everywhere=error.code in _EVERYWHERE,
        )

    def _scrub(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def key_variable(endpoint: str) -> str:
    """The environment variable that holds the key of an endpoint; it may be absent where none is needed."""
    return f"TOUCHSTONE_ENDPOINT_KEY_{endpoint.upper().replace('-', '_')}"


def request_for(config: OpenAICompatibleConfig, prompt: Prompt) -> dict[str, Any]:
    """The body of a request."""
    body: dict[str, Any] = {
        "model": config.model,
        "max_tokens": config.reply_tokens,
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": f"{prompt.sources}\n\n{prompt.question}"},
        ],
    }
    if config.temperature is not None:
        body["temperature"] = config.temperature
    if config.reply_format == "object":
        body["response_format"] = {"type": "json_object"}
    elif config.reply_format == "schema":
        schema = {"name": "verdict", "strict": True, "schema": REPLY_SCHEMA}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def reply_of(data: object) -> Reply:
    """Read a completion, of which nothing is taken for granted."""
    top = data if isinstance(data, dict) else {}
    choices = top.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    usage = _usage(top.get("usage"))
    model, text = _text(top.get("model")), _text(message.get("content"))
    stop = choice.get("finish_reason")
    if stop == "content_filter" or message.get("refusal"):
        return Reply(text, Ended.REFUSED, usage, model)
    if stop == "length":
        return Reply(text, Ended.TRUNCATED, usage, model)
    note = "" if text else f"The endpoint answered without a text (finish_reason {stop!r})."
    return Reply(text, Ended.WHOLE, usage, model, note)


def _usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not _count(read) or not _count(written):
        return None
    details = usage.get("prompt_tokens_details")
    kept = details.get("cached_tokens") if isinstance(details, dict) else 0
    cached = min(kept, read) if _count(kept) else 0
    return Usage(read - cached, written, 0, cached)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _read(response: http.client.HTTPResponse, end: float) -> bytes:
    """All of the body, unless it takes too long or is absurdly large: a time limit of a socket is one of each piece."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > _LARGEST_REPLY:
            reason = f"The endpoint's answer has more than {_LARGEST_REPLY:,} bytes."
            raise CallError(reason, outcome=Outcome.UNPARSEABLE, may_cost=True)
        if time.monotonic() > end:
            raise TimeoutError
    if response.length:
        raise http.client.IncompleteRead(b"".join(parts), response.length)
    return b"".join(parts)


def _build(config: OpenAICompatibleConfig) -> PromptedJudge:
    return PromptedJudge(
        type_name=NAME,
        limits=LIMITS,
        config=config,
        endpoint=ChatEndpoint(config),
        pace=shared_pace(
            f"{NAME} {config.address}",
            at_once=settings.JUDGE_CALLS_AT_ONCE,
            per_minute=settings.JUDGE_CALLS_PER_MINUTE,
        ),
        patience=Patience.from_settings(),
        price=price_of(config.model),
    )


def _needs(data: Mapping[str, object]) -> Sequence[Need]:
    if not settings.JUDGE_ENDPOINTS:
        note = "it names no endpoint, so there is none to choose"
        return (Need("TOUCHSTONE_ENDPOINTS", there=False, note=note),)
    endpoint = data.get("endpoint")
    names = (
        [endpoint] if isinstance(endpoint, str) and endpoint in settings.JUDGE_ENDPOINTS else settings.JUDGE_ENDPOINTS
    )
    return [
        Need(
            name,
            bool(os.environ.get(name, "").strip()),
            "needed only where the endpoint asks for a key",
            required=False,
        )
        for name in map(key_variable, names)
    ]


def _preview(config: OpenAICompatibleConfig, claim: ClaimInput) -> Preview:
    return preview_of(config, claim, lambda prompt: request_for(config, prompt))


OPENAI_COMPATIBLE: JudgeType[OpenAICompatibleConfig] = JudgeType(
    name=NAME,
    title="OpenAI-compatible endpoint",
    summary="Asks the model behind an endpoint of your own, with the same prompt as Claude gets.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=_build,
    code_version="1",
    paid=True,
    prompted=True,
    at_once=1_000,
    settings=SETTINGS,
    needs=_needs,
    preview=_preview,
)

JUDGE_TYPES: tuple[JudgeType[Any], ...] = (OPENAI_COMPATIBLE,)
