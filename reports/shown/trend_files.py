"""Trends to keep and pass on: JSON, CSV, and the text of the command."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from calibration.results import JsonValue, as_json
from labelling.importing.delimited import escape_cell
from reports.services.periods import Period
from reports.services.trends import TrendReport
from reports.shown.groundedness_table import FIGURES, SECTIONS
from reports.shown.trend_table import chance_words, few_words, flagged_changes, measured_words, title_of
from reports.shown.wording import count_words, interval_words, look_words, percent

COLUMNS = (
    "figure", "title", "period", "start", "end", "so_far", "value", "low", "high", "k", "n", "method", "reason",
    "compared_with", "difference", "difference_low", "difference_high", "flagged", "clear",
    "split", "filters", "origin", "judge", "looks_at_test",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """One form of the trends."""

    words: str
    content_type: str
    write: Callable[..., str]


def file_name(report: TrendReport, kind: str) -> str:
    return f"trends-{report.project.slug}.{kind}"


def trends_json(report: TrendReport, *, looks: int) -> str:
    """Every figure of every period with its interval, and every comparison; what is not known is null with a reason."""
    figures, version = report.figures, report.version
    data: dict[str, JsonValue] = {
        "project": report.project.slug,
        "measures": "faithfulness to the cited source",
        "selection": as_json(report.selection),
        "looks_at_test": looks,
        "partial_is_unsupported": report.project.partial_is_unsupported,
        "by": report.by,
        "origin": figures.origin,
        "judge": None
        if version is None
        else {
            "name": version.judge.name,
            "version": version.number,
            "fingerprint": version.fingerprint,
            "certificate": report.certificate,
        },
        "answers": {
            "selected": figures.n_answers,
            "without_a_time": figures.n_untimed,
            "before_the_first_period": figures.n_earlier,
            "of_the_other_split": figures.n_other_split,
        },
        "releases": [
            {"system": release.system, "name": release.name, "at": release.at.isoformat(), "note": release.note}
            for release in report.releases
        ],
        "periods": [
            {**_period(report, period), **counts.to_json()}
            for period, counts in zip(figures.periods, figures.counts, strict=True)
        ],
        "comparisons": {
            "made": len(report.compared),
            "flagged": report.n_flagged,
            "flagged_and_clear": report.n_clear,
            "words": " ".join(filter(None, (chance_words(report), few_words(report)))),
        },
        "figures": {
            name: {
                "title": title_of(name),
                "values": as_json(figures.figures[name]),
                "changes": [change.to_json() for change in report.changes[name]],
            }
            for name in _names(report)
        },
        "by_system_and_task_type": [pair.to_json() for pair in figures.pairs],
        "changes": [f"{shown.title}: {shown.words}" for shown in flagged_changes(report)],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def trends_csv(report: TrendReport, *, looks: int) -> str:
    """One row a figure and period, numbers in full precision; text is made harmless for spreadsheets.

    What all figures are about stands in the last columns of every row, so that rows of several files can be put together.
    """
    about = (
        report.selection.split,
        report.selection.narrowed_words,
        report.figures.origin,
        "" if report.version is None else str(report.version),
        looks,
    )
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in ([*figures, *about] for figures in _rows(report)):
        writer.writerow([escape_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def trends_text(report: TrendReport, *, looks: int) -> str:
    """What the terminal shows: each figure with its periods, and the changes in words."""
    return "\n".join(_lines(report, looks))


def _lines(report: TrendReport, looks: int) -> Iterator[str]:
    figures = report.figures
    yield f"Trends of {report.project.name}"
    yield measured_words(report, look_words(looks))
    if report.version is not None:
        yield f"{report.version}: {report.certificate}."
    yield from left_out_words(report)
    for heading, names in SECTIONS.values():
        there = [name for name in names if name in figures.figures]
        if not there:
            continue
        yield f"\n{heading}"
        for name in there:
            yield f"  {FIGURES[name][0]}"
            changed = {change.period: change for change in report.changes[name]}
            for place, (period, figure) in enumerate(zip(figures.periods, figures.figures[name], strict=True)):
                if figure.value is None:
                    written = f"no data: {figure.reason}"
                else:
                    between = interval_words(figure, "percent") or figure.reason or "no interval"
                    written = f"{percent(figure.value):>7} ({between}), n = {count_words(figure.n)}"
                mark = "  * outside the one before" if place in changed and changed[place].flagged else ""
                named = f"{period.short}{', so far' if report.is_so_far(period) else ''}"
                yield f"    {named:<24} {written}{mark}"
    yield f"\n{chance_words(report)}"
    if few_words(report):
        yield few_words(report)
    yield from (f"- {shown.title}: {shown.words}" for shown in flagged_changes(report))


def left_out_words(report: TrendReport) -> Iterator[str]:
    """Which answers are in no figure, and why."""
    figures = report.figures
    if figures.n_other_split:
        other = "development" if report.selection.split == "test" else "test"
        yield _left_out(figures.n_other_split, f"of the {other} split", "left out; a look at test is counted")
    if figures.n_untimed:
        yield _left_out(figures.n_untimed, "without a time", "in no period")
    if figures.n_earlier:
        first = figures.periods[0].name
        yield _left_out(
            figures.n_earlier,
            f"from before {first}",
            f"not shown: these are the newest {len(figures.periods)} periods, and the filter Before reaches the others",
        )


def _left_out(count: int, what: str, where: str) -> str:
    return f"{count_words(count)} answer{'s' if count > 1 else ''} {what} {'are' if count > 1 else 'is'} {where}."


def _names(report: TrendReport) -> list[str]:
    return [name for _, names in SECTIONS.values() for name in names if name in report.figures.figures]


def _period(report: TrendReport, period: Period) -> dict[str, JsonValue]:
    return {
        "name": period.name,
        "start": period.start.isoformat() if period.start else None,
        "end": period.end.isoformat() if period.end else None,
        "so_far": report.is_so_far(period),
    }


def _rows(report: TrendReport) -> Iterator[list[str | float | bool | None]]:
    periods = report.figures.periods
    for name in _names(report):
        changed = {change.period: change for change in report.changes[name]}
        for place, (period, figure) in enumerate(zip(periods, report.figures.figures[name], strict=True)):
            row: list[str | float | bool | None] = [
                name,
                title_of(name),
                period.name,
                period.start.isoformat() if period.start else None,
                period.end.isoformat() if period.end else None,
                report.is_so_far(period),
                figure.value,
                figure.low,
                figure.high,
                figure.k,
                figure.n,
                figure.method,
                figure.reason,
            ]
            change = changed.get(place)
            if change is None:
                row += [None] * 6
            else:
                gap = change.difference
                row += [periods[change.before].name, gap.value, gap.low, gap.high, change.flagged, change.clear]
            yield row


FORMS = {
    "json": Form("JSON", "application/json", trends_json),
    "csv": Form("CSV", "text/csv; charset=utf-8", trends_csv),
}
