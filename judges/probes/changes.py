"""A change to what a judge is given of one claim: as plain data that is kept, and as it is applied."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from random import Random

from judges.probes.shuffling import in_other_order
from judges.protocol import CitedText, ClaimInput

AGAIN = "same input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is changed in one claim's input; everything left empty stays as it is.

    Attributes
    ----------
    kind : str
        In words, such as "figure" or "order of the paragraphs".
    claim : str
        The whole claim as it reads now.
    before, after : str
        The part of the claim that was replaced, and by what; either may be empty.
    sources : tuple of str
        Ids of the sources that stand in the places of the cited ones.
    shuffle : int or None
        What the new order of the sources and their parts follows from.
    """

    kind: str
    claim: str = ""
    before: str = ""
    after: str = ""
    sources: tuple[str, ...] = ()
    shuffle: int | None = None

    def as_data(self) -> dict[str, object]:
        """The change as plain data, what is empty left out."""
        data = asdict(self) | {"sources": list(self.sources)}
        return {key: value for key, value in data.items() if value not in ("", [], None)}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "Change":
        """Read what ``as_data`` wrote."""
        sources, shuffle = data.get("sources"), data.get("shuffle")
        return cls(
            **{key: str(data.get(key, "")) for key in ("kind", "claim", "before", "after")},
            sources=tuple(map(str, sources)) if isinstance(sources, list) else (),
            shuffle=shuffle if isinstance(shuffle, int) else None,
        )


@dataclass(frozen=True, slots=True)
class Stranger:
    """A source that may stand in for another: its id and the words that carry its content."""

    source_id: str
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Pool:
    """What of the rest of the project a change may draw on.

    Attributes
    ----------
    strangers : tuple of Stranger
        A sample of the sources that answers cite.
    own : frozenset of str
        The sources that the claim's answer cites or retrieved.
    names : tuple of str
        Proper names in other claims.
    """

    strangers: tuple[Stranger, ...] = ()
    own: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()


def replaced(text: str, start: int, end: int, after: str, *, kind: str) -> Change:
    """The change that puts other words in the place of ``text[start:end]``."""
    return Change(kind=kind, claim=text[:start] + after + text[end:], before=text[start:end], after=after)


def apply_change(change: Change, claim: ClaimInput, sources: Mapping[str, CitedText]) -> ClaimInput:
    """What the judge is given instead of the claim's own input.

    ``sources`` are those that the change names, by their ids; one that is no longer there is a source of which nothing
    is known.
    """
    if change.claim:
        claim = replace(claim, text=change.claim)
    if change.sources:
        others = [sources.get(name) or _gone(name) for name in change.sources]
        claim = replace(claim, cited=tuple(replace(one, order=order) for order, one in enumerate(others, 1)))
    if change.shuffle is not None:
        random = Random(change.shuffle)
        claim = replace(
            claim,
            cited=in_other_order(claim.cited, random),
            answer_cited=in_other_order(claim.answer_cited, random),
        )
    return claim


def _gone(name: str) -> CitedText:
    return CitedText(source_id=name, order=0, title="", text="", resolved=False)
