"""Many prompts at once, from a few threads, each result given out as it comes.

All decisions are made, and all results are given out, in the caller's thread: that is where its database connection is.
Other threads only talk to the network.
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

from judges.prompted.calls import CallError, Reply
from judges.prompted.pacing import GivenUpError
from judges.prompted.prompts import Prompt
from judges.protocol import ClaimInput, Reserved

_LOOK_UP_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Job:
    """One prompt to ask, for one claim. ``shared`` says that another job begins with the same sources."""

    claim: ClaimInput
    prompt: Prompt
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a job ended; neither a reply nor an error where it was given up before it was asked."""

    job: Job
    reply: Reply | None = None
    error: Exception | None = None
    seconds: float = 0.0
    asked: bool = True


class Leave(Protocol):
    """What a pump needs of a purse."""

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Ask leave for one call."""
        ...

    def going(self) -> bool:
        """Whether there is any use in going on."""
        ...


Send = Callable[[Job, threading.Event], Result]


@dataclass(slots=True)
class _Line:
    """Jobs in the order in which they may be asked.

    Of jobs that share their sources the first goes ahead alone, and the others follow it: by then the service has kept
    what they share. Where all share long instructions, the very first job goes ahead of all for the same reason.
    """

    ready: deque[Job]
    held: dict[str, list[Job]] = field(default_factory=dict)
    first: Job | None = None

    @classmethod
    def of(cls, jobs: Sequence[Job], *, one_first: bool) -> "_Line":
        ready: deque[Job] = deque()
        held: dict[str, list[Job]] = {}
        for job in jobs:
            if not job.shared:
                ready.append(job)
            elif job.prompt.sources in held:
                held[job.prompt.sources].append(job)
            else:
                held[job.prompt.sources] = []
                ready.append(job)
        return cls(ready, held, ready[0] if one_first and len(ready) > 1 else None)

    def next(self, going_on: int) -> Job | None:
        """The next job that may be asked while so many others are."""
        if not self.ready or (self.first is not None and going_on):
            return None
        return self.ready[0]

    def ended(self, job: Job) -> None:
        """Let those follow that waited for this job."""
        self.first = None
        # Put in front: what a service keeps, it keeps for minutes only.
        self.ready.extendleft(reversed(self.held.pop(job.prompt.sources, []) if job.shared else []))

    def rest(self) -> list[Job]:
        """All that was not asked."""
        return [*self.ready, *(job for jobs in self.held.values() for job in jobs)]


class Pump:
    """Asks jobs from a few threads; every decision is made in the thread that iterates.

    Parameters
    ----------
    purse : Leave
        Gives leave for each call, and says when to stop.
    at_most : callable
        What a job can cost in US dollars, or ``None``.
    send : callable
        Asks one job; called in another thread, with an event that says when it is no longer wanted.
    at_once : int
        Jobs that are asked at the same time.
    one_first : bool
        Whether one job goes ahead of all others.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        *,
        purse: Leave,
        at_most: Callable[[Job], Decimal | None],
        send: Send,
        at_once: int,
        one_first: bool,
    ) -> None:
        self._line = _Line.of(jobs, one_first=one_first)
        self._purse, self._at_most, self._send, self._at_once = purse, at_most, send, at_once
        self._done: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._given_up = threading.Event()
        self._going_on = 0
        self._closed = False
        self._everywhere: CallError | None = None

    def results(self) -> Iterator[Result]:
        """Ask every job that the purse pays for, and give each result out as it comes.

        Once the purse says that no more is to be asked, what is going on is waited for and given out, and the rest is
        left. Once a call fails in a way in which every other would, the rest gets that error without being asked.
        """
        with ThreadPoolExecutor(max_workers=self._at_once, thread_name_prefix="ask") as pool:
            try:
                while self._fill(pool):
                    result = self._next()
                    if result is not None:
                        yield result
            finally:
                self._given_up.set()
        if self._everywhere is not None and self._purse.going():
            for job in self._line.rest():
                yield Result(job, error=self._everywhere, asked=False)

    def _fill(self, pool: ThreadPoolExecutor) -> bool:
        """Begin as many jobs as may be begun; whether any is going on."""
        while not self._closed and self._going_on < self._at_once:
            job = self._line.next(self._going_on)
            if job is None:
                break
            answer = self._purse.reserve(job.claim, self._at_most(job))
            if answer is Reserved.LATER and self._going_on:
                break
            if answer is not Reserved.YES:
                self._closed = True
                break
            self._line.ready.popleft()
            self._going_on += 1
            pool.submit(self._work, job)
        return self._going_on > 0

    def _next(self) -> Result | None:
        """The next result, or None where there is none for a while."""
        try:
            result = self._done.get(timeout=_LOOK_UP_SECONDS)
        except queue.Empty:
            result = None
        if not self._purse.going():
            self._close()
        if result is not None:
            self._going_on -= 1
            self._line.ended(result.job)
            if isinstance(result.error, CallError) and result.error.everywhere:
                self._everywhere = result.error
                self._close()
        return result

    def _close(self) -> None:
        self._closed = True
        self._given_up.set()

    def _work(self, job: Job) -> None:
        try:
            self._done.put(self._send(job, self._given_up))
        except GivenUpError:
            self._done.put(Result(job, asked=False))
        except Exception as error:  # noqa: BLE001  (whatever it is, it is this job's, and somebody waits for it)
            self._done.put(Result(job, error=error))
