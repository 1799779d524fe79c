"""What the figures of a plot are about, in the words that its page uses."""

from __future__ import annotations

from django.template.loader import render_to_string

from calibration.comparison import Comparison
from reports.selection import Selection


def basis_words(result: Comparison, selection: Selection, looks: int) -> str:
    """Which claims, how many, by which rule, and how often test was looked at: for a plot, which may stand alone."""
    said = render_to_string("reports/_basis.html", {"result": result, "selection": selection, "looks": looks}).strip()
    return f"{said}{filter_words(selection)}"


def filter_words(selection: Selection) -> str:
    """A sentence on the filters, which nobody sees beside a saved plot; empty where there are none."""
    return f" Only these: {selection.narrowed_words}." if selection.is_narrowed else ""
