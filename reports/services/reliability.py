"""How far a judge's score can be read as a probability, as it is and recalibrated on development."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from calibration.arrays import FloatArray, IntArray
from calibration.recalibration import FITS, Kind, cross_fitted
from calibration.results import Figure
from calibration.scores import Reliability, brier_score, reliability
from calibration.verdicts import MISSING, NO_JUDGEMENT, STATED
from judges.models import JudgeVersion
from labelling.models import Project, Split
from reports.selection import Selection
from reports.services.comparison import selected_rows
from reports.stamps import data_stamp, remembered

AS_IT_IS = "as it is"
NAMES: dict[Kind, str] = {"platt": "by Platt’s curve", "isotonic": "by a rising line"}


@dataclass(frozen=True, slots=True)
class Reading:
    """A score read as the probability that a claim is stated; `missing` says why there are no figures."""

    name: str
    brier: Figure
    reliability: Reliability
    missing: str = ""


@dataclass(frozen=True, slots=True)
class ReliabilityReport:
    """The score as it is, and by curves that were fitted on development.

    Attributes
    ----------
    how : str
        In words, what the curves were fitted on; empty where none are shown.
    """

    readings: tuple[Reading, ...]
    how: str

    @property
    def raw(self) -> Reading:
        return self.readings[0]


@dataclass(frozen=True, slots=True)
class _Scored:
    """Claims with gold and a score: the answer of each, whether it is stated, and the score."""

    answer: IntArray
    outcome: IntArray
    score: FloatArray


def report_reliability(
    project: Project, version: JudgeVersion, selection: Selection, *, stamp: str = ""
) -> ReliabilityReport:
    """Read the score as P(stated) on a selection.

    On development each curve is fitted without the answer it is applied to; on test it is fitted on the development
    claims of the same filters. Over both splits together no curve is shown: it would have seen some of the claims.
    """
    stamp = stamp or data_stamp(project)
    return remembered(
        stamp,
        f"reliability {selection!r} {version.pk}",
        partial(_report, project, version, selection, stamp),
        may_lag=True,
    )


def _report(project: Project, version: JudgeVersion, selection: Selection, stamp: str) -> ReliabilityReport:
    here = _scored(project, version, selection, stamp)
    readings = [_reading(AS_IT_IS, here, here.score)]
    if selection.split == Split.DEVELOPMENT:
        how = "cross-fitted: each claim is read by a curve that was fitted on other answers of development"
        readings += [
            _reading(NAMES[kind], here, cross_fitted(here.answer, here.outcome, here.score, kind=kind)) for kind in FITS
        ]
    elif selection.split == Split.TEST:
        how = "fitted on the claims of development alone, with the same filters, and read on test"
        fitting = _scored(project, version, replace(selection, split=Split.DEVELOPMENT.value), stamp)
        readings += _fitted_elsewhere(here, fitting)
    else:
        how = ""
    return ReliabilityReport(tuple(readings), how)


def _fitted_elsewhere(here: _Scored, fitting: _Scored) -> Iterator[Reading]:
    for kind, fit in FITS.items():
        fitted = fit(fitting.outcome, fitting.score)
        nothing = np.full(len(here.score), np.nan)
        probability = nothing if fitted.reason else fitted.apply(here.score)
        yield replace(_reading(NAMES[kind], here, probability), missing=fitted.reason)


def _scored(project: Project, version: JudgeVersion, selection: Selection, stamp: str) -> _Scored:
    rows = selected_rows(project, selection, [version], stamp)
    column = rows.judge(version.pk)
    kept = (rows.gold != MISSING) & (column.verdict != MISSING) & (column.verdict != NO_JUDGEMENT)
    kept &= ~np.isnan(column.score)
    return _Scored(rows.answer[kept], (rows.gold[kept] == STATED).astype(np.int64), column.score[kept])


def _reading(name: str, here: _Scored, probability: FloatArray) -> Reading:
    given = ~np.isnan(probability)
    missing = "" if given.any() or not len(given) else "too few answers, or one class only"
    return Reading(
        name,
        brier_score(here.outcome, probability, answer=here.answer),
        reliability(here.outcome, probability, answer=here.answer),
        missing,
    )
