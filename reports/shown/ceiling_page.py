"""The ceiling as it is shown: its sentences, its tables and its plots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from calibration.ceiling import LikeWithLike, Measure
from calibration.results import Figure
from calibration.sentences import (
    FEW_ANSWERS,
    as_sentence,
    ceiling_sentence,
    change_sentence,
    more_labels_sentence,
    noise_sentence,
    people_recall_sentence,
    stand_in_sentence,
    standing_words,
)
from calibration.verdicts import VERDICTS
from reports.plots.forest import Row, forest_plot
from reports.plots.frame import Plot
from reports.services.ceiling import CeilingReport, Grouping, GroupRow, JudgeFigures, PeriodRow
from reports.services.comparison import JudgeRow

GAPS: dict[Measure, str] = {"kappa_four": "Kappa", "recall": "Recall"}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure against the three references; None where it is not one of that reference."""

    title: str
    meaning: str
    unit: str
    individual: Figure | None
    consensus: Figure | None
    itself: Figure | None


@dataclass(frozen=True, slots=True)
class Gap:
    """People minus judge in one figure, and where the interval puts the judge."""

    title: str
    figure: Figure
    where: str


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """One judge with its figures and what can be said of it."""

    row: JudgeRow
    figures: JudgeFigures
    gaps: tuple[Gap, ...]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group of claims with the headroom of each judge on it."""

    row: GroupRow
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class PeriodLine:
    """One period or guide version, and what can be said of its change; empty where nothing is to be said."""

    row: PeriodRow
    said: str


def first_words(report: CeilingReport) -> list[str]:
    """What people reach, how sure that is, and what would make it surer."""
    figures = report.figures
    individual, consensus = figures.people.individual.ceiling, figures.people.consensus.ceiling
    said = [ceiling_sentence(individual), people_recall_sentence(individual)]
    if consensus.n_claims:
        said += [ceiling_sentence(consensus), people_recall_sentence(consensus)]
    if figures.itself.ceiling.n_claims:
        said.append(ceiling_sentence(figures.itself.ceiling))
    said.append(more_labels_sentence(figures.more, figure="the kappa of people with one another", points=False))
    return said


def figure_rows(report: CeilingReport) -> list[FigureRow]:
    """All figures of people, kappa and recall first."""
    people, itself = report.figures.people, report.figures.itself
    three = (people.individual, people.consensus, itself)

    def row(title: str, meaning: str, found: Iterable[Figure | None], unit: str = "decimal") -> FigureRow:
        return FigureRow(title, meaning, unit, *found)

    def measured(name: str) -> list[Figure | None]:
        return [getattr(one.ceiling.people, name) for one in three]

    def beside(name: str) -> list[Figure | None]:
        return [getattr(one.beside, name) for one in three]

    return [
        row("Kappa, four verdicts", "agreement beyond chance", measured("kappa_four")),
        row("Kappa, supported or not", "", measured("kappa_two")),
        row("Recall on unsupported", "of what the reference calls unsupported", measured("recall")),
        row("Gwet’s AC1, four verdicts", "chance taken otherwise", beside("ac1_four")),
        row("Gwet’s AC1, supported or not", "", beside("ac1_two")),
        row("PABAK, four verdicts", "every verdict as likely by chance", beside("pabak_four")),
        row("PABAK, supported or not", "", beside("pabak_two")),
        row("Krippendorff’s alpha", "nominal, over all people at once", (people.alpha, None, None)),
        row("Prevalence index", "far from 0 where one class is rare", beside("prevalence_index")),
        row("Bias index", "above 0 where people call more unsupported than the reference", beside("bias_index")),
        row(
            "References that tied",
            "left out, for people and judges alike",
            (None, people.consensus.ceiling.tie_share, None),
            "percent",
        ),
    ]


def judge_lines(report: CeilingReport) -> list[JudgeLine]:
    """The judges, those nearest to people first; those without a figure last."""
    lines = [JudgeLine(row, figures, _gaps(row), _said(row, figures)) for row, figures in report.rows]
    return sorted(lines, key=lambda line: (_gap(line.row), line.row.version.judge.name))


def _gap(row: JudgeRow) -> float:
    value = row.score.individual.headroom.kappa_four.value
    return float("inf") if value is None else value


def group_lines(report: CeilingReport, grouping: Grouping) -> list[GroupLine]:
    """The groups, each with the headroom of every judge in the order of `judge_lines`."""
    judges = [line.row.version for line in judge_lines(report)]
    return [
        GroupLine(
            row,
            tuple(
                Gap(str(version), like.headroom.kappa_four, _where(like, "kappa_four"))
                for version in judges
                for like in (row.judges[str(version.pk)],)
            ),
        )
        for row in grouping.rows
    ]


def _gaps(row: JudgeRow) -> tuple[Gap, ...]:
    sides = (("each person", row.score.individual), ("consensus", row.score.consensus))
    return tuple(
        Gap(f"{title}, {side}", like.headroom.get(measure), _where(like, measure))
        for side, like in sides
        for measure, title in GAPS.items()
    )


def _where(like: LikeWithLike, measure: Measure) -> str:
    """Where the judge stands, nothing where the sentences would not say it either."""
    return like.standing(measure).value if like.n_answers >= FEW_ANSWERS else ""


def _said(row: JudgeRow, figures: JudgeFigures) -> tuple[str, ...]:
    like = row.score.individual
    said = [as_sentence([f"{standing_words(like)}; {standing_words(like, measure='recall')}"])]
    said.append(stand_in_sentence(figures.stand_in))
    if figures.noise is not None:
        said.append(noise_sentence(figures.noise))
    return tuple(said)


def period_lines(rows: Iterable[PeriodRow]) -> list[PeriodLine]:
    """The rows with a word where the figure left the interval of the one before."""
    return [
        PeriodLine(
            row,
            change_sentence(row.change, figure="kappa", points=False) if row.change and row.change.flagged else "",
        )
        for row in rows
    ]


def differed_on(report: CeilingReport) -> list[tuple[str, str, int]]:
    """Two verdicts that people gave the same claim, with the number of claims, the most frequent first."""
    return [(VERDICTS[one], VERDICTS[two], n) for one, two, n in report.figures.people.apart]


def ceiling_plots(report: CeilingReport, *, basis: str) -> dict[str, Plot]:
    """Agreement over time and by guide version, where there is more than one of them."""
    wanted = {
        "over-time": ("Agreement of people over time", report.figures.periods),
        "by-guide": ("Agreement of people by guide version", report.figures.guides),
    }
    return {
        name: forest_plot(
            [Row(row.name, row.people.individual.ceiling.people.kappa_four, people=True) for row in rows],
            name=name,
            title=title,
            description=f"Kappa over the four verdicts, each person against each other. {basis}",
            column="Kappa, four verdicts",
        )
        for name, (title, rows) in wanted.items()
        if len(rows) > 1
    }
