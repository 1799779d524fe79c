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

    # A growth that is linear shows as such sooner or later; one that is quadratic never does.
    tries = [(seconds(length), seconds(8 * length))]
    while tries[-1][1] >= 30 * tries[-1][0] + 0.05 and len(tries) < 4:
        tries.append((seconds(length), seconds(8 * length)))
    short, long = tries[-1]
    assert long < 30 * short + 0.05, tries
