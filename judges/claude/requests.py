"""A prompt as the Messages API takes it, and a message as it gives one back."""

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, TypeGuard

from judges.claude.config import ClaudeConfig
from judges.prompted.calls import Ended, Reply, Usage
from judges.prompted.prompts import REPLY_SCHEMA, Prompt

_KEEP = {"type": "ephemeral"}


def request_for(
    config: ClaudeConfig, prompt: Prompt, *, keep: bool, schema: Mapping[str, object] = REPLY_SCHEMA
) -> dict[str, Any]:
    """The body of a request.

    The instructions are marked to be kept by the service, as every claim has them; the sources are marked only where
    further claims cite the same ones, since what is kept costs more the first time.
    """
    system: dict[str, Any] = {"type": "text", "text": prompt.instructions, "cache_control": _KEEP}
    sources: dict[str, Any] = {"type": "text", "text": prompt.sources}
    if keep:
        sources["cache_control"] = _KEEP
    output: dict[str, Any] = {"format": {"type": "json_schema", "schema": dict(schema)}}
    if config.effort:
        output["effort"] = config.effort
    body: dict[str, Any] = {
        "model": config.model,
        "max_tokens": config.reply_tokens,
        "system": [system],
        "messages": [{"role": "user", "content": [sources, {"type": "text", "text": prompt.question}]}],
        "output_config": output,
    }
    if config.temperature is not None:
        body["temperature"] = config.temperature
    return body


def read_json(text: str | bytes) -> Any:
    """Read what came with an attribute for each key, as the SDK gives a message; ``ValueError`` where it is no JSON."""
    return json.loads(text, object_hook=lambda found: SimpleNamespace(**found))


def reply_of(message: object) -> Reply:
    """Read what came back, of which nothing is taken for granted: a page of HTML comes as text, a field may be absent."""
    if isinstance(message, str):
        return Reply(message, Ended.WHOLE, None)
    usage = _usage(getattr(message, "usage", None))
    model = getattr(message, "model", None)
    named = model if isinstance(model, str) else ""
    stop = getattr(message, "stop_reason", None)
    text = _text(getattr(message, "content", None))
    if stop == "refusal":
        return Reply(text, Ended.REFUSED, usage, named)
    if stop == "max_tokens":
        return Reply(text, Ended.TRUNCATED, usage, named)
    if stop == "model_context_window_exceeded":
        return Reply(text, Ended.TRUNCATED, usage, named, "The prompt and the reply do not fit the model's context.")
    note = "" if text else f"The service answered without a text (stop_reason {stop!r})."
    return Reply(text, Ended.WHOLE, usage, named, note)


def _text(content: object) -> str:
    if not isinstance(content, list):
        return ""
    texts = [getattr(block, "text", None) for block in content if getattr(block, "type", None) == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: object) -> Usage | None:
    read, written = (getattr(usage, key, None) for key in ("input_tokens", "output_tokens"))
    if not _count(read) or not _count(written):
        return None
    cached = [getattr(usage, key, None) for key in ("cache_creation_input_tokens", "cache_read_input_tokens")]
    cache_written, cache_read = (value if _count(value) else 0 for value in cached)
    return Usage(read, written, cache_written, cache_read)


def _count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
