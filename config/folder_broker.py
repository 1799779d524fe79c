"""A message broker that is a folder: what a demo and a single machine need instead of a server.

A message is a file. It is written under another name and then renamed, so that nobody reads half of it, and whoever
manages to delete it has it, so that nobody else does. (Kombu's own file transport reads files that are still being
written, which ends the worker, and keeps tables of bindings that a killed process can leave broken.) There is nothing
but waiting messages in the folder: emptying it at any time loses messages and nothing else.
"""

import json
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import virtual

SUFFIX = ".msg"


class Channel(virtual.Channel):
    """Messages of a queue `q` are the files `*.q.msg` of the folder, the oldest first."""

    supports_fanout = False

    @property
    def folder(self) -> Path:
        return Path(self.connection.client.transport_options["folder"])

    def _put(self, queue: str, message: Any, **_: Any) -> None:
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}.{queue}{SUFFIX}"
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = self.folder / f".{name}.part"
        unfinished.write_text(json.dumps(message), encoding="utf-8")
        unfinished.rename(self.folder / name)

    def _get(self, queue: str, timeout: Any = None) -> Any:  # noqa: ARG002  (the signature of every channel)
        for file in self._waiting(queue):
            try:
                message = json.loads(file.read_text(encoding="utf-8"))
            except OSError:
                continue  # another worker has it
            except ValueError:
                message = None  # nothing that was put here; only deleting it ends it
            try:
                file.unlink()
            except OSError:
                continue
            if message is not None:
                return message
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))

    def _purge(self, queue: str) -> int:
        waiting = self._waiting(queue)
        for file in waiting:
            file.unlink(missing_ok=True)
        return len(waiting)

    def _waiting(self, queue: str) -> list[Path]:
        ending = f".{queue}{SUFFIX}"
        try:
            return sorted(file for file in self.folder.iterdir() if file.name.endswith(ending) and file.name[0] != ".")
        except FileNotFoundError:
            return []  # not there yet, or taken away under us


class Transport(virtual.Transport):
    """What `filesystem://` means here (see `config.celery`)."""

    Channel = Channel
    global_state = virtual.BrokerState()  # type: ignore[no-untyped-call]
    default_port: Any = 0
    driver_type = driver_name = "folder"

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)  # type: ignore[no-untyped-call]
        self.state = self.global_state

    def drain_events(self, connection: Any, timeout: Any = None, **kwargs: Any) -> Any:
        # Short waits, so that a worker that is asked to end hears of it at once.
        short = timeout if timeout is None else min(timeout, 0.2)
        return super().drain_events(connection, timeout=short, **kwargs)  # type: ignore[no-untyped-call]

    def driver_version(self) -> str:
        return "1"
