"""Settling disagreements: which claims wait, what the readers said of one, and the verdict that outranks them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from uuid import UUID

from django.db import IntegrityError, models, transaction
from django.db.models import Case as SqlCase
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest
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


def disagreements(project: Project, *, ties_only: bool = False) -> QuerySet[Claim]:
    """Claims whose counted labels differ and that nobody has settled, in the order in which they came in.

    With `ties_only`, those alone that have no consensus by the project's rule.
    """
    counted = Label.objects.counted().filter(claim=OuterRef("pk"))
    settled = Adjudication.objects.filter(claim=OuterRef("pk"))
    claims: QuerySet[Claim] = (
        Claim.objects.filter(~Exists(settled), project=project)
        .annotate(
            first_verdict=Subquery(counted.order_by("verdict").values("verdict")[:1]),
            last_verdict=Subquery(counted.order_by("-verdict").values("verdict")[:1]),
        )
        .filter(first_verdict__lt=F("last_verdict"))
        .order_by("pk")
    )
    if ties_only and project.consensus_rule != ConsensusRule.UNANIMOUS:
        claims = _tied(claims, counted)
    return claims


def _tied(claims: QuerySet[Claim], counted: QuerySet[Label]) -> QuerySet[Claim]:
    names = {f"n_{verdict}": verdict for verdict in Verdict.values}
    counts = {
        name: Coalesce(
            Subquery(
                counted.filter(verdict=verdict).order_by().values("claim").annotate(n=Count("pk")).values("n"),
                output_field=IntegerField(),
            ),
            0,
        )
        for name, verdict in names.items()
    }
    claims = claims.annotate(**counts).annotate(most=Greatest(*names))
    at_most = [SqlCase(models.When(**{name: F("most")}, then=Value(1)), default=Value(0)) for name in names]
    total: models.expressions.Combinable = at_most[0]
    for one in at_most[1:]:
        total = total + one
    return claims.annotate(at_the_top=total).filter(at_the_top__gt=1)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One claim of the queue with its verdicts counted, most severe disagreement told by the counts alone."""

    claim: Claim
    counts: tuple[tuple[str, int], ...]


def queue_rows(claims: Sequence[Claim]) -> list[QueueRow]:
    """How the counted labels of each claim are spread over the verdicts. One query for all of them."""
    counts: dict[int, dict[str, int]] = {claim.pk: {} for claim in claims}
    rows = Label.objects.counted().filter(claim__in=counts).order_by()
    for claim_id, verdict, n in rows.values_list("claim", "verdict").annotate(n=Count("pk")):
        counts[claim_id][verdict] = n
    return [
        QueueRow(
            claim,
            tuple((verdict, counts[claim.pk][verdict]) for verdict in Verdict.values if verdict in counts[claim.pk]),
        )
        for claim in claims
    ]


def next_disagreement(project: Project, *, after: int, ties_only: bool = False) -> int | None:
    """Primary key of the waiting claim after this one, None at the end of the queue."""
    rows = disagreements(project, ties_only=ties_only).filter(pk__gt=after)
    return rows.values_list("pk", flat=True).first()


def previous_disagreement(project: Project, *, before: int, ties_only: bool = False) -> int | None:
    """Primary key of the waiting claim before this one, None at its beginning."""
    rows = disagreements(project, ties_only=ties_only).filter(pk__lt=before).order_by("-pk")
    return rows.values_list("pk", flat=True).first()


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
    return Hearing(claim, readers, tuple(_sheets(claim, readers)), claim.adjudications.order_by("-revision").first())


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
