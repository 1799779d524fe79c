import threading
import time

import pytest

from judges.prompted.pacing import GivenUpError, Pace
from judges.prompted.retrying import Patience


def test_no_more_than_so_many_have_their_turn_at_once() -> None:
    pace = Pace(at_once=3)
    now = most = 0
    lock = threading.Lock()

    def call() -> None:
        nonlocal now, most
        with pace.turn(threading.Event()):
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.01)
            with lock:
                now -= 1

    threads = [threading.Thread(target=call) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 3


def test_calls_begin_evenly_spread_over_the_minute_and_none_during_a_pause() -> None:
    pace = Pace(at_once=5, per_minute=1_200)
    begun = time.monotonic()
    for _ in range(4):
        with pace.turn(threading.Event()):
            pass
    assert time.monotonic() - begun >= 3 * 0.05
    pace.pause(0.1)
    begun = time.monotonic()
    with pace.turn(threading.Event()):
        assert time.monotonic() - begun >= 0.09


def test_who_gives_up_does_not_wait_for_a_turn() -> None:
    pace = Pace(at_once=1)
    given_up = threading.Event()
    threading.Timer(0.05, given_up.set).start()
    begun = time.monotonic()
    with pace.turn(threading.Event()), pytest.raises(GivenUpError), pace.turn(given_up):
        pass
    assert time.monotonic() - begun < 5


def test_a_failed_call_gives_its_turn_back() -> None:
    pace = Pace(at_once=1)
    for _ in range(3):
        with pytest.raises(RuntimeError), pace.turn(threading.Event()):
            raise RuntimeError
    with pytest.raises(ValueError, match="at_once is 0"):
        Pace(at_once=0)


def test_waits_double_and_are_never_longer_than_the_longest() -> None:
    patience = Patience(first_wait=1.0, longest_wait=10.0)
    for attempt, most in ((2, 1), (3, 2), (4, 4), (5, 8), (6, 10), (60, 10)):
        waits = [patience.wait_before(attempt, None) for _ in range(50)]
        assert most / 2 <= min(waits) < max(waits) <= most
    assert 3 <= patience.wait_before(2, 3.0) < 3.2
    assert patience.wait_before(2, 86_400.0) == 10
