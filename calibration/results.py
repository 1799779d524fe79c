"""Result objects: one figure with its interval and denominator, and what is built of them."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.arrays import IntArray
from calibration.verdicts import COLUMNS, VERDICTS

type_error = "cannot be written as JSON"
JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


def as_json(value: object) -> JsonValue:
    """Turn a result, however nested, into plain JSON values; a number that is not finite is refused.

    Examples
    --------
    >>> as_json((1, {"a": 0.5}))
    [1, {'a': 0.5}]
    """
    if isinstance(value, enum.Enum):
        return as_json(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} {type_error}")
        return value
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} {type_error}")


class Result:
    """Base of the result objects: each can be written as JSON."""

    __slots__ = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Return the fields as plain JSON values."""
        written = as_json(self)
        assert isinstance(written, dict)  # a dataclass is written as an object
        return written


@dataclass(frozen=True, slots=True)
class Figure(Result):
    """One number with its interval, its denominator and how it was made.

    Attributes
    ----------
    value : float or None
        The estimate; None where it is undefined, and then `reason` says why.
    low, high : float or None
        Ends of the interval; both None where there is none, and `reason` then says why if the
        figure was meant to have one.
    n : int
        The denominator: claims, pairs or answers that the value rests on.
    k : int or None
        The numerator, where the figure is a share of counted things.
    method : str
        How the interval was made.
    reason : str
        Why the value, or its interval, is missing.

    Raises
    ------
    ValueError
        If a number is not finite, only one end is given, the ends are crossed, or a missing value
        has no reason.

    Examples
    --------
    >>> Figure(0.5, 0.2, 0.8, n=10, k=5).to_json()["value"]
    0.5
    >>> Figure.undefined("no pairs").value is None
    True
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    k: int | None = None
    method: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        for name in ("value", "low", "high"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} is {number}: an undefined figure is None with a reason")
        if self.value is None and not self.reason:
            raise ValueError("a figure without a value needs a reason")
        if (self.low is None) != (self.high is None):
            raise ValueError(f"an interval has two ends, got low={self.low}, high={self.high}")
        if self.value is None and self.low is not None:
            raise ValueError("a figure without a value has no interval")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"interval is crossed: {self.low} > {self.high}")
        if self.n < 0 or (self.k is not None and not 0 <= self.k <= self.n):
            raise ValueError(f"counts do not fit: k={self.k}, n={self.n}")

    @classmethod
    def undefined(cls, reason: str, *, n: int = 0) -> Figure:
        """Return a figure without a value and say why."""
        return cls(None, None, None, n=n, reason=reason)

    @classmethod
    def point(cls, value: float, *, n: int, k: int | None = None, method: str = "", reason: str = "") -> Figure:
        """Return a figure without an interval."""
        return cls(float(value), None, None, n=n, k=k, method=method, reason=reason)

    @property
    def width(self) -> float | None:
        """Width of the interval, None where there is none."""
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True, slots=True, eq=False)
class Confusion(Result):
    """Counts of reference verdicts (rows) against verdicts of a judge or person (columns).

    Rows follow the order stated, partial, absent, contradicted; columns are the same and then
    "no judgement". A class that nobody used keeps its row and column.

    Attributes
    ----------
    counts : int array of shape (4, 5)
    """

    counts: IntArray

    def __post_init__(self) -> None:
        if self.counts.shape != (len(VERDICTS), len(COLUMNS)):
            raise ValueError(f"expected a 4 by 5 table, got shape {self.counts.shape}")

    @property
    def n(self) -> int:
        """Number of claims counted, those without a verdict included."""
        return int(self.counts.sum())

    @property
    def n_judged(self) -> int:
        """Number of claims that got a verdict."""
        return int(self.counts[:, : len(VERDICTS)].sum())

    def to_json(self) -> dict[str, JsonValue]:
        """Return rows, columns and counts."""
        return {"rows": list(VERDICTS), "columns": list(COLUMNS), "counts": as_json(self.counts)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Confusion) and bool(np.array_equal(self.counts, other.counts))

    def __hash__(self) -> int:
        return hash(self.counts.tobytes())
