"""The card on whether a judge's score is a probability."""

from __future__ import annotations

from reports.plots.frame import Plot
from reports.plots.reliability import reliability_plot
from reports.services.reliability import ReliabilityReport, report_reliability
from reports.services.thresholds import JudgeReport


def reliability_card(report: JudgeReport, *, basis: str) -> tuple[ReliabilityReport, Plot] | None:
    """The figures and their diagram; None where the judge has no scores on these claims."""
    compared = report.comparison
    made = report_reliability(compared.project, report.version, compared.selection, stamp=report.stamp)
    if not made.raw.reliability.bins:
        return None
    return made, reliability_plot(made.readings, judge=str(report.version), basis=basis)
