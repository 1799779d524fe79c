"""Draft claims of one answer under a person's hands: pure steps from one list to the next, and what became of each.

A draft knows the proposals that it comes from. What was kept, edited, split, merged, dropped or added is read off the
last list alone, whatever way led to it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from judges.extraction.protocol import ExtractedClaim
from labelling.models import Severity

KEPT, EDITED, SPLIT, MERGED, DROPPED, ADDED = "kept", "edited", "split", "merged", "dropped", "added"


class DraftRefusedError(ValueError):
    """A step that cannot be taken; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftClaim:
    """One claim in the making.

    Attributes
    ----------
    key : int
        Its name within the answer; never given twice.
    citations : tuple of str
        Ids of the sources that it cites.
    origins : tuple of int
        Places of the proposals that it comes from; none where a person added it.
    start, end : int or None
        The stretch of the answer that it comes from, where it is known.
    dropped : bool
        It stays in the list, so that it can be put back, and becomes no claim.
    """

    key: int
    text: str
    kind: str
    severity: str
    citations: tuple[str, ...] = ()
    origins: tuple[int, ...] = ()
    start: int | None = None
    end: int | None = None
    dropped: bool = False

    def as_data(self) -> dict[str, object]:
        """As plain JSON data."""
        return asdict(self) | {"citations": list(self.citations), "origins": list(self.origins)}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "DraftClaim":
        """Read what ``as_data`` wrote."""
        known: dict[str, object] = {name.name: data[name.name] for name in fields(cls)}
        known |= {"citations": tuple(data["citations"]), "origins": tuple(data["origins"])}  # type: ignore[arg-type]  # written by as_data
        return cls(**known)  # type: ignore[arg-type]  # written by as_data


Drafts = tuple[DraftClaim, ...]


def proposals(claims: Sequence[ExtractedClaim], cited: Callable[[Sequence[int]], tuple[str, ...]]) -> Drafts:
    """What an extractor found as drafts; ``cited`` turns the numbers of markers into ids of sources."""
    return tuple(
        DraftClaim(
            key=place + 1,
            text=" ".join(claim.text.split()),
            kind=claim.kind,
            severity=claim.severity,
            citations=cited(claim.citations),
            origins=(place,),
            start=claim.start,
            end=claim.end,
        )
        for place, claim in enumerate(claims)
    )


def standing(drafts: Drafts) -> Drafts:
    """Those that are to become claims."""
    return tuple(draft for draft in drafts if not draft.dropped)


def split(drafts: Drafts, key: int) -> Drafts:
    """Cut a draft at its line breaks; all parts come from the same proposals and cite the same sources."""
    place = _place(drafts, key)
    parts = [" ".join(line.split()) for line in drafts[place].text.splitlines() if line.strip()]
    if len(parts) < 2:
        raise DraftRefusedError("There is nothing to split at: put a line break where the claim is to be cut.")
    fresh = _next_key(drafts)
    first = replace(drafts[place], text=parts[0])
    rest = (replace(first, key=fresh + number, text=text) for number, text in enumerate(parts[1:]))
    return (*drafts[:place], first, *rest, *drafts[place + 1 :])


def merge(drafts: Drafts, key: int) -> Drafts:
    """Put a draft and the next one that is not dropped together, under the first one's kind and the graver severity."""
    place = _place(drafts, key)
    following = next((number for number, one in enumerate(drafts) if number > place and not one.dropped), None)
    if following is None:
        raise DraftRefusedError("There is no claim after this one to merge it with.")
    first, second = drafts[place], drafts[following]
    places = [value for value in (first.start, second.start, first.end, second.end) if value is not None]
    both = replace(
        first,
        text=f"{first.text} {second.text}".strip(),
        kind=first.kind or second.kind,
        severity=max(first.severity, second.severity, key=_gravity),
        citations=tuple(dict.fromkeys((*first.citations, *second.citations))),
        origins=tuple(sorted({*first.origins, *second.origins})),
        start=min(places, default=None),
        end=max(places, default=None),
    )
    return tuple(both if one is first else one for one in drafts if one is not second)


def drop(drafts: Drafts, key: int) -> Drafts:
    """Take a draft out; one that a person added is gone, another can be put back."""
    place = _place(drafts, key)
    gone = () if not drafts[place].origins else (replace(drafts[place], dropped=True),)
    return (*drafts[:place], *gone, *drafts[place + 1 :])


def put_back(drafts: Drafts, key: int) -> Drafts:
    """Let a dropped draft stand again."""
    place = _place(drafts, key)
    return (*drafts[:place], replace(drafts[place], dropped=False), *drafts[place + 1 :])


def add(drafts: Drafts, *, text: str, kind: str, severity: str, citations: Sequence[str]) -> Drafts:
    """Add a claim that the extractor did not find."""
    fresh = DraftClaim(
        key=_next_key(drafts), text=text, kind=kind, severity=severity, citations=tuple(dict.fromkeys(citations))
    )
    return (*drafts, fresh)


def _place(drafts: Drafts, key: int) -> int:
    for place, draft in enumerate(drafts):
        if draft.key == key:
            return place
    raise DraftRefusedError("This claim is no longer there: the page was out of date.")


def _next_key(drafts: Drafts) -> int:
    return max((draft.key for draft in drafts), default=0) + 1


def _gravity(severity: str) -> int:
    return ("", Severity.MINOR.value, Severity.CRITICAL.value).index(severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a person made of the proposals for one answer; every proposal is counted once, what was added apart."""

    proposed: int
    kept: int
    edited: int
    split: int
    merged: int
    dropped: int
    added: int
    made: int


def changes(proposed: Drafts, final: Drafts) -> Changes:
    """Count what became of each proposal, and what was added."""
    fates = [_fate_of_proposal(one, final) for one in proposed]
    left = standing(final)
    return Changes(
        proposed=len(proposed),
        made=len(left),
        added=sum(not draft.origins for draft in left),
        **{fate: fates.count(fate) for fate in (KEPT, EDITED, SPLIT, MERGED, DROPPED)},
    )


def change_of(draft: DraftClaim, proposed: Drafts, final: Drafts) -> str:
    """How a claim came to be: as the fate of what it comes from, or added."""
    if not draft.origins:
        return ADDED
    if len(draft.origins) > 1:
        return MERGED
    return _fate_of_proposal(proposed[draft.origins[0]], final)


def _fate_of_proposal(proposal: DraftClaim, final: Drafts) -> str:
    heirs = [draft for draft in standing(final) if proposal.origins[0] in draft.origins]
    if not heirs:
        return DROPPED
    if len(heirs) > 1:
        return SPLIT
    if len(heirs[0].origins) > 1:
        return MERGED
    return KEPT if _said(heirs[0]) == _said(proposal) else EDITED


def _said(draft: DraftClaim) -> tuple[str, str, str, frozenset[str]]:
    return draft.text, draft.kind, draft.severity, frozenset(draft.citations)
