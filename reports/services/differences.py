"""Judges against each other on the same claims: paired differences, tests, and the claims that people settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.differences import Difference, holm_of
from calibration.frontier import on_frontier
from calibration.results import Figure
from calibration.verdicts import MISSING, NO_JUDGEMENT, VERDICTS
from judges.models import Judgement, JudgeVersion
from labelling.models import Project
from reports.selection import Selection
from reports.services.cells import ShownClaim, judgements_of, shown_claims
from reports.services.comparison import (
    ComparisonReport,
    JudgeRow,
    compare_versions,
    judged_versions,
    newest_of_each,
    selected_rows,
)
from reports.stamps import data_stamp

RIGHT = ("first", "second", "neither")


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two judges beside each other: the difference, and what each costs."""

    difference: Difference
    first: JudgeRow
    second: JudgeRow


@dataclass(frozen=True, slots=True)
class Spending:
    """One judge on the plot of cost against recall.

    Attributes
    ----------
    spent, recall : Figure
        Per thousand claims, and on unsupported claims of gold.
    best : bool
        Whether none of the others is as cheap and catches as much, and better in one of them.
    """

    row: JudgeRow
    spent: Figure
    recall: Figure
    best: bool

    @property
    def drawn(self) -> bool:
        return self.spent.value is not None and self.recall.value is not None


@dataclass(frozen=True, slots=True)
class DifferencesReport:
    """Judges of one selection against each other.

    Attributes
    ----------
    pairs : tuple of PairRow
        Those that were asked for; p values are corrected over exactly these.
    """

    comparison: ComparisonReport
    pairs: tuple[PairRow, ...]
    stamp: str

    def spending(self, spent: str) -> tuple[Spending, ...]:
        """Every judge with what it spends, in US dollars (`usd`) or `seconds` a thousand claims."""
        rows = self.comparison.rows
        figures: list[tuple[Figure, Figure]] = [
            (getattr(row.expense, spent), row.score.unsupported.recall) for row in rows
        ]
        best = on_frontier([_number(cost) for cost, _ in figures], [_number(recall) for _, recall in figures])
        return tuple(
            Spending(row, cost, recall, bool(one))
            for row, (cost, recall), one in zip(rows, figures, best.tolist(), strict=True)
        )

    @property
    def any_paid(self) -> bool:
        """Whether money tells the judges apart at all."""
        return any(row.expense.usd.value for row in self.comparison.rows)


def compare_judges(
    project: Project,
    selection: Selection,
    *,
    first: JudgeVersion | None = None,
    second: JudgeVersion | None = None,
) -> DifferencesReport:
    """Compare all pairs of the selection's judges; those with one of them; or two of them alone."""
    stamp = data_stamp(project)
    shown = offered_versions(project, selection, also=[one for one in (first, second) if one is not None])
    compared = compare_versions(project, selection, versions=shown, stamp=stamp)
    named = [str(version) for version in (first, second) if version is not None]
    wanted = [pair for pair in compared.result.differences if all(name in (pair.first, pair.second) for name in named)]
    corrected = holm_of([pair.mcnemar for pair in wanted])
    rows = {row.name: row for row in compared.rows}
    pairs = (
        _facing(replace(pair, p_holm=p_holm), named[0] if named else "")
        for pair, p_holm in zip(wanted, corrected, strict=True)
    )
    return DifferencesReport(
        compared, tuple(PairRow(pair, rows[pair.first], rows[pair.second]) for pair in pairs), stamp
    )


def offered_versions(
    project: Project, selection: Selection, *, also: Sequence[JudgeVersion] = ()
) -> list[JudgeVersion]:
    """The versions that a selection compares, and any that were asked for by name."""
    judged = list(judged_versions(project))
    shown = judged if selection.versions == "all" else newest_of_each(judged)
    return shown + [version for version in also if version not in shown]


def differing_claims(
    project: Project, selection: Selection, first: JudgeVersion, second: JudgeVersion, *, stamp: str = ""
) -> dict[str, NDArray[np.int64]]:
    """Ids of the claims with gold on which two judges give different verdicts, by who was right."""
    rows = selected_rows(project, selection, [first, second], stamp or data_stamp(project))
    one, two = rows.judge(first.pk).verdict, rows.judge(second.pk).verdict
    settled = (rows.gold != MISSING) & (one < NO_JUDGEMENT) & (two < NO_JUDGEMENT) & (one >= 0) & (two >= 0)
    differ = settled & (one != two)
    right = {"first": one == rows.gold, "second": two == rows.gold}
    right["neither"] = ~(right["first"] | right["second"])
    return {who: rows.claim[differ & right[who]] for who in RIGHT}


@dataclass(frozen=True, slots=True)
class DifferingClaim:
    """A claim with its gold and both judgements."""

    shown: ShownClaim
    gold: str
    other: Judgement | None


def shown_differences(
    project: Project, selection: Selection, first: JudgeVersion, second: JudgeVersion, claim_ids: Sequence[int]
) -> list[DifferingClaim]:
    """The claims in the order given, ready to be read."""
    rows = selected_rows(project, selection, [first, second], data_stamp(project))
    gold = dict(zip(rows.claim.tolist(), rows.gold.tolist(), strict=True))
    others = judgements_of(second, claim_ids)
    return [
        DifferingClaim(shown, VERDICTS[gold[shown.claim.pk]], others.get(shown.claim.pk))
        for shown in shown_claims(first, claim_ids)
    ]


def _number(figure: Figure) -> float:
    return np.nan if figure.value is None else figure.value


def _facing(pair: Difference, name: str) -> Difference:
    """The pair with the judge that was asked for first."""
    return pair.turned() if name and pair.first != name else pair
