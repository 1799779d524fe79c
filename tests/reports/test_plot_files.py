"""A plot is the same on the page, in its table, as SVG and as CSV, and runs nothing anywhere."""

import csv
import io
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import reverse

from calibration.results import Figure
from judges.models import JudgeVersion
from labelling.importing.delimited import unescape_cell
from labelling.models import Role
from reports.models import Look
from reports.plots.files import csv_text, plot_file, svg_text
from reports.plots.forest import Row, forest_plot
from reports.plots.frame import Column, Plot
from tests.factories import make_project
from tests.reports.rows import scored_project, signed_in

HOSTILE = "<script>alert('x')</script>&\"]]>\x00\x1f\ud800"
SVG = "{http://www.w3.org/2000/svg}"
RUNS = ("script", "foreignObject", "image", "use", "a", "animate", "set")


def _plot(*names: str) -> Plot:
    rows = [Row(name, Figure(-0.1, -0.2, 0.3, n=9, k=4), Figure(0.8, 0.7, 0.9, n=9)) for name in names]
    return forest_plot(rows, name="kappas", title=names[0], description=f"Of {names[0]}.", column="Kappa")


def _csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _url(version: JudgeVersion) -> str:
    return reverse("reports:judge", args=[version.judge.project.slug, version.judge.name, version.number])


class _Cells(HTMLParser):
    """The text of each cell of the tables, as a reader meets it."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            self.inside = True
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1] += data


def _cells(html: str) -> list[str]:
    parser = _Cells()
    parser.feed(html)
    return [" ".join(cell.split()) for cell in parser.cells]


def test_the_file_is_xml_that_says_what_it_shows_and_runs_nothing() -> None:
    root = ET.fromstring(svg_text(_plot("overnight v1")))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert [root.findtext(f"{SVG}{name}") for name in ("title", "desc")] == ["overnight v1", "Of overnight v1."]
    assert not [element.tag for element in root.iter() if element.tag.removeprefix(SVG) in RUNS]
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]


def test_the_file_has_plain_colours_for_light_and_for_dark() -> None:
    style = ET.fromstring(svg_text(_plot("a"))).findtext(f"{SVG}style") or ""
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    assert "var(" not in style
    assert "url(" not in style
    assert "#1d1f23" in light
    assert "#1d1f23" not in dark
    assert style.count("{") == style.count("}")


def test_names_from_outside_are_text_in_every_file() -> None:
    plot = _plot(HOSTILE, '=HYPERLINK("x")')
    root = ET.fromstring(svg_text(plot))
    assert root.findtext(f"{SVG}title") == HOSTILE[:-3] + "\ufffd" * 3
    rows = _csv(csv_text(_plot('=HYPERLINK("x")', "-1+1", "@x", "plain")))
    assert [row["name"][:1] for row in rows] == ["'", "'", "'", "p"]
    assert [unescape_cell(row["name"]) for row in rows] == ['=HYPERLINK("x")', "-1+1", "@x", "plain"]


def test_the_csv_gives_every_figure_back() -> None:
    odd = Figure(0.1 + 0.2, 1 / 3, 0.5, n=7, k=2)
    rows = (("a", odd, 3), ("b", Figure.undefined("one class only", n=4), None))
    columns = (Column("name", "Name"), Column("kappa", "Kappa", "decimal"), Column("claims", "Claims", "count"))
    plot = Plot("x", "t", "d", "reports/plots/forest.svg", None, 1, 1, columns, rows)
    first, second = _csv(csv_text(plot))
    parts = {name: float(first[f"kappa_{name}"]) for name in ("low", "high", "n", "k")}
    assert Figure(float(first["kappa"]), parts["low"], parts["high"], n=7, k=2) == odd
    assert (parts["n"], parts["k"], first["claims"]) == (7, 2, "3")
    assert (second["kappa"], second["kappa_reason"], second["kappa_n"]) == ("", "one class only", "4")


def test_a_negative_number_stays_a_number() -> None:
    (row,) = _csv(csv_text(_plot("a")))
    assert float(row["figure"]) == -0.1


@pytest.mark.parametrize("name", ["", "a b", "../x", "é", 'x"'])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="letters, digits"):
        Plot(name, "t", "d", "x", None, 1, 1, (), ())


def test_a_row_has_a_cell_for_every_column() -> None:
    with pytest.raises(ValueError, match="1 cells expected, got 2"):
        Plot("x", "t", "d", "x", None, 1, 1, (Column("a", "A"),), (("x", 1),))


@pytest.mark.parametrize("query", ["plot=other&as=svg", "plot=kappas", "plot=kappas&as=png", "plot=&as=csv"])
def test_what_the_page_does_not_draw_is_not_found(rf: RequestFactory, query: str) -> None:
    with pytest.raises(Http404):
        plot_file(rf.get(f"/?{query}"), [_plot("a")])


@pytest.mark.django_db
def test_the_table_on_the_page_has_what_the_csv_has(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    page = client.get(_url(version), {"kind": "none"}).content.decode()
    behind = page[page.index('class="behind"') :].split("</table>")[0]
    link = re.search(r'href="([^"]*as=csv[^"]*)"', page)
    assert link is not None
    assert "kind=none" in link[1]
    file = client.get(link[1].replace("&amp;", "&"))
    assert file.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert file.headers["Content-Disposition"] == 'attachment; filename="threshold-overnight-v1.csv"'
    plot = client.get(_url(version), {"kind": "none"}).context["card"].plot
    rows = _csv(file.content.decode())
    assert len(rows) == 21 + 1  # every twentieth, and people together; nobody has twenty claims here
    keys = [column.key for column in plot.columns]
    shown = _cells(behind)[len(keys) :]
    assert [shown[place] for place in range(0, len(shown), len(keys))] == [row["threshold"] for row in rows]
    for place, row in enumerate(rows[:-1]):
        for column, key in enumerate(keys[1:], start=1):
            cell = shown[place * len(keys) + column]
            if row[key]:
                assert f"n = {row[f'{key}_n']}" in cell or f"of {row[f'{key}_n']}" in cell
            else:
                assert row[f"{key}_reason"] in cell


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["svg", "csv"])
def test_a_plot_is_for_those_who_may_see_its_page(client: Client, kind: str) -> None:
    project, _, version = scored_project()
    address = f"{_url(version)}?plot=threshold-overnight-v1&as={kind}"
    assert client.get(address).status_code == 302
    for other, role in ((project, Role.ANNOTATOR), (make_project(), Role.ENGINEER)):
        signed_in(client, other, role)
        assert client.get(address).status_code == 404
    signed_in(client, project)
    assert client.get(address).status_code == 200
    assert client.get(address.replace("overnight-v1", "overnight-v2")).status_code == 404


@pytest.mark.django_db
def test_a_plot_of_the_test_split_is_a_look(client: Client) -> None:
    project, _, version = scored_project()
    signed_in(client, project)
    file = client.get(_url(version), {"split": "both", "plot": "threshold-overnight-v1", "as": "svg"})
    assert Look.objects.filter(project=project, judge_version=version).count() == 1
    said = " ".join(file.content.decode().split())
    assert "looked at once" in said
    assert "Only these" not in said
    minor = client.get(_url(version), {"kind": "none", "plot": "threshold-overnight-v1", "as": "svg"}).content.decode()
    assert "Only these: kind not given." in minor
