"""A server that speaks the Messages and the Batches API, and misbehaves wherever the statement it is given says so.

What it does with a request stands in the statement to judge, as ``behave:NAME``; without it, it answers well.
"""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

READ, WRITTEN = 1_000, 50
"""Tokens that every well-formed message says that it read and wrote."""
COST = (READ * Decimal(5) + WRITTEN * Decimal(25)) / 1_000_000
"""What such a message costs at the price of the default model."""

_BEHAVE = re.compile(r"behave:([a-z0-9-]+)")


class FakeMessagesApi:
    """The state of the server; tests read what it was asked and how often.

    Attributes
    ----------
    seconds : float
        How long a call takes.
    reply : str or None
        What every good message says instead of a verdict.
    asked : list of dict
        Bodies of the calls to messages, in the order in which they came.
    tries : Counter
        Calls by statement.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.asked: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.tries: Counter[str] = Counter()
        self.charged = 0
        self.at_once = self.most_at_once = 0
        self.begun: list[float] = []
        self.reply: str | None = None
        self.caching = False
        self.kept: set[str] = set()
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.looks_until_ended = 1
        self.looks: Counter[str] = Counter()
        self.empty_batches = False
        self.mishaps_of_results: list[str] = []
        self.overloaded_looks = 0
        self.overloaded_takes = False
        self.lock = threading.Lock()
        self.url = ""

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        """A good message to this request, charged for."""
        with self.lock:
            self.charged += 1
        quote = "" if "quote nothing" in _statement(body) else _first_words(body)
        reply = self.reply or json.dumps({"quote": quote, "reason": "The source says so.", "verdict": _verdict(body)})
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": reply}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": self._usage(body),
        }

    def _usage(self, body: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": READ, "output_tokens": WRITTEN}
        if not self.caching:
            return usage
        prefix, written, read = "", 0, 0
        for block in [*body["system"], *body["messages"][0]["content"]]:
            prefix += block["text"]
            if "cache_control" in block:
                with self.lock:
                    if prefix in self.kept:
                        read += 100
                    else:
                        written += 100
                        self.kept.add(prefix)
        return {**usage, "cache_creation_input_tokens": written, "cache_read_input_tokens": read}


def statement_of(body: dict[str, Any]) -> str:
    """The statement that a request asks about."""
    return _statement(body)


def _statement(body: dict[str, Any]) -> str:
    question = body["messages"][0]["content"][-1]["text"]
    found = re.search(r"<<<(?:claim|answer) (\w+)>>>\n(.*?)\n<<<end of", question, re.DOTALL)
    return found[2] if found else question


def _first_words(body: dict[str, Any]) -> str:
    sources = body["messages"][0]["content"][0]["text"]
    found = re.search(r"<<<source \d+ \w+>>>\n(.*?)\n<<<end of", sources, re.DOTALL)
    text = found[1] if found else ""
    return " ".join(text.split("\n\n")[-1].split()[:4])


def _verdict(body: dict[str, Any]) -> str:
    return "absent" if "quote nothing" in _statement(body) else "stated"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: FakeMessagesApi

    def log_message(self, *args: object) -> None:
        pass

    def _key(self) -> str:
        """The key; one generation of the SDK sends it in a header of its own, another as a bearer token."""
        return self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        api = self.api
        with api.lock:
            api.keys.add(self._key())
        if self.path.startswith("/v1/messages/batches"):
            if api.overloaded_looks > 0 and api.overloaded_takes:
                api.overloaded_looks -= 1
                self._error(529, "overloaded_error", "too much to do")
                return
            with api.lock:
                name = f"msgbatch_{len(api.batches) + 1}"
                api.batches[name] = body["requests"]
            self._json(200, _batch(name, "in_progress"))
            return
        with api.lock:
            api.asked.append(body)
            api.tries[_statement(body)] += 1
            api.begun.append(time.monotonic())
            api.at_once += 1
            api.most_at_once = max(api.most_at_once, api.at_once)
        try:
            if api.seconds:
                time.sleep(api.seconds)
            self._behave(body)
        finally:
            with api.lock:
                api.at_once -= 1

    def do_GET(self) -> None:
        api = self.api
        parts = self.path.split("?")[0].strip("/").split("/")
        name = parts[3]
        if name not in api.batches:
            self._error(404, "not_found_error", "no such batch")
        elif parts[-1] == "results":
            results = [] if api.empty_batches else [self._result(one) for one in reversed(api.batches[name])]
            self._give_results([json.dumps(one) for one in results])
        elif api.overloaded_looks > 0:
            api.overloaded_looks -= 1
            self._error(529, "overloaded_error", "too much to do")
        else:
            api.looks[name] += 1
            self._json(200, _batch(name, "ended" if api.looks[name] >= api.looks_until_ended else "in_progress"))

    def _give_results(self, lines: list[str]) -> None:
        mishap = self.api.mishaps_of_results.pop(0) if self.api.mishaps_of_results else ""
        if mishap == "broken-line":
            lines = [lines[0][:50], "null", *lines[1:]]
        raw = b"<html>gateway</html>" if mishap == "html" else "\n".join(lines).encode()
        if mishap == "cut-off":
            self._cut_off(raw)
        else:
            self._send(200, raw, "application/x-jsonl")

    def _result(self, request: dict[str, Any]) -> dict[str, Any]:
        found = _BEHAVE.search(_statement(request["params"]))
        how = found[1] if found else ""
        if how == "errored":
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": "not good"}}
            return {"custom_id": request["custom_id"], "result": {"type": "errored", "error": error}}
        if how == "expired":
            return {"custom_id": request["custom_id"], "result": {"type": "expired"}}
        message = self._changed(how, self.api.message(request["params"]))
        return {"custom_id": request["custom_id"], "result": {"type": "succeeded", "message": message}}

    def _changed(self, how: str, message: dict[str, Any]) -> dict[str, Any]:
        """A message that is charged for and is not what was asked for."""
        text = message["content"][0]
        if how == "refused":
            message |= {"content": [], "stop_reason": "refusal"}
        elif how == "truncated":
            text["text"] = text["text"][:20]
            message["stop_reason"] = "max_tokens"
        elif how == "no-json":
            text["text"] = "The claim is stated. It is not irrelevant."
        elif how == "wrong-verdict":
            text["text"] = json.dumps({"quote": "", "reason": "stated", "verdict": "not stated"})
        elif how == "null-verdict":
            text["text"] = json.dumps({"quote": "", "reason": "x", "verdict": None})
        elif how == "invented-quote":
            text["text"] = json.dumps({"quote": "nobody wrote this", "reason": "x", "verdict": "stated"})
        elif how == "null-content":
            message["content"] = None
        elif how == "no-usage":
            del message["usage"]
        return message

    def _behave(self, body: dict[str, Any]) -> None:
        found = _BEHAVE.search(_statement(body))
        how = found[1] if found else ""
        tries = self.api.tries[_statement(body)]
        refusals = {"429": (429, "rate_limit_error"), "529": (529, "overloaded_error"), "500": (500, "api_error")}
        refusals |= {"401": (401, "authentication_error"), "404": (404, "not_found_error"), "400": (400, "bad")}
        once = how.removesuffix("-once")
        if once in refusals and (once == how or tries == 1):
            status, kind = refusals[once]
            self._error(status, kind, f"no: {self._key()}", {"retry-after": "0.01"})
        elif how == "429-forever" and tries == 1:
            self._error(429, "rate_limit_error", "later", {"retry-after": "86400"})
        elif how == "too-long":
            self._error(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum")
        elif how == "400-with-nul":
            self._error(400, "invalid_request_error", "no \x00 and \ud800")
        elif how == "html":
            self._send(200, b"<html>gateway</html>", "text/html")
        elif how == "broken-body":
            self._send(200, b'{"id": "msg_1", "content": [', "application/json")
        elif how == "silent":
            time.sleep(3.0)
            self.close_connection = True
        elif how == "dripping":
            self._drip(json.dumps(self.api.message(body)).encode())
        elif how == "cut-off":
            self._cut_off(b'{"id": "msg_1"}')
        else:
            self._json(200, self._changed(how, self.api.message(body)))

    def _drip(self, raw: bytes) -> None:
        """Send a little every now and then, for longer than anybody should wait."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        try:
            for place in range(len(raw)):
                self.wfile.write(raw[place : place + 1])
                time.sleep(0.2)
        except OSError:  # whoever asked has given up
            self.close_connection = True

    def _cut_off(self, raw: bytes) -> None:
        """Send half of it and hang up."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw[: len(raw) // 2])
        self.close_connection = True

    def _error(self, status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> None:
        self._json(status, {"type": "error", "error": {"type": kind, "message": message}}, headers)

    def _json(self, status: int, data: object, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(data).encode(), "application/json", headers)

    def _send(self, status: int, raw: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        try:
            self.send_response(status)
            for key, value in {"content-type": kind, "content-length": str(len(raw)), **(headers or {})}.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(raw)
        except OSError:  # whoever asked has given up
            self.close_connection = True


def _batch(name: str, status: str) -> dict[str, Any]:
    day = "2026-01-01T00:00:00Z"
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    return {
        "id": name,
        "type": "message_batch",
        "processing_status": status,
        "request_counts": counts,
        "created_at": day,
        "expires_at": day,
        "results_url": f"{_Handler.api.url}/v1/messages/batches/{name}/results" if status == "ended" else None,
    }


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


@contextmanager
def fake_messages_api() -> Iterator[FakeMessagesApi]:
    """Run the server in a thread of its own."""
    api = FakeMessagesApi()
    _Handler.api = api
    server = _Server(("127.0.0.1", 0), _Handler)
    api.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
