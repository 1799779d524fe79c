"""A plot on a page: the drawing, its legend, the table behind it, and both as files."""

from __future__ import annotations

from typing import Any

from django import template

from reports.plots.files import file_query
from reports.plots.frame import Plot

register = template.Library()


@register.inclusion_tag("reports/_plot.html", takes_context=True)
def plot(context: dict[str, Any], shown: Plot) -> dict[str, object]:
    """The whole figure."""
    return {"plot": shown, "rows": shown.shown_rows(), "words": "Save as", **_files(context, shown)}


@register.inclusion_tag("reports/_plot_files.html", takes_context=True)
def plot_files(context: dict[str, Any], shown: Plot) -> dict[str, object]:
    """The two links alone, where the page itself is the table."""
    return {"plot": shown, "words": f"{shown.title}: save as", **_files(context, shown)}


def _files(context: dict[str, Any], shown: Plot) -> dict[str, object]:
    request = context.get("request")  # none where the page is made as a file
    return {"files": [(kind.upper(), file_query(request, shown, kind)) for kind in ("svg", "csv")] if request else []}
