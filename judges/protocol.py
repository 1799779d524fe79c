"""What every judge takes and gives, whatever it is made of.

A judge receives claims together with the text that each of them cites, and yields one
:class:`Opinion` per claim, in the order of the claims. It sees the same texts as the
annotators, each marked with its place, and never a label.

The module knows neither Django nor any one judge; the values of :class:`Verdict` and
:class:`Outcome` are the words that the database stores.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from enum import StrEnum
from math import isfinite
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from judges.preview import Preview
from judges.setting import Need, Setting

_NOTHING: Mapping[str, object] = MappingProxyType({})


class Outcome(StrEnum):
    """How the judging of one claim ended; only ``JUDGED`` comes with a verdict."""

    JUDGED = "judged"
    NO_OPINION = "no-opinion"
    REFUSED = "refused"
    UNPARSEABLE = "unparseable"
    TRUNCATED = "truncated"
    TIMED_OUT = "timed-out"
    FAILED = "failed"


ANSWERED = (Outcome.JUDGED.value, Outcome.NO_OPINION.value)
"""The outcomes in which a judge did what it was asked, as the database has them."""
FAILURES = tuple(outcome.value for outcome in Outcome if outcome.value not in ANSWERED)
"""All others: none of them is a word on the claim."""


class Verdict(StrEnum):
    """What the cited source does with the claim."""

    STATED = "stated"
    PARTIAL = "partial"
    ABSENT = "absent"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedText:
    """One citation of a claim with the whole text of the source that it points at.

    Attributes
    ----------
    source_id : str
        The project's own id of the source.
    order : int
        Place of the citation among those of its claim, from 1.
    text : str
        The whole source. The verdict is about the source as cited: a judge reads all of it,
        and the span says only where the answer points.
    start, end : int or None
        The span in Unicode code points, end exclusive; both ``None`` where none is known. They are
        given as the answer gave them, so they may lie outside the text.
    fields : mapping
        The structured record of the source, where it has one.
    resolved : bool
        Whether a source of this id exists; where it does not, ``text`` is empty.
    collection : str
        Where the source comes from, or empty.
    """

    source_id: str
    order: int
    title: str
    text: str
    start: int | None = None
    end: int | None = None
    fields: Mapping[str, object] = field(default_factory=lambda: _NOTHING)
    resolved: bool = True
    collection: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimInput:
    """One claim as a judge sees it, with all that it cites and nothing else.

    ``claim_id`` is the key that the caller joins opinions on; judges do not interpret it. ``answer_cited`` is for judges
    of whole answers: every source that any claim of the answer cites, once, numbered from 1 and without spans; it is
    empty for all others.
    """

    claim_id: int
    text: str
    kind: str
    severity: str
    cited: tuple[CitedText, ...]
    question: str = ""
    answer: str = ""
    answer_cited: tuple[CitedText, ...] = ()

    def cited_for(self, unit: str) -> tuple[CitedText, ...]:
        """What the claim cites, or all that its answer does where the unit asked about is ``answer``."""
        return (self.answer_cited if unit == "answer" else ()) or self.cited


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a judge says of one claim.

    Attributes
    ----------
    outcome : Outcome
    verdict : Verdict or None
        Present if and only if the outcome is ``judged``.
    score : float or None
        Support for the claim, 0 (none) to 1 (full); ``None`` for a judge that has no score.
    quote : str
        The passage that the verdict rests on, verbatim from a cited source, or empty.
    reason : str
        One or two sentences for a person.
    cost_usd : Decimal
        Money spent on this claim, in US dollars; an int or float is taken by its decimal text.
    seconds : float
        Wall time spent on this claim.
    reused_usd, reused_seconds : Decimal, float
        What parts of the opinion cost when they were asked for earlier: nothing was spent on them now, and asked anew it
        would be.
    detail : mapping
        Whatever else the judge can show; plain JSON values only.

    Raises
    ------
    ValueError
        Where verdict and outcome do not fit, or a number lies outside its range.
    """

    outcome: Outcome
    verdict: Verdict | None = None
    score: float | None = None
    quote: str = ""
    reason: str = ""
    cost_usd: Decimal = Decimal(0)
    seconds: float = 0.0
    reused_usd: Decimal = Decimal(0)
    reused_seconds: float = 0.0
    detail: Mapping[str, object] = field(default_factory=lambda: _NOTHING)

    def __post_init__(self) -> None:
        # Plain strings come from stored rows and from other packages' judges.
        object.__setattr__(self, "outcome", Outcome(self.outcome))
        if self.verdict is not None:
            object.__setattr__(self, "verdict", Verdict(self.verdict))
        for key in ("cost_usd", "reused_usd"):
            if not isinstance(getattr(self, key), Decimal):
                object.__setattr__(self, key, Decimal(str(getattr(self, key))))
        if (self.verdict is not None) != (self.outcome is Outcome.JUDGED):
            found = "no verdict" if self.verdict is None else f"the verdict {self.verdict!s}"
            msg = f"an opinion has a verdict if and only if it is judged: outcome {self.outcome!s} came with {found}"
            raise ValueError(msg)
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            msg = f"score is {self.score!r}; expected a number from 0 to 1, or None"
            raise ValueError(msg)
        for key, amount in (("cost_usd", self.cost_usd), ("reused_usd", self.reused_usd)):
            if not (amount.is_finite() and amount >= 0):
                msg = f"{key} is {amount!s}; expected a finite amount of at least 0"
                raise ValueError(msg)
        for key, seconds in (("seconds", self.seconds), ("reused_seconds", self.reused_seconds)):
            if not (isfinite(seconds) and seconds >= 0):
                msg = f"{key} is {seconds!r}; expected a finite number of at least 0"
                raise ValueError(msg)


