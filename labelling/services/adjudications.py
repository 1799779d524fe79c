"""Settling disagreements: which claims wait, what the readers said of one, and the verdict that outranks them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Case as SqlCase
from django.db.models import Count, Exists, F, IntegerField, Max, Min, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Greatest
from django.utils import timezone

from labelling.models import (
    Adjudication,
    Claim,
    ConsensusRule,
    Evidence,
    Label,
    Membership,
    Project,
    Source,
    Verdict,
)
from labelling.overlay import Piece, Span, overlay

CITED = "cited"


class SettledMeanwhileError(Exception):
    """Somebody else settled the claim while this page was open."""

    def __init__(self, standing: Adjudication) -> None:
        super().__init__(f"settled as {standing.verdict} in the meantime")
        self.standing = standing


def disagreements(project: Project, *, ties_only: bool = False) -> QuerySet[Label, int]:
    """Primary keys of the claims whose counted labels differ and that nobody has settled, in the order they came in.

    With `ties_only`, those alone that have no consensus by the project's rule. One pass over the labels, grouped by
    claim along an index: the first few after a given claim come without reading the rest.
    """
    settled_before = Adjudication.objects.filter(claim=OuterRef("claim"))
    groups = (
        Label.objects.counted()
        .filter(~Exists(settled_before), claim__project=project)
        .order_by("claim")
        .values("claim")
        .annotate(first_verdict=Min("verdict"), last_verdict=Max("verdict"))
        .filter(first_verdict__lt=F("last_verdict"))
    )
    if ties_only and project.consensus_rule != ConsensusRule.UNANIMOUS:
        names = {f"n_{verdict}": Count("pk", filter=Q(verdict=verdict)) for verdict in Verdict.values}
        groups = groups.annotate(**names).annotate(most=Greatest(*names))
        at_the_top = [SqlCase(When(**{name: F("most")}, then=1), default=0) for name in names]
        total: Combinable = at_the_top[0]
        for one in at_the_top[1:]:
            total = total + one
        groups = groups.annotate(at_the_top=total).filter(at_the_top__gt=1)
    return groups.values_list("claim", flat=True)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One claim of the queue with its verdicts counted, most severe disagreement told by the counts alone."""

    claim: Claim
    counts: tuple[tuple[str, int], ...]


def queue_rows(claim_ids: Sequence[int]) -> list[QueueRow]:
    """The claims in the order given, and how the counted labels of each are spread over the verdicts. Two queries."""
    claims = Claim.objects.in_bulk(claim_ids)
    counts: dict[int, dict[str, int]] = {pk: {} for pk in claims}
    labels = Label.objects.counted().filter(claim__in=counts).order_by()
    for claim_id, verdict, n in labels.values_list("claim", "verdict").annotate(n=Count("pk")):
        counts[claim_id][verdict] = n
    return [
        QueueRow(
            claims[pk], tuple((verdict, counts[pk][verdict]) for verdict in Verdict.values if verdict in counts[pk])
        )
        for pk in claim_ids
    ]


def next_disagreement(project: Project, *, after: int, ties_only: bool = False) -> int | None:
    """Primary key of the waiting claim after this one, None at the end of the queue."""
    return disagreements(project, ties_only=ties_only).filter(claim__gt=after).first()


def previous_disagreement(project: Project, *, before: int, ties_only: bool = False) -> int | None:
    """Primary key of the waiting claim before this one, None at its beginning."""
    return disagreements(project, ties_only=ties_only).filter(claim__lt=before).order_by("-claim").first()


@dataclass(frozen=True, slots=True)
class Reader:
    """One person's label as an adjudicator sees it: a letter in place of the name."""

    letter: str
    lane: int
    label: Label
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of a source: its text, its classes, the letters that begin here, and an anchor where one does."""

    text: str
    css: str
    starts: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One source with everybody's spans laid over it."""

    source: Source
    orders: tuple[int, ...]
    lines: list[list[Shown]]
    cited_whole: bool


@dataclass(frozen=True, slots=True)
class Hearing:
    """All that an adjudicator has before them for one claim."""

    claim: Claim
    readers: tuple[Reader, ...]
    sheets: tuple[Sheet, ...]
    standing: Adjudication | None
    earlier: tuple[Adjudication, ...]


LANES = 4
"""How many readers' lines fit under a line of text before the patterns repeat; the letter tells them apart always."""


