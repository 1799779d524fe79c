"""How figures are written on pages: one way for each kind, and "no data" with the reason where there is none."""

from __future__ import annotations

from django import template

from calibration.results import Figure
from calibration.sentences import rounded_threshold
from reports.shown.wording import (
    count_words,
    decimal,
    duration,
    interval_words,
    look_words,
    money,
    p_value,
    percent,
    share_words,
    threshold_words,
)

register = template.Library()

register.filter("count", count_words)
register.filter("decimal", decimal)
register.filter("percent", percent)
register.filter("money", money)
register.filter("duration", duration)
register.filter("pvalue", p_value)
register.filter("threshold", threshold_words)
register.filter("looked", look_words)
register.filter("share", share_words)
register.filter("rounded", rounded_threshold)


@register.filter
def interval(shown: Figure, unit: str = "decimal") -> str:
    """Both ends, or why there is no interval."""
    return interval_words(shown, unit) or shown.reason or "no interval"


@register.inclusion_tag("reports/_figure.html")
def figure(shown: Figure, unit: str = "decimal", noun: str = "") -> dict[str, object]:
    """Value, interval and denominator of one figure; `noun` names what n counts."""
    write = percent if unit == "percent" else decimal
    return {"figure": shown, "value": write(shown.value), "interval": interval_words(shown, unit), "noun": noun}
