"""The judge over an OpenAI-compatible endpoint: same prompts, same endings, keys only where the operator said."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from judges.openai_compatible import OPENAI_COMPATIBLE, key_variable
from judges.prompted.prompts import REPLY_SCHEMA
from judges.protocol import AT_MOST, CitedText, ClaimInput, Opinion, Outcome, Verdict

KEY = "local-secret-42"
GOOD = json.dumps({"quote": "within 14 days", "reason": "It says so.", "verdict": "stated"})


class ChatServer:
    """Answers every call with ``status`` and ``body`` until a test says otherwise."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.status, self.headers = 200, {"content-type": "application/json"}
        self.body: bytes = completion(GOOD)
        self.seconds = 0.0
        self.missing_bytes = 0
        self.drips = False
        self.url = ""


def completion(text: object, *, stop: str = "stop", usage: object = ..., **message: object) -> bytes:
    used = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 400}}
    choice = {"message": {"content": text, **message}, "finish_reason": stop}
    return json.dumps({"model": "m-1", "choices": [choice], "usage": used if usage is ... else usage}).encode()


@pytest.fixture
def server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    chat = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            chat.asked.append((self.path, self.headers.get("authorization", ""), body))
            time.sleep(chat.seconds)
            try:
                self.send_response(chat.status)
                for key, value in chat.headers.items():
                    self.send_header(key, value)
                self.send_header("content-length", str(len(chat.body) + chat.missing_bytes))
                self.end_headers()
                pieces = (
                    [chat.body[place : place + 1] for place in range(len(chat.body))] if chat.drips else [chat.body]
                )
                for piece in pieces:
                    self.wfile.write(piece)
                    time.sleep(0.1 if chat.drips else 0.0)
            except OSError:
                pass

        def log_message(self, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    chat.url = f"http://127.0.0.1:{http.server_port}/v1"
    settings.JUDGE_ENDPOINTS = {"local-box": chat.url}
    settings.JUDGE_PRICES = {"m-1": {"read": 2, "written": 10, "cache_read": 1}}
    settings.JUDGE_CALL_SECONDS = 0.5
    settings.JUDGE_CALL_ATTEMPTS = 2
    settings.JUDGE_CALL_FIRST_WAIT = 0.01
    monkeypatch.setenv(key_variable("local-box"), KEY)
    yield chat
    http.shutdown()
    http.server_close()


def judged(**config: object) -> Opinion:
    cited = CitedText(source_id="s", order=1, title="Refunds", text="A refund is paid within 14 days.")
    claim = ClaimInput(claim_id=1, text="It takes 14 days.", kind="policy", severity="minor", cited=(cited,))
    (one,) = OPENAI_COMPATIBLE.from_data({"model": "m-1", "wording": "Policy.", **config}).judge([claim])
    return one


def test_a_good_reply_is_a_verdict_with_quotation_and_cost(server: ChatServer) -> None:
    one = judged()
    assert (one.outcome, one.verdict, one.quote) == (Outcome.JUDGED, Verdict.STATED, "within 14 days")
    assert float(one.cost_usd) == pytest.approx((600 * 2 + 400 * 1 + 50 * 10) / 1e6)
    ((path, key, body),) = server.asked
    assert (path, key) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert body["response_format"]["json_schema"]["schema"] == REPLY_SCHEMA
    assert body["temperature"] == 0
    assert "A refund is paid within 14 days." in body["messages"][1]["content"]
    assert body["messages"][1]["content"].endswith("Reply with the JSON object.")


def test_without_a_key_none_is_sent(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(key_variable("local-box"))
    judged(reply_format="object", temperature=None)
    ((_, key, body),) = server.asked
    assert key == ""
    assert body["response_format"] == {"type": "json_object"}
    assert "temperature" not in body


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (completion(f"```json\n{GOOD}\n```"), Outcome.JUDGED),
        (completion(GOOD[:30], stop="length"), Outcome.TRUNCATED),
        (completion(None, stop="content_filter"), Outcome.REFUSED),
        (completion(None, refusal="No."), Outcome.REFUSED),
        (completion("Verdict: stated"), Outcome.UNPARSEABLE),
        (completion(None), Outcome.UNPARSEABLE),
        (completion([{"text": GOOD}]), Outcome.UNPARSEABLE),
        (b"<html>", Outcome.UNPARSEABLE),
        (b'{"choices": []}', Outcome.UNPARSEABLE),
        (b"[1]", Outcome.UNPARSEABLE),
    ],
)
def test_each_reply_is_recorded_as_what_it_is(server: ChatServer, body: bytes, outcome: Outcome) -> None:
    server.body = body
    assert judged().outcome is outcome
    assert len(server.asked) == 1


def test_statuses_time_outs_and_broken_connections(server: ChatServer, settings: Settings) -> None:
    server.status, server.body = 503, f"busy {KEY}".encode()
    one = judged()
    assert (one.outcome, one.reason) == (Outcome.FAILED, "The endpoint answered 503: busy [key] Tried 2 times.")
    server.status, server.body = 400, b"maximum context length is 10"
    assert judged().outcome is Outcome.TRUNCATED
    server.status, server.headers = 302, {"location": "http://127.0.0.1:9/"}
    assert judged().reason.startswith("The endpoint answered 302")
    server.status, server.headers, server.body, server.missing_bytes = 200, {}, completion(GOOD), 10
    one = judged()
    assert (one.outcome, AT_MOST in one.detail) == (Outcome.FAILED, True)
    server.missing_bytes, server.seconds = 0, 1.0
    before = len(server.asked)
    one = judged()
    assert (one.outcome, AT_MOST in one.detail) == (Outcome.TIMED_OUT, True)
    assert len(server.asked) == before + 1
    settings.JUDGE_ENDPOINTS = {"local-box": "http://127.0.0.1:9/v1"}
    assert judged().reason == "No connection to the endpoint (ConnectionRefusedError). Tried 2 times."


def test_an_endpoint_that_drips_its_answer_is_given_up(server: ChatServer) -> None:
    server.drips = True  # every piece comes within the time limit of a socket, and the whole would take half a minute
    one = judged()
    assert (one.outcome, AT_MOST in one.detail, len(server.asked)) == (Outcome.TIMED_OUT, True, 1)


def test_a_judge_names_an_endpoint_of_the_settings_and_keeps_its_address(
    server: ChatServer, settings: Settings
) -> None:
    complete = OPENAI_COMPATIBLE.complete_config({"model": "m-1"})
    assert (complete["endpoint"], complete["address"]) == ("local-box", server.url)
    for data, message in (
        (
            {"endpoint": "http://evil/"},
            r"endpoint is 'http://evil/'; expected one of those in the settings \(local-box\)",
        ),
        ({"address": "http://evil/"}, "address is 'http://evil/', but the endpoint 'local-box' is now at"),
        ({"model": " "}, "model is ''; expected"),
        ({"reply_format": "xml"}, "reply_format is 'xml'"),
    ):
        with pytest.raises(ValueError, match=message):
            OPENAI_COMPATIBLE.parse_config({"model": "m-1", **data})
    settings.JUDGE_ENDPOINTS = {}
    with pytest.raises(ValueError, match="none: TOUCHSTONE_ENDPOINTS names them"):
        OPENAI_COMPATIBLE.parse_config({"model": "m-1"})