def hear(claim: Claim) -> Hearing:
    """Labels side by side without names, and their evidence over the sources. A fixed number of queries.

    The order of the readers is shuffled for each claim, and is the same whenever the claim is opened, so that nobody
    can be followed from claim to claim.
    """
    labels = (
        Label.objects.current().filter(claim=claim, withdrawn=False, occasion=1).prefetch_related("evidence__source")
    )
    ordered = sorted(labels, key=lambda label: _shuffle_key(claim.pk, label.annotator_id))
    readers = tuple(
        Reader(ascii_uppercase[i % 26] * (i // 26 + 1), i % LANES, label, tuple(label.evidence.all()))
        for i, label in enumerate(ordered)
    )
    standing, *earlier = [*claim.adjudications.order_by("-revision")] or [None]
    return Hearing(claim, readers, tuple(_sheets(claim, readers)), standing, tuple(filter(None, earlier)))


def _shuffle_key(claim_id: int, annotator_id: int) -> bytes:
    return hashlib.sha256(f"{claim_id}/{annotator_id}".encode()).digest()


def _sheets(claim: Claim, readers: Sequence[Reader]) -> list[Sheet]:
    sources: dict[int, Source] = {}
    orders: dict[int, list[int]] = {}
    spans: dict[int, list[Span]] = {}
    whole: set[int] = set()
    for citation in claim.citations.select_related("source").order_by("order"):
        source = sources.setdefault(citation.source_id, citation.source)
        orders.setdefault(source.pk, []).append(citation.order)
        if citation.start is not None and citation.end is not None:
            spans.setdefault(source.pk, []).append(Span(citation.start, citation.end, CITED))
        else:
            whole.add(source.pk)
    for reader in readers:
        for evidence in reader.evidence:
            source = sources.setdefault(evidence.source_id, evidence.source)
            spans.setdefault(source.pk, []).append(Span(evidence.start, evidence.end, reader.letter))
    lanes = {reader.letter: f"lane-{reader.lane}" for reader in readers} | {CITED: CITED}
    return [
        Sheet(
            source, tuple(orders.get(pk, ())), _dressed(overlay(source.text, spans.get(pk, [])), lanes, pk), pk in whole
        )
        for pk, source in sources.items()
    ]


def _dressed(lines: list[list[Piece]], lanes: Mapping[str, str], source_id: int) -> list[list[Shown]]:
    anchored: set[str] = set()
    shown = []
    for line in lines:
        row = []
        for piece in line:
            css = " ".join(lanes[mark] for mark in piece.marks)
            letters = " ".join(mark for mark in piece.starts if mark != CITED)
            anchor = next((f"{mark}-{source_id}" for mark in piece.starts if mark not in anchored), "")
            anchored.update(piece.starts)
            row.append(Shown(piece.text, css, letters, anchor))
        shown.append(row)
    return shown


def settle(
    *, claim: Claim, by: Membership, client_id: UUID, verdict: str, reason: str, note: str = "", based_on: int = 0
) -> Adjudication:
    """Give the verdict that outranks the labels. The same `client_id` again returns what it made the first time.

    Parameters
    ----------
    claim, by
        What is settled, and who settles it.
    client_id
        Made with the page.
    verdict, reason, note
        The verdict, one of `Adjudication.Reason`, and words.
    based_on
        Revision that the page showed, 0 where the claim was not settled yet: a correction is a new revision on top of
        the one that was seen.

    Raises
    ------
    SettledMeanwhileError
        Where another revision has come in since.
    """
    earlier = Adjudication.objects.filter(by=by, client_id=client_id).first()
    if earlier is not None:
        return earlier
    standing = claim.adjudications.order_by("-revision").first()
    if standing is not None and standing.revision != based_on:
        raise SettledMeanwhileError(standing)
    try:
        with transaction.atomic():
            return Adjudication.objects.create(
                claim=claim,
                by=by,
                client_id=client_id,
                revision=(standing.revision if standing is not None else 0) + 1,
                verdict=Verdict(verdict),
                reason=Adjudication.Reason(reason),
                note=note,
                guide_version=claim.project.current_guide,
                created=timezone.now(),
            )
    except IntegrityError as error:
        # Two submits in the same moment: the same one twice, or two people.
        same = Adjudication.objects.filter(by=by, client_id=client_id).first()
        if same is not None:
            return same
        raise SettledMeanwhileError(claim.adjudications.latest("revision")) from error


def settled(project: Project) -> QuerySet[Adjudication]:
    """The standing adjudications, latest first."""
    rows = Adjudication.objects.current().filter(claim__project=project)
    return rows.select_related("claim", "guide_version", "by").order_by("-created", "-pk")


def unclear(project: Project) -> QuerySet[Adjudication]:
    """Standing adjudications that say that the guide did not settle the case."""
    return settled(project).filter(reason=Adjudication.Reason.GUIDE_UNCLEAR)


def flagged_unclear(project: Project) -> QuerySet[Claim]:
    """Claims that readers flagged as not settled by the guide, with the number of readers who did."""
    flagged = Q(flag=Label.Flag.GUIDE_UNCLEAR, claim=OuterRef("pk"))
    rows = Label.objects.counted().filter(flagged).order_by().values("claim").annotate(n=Count("pk")).values("n")
    return (
        Claim.objects.filter(project=project)
        .annotate(flags=Subquery(rows, output_field=IntegerField()))
        .filter(flags__gt=0)
        .order_by("pk")
    )
