"""Trends as they are shown: sections of plots, and the changes in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from calibration.results import Figure
from calibration.trend import Change, by_chance
from labelling.models import Project
from reports.plots.basis import filter_words
from reports.plots.frame import Key, Plot
from reports.plots.trend import Line, Step, legend, trend_plot
from reports.selection import filter_value, stored_value
from reports.services.groundedness import JUDGE, PEOPLE
from reports.services.periods import Period
from reports.services.trends import NO_ANSWERS, PREDICTION_POWERED, ROGAN_GLADEN, TrendReport
from reports.shown.groundedness_table import FIGURES, SECTIONS
from reports.shown.wording import count_words, decimal, interval_words, percent

FEW_ANSWERS = 10
"""Below it, a resample of answers knows too little of how far they spread."""
CORRECTION_WORDS = {PREDICTION_POWERED: "prediction-powered", ROGAN_GLADEN: "Rogan–Gladen"}
WHOLE_SECTION = {"quadrants": "Grounded by correct: ", "inventions": "Kind of invention: "}
"""What a title needs in front of it where the heading of its section is not in sight."""


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A period that left the interval of the one before, in words."""

    title: str
    words: str
    clear: bool


@dataclass(frozen=True, slots=True)
class TrendSection:
    """Plots of one section, and the figures of it that have no data in any period, with the reason."""

    key: str
    title: str
    plots: tuple[Plot, ...]
    without_data: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PairCell:
    """One headline figure of a pair; `moved` says from what it rose or fell where it left the interval before."""

    title: str
    figure: Figure
    moved: str
    clear: bool


@dataclass(frozen=True, slots=True)
class PairRow:
    """One system on one task type; `filters` are those that show it alone."""

    system: str
    task_type: str
    period: str
    n_answers: int
    cells: tuple[PairCell, ...]
    filters: dict[str, str]


def title_of(name: str) -> str:
    """The title of a figure where no heading of a section stands above it."""
    return WHOLE_SECTION.get(name.split(".", maxsplit=1)[0], "") + FIGURES[name][0]


def origin_words(report: TrendReport) -> str:
    """Whose verdicts the figures are from."""
    origin = report.figures.origin
    if origin == PEOPLE:
        return "people"
    return f"{report.version}, {'raw' if origin == JUDGE else f'corrected, {CORRECTION_WORDS[origin]}'}"


def trend_sections(report: TrendReport) -> list[TrendSection]:
    """Every figure that the origin has, in the sections and the order of the report."""
    shown = report.figures.figures
    lines = release_lines(report)
    sections = []
    for key, (title, names) in SECTIONS.items():
        there = [name for name in names if name in shown]
        with_data = [name for name in there if any(figure.value is not None for figure in shown[name])]
        without = tuple((FIGURES[name][0], _reasons(shown[name])) for name in there if name not in with_data)
        if there:
            plots = tuple(_plot(report, name, lines) for name in with_data)
            sections.append(TrendSection(key, title, plots, without))
    return sections


def trend_plots(report: TrendReport) -> list[Plot]:
    return [plot for section in trend_sections(report) for plot in section.plots]


def trend_legend(report: TrendReport) -> tuple[Key, ...]:
    """What the signs of all plots mean."""
    so_far = any(report.is_so_far(period) for period in report.figures.periods)
    return legend(releases=bool(release_lines(report)), so_far=so_far)


def flagged_changes(report: TrendReport) -> list[ShownChange]:
    """Every period that left the interval of the one before: the newest first, and what is clear before what is not."""
    found = [(change, name) for name, made in report.changes.items() for change in made if change.flagged]
    found.sort(key=lambda one: (-one[0].period, not one[0].clear))
    return [ShownChange(title_of(name), change_words(report, change), change.clear) for change, name in found]


