"""The comparison as text: a table for the terminal, Markdown for a merge request, JSON for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from calibration.results import Figure, JsonValue, as_json
from calibration.sentences import ceiling_sentence, judge_sentence
from reports.services.comparison import ComparisonReport, JudgeRow
from reports.shown.comparison_table import PEOPLE, ordered_rows
from reports.shown.wording import decimal, duration, money

HEADINGS = ("judge", "kappa (people)", "recall on unsupported", "precision", "judged", "$/1,000", "time/1,000")
WIDTH = 110
_LEAST_NAME = 12


def comparison_table(report: ComparisonReport, *, sort: str = "kappa") -> str:
    """Lay the comparison out within 110 columns: one line a judge, people first, what the figures are about below."""
    lines = [HEADINGS, *_cells(report, sort=sort)]
    others = sum(max(len(line[column]) for line in lines) + 2 for column in range(1, len(HEADINGS)))
    lines = [(_short(line[0], max(WIDTH - others, _LEAST_NAME)), *line[1:]) for line in lines]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    written = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
    rule = "─" * max(len(line) for line in written)
    return "\n".join([written[0], rule, *written[1:], rule, *_basis(report)])


def comparison_markdown(report: ComparisonReport, *, sort: str = "kappa") -> str:
    """The same as a Markdown table, with a sentence for each judge."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "| " + " | ".join("---" for _ in HEADINGS) + " |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in _cells(report, sort=sort)]
    said = [f"- **{row.name}**: {_sentence(report, row)}" for row in ordered_rows(report, sort=sort)]
    return "\n".join([*lines, "", *said, "", *_basis(report)])


def comparison_json(report: ComparisonReport, *, sort: str = "kappa") -> str:
    """Every figure with its interval, denominator and method; nothing that is not a number is written as one."""
    rows: list[JsonValue] = [_row_json(report, row) for row in ordered_rows(report, sort=sort)]
    data: dict[str, JsonValue] = {
        "project": report.project.slug,
        "measures": "faithfulness to the cited source",
        "selection": as_json(report.selection),
        "reference": report.reference,
        "targeted_left_out": report.figures.targeted_left_out,
        "share_unsupported": report.result.share_unsupported.to_json(),
        "ceiling": report.ceiling.to_json(),
        "sentence": ceiling_sentence(report.ceiling),
        "judges": rows,
        "comparison": report.result.to_json(),
    }
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def _row_json(report: ComparisonReport, row: JudgeRow) -> dict[str, JsonValue]:
    return {
        "judge": row.version.judge.name,
        "version": row.version.number,
        "label": row.version.label,
        "fingerprint": row.version.fingerprint,
        "policy": row.version.policy,
        "sentence": _sentence(report, row),
        "kappa_four": row.like.judge.kappa_four.to_json(),
        "kappa_two": row.like.judge.kappa_two.to_json(),
        "ceiling_kappa_four": row.like.people.kappa_four.to_json(),
        "ceiling_kappa_two": row.like.people.kappa_two.to_json(),
        "recall": row.score.unsupported.recall.to_json(),
        "precision": row.score.unsupported.precision.to_json(),
        "coverage": row.score.coverage.to_json(),
        "outcomes": dict(row.score.outcomes),
        "usd_per_thousand": row.expense.usd.to_json(),
        "seconds_per_thousand": row.expense.seconds.to_json(),
    }


def _sentence(report: ComparisonReport, row: JudgeRow) -> str:
    return judge_sentence(row.score, reference=report.reference)


def _cells(report: ComparisonReport, *, sort: str) -> list[tuple[str, ...]]:
    people = report.ceiling.people
    first = (PEOPLE, _ends(people.kappa_four), _ends(people.recall), "–", f"{report.ceiling.n_claims}", "–", "–")
    return [first, *(_row_cells(row) for row in ordered_rows(report, sort=sort))]


def _row_cells(row: JudgeRow) -> tuple[str, ...]:
    score, like = row.score, row.like
    ceiling = like.people.kappa_four.value
    beside = "" if ceiling is None else f" ({decimal(ceiling)})"
    return (
        row.name,
        _ends(like.judge.kappa_four) + beside,
        _ends(score.unsupported.recall),
        decimal(score.unsupported.precision.value),
        f"{score.n_claims - score.n_without_verdict} of {score.n_claims}",
        money(row.expense.usd.value),
        duration(row.expense.seconds.value),
    )


def _ends(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return decimal(figure.value)
    return f"{decimal(figure.value)} {decimal(figure.low)}–{decimal(figure.high)}"


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _basis(report: ComparisonReport) -> Sequence[str]:
    result, selection = report.result, report.selection
    others = "the consensus of the others" if report.reference == "consensus" else "each other person"
    partial = "unsupported" if result.partial_is_unsupported else "supported"
    split = "both splits" if selection.split == "both" else f"{selection.split} split"
    counts = f"{result.n_claims} claims in {result.n_answers} answers, {result.n_people} annotators"
    lines = [
        f"Faithfulness to the cited source: {counts}, {split}.",
        f"People and kappa: against {others}. Partial counts as {partial}.",
        f"Recall, precision: against gold, {result.n_unsupported} of {result.n_gold} unsupported; no verdict is a miss.",
        "Intervals: 95%, resampled by answer.",
    ]
    splits = report.figures.splits
    if splits.tied:
        lines.append(
            f"{splits.tied} of {splits.answers} answers cite sources that development and test have in common."
        )
    if report.figures.targeted_left_out:
        lines.append(f"{report.figures.targeted_left_out} claims chosen because judges disagreed are left out.")
    return lines
