"""Whether a model can be had, told by one look."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from judges.entailment.config import parse_config
from judges.entailment.loading import MISSING, why_not_here

pytestmark = pytest.mark.usefixtures("nli_extra")
asked: list[str] = []


class _Hub(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        asked.append(self.path)
        self.send_response(200 if "there" in self.path else 404)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    point_at(monkeypatch, server.server_port)
    yield
    server.shutdown()
    server.server_close()


def point_at(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


def reason(model: str = "nobody/there") -> str:
    return why_not_here(parse_config({"model": model, "revision": "a" * 40}))


def test_the_hub_is_asked_once_and_says_whether_it_has_the_model(hub: None) -> None:
    assert reason() == ""
    assert "not on this machine, and the hub at http://127.0.0.1" in reason("nobody/gone")
    assert asked == [f"/nobody/{name}/resolve/{'a' * 40}/config.json" for name in ("there", "gone")]


def test_without_the_hub_a_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:  # bound and not listening: nobody answers there
        closed.bind(("127.0.0.1", 0))
        point_at(monkeypatch, closed.getsockname()[1])
        assert "cannot be asked for it" in reason()
        assert "\n" not in reason()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert "HF_HUB_OFFLINE forbids" in reason()
    monkeypatch.setattr("judges.entailment.loading.extra_installed", lambda: False)
    assert reason() == MISSING


def test_a_folder_is_at_hand(hub: None, tiny_model: Path) -> None:
    assert why_not_here(parse_config({"model": str(tiny_model)})) == ""
    assert asked == []
