"""The threshold card: curve, slider and sentence from the same steps, so that they say the same thing."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.curve_intervals import ThresholdFigures
from calibration.results import Figure
from reports.plots.curve import curve_plot, threshold_plot
from reports.plots.frame import Plot
from reports.services.thresholds import JudgeReport
from reports.shown.wording import decimal, interval_words, percent

TABLE_STEP = 5
"""The table behind the curve has every fifth hundredth."""


@dataclass(frozen=True, slots=True)
class ThresholdCard:
    """What the template draws, and the same steps as plain data for the slider."""

    at: ThresholdFigures
    plot: Plot
    steps: list[dict[str, object]]
    words: dict[str, dict[str, str]]
    best: float | None


def threshold_card(report: JudgeReport, at: ThresholdFigures, *, basis: str) -> ThresholdCard:
    """Lay out the card with its marker at one threshold; `basis` says in words which claims it is about."""
    made, ceiling = report.thresholds, report.row.like.people.recall
    layout = curve_plot(made.curve, made.steps, made.people, ceiling=ceiling, at=at)
    plot = threshold_plot(
        layout, made.steps[::TABLE_STEP], made.people, ceiling=ceiling, judge=str(report.version), basis=basis
    )
    # The threshold asked for may lie between two steps; the slider then has it as one more.
    others = [step for step in made.steps if abs(step.threshold - at.threshold) > 1e-9]
    steps = sorted([*others, at], key=lambda step: step.threshold)
    best = made.best.threshold if report.may_save else None
    return ThresholdCard(at, plot, [_step(step) for step in steps], _words(at), best)


def _step(step: ThresholdFigures) -> dict[str, object]:
    values = {
        "recall": step.recall.value,
        "precision": step.precision.value,
        "kappa": step.kappa_two.value,
        "flagged": step.share_flagged.value,
    }
    return {"threshold": step.threshold, "values": values, "words": _words(step)}


def _words(step: ThresholdFigures) -> dict[str, dict[str, str]]:
    return {
        "recall": _say(step.recall),
        "precision": _say(step.precision),
        "kappa": _say(step.kappa_two),
        "four": _say(step.kappa_four),
        "flagged": _say(step.share_flagged, unit="percent"),
    }


def _say(figure: Figure, unit: str = "decimal") -> dict[str, str]:
    write = percent if unit == "percent" else decimal
    if figure.value is None:
        return {"value": write(None), "between": figure.reason, "of": ""}
    of = f"n = {figure.n}" if figure.k is None else f"{figure.k} of {figure.n}"
    return {"value": write(figure.value), "between": interval_words(figure, unit) or figure.reason, "of": of}
