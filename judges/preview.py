"""What a judge would be given of one claim, for a person to read."""

from collections.abc import Mapping
from dataclasses import dataclass

CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of what is read, in the order in which it is read.

    Attributes
    ----------
    name : str
        What it is.
    text : str
        Word for word.
    note : str
        Where it comes from, or what is done with it; may be empty.
    """

    name: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """All of it.

    Attributes
    ----------
    parts : tuple of Part
        In the order in which they are read.
    request : mapping or None
        The body of the request as it is sent, parts included; ``None`` where nothing leaves the machine.
    settled : str
        Why this claim needs no asking, where it does not; else empty.
    note : str
        What else a person should know.
    """

    parts: tuple[Part, ...]
    request: Mapping[str, object] | None = None
    settled: str = ""
    note: str = ""

    @property
    def characters(self) -> int:
        """Length of all parts in Unicode code points."""
        return sum(len(part.text) for part in self.parts)

    @property
    def tokens(self) -> int:
        """A guess from the length."""
        return self.characters // CHARACTERS_A_TOKEN

    @property
    def parameters(self) -> dict[str, object]:
        """What is sent beside the texts."""
        return {key: value for key, value in (self.request or {}).items() if key not in ("system", "messages")}
