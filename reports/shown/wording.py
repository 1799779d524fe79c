"""Numbers as people read them. The same on pages, in the terminal and in Markdown."""

from __future__ import annotations

from calibration.results import Figure

NO_DATA = "no data"


def decimal(value: float | None, places: int = 2) -> str:
    """Two decimals with a real minus sign; a value that rounds to nothing has no sign.

    >>> decimal(-0.031), decimal(-0.001), decimal(None)
    ('−0.03', '0.00', 'no data')
    """
    if value is None:
        return NO_DATA
    written = f"{value:.{places}f}"
    return written.lstrip("-") if float(written) == 0 else written.replace("-", "−")


def percent(value: float | None) -> str:
    """A share as a percentage with one decimal.

    >>> percent(0.2334), percent(1.0), percent(None)
    ('23.3%', '100.0%', 'no data')
    """
    return NO_DATA if value is None else f"{decimal(value * 100, 1)}%"


def share_words(value: float) -> str:
    """A share that somebody set, as a percentage without needless places.

    >>> share_words(0.9), share_words(0.995)
    ('90%', '99.5%')
    """
    return f"{100 * value:g}%"


def interval_words(figure: Figure, unit: str = "decimal") -> str:
    """Both ends, or nothing where there is no interval.

    >>> interval_words(Figure(0.5, -0.1, 0.6, n=3))
    '−0.10 to 0.60'
    """
    if figure.low is None or figure.high is None:
        return ""
    write = percent if unit == "percent" else decimal
    return f"{write(figure.low)} to {write(figure.high)}"


def money(value: float | None) -> str:
    """US dollars, with as many places as the amount needs.

    >>> money(3.1), money(0.0042), money(0), money(1234.5)
    ('$3.10', '$0.0042', '$0', '$1,234.50')
    """
    if value is None:
        return NO_DATA
    if value == 0:
        return "$0"
    return f"${value:,.2f}" if value >= 0.1 else f"${value:.2g}"


def duration(seconds: float | None) -> str:
    """Seconds, minutes or hours, as short as it stays true.

    >>> duration(0.04), duration(0.4), duration(9), duration(75), duration(7320)
    ('0.04 s', '0.4 s', '9 s', '1 min 15 s', '2 h 2 min')
    """
    if seconds is None:
        return NO_DATA
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def p_value(value: float | None) -> str:
    """Three decimals; very small ones only by their bound.

    >>> p_value(0.0004), p_value(0.0312), p_value(1.0)
    ('< 0.001', '0.031', '1.000')
    """
    if value is None:
        return NO_DATA
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def threshold_words(value: object) -> str:
    """A threshold as short as it is exact: two decimals, or more where it has more; what is no number as it is.

    >>> threshold_words(0.5), threshold_words(0.625), threshold_words(1 / 3), threshold_words("high")
    ('0.50', '0.625', '0.3333333333333333', 'high')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    short = f"{value:.2f}"
    # Exact, since what is written here is what is saved, and a claim's score may be this very number.
    return short if float(short) == value else repr(value)


def count_words(n: int | None) -> str:
    """
    A count with its thousands apart.

    >>> count_words(1065), count_words(0)
    ('1,065', '0')
    """
    return NO_DATA if n is None else f"{n:,}"


def look_words(times: int) -> str:
    """How often something was looked at.

    >>> look_words(0), look_words(1), look_words(2), look_words(1500)
    ('never looked at', 'looked at once', 'looked at twice', 'looked at 1,500 times')
    """
    few = {0: "never looked at", 1: "looked at once", 2: "looked at twice"}
    return few.get(times, f"looked at {count_words(times)} times")
