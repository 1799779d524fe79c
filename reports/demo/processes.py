"""Starting the web server and the worker of the demo, and stopping all that was started."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

GRACE_SECONDS = 8.0


class DidNotStartError(RuntimeError):
    """A process ended before it was of use; the message carries the end of its log."""


@dataclass
class Processes:
    """Child processes with their logs; leaving the context stops every one of them."""

    log_dir: Path
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, arguments: list[str]) -> None:
        """Start `python -m ...` with the environment of this process, its output in `<log_dir>/<name>.log`."""
        self.log_dir.mkdir(parents=True, exist_ok=True)
        with (self.log_dir / f"{name}.log").open("wb") as log:
            # A session of its own: Ctrl-C reaches this process alone, which then stops the others in order.
            self.running[name] = subprocess.Popen(  # noqa: S603  (fixed arguments)
                [sys.executable, "-m", *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def check(self) -> None:
        """Raise where a process has ended by itself."""
        for name, process in self.running.items():
            code = process.poll()
            if code is not None:
                log = self.log_dir / f"{name}.log"
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-12:])
                raise DidNotStartError(f"{name} ended with exit code {code}; the end of {log}:\n{tail}")

    def wait_for_port(self, host: str, port: int, *, seconds: float = 20.0) -> None:
        """Return once something listens there; raise where that takes too long or a process has ended."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.check()
            with socket.socket() as probe:
                probe.settimeout(0.5)
                if probe.connect_ex((host, port)) == 0:
                    return
            time.sleep(0.05)
        raise DidNotStartError(f"nothing listens on {host}:{port} after {seconds:.0f} s")

    def stop(self) -> None:
        for process in self.running.values():
            _signal_group(process, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        for process in self.running.values():
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal_group(process, signal.SIGKILL)
                process.wait()
        self.running.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    # It may end by itself between the look and the signal.
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None:
            os.killpg(process.pid, number)


def free_port(wanted: int, *, host: str = "127.0.0.1", tries: int = 50) -> int:
    """The wanted port, or the next one above it that nobody listens on."""
    for port in range(wanted, wanted + tries):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise DidNotStartError(f"no free port from {wanted} to {wanted + tries - 1} on {host}")