@runtime_checkable
class JudgeImplementation(Protocol):
    """A judge built from one configuration, ready to judge."""

    @property
    def type_name(self) -> str:
        """Name of the judge type that it was built by."""
        ...

    @property
    def limits(self) -> str:
        """One plain sentence of what it cannot do, shown wherever its figures are."""
        ...

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """Yield exactly one opinion per claim, in the order of the claims.

        A claim that cannot be judged gets an opinion whose outcome says so; it is neither skipped
        nor does it end the iteration.
        """
        ...


class Reserved(StrEnum):
    """Whether a paid call may be made."""

    YES = "yes"
    LATER = "later"
    NO = "no"


class Purse(Protocol):
    """What stands between a paid judge and its calls: it writes down what is about to be paid, or refuses.

    It is used from the thread that iterates over the judge's opinions and from no other.
    """

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:
        """Ask leave for one call that costs at most so much in US dollars; ``None`` where the price is unknown.

        ``LATER`` means that the money is bound by calls that are going on, and may be free again once they have ended.
        """
        ...

    def going(self) -> bool:
        """Whether there is any use in going on; to be asked every second or so, also while waiting."""
        ...

    def may_wait(self) -> bool:
        """Whether to go on waiting for a batch; where not, it is read another time."""
        ...

    def batches(self) -> Mapping[str, Sequence[int]]:
        """The batches that were handed in earlier and not read yet, by their id, each with its claims' ids."""
        ...

    def handed_in(self, batch: str, claims: Sequence[ClaimInput]) -> None:
        """Keep that the calls reserved for these claims are in a batch of this id."""
        ...


class FreePurse:
    """Leave for everything: nothing is counted and nothing is kept."""

    def reserve(self, claim: ClaimInput, at_most: Decimal | None) -> Reserved:  # noqa: ARG002
        return Reserved.YES

    def going(self) -> bool:
        return True

    def may_wait(self) -> bool:
        return True

    def batches(self) -> Mapping[str, Sequence[int]]:
        return {}

    def handed_in(self, batch: str, claims: Sequence[ClaimInput]) -> None:
        pass


AT_MOST = "cost_at_most_usd"
"""Key in the detail of an opinion whose cost is not known: what the call can have cost, in US dollars, as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What judging one claim is going to cost, in US dollars; ``None`` where the price is unknown.

    ``about`` is a guess from the length of the texts; ``at_most`` is never passed.
    """

    about: Decimal | None
    at_most: Decimal | None

    @classmethod
    def together(cls, each: Sequence["Forecast"]) -> "Forecast":
        """The sum; unknown where one of them is."""
        return cls(about=_sum([one.about for one in each]), at_most=_sum([one.at_most for one in each]))


