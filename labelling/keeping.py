"""Figures kept under a stamp of the data they rest on, and shown a little older while newer ones are made.

A figure is made again where its stamp is another one. What takes long to make, of a large project, would then make
every page slow that follows a label. So a page may show what was there a moment ago while a process of its own makes
what is newer, provided that it says so: it asks inside `older_figures()` and shows `since`. Commands, files,
certificates and the gate never ask for that, and wait.
"""

from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db.models import Sum
from django.utils import timezone

from labelling.changes import VERDICTS
from labelling.models import Change, Project

T = TypeVar("T")
K = TypeVar("K")
CALCULATION = "5"
"""Raised whenever the same data comes to give other figures, or result objects change shape."""
OLDEST = timedelta(hours=1)
"""Nothing older is shown, however long a newer one takes."""
REST = 3.0
"""What took a second to make is made again three seconds later at the earliest, so that figures never fill a processor."""
LONGEST_S = 600
"""After so long a process that makes figures is taken to have died."""
MOST_AT_ONCE = 2
"""Processes that make figures for one web process: each takes a processor, and hundreds of MB of a large project."""
_places = threading.Semaphore(MOST_AT_ONCE)
log = logging.getLogger(__name__)
_Wanted = dict[str, tuple[str, Callable[[], Any]]]


class BusyError(OSError):
    """As many processes make figures as may."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A value, the stamp that it was made under, when its making began, and how many seconds it took."""

    stamp: str
    value: T
    began: datetime
    seconds: float


@dataclass(slots=True)
class Lag:
    """How old what was shown is: `since` is when the oldest of it began to be made, None where all is of now.

    `wanted` is what should be made anew: stamp and maker by key.
    """

    since: datetime | None = None
    wanted: _Wanted = field(default_factory=dict)


_lag: ContextVar[Lag | None] = ContextVar("_lag", default=None)


@contextmanager
def older_figures(*, allowed: bool = True) -> Iterator[Lag]:
    """Within this block, what takes long to make may be what was there a moment ago. Whoever asks has to say so."""
    lag = Lag()
    token = _lag.set(lag if allowed else None)
    try:
        yield lag
    finally:
        _lag.reset(token)
    # One process is at each of them, wherever it was started.
    mine = {key: work for key, work in lag.wanted.items() if cache.add(_lock(key), 1, LONGEST_S)}
    if mine:
        left = uuid.uuid4().hex
        cache.set(_job(left), mine, LONGEST_S)
        try:
            start_making(left)
        except OSError as error:  # too many are at it, or no memory is left: the next page tries again
            # With as many at it as may be, nothing is wrong.
            log.log(
                logging.DEBUG if isinstance(error, BusyError) else logging.WARNING,
                "no process makes figures: %s",
                error,
            )
            cache.delete_many([_job(left), *map(_lock, mine)])


def data_stamp(project: Project) -> str:
    """Return a text that changes whenever a label, verdict, judgement, claim or rule of the project does.

    What stands before the colon stays the same while only the data changes: older figures of another rule are no
    older figures of this one.
    """
    rules = [
        CALCULATION,
        project.pk,
        project.created.isoformat(),  # a database made anew counts its ids from one again
        project.partial_is_unsupported,
        project.consensus_rule,
    ]
    return f"{_digest(repr(rules))}:{changes_noted(project, VERDICTS)}"


def changes_noted(project: Project, part: str) -> int | None:
    """The number that grows with every change of a part of the project."""
    found: int | None = Change.objects.filter(project=project.pk, part=part).aggregate(n=Sum("n"))["n"]
    return found


def remembered(stamp: str, name: str, make: Callable[[], T], *, may_lag: bool = False) -> T:
    """Return what is kept under a stamp and a name, making it where it is not there.

    Two processes may make the same thing at once; both come to the same figures. With `may_lag`, and where the caller is
    inside `older_figures`, what took long to make may be older, and a thread makes it anew. Of each name one value
    is kept, the newest.
    """
    key = _key(stamp, name)
    kept: Kept[T] | None = cache.get(key)
    if kept is not None and kept.stamp == stamp:
        return kept.value
    lag = _lag.get()
    if may_lag and lag is not None and kept is not None and _may_be_shown(kept):
        if timezone.now() - kept.began > timedelta(seconds=REST * kept.seconds):
            lag.wanted[key] = (stamp, make)
        lag.since = kept.began if lag.since is None else min(lag.since, kept.began)
        return kept.value
    return _make(key, stamp, make)


def remembered_each(stamp: str, names: Mapping[K, str], make: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
    """Return what is kept under a stamp and each of several names, making in one go those that are not there."""
    keys = {item: _key(stamp, name) for item, name in names.items()}
    there: dict[str, Kept[T]] = cache.get_many(keys.values())
    found = {item: there[key].value for item, key in keys.items() if key in there and there[key].stamp == stamp}
    missing = [item for item in keys if item not in found]
    if missing:
        began, clock = timezone.now(), time.monotonic()
        made = make(missing)
        seconds = time.monotonic() - clock
        cache.set_many({keys[item]: Kept(stamp, value, began, seconds) for item, value in made.items()})
        found |= made
    return {item: found[item] for item in keys}


def _may_be_shown(kept: Kept[Any]) -> bool:
    return kept.seconds >= settings.FIGURES_SLOW_AFTER_S and timezone.now() - kept.began < OLDEST


def _make(key: str, stamp: str, make: Callable[[], T]) -> T:
    token = _lag.set(None)  # what is made now is made of what is there now
    try:
        began, clock = timezone.now(), time.monotonic()
        value = make()
        cache.set(key, Kept(stamp, value, began, time.monotonic() - clock))
        return value
    finally:
        _lag.reset(token)


def start_making(token: str) -> subprocess.Popen[bytes]:
    """Let `manage.py make_figures` do it: in a process of its own, so that no page waits for its interpreter.

    Raises
    ------
    OSError
        Where as many are at it as may be, or none can be started.
    """
    if not _places.acquire(blocking=False):
        raise BusyError(f"{MOST_AT_ONCE} are at it already")
    command = [sys.executable, "manage.py", "make_figures", token]
    try:
        process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL)  # noqa: S603 -- our own
    except OSError:
        _places.release()
        raise
    threading.Thread(target=_see_out, args=(process,), daemon=True).start()
    return process


def _see_out(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process, so that it leaves no zombie and its place to another."""
    process.wait()
    _places.release()


def make_wanted(token: str) -> int:
    """Make what a page left under a token, and return how much of it could be made."""
    wanted: _Wanted = cache.get(_job(token), {})
    cache.delete(_job(token))
    done = 0
    for key, (stamp, make) in wanted.items():
        try:
            _make(key, stamp, make)
            done += 1
        except Exception:
            log.exception("figures could not be made; the next page tries again")
        finally:
            cache.delete(_lock(key))
    return done


def _job(token: str) -> str:
    return f"figures:job:{token}"


def _lock(key: str) -> str:
    return f"{key}:making"


def _key(stamp: str, name: str) -> str:
    return f"figures:{stamp.partition(':')[0]}:{_digest(name)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
