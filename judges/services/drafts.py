"""The review of one answer's draft claims: step by step, each a revision, until somebody accepts it, once."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from judges.extraction import drafting
from judges.extraction.drafting import Changes, DraftClaim, DraftRefusedError, Drafts
from judges.extraction.markers import without_markers
from judges.extraction.pointing import Pointed, point
from judges.models import AnswerDraft, DraftRevision
from judges.services.extraction import claims_of
from labelling.models import Membership, Source
from labelling.services.claims import ClaimsRefusedError, NewClaim, add_claims

STEPS = {"split": drafting.split, "merge": drafting.merge, "drop": drafting.drop, "restore": drafting.put_back}
State = AnswerDraft.State


class StaleDraftError(DraftRefusedError):
    """Somebody else took a step since the page was made."""

    def __init__(self) -> None:
        super().__init__("Somebody has changed these claims since this page was made. Here they are as they stand now.")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a review stands: the number of the last step, the drafts, and what undoing goes back to."""

    number: int
    claims: Drafts
    before: int | None


@dataclass(frozen=True, slots=True)
class Pointing:
    """What an answer can point at: its retrieved sources in order, and what each of its markers stands for.

    Each source comes with what it is called on the page: its place among the retrieved ones, else its id.
    """

    sources: tuple[tuple[str, Source], ...]
    missing: tuple[str, ...]
    markers: tuple[Pointed, ...]

    @property
    def names(self) -> dict[str, str]:
        """What each source is called on the page, by its id."""
        return {source.external_id: name for name, source in self.sources}

    def cited(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """The ids of the sources that the numbers of markers stand for; those that stand for none are left out."""
        found = {marker.number: marker.source for marker in self.markers}
        return tuple(dict.fromkeys(source for number in numbers if (source := found.get(number, ""))))


def pointing_of(draft: AnswerDraft) -> Pointing:
    """The sources of an answer and what its markers point at, in one query."""
    answer = draft.answer
    numbers = dict.fromkeys(number for _, found in without_markers(answer.text).markers for number in found)
    wanted = list(dict.fromkeys([*answer.retrieved, *map(str, numbers)]))
    known = {
        source.external_id: source
        for source in Source.objects.filter(project=answer.project_id, external_id__in=wanted)
    }
    markers = tuple(point(number, retrieved=answer.retrieved, known=known.keys()) for number in sorted(numbers))
    places = {name: str(place) for place, name in reversed(list(enumerate(answer.retrieved, 1)))}
    ids = dict.fromkeys([*answer.retrieved, *(marker.source for marker in markers if marker.source)])
    return Pointing(
        sources=tuple((places.get(name, name), known[name]) for name in ids if name in known),
        missing=tuple(name for name in dict.fromkeys(answer.retrieved) if name not in known),
        markers=markers,
    )


def proposals_of(draft: AnswerDraft, pointing: Pointing | None = None) -> Drafts:
    """What the extractor proposed; nothing where it has not been heard yet."""
    if draft.extraction is None:
        return ()
    return drafting.proposals(claims_of(draft.extraction), (pointing or pointing_of(draft)).cited)


def standing_of(draft: AnswerDraft, pointing: Pointing | None = None, *, number: int | None = None) -> Standing:
    """The drafts after the last step, or after the step of this number.

    Raises
    ------
    DraftRefusedError
        Where there is no step of this number.
    """
    rows = draft.revisions.order_by("-number")
    row = (rows if number is None else rows.filter(number=number)).first()
    if row is not None:
        return Standing(row.number, _read(row), row.before)
    if number:
        raise StaleDraftError
    return Standing(0, proposals_of(draft, pointing), None)


def review_draft(
    *, draft: AnswerDraft, have: int, claims: Drafts, action: str, key: int = 0, by: Membership | None
) -> Standing:
    """Take over what was written into the page and then take one step; the same again right away changes nothing.

    ``have`` is the step that the page showed and ``claims`` are its drafts as they are written now. The ``action`` is
    ``save`` for nothing further, ``undo``, or one of ``STEPS`` with the ``key`` of the draft that it is about.

    Raises
    ------
    DraftRefusedError
        Where the step cannot be taken, somebody took one meanwhile, or the review is over.
    """
    now = standing_of(draft)
    before, after = have, claims
    if action == "undo":
        before, after = _undone(draft, now, have)
    elif action in STEPS:
        after = STEPS[action](claims, key)
    if now.number == have + 1 and now.claims == after:
        return now  # the same button, pressed twice
    if now.number != have:
        raise StaleDraftError
    if after == now.claims:
        return now
    try:
        with transaction.atomic():
            _hold(draft)
            row = DraftRevision.objects.create(
                draft=draft,
                number=have + 1,
                before=before,
                action=action,
                claims=[claim.as_data() for claim in after],
                by=by,
            )
    except IntegrityError:
        raise StaleDraftError from None
    return Standing(row.number, after, row.before)


@transaction.atomic
def accept_draft(*, draft: AnswerDraft, have: int, by: Membership | None) -> Changes:
    """Make claims of the drafts that stand, with their citations and places for labels; accepted twice is once.

    Raises
    ------
    DraftRefusedError
        Where somebody took a step meanwhile, a draft is blank, or the answer has claims by now.
    """
    rows = AnswerDraft.objects.filter(pk=draft.pk, state=State.DRAFTED)
    pointing = pointing_of(draft)
    if not rows.update(state=State.ACCEPTED, accepted=timezone.now(), accepted_by=by):
        draft.refresh_from_db()
        if draft.state != State.ACCEPTED:
            raise DraftRefusedError("These drafts were set aside meanwhile.")
        return changes_of(draft)
    now, proposed = standing_of(draft, pointing), proposals_of(draft, pointing)
    if now.number != have:
        raise StaleDraftError
    made = drafting.standing(now.claims)
    if any(not claim.text.strip() for claim in made):
        raise DraftRefusedError("A claim is blank: write it, or drop it.")
    try:
        add_claims(answer=draft.answer, claims=[_claim(draft, claim, proposed, now.claims) for claim in made])
    except ClaimsRefusedError as error:
        raise DraftRefusedError(f"These claims were not added: {error}.") from error
    counted = drafting.changes(proposed, now.claims)
    AnswerDraft.objects.filter(pk=draft.pk).update(**asdict(counted))
    draft.refresh_from_db()
    return counted


def set_aside_draft(*, draft: AnswerDraft) -> bool:
    """Lay the drafts aside unreviewed, so that the answer can be taken apart anew. Whether this call did it."""
    return bool(AnswerDraft.objects.filter(pk=draft.pk, state=State.DRAFTED).update(state=State.SET_ASIDE))


def changes_of(draft: AnswerDraft) -> Changes:
    """What was made of the proposals of an accepted draft."""
    return Changes(**{name: getattr(draft, name) for name in Changes.__slots__})


def _claim(draft: AnswerDraft, claim: DraftClaim, proposed: Drafts, final: Drafts) -> NewClaim:
    came = {
        "name": draft.job.extractor,
        "fingerprint": draft.job.fingerprint,
        "change": drafting.change_of(claim, proposed, final),
    }
    return NewClaim(
        text=claim.text,
        kind=claim.kind,
        severity=claim.severity,
        citations=claim.citations,
        meta={"extractor": came},
    )


def _undone(draft: AnswerDraft, now: Standing, have: int) -> tuple[int, Drafts]:
    """What undoing the last step gives, and what undoing once more then goes back to."""
    if now.number == have + 1 and draft.revisions.filter(number=now.number, action="undo").exists():
        return now.before or 0, now.claims  # pressed twice
    if not can_undo(draft, now):
        raise DraftRefusedError("There is nothing to undo: this is what was proposed.")
    earlier = standing_of(draft, number=now.before)
    return earlier.before or 0, earlier.claims


def can_undo(draft: AnswerDraft, now: Standing) -> bool:
    """Whether a step was taken that was not undone yet."""
    return now.before is not None and (now.before > 0 or now.claims != proposals_of(draft))


def _read(row: DraftRevision) -> Drafts:
    return tuple(map(DraftClaim.from_data, row.claims))


def _hold(draft: AnswerDraft) -> None:
    """Refuse where the review is over; and let nobody accept before the transaction is."""
    if not AnswerDraft.objects.filter(pk=draft.pk, state=State.DRAFTED).update(state=State.DRAFTED):
        raise DraftRefusedError("The review of this answer is over: its claims are accepted, or were set aside.")
