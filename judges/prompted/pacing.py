"""How many calls to one service go on at once, how many begin in a minute, and when nobody may call at all.

One pace is shared by all workers of a process that use the same service: the limits are the service's, not a run's.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Clock = Callable[[], float]


class GivenUpError(Exception):
    """The caller no longer wants its turn."""


class Pace:
    """Turns at a service.

    Parameters
    ----------
    at_once : int
        Calls that may go on at the same time.
    per_minute : int
        Calls that may begin in a minute, evenly spread; 0 for no limit.
    """

    def __init__(self, *, at_once: int, per_minute: int = 0, clock: Clock = time.monotonic) -> None:
        if at_once < 1 or per_minute < 0:
            msg = f"at_once is {at_once}, per_minute {per_minute}; expected at least 1, and at least 0"
            raise ValueError(msg)
        self.at_once = at_once
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._free = at_once
        self._next = 0.0
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, given_up: threading.Event) -> Iterator[None]:
        """Wait for a turn and hold it.

        Raises
        ------
        GivenUpError
            Where ``given_up`` is set before the turn comes.
        """
        self._enter(given_up)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify()

    def pause(self, seconds: float) -> None:
        """Nobody begins a call for so long: the service said that it has too much to do."""
        with self._changed:
            self._next = max(self._next, self._clock() + seconds)

    def _enter(self, given_up: threading.Event) -> None:
        with self._changed:
            while True:
                if given_up.is_set():
                    raise GivenUpError
                wait = self._next - self._clock()
                if self._free and wait <= 0:
                    self._free -= 1
                    self._next = self._clock() + self._gap
                    return
                # Looks again now and then, as nobody wakes it up when the caller gives up.
                self._changed.wait(min(max(wait, 0.005), 0.2) if self._free else 0.2)


_paces: dict[str, Pace] = {}
_lock = threading.Lock()


def shared_pace(service: str, *, at_once: int, per_minute: int) -> Pace:
    """The pace of this process at a service, made where it is not there yet or its limits were others."""
    name = f"{service} {at_once} {per_minute}"
    with _lock:
        return _paces.setdefault(name, Pace(at_once=at_once, per_minute=per_minute))