def pair_rows(report: TrendReport) -> list[PairRow]:
    """Each system and task type by itself, where there are several."""
    periods = report.figures.periods
    rows = []
    for pair in report.figures.pairs:
        before = "" if pair.before is None else periods[pair.before].name
        cells = [
            _pair_cell(FIGURES[name][0], figure, pair.changes[name], before) for name, figure in pair.figures.items()
        ]
        filters = {"system": filter_value(pair.system), "task_type": filter_value(pair.task_type)}
        newest = _named(report, periods[pair.period])
        rows.append(PairRow(pair.system, pair.task_type, newest, pair.n_answers, tuple(cells), filters))
    return rows


def pairs_words(report: TrendReport) -> str:
    """What the rows of pairs are, and how many more comparisons they make."""
    found = report.compared_pairs
    what = f"The newest {report.by} of each with verdicts, from {origin_words(report)}, beside the one before that has verdicts"
    if not found:
        return f"{what}: none has a figure in both."
    flagged, clear = sum(one.flagged for one in found), sum(one.flagged and one.clear for one in found)
    outside, certain = by_chance(found)
    small = median(pair.n_answers for pair in report.figures.pairs) < FEW_ANSWERS
    few = ", and more where answers are as few as here" if small else ""
    return (
        f"{what}: {count_words(len(found))} more comparisons, {count_words(flagged)} outside the interval before, "
        f"{count_words(clear)} of them clear; by chance alone, about {_about(outside)} and {_about(certain)}{few}."
    )


def few_words(report: TrendReport) -> str:
    """That intervals are too narrow, where most periods with verdicts have few answers; empty where they have enough."""
    sizes = [counts.n_settled_answers for counts in report.figures.counts if counts.n_settled]
    if not sizes or median(sizes) >= FEW_ANSWERS:
        return ""
    return (
        f"Half of the periods with verdicts have at most {count_words(int(median(sizes)))} answers with one: resampled intervals are "
        "then too narrow, and more stands out than chance is said to give. Longer periods help."
    )


def _pair_cell(title: str, figure: Figure, change: Change | None, before: str) -> PairCell:
    if change is None or not change.flagged:
        return PairCell(title, figure, "", clear=False)
    moved = f"{_direction(change)} from {_figure_words(change.figure_before)} in {before}"
    return PairCell(title, figure, moved, clear=change.clear)


def change_words(report: TrendReport, change: Change) -> str:
    """A change in words, with both figures and what both intervals together say."""
    period, before = report.figures.periods[change.period], report.figures.periods[change.before]
    return (
        f"{_direction(change)} from {_figure_words(change.figure_before)} in {before.name} to "
        f"{_figure_words(change.figure)} in {_named(report, period)}: {_verdict_words(report, change)}"
    )


def release_lines(report: TrendReport) -> list[Line]:
    """Where the releases stand among the periods; those outside of them are left out."""
    periods, lines = report.figures.periods, []
    for release in report.releases:
        for place, period in enumerate(periods):
            if period.start is not None and period.holds(release.at):
                lines.append(Line(place - 0.5 + period.share_at(release.at), release.name))
    return lines


def chance_words(report: TrendReport) -> str:
    """How many comparisons were made, and how many of them would be flagged where nothing changed."""
    found, flagged, clear = report.compared, report.n_flagged, report.n_clear
    if not found:
        return "No two periods have a figure in common, so nothing is compared."
    outside, certain = by_chance(found)
    no_more = "" if flagged > outside or clear > certain else ": so this is no more than chance gives"
    made = f"{count_words(len(found))} comparison{'s' if len(found) > 1 else ''} of a period with the one before"
    return (
        f"{made}: {count_words(flagged)} outside the interval of the period before, of which {count_words(clear)} "
        f"with a difference clear of zero. Where nothing had changed, about {_about(outside)} would be outside by "
        f"chance, and about {_about(certain)} clear{no_more}."
    )


