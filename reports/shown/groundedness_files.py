"""The groundedness report to keep and pass on: one HTML file that needs nothing beside it, JSON, Markdown."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from calibration.results import Figure, JsonValue, as_json
from reports.services.failing_claims import FailingClaim, failing_claims
from reports.services.groundedness import JUDGE, GroundednessReport, PlaceRow
from reports.shown.groundedness_table import ShownFigure, headline, shown_sections
from reports.shown.wording import count_words, interval_words, look_words, percent

MOST_CLAIMS = 50
STYLESHEETS = ("tokens", "site", "reports", "groundedness")
_MARKED = re.compile(r"([\\`*_{}\[\]#|~])")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Form:
    """One form of the report."""

    words: str
    extension: str
    content_type: str
    write: Callable[..., str]


def file_name(report: GroundednessReport, kind: str) -> str:
    return f"groundedness-{report.project.slug}.{FORMS[kind].extension}"


def shown_first(report: GroundednessReport) -> list[FailingClaim]:
    """The failing claims that a file holds: the first ones, miscitations in front."""
    return failing_claims(report, report.figures.failing.in_order()[:MOST_CLAIMS].tolist())


def groundedness_html(report: GroundednessReport, *, looks: int) -> str:
    """The report as one file that opens anywhere: styles inside, nothing loaded, and a policy that forbids it."""
    css = _stylesheet()
    context = {
        "project": report.project,
        "report": report,
        "looks": looks,
        "sections": shown_sections(report.figures),
        "headline": headline(report.figures),
        "claims": shown_first(report),
        "shown_total": len(report.figures.failing.in_order()),
        "file": True,
        "made": timezone.now(),
        "css": css,
        "css_hash": base64.b64encode(hashlib.sha256(css.encode()).digest()).decode(),
    }
    return render_to_string("reports/groundedness_file.html", context)


def _stylesheet() -> SafeString:
    texts = []
    for name in STYLESHEETS:
        found = finders.find(f"css/{name}.css")
        if found is None:
            raise FileNotFoundError(f"css/{name}.css is not among the static files")
        texts.append(Path(found).read_text(encoding="utf-8"))
    return mark_safe("".join(texts))  # noqa: S308 -- the project's own stylesheets, nothing from outside


def groundedness_json(report: GroundednessReport, *, looks: int) -> str:
    """Every figure with its interval, denominator and method; what is not known is null with a reason."""
    figures, version = report.figures, report.version
    judged = figures.judged
    failing = figures.failing
    data: dict[str, JsonValue] = {
        "project": report.project.slug,
        "measures": "faithfulness to the cited source",
        "selection": as_json(report.selection),
        "looks_at_test": looks,
        "partial_is_unsupported": figures.people.partial_is_unsupported,
        "people": figures.people.to_json(),
        "judge": None
        if version is None or judged is None
        else {
            "name": version.judge.name,
            "version": version.number,
            "label": version.label,
            "fingerprint": version.fingerprint,
            "certificate": report.certificate,
            "n_judged": judged.n_judged,
            "raw": judged.worst.to_json(),
            "raw_where_judged": judged.left_out.to_json(),
            "corrected": as_json(judged.corrected),
        },
        "tables_from": figures.origin,
        "by_system": as_json(figures.by_system),
        "by_collection": [_place(row) for row in figures.by_collection],
        "by_source": [_place(row) for row in figures.by_source],
        "n_collections": figures.n_collections,
        "n_sources": figures.n_sources,
        "failing": {
            "miscitations": len(failing.miscited),
            "miscitations_targeted": failing.n_targeted_miscited,
            "unresolvable": len(failing.unresolvable),
            "uncited": len(failing.uncited),
            "claims": [_claim(found) for found in shown_first(report)],
        },
    }
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def _place(row: PlaceRow) -> JsonValue:
    return {
        "name": row.name,
        "title": row.title,
        "collection": row.collection,
        "unsupported": row.score.unsupported.to_json(),
        "n_answers": row.score.n_answers,
        "verdicts": list(row.score.verdicts),
    }


def _claim(found: FailingClaim) -> JsonValue:
    claim = found.shown.claim
    return {
        "claim": claim.external_id,
        "answer": claim.answer.external_id,
        "text": claim.text,
        "why": found.kind,
        "severity": claim.severity,
        "targeted": claim.targeted,
        "verdict": found.verdict or None,
        "basis": found.basis,
        "cited": [
            {
                "order": excerpt.order,
                "source": excerpt.title,
                "before": excerpt.before,
                "cited": excerpt.cited,
                "after": excerpt.after,
            }
            for excerpt in found.shown.excerpts
        ],
        "quotes": list(found.quotes),
        "reason": found.reason,
    }


def groundedness_markdown(report: GroundednessReport, *, looks: int) -> str:
    """The report for a merge request or a page of a wiki: tables, then the claims that fail."""
    return "\n".join([*_head(report, looks), *_figures(report), *_systems(report), *_places(report), *_claims(report)])


def _head(report: GroundednessReport, looks: int) -> Iterator[str]:
    figures, selection = report.figures, report.selection
    people, judged = figures.people, figures.judged
    yield f"# Groundedness of {_plain(report.project.name)}"
    yield ""
    chosen = f" ({_plain(selection.narrowed_words)})" if selection.narrowed_words else ""
    split = "development and test together" if selection.split == "both" else f"{selection.split} split"
    partial = "unsupported" if people.partial_is_unsupported else "supported"
    yield (
        f"Faithfulness to the cited source, not truth about the world. {count_words(figures.shown.n_claims)} claims in "
        f"{count_words(people.n_answers)} answers{chosen}, {split}; test was "
        f"{look_words(looks)}. Partial counts as {partial}. Intervals: 95%, resampled by answer, and Wilson's where each answer "
        "counts once."
    )
    yield ""
    yield f"- People: {count_words(people.n_settled)} of {count_words(people.n_cited)} cited claims have a settled verdict."
    if judged is not None:
        silent = judged.worst.n_without_verdict
        missing = f", {count_words(silent)} of them without a verdict, counted as unsupported" if silent else ""
        yield (
            f"- {_plain(str(report.version))}, raw, {report.certificate}: judged {count_words(judged.n_judged)} of "
            f"{count_words(people.n_cited)} cited claims{missing}."
        )
    if people.n_targeted:
        yield f"- {count_words(people.n_targeted)} claims chosen on purpose are in no rate."
    yield ""


def _figures(report: GroundednessReport) -> Iterator[str]:
    judged = report.figures.judged is not None
    heads = ["Figure", "From people"]
    if judged:
        heads += [f"{_plain(str(report.version))}, raw", "where it judged", "Rogan–Gladen", "Prediction-powered"]
    for section in shown_sections(report.figures):
        yield f"## {section.title}"
        yield ""
        if section.without_data:
            yield from (f"No data: {section.without_data}.", "")
            continue
        if section.note:
            yield from (section.note, "")
        yield from _table(heads, [_cells(row, judged=judged) for row in section.rows])
        yield ""


def _cells(row: ShownFigure, *, judged: bool) -> list[str]:
    cells = [row.title, _words(row.people.figure)]
    if judged:
        cells += [
            _words(row.judge.figure if row.judge else None),
            _words(row.judge.beside if row.judge else None),
            _words(row.rogan_gladen),
            _words(row.prediction_powered),
        ]
    return cells


def _words(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    if figure.value is None:
        return f"no data: {figure.reason}"
    ends = interval_words(figure, "percent") or figure.reason or "no interval"
    n = f"n = {count_words(figure.n)}" if figure.k is None else f"{count_words(figure.k)} of {count_words(figure.n)}"
    return f"**{percent(figure.value)}** ({ends}), {n}"


def _systems(report: GroundednessReport) -> Iterator[str]:
    if len(report.figures.by_system) > 1:
        names = ("miscitation", "claim_level", "answer_level", "invention_rate", "coverage")
        yield f"## By system and task type, from {_origin(report)}"
        yield ""
        yield from _table(
            [
                "System",
                "Task type",
                "Miscitations",
                "Claims stated",
                "Answers all stated",
                "With an invention",
                "Cited",
            ],
            [
                [
                    _plain(row.system) or "not given",
                    _plain(row.task_type) or "not given",
                    *(_words(getattr(row.figures, name)) for name in names),
                ]
                for row in report.figures.by_system
            ],
        )
        yield ""


def _places(report: GroundednessReport) -> Iterator[str]:
    figures = report.figures
    for title, rows, total in (
        ("collection", figures.by_collection, figures.n_collections),
        ("source", figures.by_source, figures.n_sources),
    ):
        if rows:
            yield f"## By {title}, from {_origin(report)}: surely bad ones first"
            yield ""
            if total > len(rows):
                yield from (f"The worst {len(rows)} of {count_words(total)}.", "")
            heads = [
                title.capitalize(),
                "Unsupported claims",
                "Answers",
                "Partial",
                "Absent",
                "Contradicted",
                "No verdict",
            ]
            yield from _table(
                heads,
                [
                    [
                        _named(row),
                        _words(row.score.unsupported),
                        count_words(row.score.n_answers),
                        *(count_words(n) for n in row.score.verdicts[1:]),
                    ]
                    for row in rows
                ],
            )
            yield ""


def _named(row: PlaceRow) -> str:
    """A source by its title and id, since titles repeat; a collection by its name."""
    return f"{_plain(row.title)} ({_plain(row.name)})" if row.title else _plain(row.name) or "not given"


def _claims(report: GroundednessReport) -> Iterator[str]:
    failing = report.figures.failing
    yield f"## Claims that fail, from {_origin(report)}"
    yield ""
    yield (
        f"{count_words(len(failing.miscited))} miscitations, {count_words(len(failing.unresolvable))} that cite nothing "
        f"that is there, {count_words(len(failing.uncited))} without a citation. Here: the first {MOST_CLAIMS} at most."
    )
    yield ""
    for place, found in enumerate(shown_first(report), 1):
        verdict = f"; {found.verdict} ({_plain(found.basis)})" if found.verdict else ""
        yield f"{place}. **{_plain(found.shown.claim.text)}** – {found.kind}{verdict}, {_plain(found.shown.claim.external_id)}"
        for excerpt in found.shown.excerpts:
            cited = excerpt.cited or excerpt.after
            yield f"   - cites [{excerpt.order}] {_plain(excerpt.title)}: “{_plain(cited)}”"
        yield from (f"   - quote: “{_plain(quote)}”" for quote in found.quotes)
        if found.reason:
            yield f"   - reason: {_plain(found.reason)}"


def _origin(report: GroundednessReport) -> str:
    return f"{_plain(str(report.version))}, raw" if report.figures.origin == JUDGE else "people"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def _plain(text: str) -> str:
    """Text from outside on one line, with every sign that Markdown or HTML would take for its own marked as text."""
    return _MARKED.sub(r"\\\1", escape(_SPACE.sub(" ", text).strip(), quote=False))


FORMS = {
    "html": Form("one HTML file", "html", "text/html; charset=utf-8", groundedness_html),
    "json": Form("JSON", "json", "application/json", groundedness_json),
    "md": Form("Markdown", "md", "text/markdown; charset=utf-8", groundedness_markdown),
}