def _sum(amounts: Sequence[Decimal | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if len(known) == len(amounts) else None


@runtime_checkable
class PaidJudge(JudgeImplementation, Protocol):
    """A judge whose every call is paid for: it asks leave first and gives each opinion out as it comes."""

    @property
    def price_known(self) -> bool:
        """Whether it can say beforehand what a call can cost."""
        ...

    @property
    def price_note(self) -> str:
        """What its prices are and of which day, or that they are not known."""
        ...

    def forecast(self, claim: ClaimInput) -> Forecast:
        """What this claim is going to cost."""
        ...

    def ask(self, claims: Sequence[ClaimInput], purse: Purse) -> Iterator[tuple[ClaimInput, Opinion | None]]:
        """Yield each claim with its opinion, in any order; without one where leave was given but nothing was asked.

        Claims that no leave is given for are left out. Whoever iterates goes on to the end: to stop, the purse says so.
        """
        ...


C = TypeVar("C")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeType(Generic[C]):
    """A kind of judge that people can configure, as the registry lists it.

    Attributes
    ----------
    name : str
        Stored with every judge version; never renamed.
    title, summary, limits : str
        Plain words for pages: what it is called, what it does, what it cannot do.
    default_config : callable
        Gives a fresh plain mapping with every key and its default.
    parse_config : callable
        Turns plain data into a frozen configuration. Raises ``ValueError`` naming the key, what was
        found and what was expected.
    build : callable
        Makes the judge from a parsed configuration.
    code_version : str
        Changed whenever code changes in a way that can change a verdict; part of the fingerprint.
    paid : bool
        Whether a run can cost money.
    prompted : bool
        Whether it is told the project's policy in words: a version then keeps them under ``wording``.
    at_once : int
        Claims that a worker should have at hand together; 0 leaves it to the run.
    settings : mapping
        Its settings in words, in the order in which a form has them; one that is not among them is shown by its key.
    needs : callable
        Gives what a configuration needs where it runs, keys by the name of their variable.
    page : str
        Name of the URL where one is set up, made of the project's slug; empty for the form made of its settings.
    preview : callable or None
        Gives what is put to the judge for one claim, word for word, without asking.
    thresholds : tuple of str
        The settings that only turn into a verdict what its opinions keep.
    judged_again : callable or None
        Gives the opinion that a complete configuration comes to from the opinion on the same claim under other
        ``thresholds``, without asking; None where that opinion did not keep enough.
    """

    name: str
    title: str
    summary: str
    limits: str
    default_config: Callable[[], dict[str, object]]
    parse_config: Callable[[Mapping[str, object]], C]
    build: Callable[[C], JudgeImplementation]
    code_version: str
    paid: bool = False
    prompted: bool = False
    at_once: int = 0
    settings: Mapping[str, Setting] = field(default_factory=dict)
    needs: Callable[[Mapping[str, object]], Sequence[Need]] = lambda _: ()
    page: str = ""
    preview: Callable[[C, ClaimInput], Preview] | None = None
    thresholds: tuple[str, ...] = ()
    judged_again: Callable[[Mapping[str, object], ClaimInput, Opinion], Opinion | None] | None = None

    def from_data(self, data: Mapping[str, object]) -> JudgeImplementation:
        """Build a judge straight from stored plain data."""
        return self.build(self.parse_config(data))

    def complete_config(self, data: Mapping[str, object]) -> dict[str, object]:
        """Give the configuration as plain values with every default filled in.

        Two spellings of one configuration come out equal, so that they make one judge version.

        Raises
        ------
        ValueError
            Whatever goes wrong: the type may be another package's, and its code may raise anything.
        """
        try:
            parsed: Any = self.parse_config(data)
            return asdict(parsed)
        except ValueError:
            raise
        except Exception as error:
            msg = f"the settings cannot be read ({type(error).__name__}: {error})"
            raise ValueError(msg) from error


@dataclass(frozen=True, slots=True)
class NoConfig:
    """The configuration of a judge that has nothing to set."""


def parse_no_config(data: Mapping[str, object]) -> NoConfig:
    """Accept an empty configuration only.

    Raises
    ------
    ValueError
        Naming the first unknown key.
    """
    reject_unknown_keys(data, known=())
    return NoConfig()


def reject_unknown_keys(data: Mapping[str, object], *, known: Sequence[str]) -> None:
    """Raise ``ValueError`` for the first key of a configuration that is not among the known ones."""
    for key in sorted(set(data) - set(known)):
        expected = "one of " + ", ".join(sorted(known)) if known else "no keys: this judge has nothing to set"
        msg = f"unknown key {key!r}; expected {expected}"
        raise ValueError(msg)


def read_number(data: Mapping[str, object], key: str, *, default: float, low: float, high: float) -> float:
    """Read a number from a configuration, both bounds included.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        msg = f"{key} is {value!r}; expected a number from {low:g} to {high:g}"
        raise ValueError(msg)
    return float(value)


def read_switch(data: Mapping[str, object], key: str, *, default: bool) -> bool:
    """Read true or false from a configuration.

    Raises
    ------
    ValueError
        Naming the key, what was found and what was expected.
    """
    value = data.get(key, default)
    if isinstance(value, bool):
        return value
    msg = f"{key} is {value!r}; expected true or false"
    raise ValueError(msg)
