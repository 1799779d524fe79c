"""What people made of what extractors proposed, by extractor version: counts and shares over reviewed answers."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from calibration.intervals import wilson
from calibration.results import Figure
from judges.extraction.drafting import DROPPED, EDITED, KEPT, MERGED, SPLIT, Changes
from judges.models import AnswerDraft
from labelling.models import Project

FATES = (KEPT, EDITED, SPLIT, MERGED, DROPPED)


@dataclass(frozen=True, slots=True)
class ExtractorFigures:
    """One extractor version in a project.

    Attributes
    ----------
    answers : int
        Reviewed ones; ``empty`` of them were found to assert nothing.
    counts : Changes
        Sums over these answers.
    fates : tuple of (str, Figure)
        For each fate of a proposal its share of all proposals.
    added : Figure
        Claims that a person wrote, of all claims that were made.
    usable : Figure
        Proposals kept or edited, of all proposals: what of it was of use as one claim.
    found : Figure
        Claims that come from a proposal, of all claims that were made: what it did not miss.
    """

    extractor: str
    fingerprint: str
    answers: int
    empty: int
    counts: Changes
    fates: tuple[tuple[str, Figure], ...]
    added: Figure
    usable: Figure
    found: Figure


def extractor_figures(project: Project) -> list[ExtractorFigures]:
    """The figures of every extractor version whose proposals were reviewed, the one with most answers first."""
    rows = (
        AnswerDraft.objects.filter(job__project=project, state=AnswerDraft.State.ACCEPTED)
        .order_by()
        .values_list("job__extractor", "job__fingerprint")
        .annotate(*(Sum(name) for name in Changes.__slots__), answers=Count("id"), empty=Count("id", filter=Q(made=0)))
    )
    found = [_figures(*row) for row in rows]
    return sorted(found, key=lambda one: (-one.answers, one.extractor, one.fingerprint))


def _figures(extractor: str, fingerprint: str, *numbers: int) -> ExtractorFigures:
    *sums, answers, empty = numbers
    counts = Changes(**dict(zip(Changes.__slots__, sums, strict=True)))
    return ExtractorFigures(
        extractor=extractor,
        fingerprint=fingerprint,
        answers=answers,
        empty=empty,
        counts=counts,
        fates=tuple((fate, wilson(getattr(counts, fate), counts.proposed)) for fate in FATES),
        added=wilson(counts.added, counts.made),
        usable=wilson(counts.kept + counts.edited, counts.proposed),
        found=wilson(counts.made - counts.added, counts.made),
    )


def extraction_line(project: Project) -> str:
    """The figures of all extractors together in one line for a terminal; empty where nothing was reviewed."""
    figures = extractor_figures(project)
    answers = sum(one.answers for one in figures)
    if not answers:
        return ""
    total = {name: sum(getattr(one.counts, name) for one in figures) for name in Changes.__slots__}
    return (
        f"Claim extraction: {total['proposed']} proposed; {total['edited']} edited, {total['split']} split, "
        f"{total['merged']} merged, {total['dropped']} dropped, {total['added']} added by a person ({answers} answers)"
    )
