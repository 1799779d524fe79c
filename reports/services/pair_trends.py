"""Each system and task type by itself: its newest period beside the one before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import BoolArray
from calibration.results import Figure, Result
from calibration.trend import Change, changes
from reports.services.groundedness import ChosenRows

HEADLINE = ("miscitation", "claim_level", "answer_level", "invention_rate")
MOST_PAIRS = 20


@dataclass(frozen=True, slots=True)
class PairTrend(Result):
    """One system on one task type.

    Attributes
    ----------
    period, before : int
        Places of its newest period with verdicts, and of the one with verdicts before it (None where there is none).
    n_answers : int
        Answers in the newest one that have a verdict.
    figures : mapping of str to Figure
        The headline of the newest one, by name.
    changes : mapping of str to Change or None
        The same beside the period before; None where one of both has no data.
    """

    system: str
    task_type: str
    period: int
    before: int | None
    n_answers: int
    figures: Mapping[str, Figure]
    changes: Mapping[str, Change | None]


def pair_trends(
    chosen: ChosenRows,
    place: NDArray[np.int64],
    settled: BoolArray,
    figures_of: Callable[[ChosenRows], Mapping[str, Figure]],
) -> tuple[PairTrend, ...]:
    """Return the pairs with the most answers that have a verdict, by name; nothing where there is one pair alone.

    Parameters
    ----------
    chosen : ChosenRows
        Answers and claims.
    place : int array, shape (answers,)
        The period of each answer, -1 for none.
    settled : bool array, shape (answers,)
        Whether it has a claim with a verdict.
    figures_of : callable
        Figures of some of the answers, by name.
    """
    placed = chosen.answers & (place >= 0)
    if len(np.unique(chosen.more.pair[placed])) < 2:
        return ()
    sizes = np.bincount(chosen.more.pair[placed & settled], minlength=len(chosen.more.pairs))
    # The sort is stable, so that of pairs of one size the first by name are kept.
    largest = np.argsort(-sizes, kind="stable")[:MOST_PAIRS]
    return tuple(
        _pair(chosen, code, placed & (chosen.more.pair == code), place, settled, figures_of)
        for code in sorted(largest.tolist())
        if sizes[code]
    )


def _pair(
    chosen: ChosenRows,
    code: int,
    mine: BoolArray,
    place: NDArray[np.int64],
    settled: BoolArray,
    figures_of: Callable[[ChosenRows], Mapping[str, Figure]],
) -> PairTrend:
    periods = np.unique(place[mine & settled])[-2:].tolist()
    found = [figures_of(chosen.of(mine & (place == period))) for period in periods]
    changed = {name: changes([figures[name] for figures in found]) for name in HEADLINE}
    system, task_type = chosen.more.pairs[code]
    return PairTrend(
        system=system,
        task_type=task_type,
        period=periods[-1],
        before=periods[0] if len(periods) > 1 else None,
        n_answers=int((mine & settled & (place == periods[-1])).sum()),
        figures={name: found[-1][name] for name in HEADLINE},
        changes={name: made[0] if made else None for name, made in changed.items()},
    )
