"""Figures kept under a stamp: those of now, unless a page asks for older ones and says so."""

import os
import subprocess
import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from unittest.mock import Mock

import pytest
from django.core.cache import cache
from django.core.management import call_command
from pytest_django import Settings

from labelling import keeping
from labelling.keeping import data_stamp, older_figures, remembered, remembered_each
from labelling.models import ConsensusRule
from tests.factories import make_project


@pytest.fixture
def slow(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything takes long, and what a process would make waits in this list."""
    settings.FIGURES_SLOW_AFTER_S = 0
    monkeypatch.setattr(keeping, "REST", 0)
    waiting: list[str] = []
    monkeypatch.setattr(keeping, "start_making", waiting.append)
    return waiting


def _stamps() -> tuple[str, str]:
    rules = uuid.uuid4().hex
    return f"{rules}:1", f"{rules}:2"


def test_a_value_is_made_once_and_again_under_another_stamp() -> None:
    first, second = _stamps()
    assert remembered(first, "n", partial(int, 1)) == 1
    assert remembered(first, "n", partial(int, 2)) == 1
    assert remembered(second, "n", partial(int, 3)) == 3


def test_of_each_name_one_value_is_kept() -> None:
    first, second = _stamps()
    for stamp in (first, second):
        remembered(stamp, "n", lambda stamp=stamp: stamp)  # type: ignore[misc]
    assert remembered(first, "n", lambda: "made anew") == "made anew"


def test_a_page_sees_the_older_value_is_told_since_when_and_the_next_page_the_newer(
    slow: list[str],
) -> None:
    first, second = _stamps()
    remembered(first, "n", partial(int, 1), may_lag=True)
    with older_figures() as lag:
        assert remembered(second, "n", partial(int, 2), may_lag=True) == 1
    assert lag.since is not None
    (token,) = slow
    assert keeping.make_wanted(token) == 1
    with older_figures() as lag:
        assert remembered(second, "n", partial(int, 3), may_lag=True) == 2
    assert lag.since is None


def test_who_does_not_ask_for_older_figures_waits_for_those_of_now(slow: list[str]) -> None:
    first, second = _stamps()
    remembered(first, "n", partial(int, 1), may_lag=True)
    assert remembered(second, "n", partial(int, 2), may_lag=True) == 2
    with older_figures(allowed=False):
        assert remembered(first, "n", partial(int, 3), may_lag=True) == 3
    with older_figures():
        assert remembered(second, "n", partial(int, 4)) == 4
    assert slow == []


def test_what_is_made_is_made_of_nothing_older(slow: list[str]) -> None:
    first, second = _stamps()
    remembered(first, "rows", partial(int, 1), may_lag=True)
    with older_figures() as lag:
        made = remembered(second, "n", lambda: remembered(second, "rows", partial(int, 2), may_lag=True), may_lag=True)
    assert made == 2
    assert lag.since is None
    assert slow == []


def test_many_views_start_one_making_and_one_that_fails_can_be_tried_again(
    slow: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = _stamps()
    remembered(first, "n", partial(int, 1), may_lag=True)

    for _ in range(2):
        with older_figures():
            assert remembered(second, "n", partial(int, "no number"), may_lag=True) == 1
    (token,) = slow
    assert keeping.make_wanted(token) == 0
    with older_figures():
        assert remembered(second, "n", partial(int, 2), may_lag=True) == 1
    assert len(slow) == 2
    monkeypatch.setattr(os, "nice", lambda _: 0)
    call_command("make_figures", slow[1])
    assert remembered(second, "n", partial(int, 3)) == 2
    assert keeping.make_wanted(slow[1]) == 0


def test_what_is_quickly_made_and_what_is_very_old_is_made_anew(
    settings: Settings, slow: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = _stamps()
    settings.FIGURES_SLOW_AFTER_S = 60
    remembered(first, "n", partial(int, 1), may_lag=True)
    with older_figures():
        assert remembered(second, "n", partial(int, 2), may_lag=True) == 2
    settings.FIGURES_SLOW_AFTER_S = 0
    monkeypatch.setattr(keeping, "OLDEST", timedelta())
    with older_figures():
        assert remembered(first, "n", partial(int, 3), may_lag=True) == 3
    assert slow == []


def test_of_several_names_those_of_another_stamp_are_made_in_one_go() -> None:
    first, second = _stamps()
    made: list[list[int]] = []

    def make(missing: list[int]) -> dict[int, str]:
        made.append(missing)
        return {item: f"made {item}" for item in missing}

    remembered_each(first, {1: "one"}, make)
    remembered_each(second, {2: "two"}, make)
    assert list(remembered_each(second, {1: "one", 2: "two", 3: "three"}, make)) == [1, 2, 3]
    assert made == [[1], [2], [1, 3]]


@pytest.mark.django_db
def test_figures_of_another_rule_are_no_older_figures(slow: list[str]) -> None:
    project = make_project()
    remembered(data_stamp(project), "n", partial(int, 1), may_lag=True)
    project.consensus_rule = ConsensusRule.UNANIMOUS
    with older_figures():
        assert remembered(data_stamp(project), "n", partial(int, 2), may_lag=True) == 2
    assert slow == []


def test_a_cache_that_lost_a_value_makes_it_anew() -> None:
    first, _ = _stamps()
    remembered(first, "n", partial(int, 1))
    cache.clear()
    assert remembered(first, "n", partial(int, 2)) == 2


def test_a_page_is_shown_where_no_process_can_be_started_and_the_next_one_tries_again(
    slow: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: str) -> None:
        raise OSError("Cannot allocate memory")

    first, second = _stamps()
    remembered(first, "n", partial(int, 1), may_lag=True)
    with monkeypatch.context() as full:
        full.setattr(keeping, "start_making", refused)
        with older_figures():
            assert remembered(second, "n", partial(int, 2), may_lag=True) == 1
    with older_figures():
        assert remembered(second, "n", partial(int, 2), may_lag=True) == 1
    assert len(slow) == 1


def test_no_more_than_two_processes_make_figures_at_once_for_one_web_process(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[Callable[[], None]] = []

    class Watcher:
        def __init__(self, *, target: Callable[..., None], args: tuple[object, ...], daemon: bool) -> None:
            assert daemon
            ends.append(partial(target, *args))

        def start(self) -> None: ...

    monkeypatch.setattr(threading, "Thread", Watcher)
    monkeypatch.setattr(subprocess, "Popen", Mock())
    for token in ("a", "b"):
        keeping.start_making(token)
    with pytest.raises(keeping.BusyError, match="2 are at it already"):
        keeping.start_making("c")
    ends.pop()()
    monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=OSError("no memory")))
    for _ in range(2):  # one that cannot be started keeps no place
        with pytest.raises(OSError, match="no memory"):
            keeping.start_making("c")
    for end in ends:
        end()
