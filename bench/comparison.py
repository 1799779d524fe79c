"""How long the comparison takes, beside a plain loop over scikit-learn calls on the same resamples.

Five judges, three annotators, 100,000 claims in about 33,000 answers, 2,000 resamples of answers. The plain loop does a
small part of the work (kappa four-way and binary, recall and precision of every judge against gold, and the kappa of
people against the consensus of the others); a few of its resamples are timed and the rest is extrapolated, which is
said. Values are compared on exactly those resamples.

Run as ``python -m bench.comparison``.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

from calibration.bootstrap import SEED, Cells
from calibration.cells import collapse, kappa, precision, recall
from calibration.comparison import ComparisonInput, JudgeColumns, compare
from calibration.verdicts import COLUMNS, VERDICTS, unsupported, unsupported_classes

GOAL_SECONDS, GOAL_RATIO = 3.0, 100.0


@dataclass(frozen=True, slots=True)
class Made:
    """Claims as a project might have them: judges that are right to different degrees, people likewise."""

    data: ComparisonInput
    answer: NDArray[np.int64]
    gold: NDArray[np.int64]
    judges: dict[str, NDArray[np.int64]]


def make(claims: int, *, judges: int, people: int, seed: int) -> Made:
    random = np.random.default_rng(seed)
    answer = np.sort(random.integers(0, claims // 3, claims))
    gold = random.choice(4, size=claims, p=[0.7, 0.1, 0.14, 0.06])

    def noisy(right: float, *, silent: float = 0.0) -> NDArray[np.int64]:
        said = np.where(random.random(claims) < right, gold, random.integers(0, 4, claims))
        return np.where(random.random(claims) < silent, 4, said).astype(np.int64)

    labels = np.stack([noisy(0.88 - 0.02 * person) for person in range(people)])
    verdicts = {f"judge {number}": noisy(0.9 - 0.08 * number, silent=0.01) for number in range(judges)}
    columns = {name: JudgeColumns(verdict) for name, verdict in verdicts.items()}
    return Made(ComparisonInput(answer, gold, labels, columns), answer, gold.astype(np.int64), verdicts)


def draws(answers: int, resamples: int) -> list[NDArray[np.int64]]:
    """The first resamples that the comparison draws: how often each answer is in."""
    random = np.random.default_rng(SEED)
    return [
        np.bincount(random.integers(0, answers, size=answers), minlength=answers).astype(np.int64)
        for _ in range(resamples)
    ]


def plain(made: Made, times: NDArray[np.int64]) -> dict[str, list[float]]:
    """One resample as a plain script does it: rows repeated, scikit-learn asked for each figure."""
    _, position = np.unique(made.answer, return_inverse=True)
    rows = np.repeat(np.arange(len(made.answer)), times[position])
    gold = made.gold[rows]
    bad = unsupported(gold)
    figures = {}
    for name, verdict in made.judges.items():
        said = verdict[rows]
        flagged = unsupported(said)
        figures[name] = [
            float(cohen_kappa_score(gold, said, labels=range(5))),
            float(cohen_kappa_score(bad, np.where(said == 4, 2, flagged), labels=range(3))),
            float(recall_score(bad, flagged)),
            float(precision_score(bad, flagged)),
        ]
    return figures


def counted(made: Made, resamples: int) -> dict[str, NDArray[np.float64]]:
    """The same figures of the same resamples by counting cells, shape (resamples, 4)."""
    cells = Cells(made.answer)
    shape = (len(VERDICTS), len(COLUMNS))
    for name, verdict in made.judges.items():
        cells.add(name, made.gold * len(COLUMNS) + verdict, shape=shape)
    drawn = cells.resample(resamples=resamples, seed=SEED)
    figures = {}
    for name in made.judges:
        four = drawn.replicates(name)
        two = collapse(four, unsupported_classes())
        figures[name] = np.stack([kappa(four), kappa(two), recall(two), precision(two)], axis=1)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--resamples", type=int, default=2_000)
    parser.add_argument("--plain", type=int, default=5, help="resamples of the plain loop that are timed")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    made = make(given.claims, judges=5, people=3, seed=1)

    started = time.perf_counter()
    result = compare(made.data, resamples=given.resamples)
    fast = time.perf_counter() - started

    times = draws(result.n_answers, given.plain)
    started = time.perf_counter()
    by_loop = [plain(made, one) for one in times]
    each = (time.perf_counter() - started) / given.plain
    slow = each * given.resamples

    by_cells = counted(made, given.resamples)
    apart = max(
        float(np.abs(by_cells[name][place] - figures).max())
        for place, resample in enumerate(by_loop)
        for name, figures in resample.items()
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    print(
        f"{given.claims:,} claims in {result.n_answers:,} answers, 5 judges, 3 annotators, {given.resamples:,} resamples"
    )
    print(f"{'the whole comparison':<52}{fast:>10.2f} s   goal under {GOAL_SECONDS:g} s: {_met(fast < GOAL_SECONDS)}")
    print(f"{f'plain loop, 4 figures a judge ({given.plain} timed, extrapolated)':<52}{slow:>10.0f} s")
    print(f"{'ratio':<52}{slow / fast:>10.0f}     goal {GOAL_RATIO:g}: {_met(slow / fast >= GOAL_RATIO)}")
    print(f"{'largest difference of values on the timed resamples':<52}{apart:>10.1e}     {_met(apart < 1e-9)}")
    print(f"{'peak memory of this process':<52}{memory:>10.0f} MB")


def _met(held: bool) -> str:
    return "met" if held else "MISSED"


if __name__ == "__main__":
    main()
