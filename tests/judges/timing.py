"""Telling linear time from quadratic, on a machine that has other things to do."""

from collections.abc import Callable
from time import process_time


def assert_linear(work: Callable[[str], object], piece: str, *, length: int = 2_000) -> None:
    """Eight times the text takes about 8 times as long in linear time, and 64 times in quadratic time."""

    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        best = float("inf")
        for _ in range(2):
            begun = process_time()
            work(text)
            best = min(best, process_time() - begun)
        return best

    short = seconds(length)
    assert seconds(8 * length) < 30 * short + 0.05
