"""The groundedness report as rows ready to be shown: names, meanings, and a column for each origin."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.groundedness import INVENTIONS, QUADRANTS, Groundedness
from calibration.results import Figure
from reports.plots.interval import SharePlot, share_plot
from reports.services.groundedness import GroundednessFigures

FIGURES: dict[str, tuple[str, str]] = {
    "miscitation": ("Miscitations", "cite a source that is there and does not support them"),
    "claim_level": ("Claims stated by what they cite", "a claim without a citation is not"),
    "entailment": ("Cited claims that are supported", "of those with a citation"),
    "coverage": ("Claims with a citation", "whatever it says"),
    "grounding_score": ("Grounding score", "harmonic mean of the two above"),
    "unresolvable": ("Citations of nothing", "cited claims none of whose sources is there"),
    "superseded": ("Stated by a superseded source", "it had a successor when the answer was made"),
    "answer_level": ("Answers whose claims are all stated", "by what they cite"),
    "invention_rate": ("Answers with an invention", "at least one claim is absent"),
    "unsupported_weighted": ("Unsupported, weighted by severity", ""),
    "unsupported_critical": ("Critical claims unsupported", ""),
    "unsupported_minor": ("Minor claims unsupported", ""),
    "abstention": ("Abstained where it should", "of answers that should abstain"),
    "over_abstention": ("Abstained where it should not", "of answers that should not"),
    "retrieval_failure": ("Retrieval failed", "ungrounded, and the right answer was not among what was retrieved"),
    "generation_failure": ("Generation failed", "ungrounded, though the right answer was retrieved"),
}
QUADRANT_WORDS = {
    "goal": "grounded and correct: the goal",
    "source is wrong": "grounded, not correct: the source is wrong",
    "right by luck": "not grounded, but correct: right by luck",
    "invention": "neither grounded nor correct: an invention",
}
INVENTION_WORDS = {
    "plausible-specific": "a plausible specific",
    "bridging-inference": "a bridging inference",
    "confident-generalisation": "a confident generalisation",
    "fabricated-provenance": "a made-up provenance",
}
FIGURES |= {f"quadrants.{name}": (QUADRANT_WORDS[name], "") for name in QUADRANTS}
FIGURES |= {f"inventions.{name}": (INVENTION_WORDS[name], "") for name in INVENTIONS}
_CLAIMS = ("miscitation", "claim_level", "entailment", "coverage", "grounding_score", "unresolvable", "superseded")
_ANSWERS = ("answer_level", "invention_rate")
_SEVERITY = ("unsupported_weighted", "unsupported_critical", "unsupported_minor")
_INVENTIONS = tuple(f"inventions.{name}" for name in INVENTIONS)
_QUADRANTS = tuple(f"quadrants.{name}" for name in QUADRANTS)
_ABSTENTION = ("abstention", "over_abstention")
_FAILURE = ("retrieval_failure", "generation_failure")
SECTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claims": ("Claims and what they cite", _CLAIMS),
    "answers": ("Answers", _ANSWERS),
    "severity": ("By severity", _SEVERITY),
    "inventions": ("Kinds of invention", _INVENTIONS),
    "quadrants": ("Grounded by correct", _QUADRANTS),
    "abstention": ("Abstaining", _ABSTENTION),
    "failure": ("Where ungrounded answers failed", _FAILURE),
}
"""Title and figures of each section, in their order."""
SAME_FOR_A_JUDGE = frozenset(("coverage", "unresolvable", *_INVENTIONS, *_ABSTENTION))
"""Counted from rows that no judge says anything of."""


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of one origin; `beside` is the same with outcomes without a verdict left out."""

    figure: Figure
    plot: SharePlot
    beside: Figure | None = None


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One row.

    Attributes
    ----------
    people : Column
    judge : Column or None
        Raw; None where there is no judge or it says nothing of this.
    rogan_gladen, prediction_powered : Figure or None
        Corrected by what people said of the same claims.
    """

    name: str
    title: str
    meaning: str
    people: Column
    judge: Column | None
    rogan_gladen: Figure | None
    prediction_powered: Figure | None


@dataclass(frozen=True, slots=True)
class ShownSection:
    key: str
    title: str
    rows: tuple[ShownFigure, ...]
    note: str = ""

    @property
    def without_data(self) -> str:
        """Why no figure of the section has a value; empty where one has."""
        columns = [column for row in self.rows for column in (row.people, row.judge) if column is not None]
        if any(column.figure.value is not None for column in columns):
            return ""
        return "; ".join(dict.fromkeys(column.figure.reason for column in columns))


def shown_sections(figures: GroundednessFigures) -> list[ShownSection]:
    """All figures in sections: claims first, and among them miscitations."""
    shown, people = figures.shown, figures.people
    critical, minor = people.severity_weights
    weights = (
        f"A critical claim weighs {critical:g}, a minor one {minor:g}, one without a severity as much as a minor one"
    )
    unmarked = f"; {shown.n_without_severity:,} of {shown.n_settled:,} have none." if shown.n_without_severity else "."
    kinds = people.n_without_invention
    notes = {
        "claims": _undated(shown),
        "answers": _left_out(shown),
        "severity": weights + unmarked,
        "inventions": f"People name the kind. {kinds:,} claims that are not stated have none."
        if kinds
        else "People name the kind.",
        "quadrants": "Correctness is about the world, and its own label: of whole answers, by people.",
    }
    return [
        ShownSection(key, title, _rows(figures, names), notes.get(key, "")) for key, (title, names) in SECTIONS.items()
    ]


def headline(figures: GroundednessFigures) -> list[ShownFigure]:
    """The four figures to look at first, of the origin that the report is from."""
    return list(_rows(figures, ("miscitation", "claim_level", *_ANSWERS)))


def _undated(shown: Groundedness) -> str:
    if not shown.n_undated or shown.superseded.value is None:
        return ""
    return f"Of {shown.n_undated:,} stated claims the dates do not say whether a source was superseded."


def _left_out(shown: Groundedness) -> str:
    if not shown.n_answers_left_out:
        return ""
    return (
        f"{shown.n_answers_left_out:,} answers are left out: some cited claim of theirs has no settled verdict, or was "
        "chosen on purpose. If those are the hard ones, these figures flatter."
    )


def _rows(figures: GroundednessFigures, names: tuple[str, ...]) -> tuple[ShownFigure, ...]:
    return tuple(_row(figures, name) for name in names)


def _row(figures: GroundednessFigures, name: str) -> ShownFigure:
    title, meaning = FIGURES[name]
    judged = figures.judged
    people = _column(title, figures.people.named()[name])
    if judged is None or name in SAME_FOR_A_JUDGE:
        return ShownFigure(name, title, meaning, people, None, None, None)
    corrected = judged.corrected.get(name)
    beside = judged.left_out.named()[name] if judged.worst.n_without_verdict else None
    return ShownFigure(
        name,
        title,
        meaning,
        people,
        _column(title, judged.worst.named()[name], beside),
        corrected.rogan_gladen if corrected else None,
        corrected.prediction_powered if corrected else None,
    )


def _column(title: str, figure: Figure, beside: Figure | None = None) -> Column:
    return Column(figure, share_plot(title, figure), None if figure.value is None else beside)
