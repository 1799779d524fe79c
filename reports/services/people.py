"""Who disagrees with whom, by name: for owners, who can talk to both and change the guide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.pairs import LEAST_SHARED, PairOfPeople, pairs_of_people
from calibration.results import Figure
from calibration.thresholds import PersonPoint, people_points
from calibration.verdicts import MISSING, VERDICTS
from labelling.models import Membership, Project
from reports.bridge import VERDICT_CODE, Rows
from reports.selection import Selection
from reports.services.ceiling import ceiling_stamp
from reports.services.cells import ShownClaim, shown_claims
from reports.services.comparison import RULES, selected_rows
from reports.stamps import remembered

MOST_IN_MATRIX = 12
"""People that a matrix still has room for; with more there is the list alone."""


@dataclass(frozen=True, slots=True)
class NamedPair:
    """Two people with their agreement; `common` is the commonest difference: what the first said, the second, claims."""

    first: Membership
    second: Membership
    figures: PairOfPeople

    @property
    def common(self) -> tuple[str, str, int] | None:
        if not self.figures.apart:
            return None
        one, two, n = self.figures.apart[0]
        return VERDICTS[one], VERDICTS[two], n


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """One person: claims labelled, and how they stand to the consensus of the others, None where too few have one."""

    member: Membership
    n_claims: int
    point: PersonPoint | None


@dataclass(frozen=True, slots=True)
class PeopleReport:
    """The people of a project, on one selection of its claims.

    Attributes
    ----------
    people : tuple of NamedPerson
        By pseudonym.
    pairs : tuple of NamedPair
        Of those who share at least twenty claims the 45 that share most, those that agree least first.
    n_pairs, n_enough : int
        Pairs that share a claim at all, and that share twenty: more of these than are listed in a large crowd.
    """

    project: Project
    selection: Selection
    people: tuple[NamedPerson, ...]
    pairs: tuple[NamedPair, ...]
    n_pairs: int
    n_enough: int

    @property
    def least(self) -> int:
        return LEAST_SHARED

    @property
    def measured(self) -> tuple[NamedPerson, ...]:
        """Those who have a figure, the furthest from the others first."""
        found = [(person.point, person) for person in self.people if person.point is not None]
        return tuple(person for point, person in sorted(found, key=lambda one: _rising(one[0].kappa_four)))

    def matrix(self) -> list[tuple[Membership, list[NamedPair | None]]]:
        """A row a person and a cell a person, None on the diagonal and where two share too few claims."""
        if len(self.people) > MOST_IN_MATRIX:
            return []
        members = [person.member for person in self.people]
        found: dict[tuple[int, int], NamedPair] = {}
        for pair in self.pairs:
            found[pair.first.pk, pair.second.pk] = found[pair.second.pk, pair.first.pk] = pair
        return [(one, [found.get((one.pk, two.pk)) for two in members]) for one in members]


@dataclass(frozen=True, slots=True)
class DifferingClaim:
    """A claim with what each of two people said of it."""

    shown: ShownClaim
    first: str
    second: str


def report_people(project: Project, selection: Selection) -> PeopleReport:
    """Report how each two people agree, and each with the consensus of the others."""
    rows = _rows(project, selection)
    stamp, partial = ceiling_stamp(project, selection), project.partial_is_unsupported
    pairs = remembered(
        stamp,
        f"pairs {selection!r}",
        lambda: pairs_of_people(rows.answer, rows.labels, partial_is_unsupported=partial),
    )
    points = remembered(
        stamp,
        f"people {selection!r}",
        lambda: people_points(
            rows.answer, rows.labels, rule=RULES[project.consensus_rule], partial_is_unsupported=partial
        ),
    )
    members = _members(project, rows)
    by_row = {point.person: point for point in points}
    given = rows.labels != MISSING
    people = [
        NamedPerson(members[who], int(given[row].sum()), by_row.get(row)) for row, who in enumerate(rows.annotators)
    ]
    named = [
        NamedPair(members[rows.annotators[pair.first]], members[rows.annotators[pair.second]], pair) for pair in pairs
    ]
    return PeopleReport(
        project,
        selection,
        people=tuple(sorted(people, key=lambda person: person.member.pseudonym)),
        pairs=tuple(sorted(named, key=lambda pair: _rising(pair.figures.kappa_four))),
        n_pairs=_pairs_that_share(rows, least=1),
        n_enough=_pairs_that_share(rows, least=LEAST_SHARED),
    )


def differing_claims(
    project: Project, selection: Selection, first: int, second: int, *, said: str = "", other: str = ""
) -> tuple[Membership, Membership, list[tuple[int, str, str]]] | None:
    """The claims on which two people differ, as (claim, verdict of the first, of the second); None for strangers.

    `said` and `other` narrow it to one difference.
    """
    rows = _rows(project, selection)
    if first == second or not {first, second} <= set(rows.annotators):
        return None
    one, two = (rows.labels[rows.annotators.index(who)] for who in (first, second))
    apart = (one != two) & (one != MISSING) & (two != MISSING)
    if said and other:
        apart &= (one == VERDICT_CODE[said]) & (two == VERDICT_CODE[other])
    members = _members(project, rows)
    found = [
        (int(rows.claim[place]), VERDICTS[one[place]], VERDICTS[two[place]]) for place in np.flatnonzero(apart).tolist()
    ]
    return members[first], members[second], found


def shown_differences(found: list[tuple[int, str, str]]) -> list[DifferingClaim]:
    """The claims with their sources, for reading."""
    said = {claim: words for claim, *words in found}
    shown = shown_claims(None, [claim for claim, *_ in found])
    return [DifferingClaim(claim, *said[claim.claim.pk]) for claim in shown]


def _rows(project: Project, selection: Selection) -> Rows:
    return selected_rows(project, selection, [], ceiling_stamp(project, selection))


def _members(project: Project, rows: Rows) -> Mapping[int, Membership]:
    return project.memberships.in_bulk(rows.annotators)


def _pairs_that_share(rows: Rows, *, least: int) -> int:
    there = (rows.labels != MISSING).astype(np.float32)
    return int(np.count_nonzero(np.triu(there @ there.T, 1) >= least))


def _rising(figure: Figure) -> float:
    return float("inf") if figure.value is None else figure.value
