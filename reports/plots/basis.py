"""What the figures of a plot are about, in the words that its page uses."""

from __future__ import annotations

from django.template.loader import render_to_string

from calibration.comparison import Comparison
from reports.selection import Selection


def basis_words(result: Comparison, selection: Selection, looks: int) -> str:
    """How many claims of which split by which rule, and how often test was looked at; for a plot's description."""
    return render_to_string("reports/_basis.html", {"result": result, "selection": selection, "looks": looks}).strip()
