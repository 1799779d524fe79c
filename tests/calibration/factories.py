"""Samples of claims, people and judges with known properties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.comparison import ComparisonInput, JudgeColumns

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def noisy(random: np.random.Generator, true: Ints, *, right: float, classes: int = 4) -> Ints:
    """Return verdicts that are right with a probability and otherwise any other class."""
    wrong = (true + random.integers(1, classes, len(true))) % classes
    return np.where(random.random(len(true)) < right, true, wrong).astype(np.int64)


def labels_with_gaps(random: np.random.Generator, true: Ints, *, people: int, right: float, gaps: float) -> Ints:
    """Return labels of several people, each missing with a probability."""
    given = np.full((people, len(true)), -1)
    for person in given:
        person[:] = noisy(random, true, right=right)
    given[random.random(given.shape) < gaps] = -1
    return given


def sample(
    *,
    seed: int = 1,
    claims: int = 60,
    answers: int = 15,
    people: int = 3,
    judges: int = 2,
    gaps: float = 0.1,
    silent: float = 0.1,
    outside: float = 0.0,
) -> ComparisonInput:
    """Return a comparison with gaps in labels and gold, outcomes without a verdict, claims outside runs."""
    random = np.random.default_rng(seed)
    true = random.choice(4, claims, p=[0.5, 0.15, 0.2, 0.15])
    gold = np.where(random.random(claims) < gaps, -1, true)
    columns = {}
    for number in range(judges):
        verdict = noisy(random, true, right=0.7)
        verdict[random.random(claims) < silent] = 4
        verdict[random.random(claims) < outside] = -1
        columns[f"judge {number}"] = JudgeColumns(verdict)
    return ComparisonInput(
        answer=random.integers(100, 100 + answers, claims),
        gold=gold,
        labels=labels_with_gaps(random, true, people=people, right=0.85, gaps=gaps),
        judges=columns,
    )


def reordered(data: ComparisonInput, rows: Ints, people: Ints) -> ComparisonInput:
    """Return the same claims and people in another order."""
    return ComparisonInput(
        answer=data.answer[rows],
        gold=data.gold[rows],
        labels=data.labels[people][:, rows],
        judges={name: JudgeColumns(judge.verdict[rows]) for name, judge in data.judges.items()},
    )
