"""What a piece of text can stand for, as the value reader gives it."""

from typing import NamedTuple

from judges.checks.values.amounts import Amount
from judges.checks.values.dates import Day


class Reading(NamedTuple):
    """An amount in the base unit of a dimension, such as 1,209,600,000 ms of ``duration``."""

    dimension: str
    amount: Amount


class Value(NamedTuple):
    """A figure, date, time or amount in a text, with everything that it can stand for.

    Attributes
    ----------
    start, end : int
        Where it stands, unit and currency included.
    kind : str
        ``figure``, ``ordinal``, ``fraction``, ``clock``, ``decade``, ``date`` or ``code``.
    readings : tuple of Reading
        The amount in a dimension; more than one where the unit or the currency is open.
    numbers : tuple of Amount
        The bare number as written, multiplied out (``2.5m`` is 2,500,000).
    days : tuple of Day
        The dates that it can be.
    parts : tuple of Value
        Where it may as well be several values (``10 000``; ``1 hour 30 minutes``), these.
    worded : bool
        Whether it is written in words.
    """

    start: int
    end: int
    kind: str
    readings: tuple[Reading, ...] = ()
    numbers: tuple[Amount, ...] = ()
    days: tuple[Day, ...] = ()
    parts: tuple["Value", ...] = ()
    worded: bool = False