def measured_words(report: TrendReport, looks: str) -> str:
    """What the figures are about, in one paragraph."""
    figures, selection = report.figures, report.selection
    of = f" of {stored_value(selection.system) or 'an unnamed system'}" if selection.system else ""
    task = f", task {stored_value(selection.task_type) or 'not given'}" if selection.task_type else ""
    made = f", {selection.made_words}" if selection.made_words else ""
    return (
        f"Faithfulness to the cited source, not truth about the world, by {report.by}, from {origin_words(report)}. "
        f"{count_words(figures.n_answers)} answer{'s' if figures.n_answers != 1 else ''}{of}{task}{made}; {_split(report)} (test was {looks}). "
        f"Partial counts as {_partial(report.project)}. Intervals: 95%, resampled by answer, and Wilson’s where each "
        "answer counts once. Days are those of UTC."
    )


def _split(report: TrendReport) -> str:
    split = report.selection.split
    return "development and test split together" if split == "both" else f"{split} split"


def _partial(project: Project) -> str:
    return "unsupported" if project.partial_is_unsupported else "supported"


def _plot(report: TrendReport, name: str, lines: list[Line]) -> Plot:
    title, _ = FIGURES[name]
    changed = {change.period: change for change in report.changes[name]}
    steps = [
        Step(
            period.name,
            period.short,
            figure,
            so_far=report.is_so_far(period),
            left=place in changed and changed[place].flagged,
            change=_beside(report, changed.get(place)),
        )
        for place, (period, figure) in enumerate(zip(report.figures.periods, report.figures.figures[name], strict=True))
    ]
    return trend_plot(
        re.sub(r"\W+", "-", name),
        title,
        _described(report, name),
        steps,
        lines,
        first=report.by.capitalize(),
    )


def _described(report: TrendReport, name: str) -> str:
    title, meaning = FIGURES[name]
    shown = [figure for figure in report.figures.figures[name] if figure.value is not None]
    left = sum(change.flagged for change in report.changes[name])
    return (
        f"{title}{f' ({meaning})' if meaning else ''} by {report.by}; from {origin_words(report)}. Faithfulness to the cited "
        f"source, not truth about the world; {_split(report)}.{filter_words(report.selection)} {len(shown)} of {len(report.figures.periods)} periods have data, together n = "
        f"{count_words(sum(figure.n for figure in shown))}; {left} outside the interval of the period before."
    )


def _beside(report: TrendReport, change: Change | None) -> str:
    if change is None:
        return ""
    if not change.flagged:
        return "within its interval" if change.figure_before.low is not None else "the one before has no interval"
    return _verdict_words(report, change)


def _direction(change: Change) -> str:
    assert change.figure.value is not None  # a change has both values
    assert change.figure_before.value is not None
    return "fell" if change.figure.value < change.figure_before.value else "rose"


def _verdict_words(report: TrendReport, change: Change) -> str:
    if change.period - change.before == 1:
        outside = f"outside the interval of the {report.by} before"
    else:
        outside = f"outside the interval of {report.figures.periods[change.before].name}, the last with data"
    if not change.clear:
        return f"{outside}; both intervals together leave open whether by chance"
    low, high = sorted(abs(end) for end in (change.difference.low, change.difference.high) if end is not None)
    return f"{outside}, by {decimal(low * 100, 1)} to {decimal(high * 100, 1)} points"


def _named(report: TrendReport, period: Period) -> str:
    return f"{period.name}, so far" if report.is_so_far(period) else period.name


def _figure_words(figure: Figure) -> str:
    between = interval_words(figure, "percent")
    return f"{percent(figure.value)} ({f'{between}, ' if between else ''}n = {count_words(figure.n)})"


def _about(number: float) -> str:
    return count_words(round(number)) if number >= 1 else "one or none"


def _reasons(figures: Iterable[Figure]) -> str:
    """Why there is nothing: what the periods with answers say, else that there are none."""
    said = dict.fromkeys(figure.reason for figure in figures)
    from_answers = [reason for reason in said if reason != NO_ANSWERS]
    return "; ".join(from_answers or said)
