"""What an extractor takes and gives, whatever it is made of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Protocol, runtime_checkable

from judges.protocol import Forecast, Outcome, Purse
from labelling.models import ClaimKind, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedClaim:
    """One assertion of an answer.

    Attributes
    ----------
    text : str
        The assertion, understandable by itself.
    kind, severity : str
        As guessed by the extractor, in the words of the vocabulary.
    citations : tuple of int
        The numbers of the citation markers that it carries, in order: 3 for ``[3]``.
    start, end : int
        The stretch of the answer that it was taken from, in Unicode code points, end exclusive; markers may lie in it.
    """

    text: str
    kind: str
    severity: str
    citations: tuple[int, ...] = ()
    start: int
    end: int

    def __post_init__(self) -> None:
        if not self.text.strip():
            msg = "text is empty; expected an assertion"
            raise ValueError(msg)
        if self.kind not in ClaimKind.values:
            msg = f"kind is {self.kind!r}; expected one of {', '.join(ClaimKind.values)}"
            raise ValueError(msg)
        if self.severity not in Severity.values:
            msg = f"severity is {self.severity!r}; expected one of {', '.join(Severity.values)}"
            raise ValueError(msg)
        if not 0 <= self.start <= self.end:
            msg = f"start is {self.start}, end {self.end}; expected 0 ≤ start ≤ end"
            raise ValueError(msg)

    def as_data(self) -> dict[str, object]:
        """As plain JSON data."""
        return asdict(self) | {"citations": list(self.citations)}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "ExtractedClaim":
        """Read what ``as_data`` wrote."""
        known = dict(data)
        return cls(**{**known, "citations": tuple(known["citations"])})  # type: ignore[arg-type]  # written by as_data


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What an extractor made of one answer; none is a result too: an answer may assert nothing.

    ``at_most_usd`` is what it can have cost where the service did not say; then ``cost_usd`` is 0.
    """

    claims: tuple[ExtractedClaim, ...]
    cost_usd: Decimal = Decimal(0)
    at_most_usd: Decimal = Decimal(0)
    detail: Mapping[str, object] = field(default_factory=dict)


class ExtractionFailedError(Exception):
    """No claims could be had; ``outcome`` says how it ended, and the amounts what it cost, or can have, all the same."""

    def __init__(
        self, outcome: Outcome, reason: str, *, cost_usd: Decimal = Decimal(0), at_most_usd: Decimal = Decimal(0)
    ) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.cost_usd = cost_usd
        self.at_most_usd = at_most_usd


@dataclass(frozen=True, slots=True)
class AnswerText:
    """One answer to take apart; ``claim_id`` is the key that a purse and the caller know it by."""

    claim_id: int
    question: str
    text: str


class Extractor(Protocol):
    """Turns answers into claims."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 (64 hex digits) over everything that can change what it finds."""
        ...

    @property
    def limits(self) -> str:
        """One plain sentence of what it cannot do."""
        ...

    def extract(self, *, question: str, answer: str) -> Extracted:
        """Find the claims of an answer, in the order in which it makes them.

        Raises
        ------
        ExtractionFailedError
            Where there is no telling what it asserts.
        """
        ...


@runtime_checkable
class PaidExtractor(Extractor, Protocol):
    """An extractor whose every call is paid for: it asks leave first and gives each result out as it comes."""

    @property
    def price_known(self) -> bool:
        """Whether it can say beforehand what a call can cost."""
        ...

    @property
    def price_note(self) -> str:
        """What its prices are and of which day, or that they are not known."""
        ...

    def forecast(self, *, question: str, answer: str) -> Forecast:
        """What this answer is going to cost."""
        ...

    def ask(
        self, answers: Sequence[AnswerText], purse: Purse
    ) -> Iterator[tuple[int, Extracted | ExtractionFailedError | None]]:
        """Yield the key of each answer with what came of it, in any order; nothing where it was not asked after all.

        Answers that no leave is given for are left out. Whoever iterates goes on to the end: to stop, the purse says so.
        """
        ...
