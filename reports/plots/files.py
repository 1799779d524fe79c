"""A plot as a file: an SVG that stands alone, or the figures behind it as CSV, from the address of its page."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from labelling.importing.delimited import escape_cell
from reports.plots.frame import Plot

NAME, KIND = "plot", "as"
MARGIN, LINE = 16, 20
_LETTERS_A_UNIT = 0.15
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_THEME = re.compile(r":root\s*\{([^}]*)\}")
_TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
_USE = re.compile(r"var\(--([\w-]+)\)")


def asks_for_plot(request: HttpRequest) -> bool:
    """Whether the address asks for a plot of the page instead of the page."""
    return NAME in request.GET


def plot_file(request: HttpRequest, plots: Iterable[Plot]) -> HttpResponse:
    """The plot that the address names, as the file that it names.

    Raises
    ------
    Http404
        Where the page has no such plot or there is no such kind of file.
    """
    wanted = next((plot for plot in plots if plot.name == request.GET.get(NAME)), None)
    kind = request.GET.get(KIND)
    if wanted is None or kind not in ("svg", "csv"):
        raise Http404
    content, content_type = (svg_text(wanted), "image/svg+xml") if kind == "svg" else (csv_text(wanted), "text/csv")
    response = HttpResponse(content, content_type=f"{content_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{wanted.name}.{kind}"'
    return response


def file_query(request: HttpRequest, plot: Plot, kind: str) -> str:
    """The address of a plot's file: that of the page with two more parameters."""
    query = request.GET.copy()
    query[NAME], query[KIND] = plot.name, kind
    return f"{request.path}?{query.urlencode()}"


def csv_text(plot: Plot) -> str:
    """The figures as CSV: numbers in full precision, text made harmless for spreadsheets."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(plot.csv_header())
    writer.writerows([escape_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in plot.csv_rows())
    return out.getvalue()


def svg_text(plot: Plot) -> str:
    """The drawing as a file that opens anywhere, with title, description and legend, light and dark."""
    said = textwrap.wrap(plot.description, round(plot.width * _LETTERS_A_UNIT))
    top = MARGIN + 2 * LINE + LINE * len(said)
    context = {
        "plot": plot,
        "style": _style(),
        "said": [(MARGIN + 2 * LINE + LINE * place, line) for place, line in enumerate(said)],
        "top": top,
        "legend": [(top + plot.height + LINE * (place + 1), key) for place, key in enumerate(plot.legend)],
        "width": plot.width + 2 * MARGIN,
        "height": top + plot.height + LINE * len(plot.legend) + 2 * MARGIN,
    }
    # Names may hold characters that no XML file may.
    return _NO_XML.sub("\ufffd", render_to_string("reports/plots/file.svg", context))


@lru_cache(maxsize=1)
def _style() -> SafeString:
    """The stylesheet of plots with the design tokens put in as plain colours: not every viewer knows variables."""
    rules = _static("css/plots.css")
    light, dark = (dict(_TOKEN.findall(block)) for block in _THEME.findall(_static("css/tokens.css")))
    plain = {"font": "sans-serif", "read": "serif", "mono": "monospace"}

    def with_tokens(tokens: dict[str, str]) -> str:
        return _USE.sub(lambda use: tokens[use[1]], rules)

    themes = with_tokens(light | plain) + "@media (prefers-color-scheme: dark) {" + with_tokens(light | dark | plain)
    return mark_safe(f"<![CDATA[{themes}}}]]>")  # noqa: S308 -- the project's own stylesheets, nothing from outside


def _static(name: str) -> str:
    found = finders.find(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not among the static files")
    return Path(found).read_text(encoding="utf-8")
