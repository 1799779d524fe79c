"""Judges beside people: the page that engineers and owners open first."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from calibration.sentences import difference_sentence, judge_sentence
from labelling.access import engineer_seat
from labelling.views.older import may_be_older
from reports.forms.selection import SORTS, ComparisonForm
from reports.plots.basis import basis_words
from reports.plots.files import asks_for_plot, plot_file
from reports.services.comparison import compare_project
from reports.services.looks import looks_beside
from reports.shown.comparison_plots import comparison_plots
from reports.shown.comparison_table import shown_table
from reports.views.asking import part_or_page


@login_required
@require_GET
@may_be_older
def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    """The comparison with its filters; only the part below the filters where htmx asks."""
    here = engineer_seat(request.user, slug)
    form = ComparisonForm(request.GET, project=here.project)
    context: dict[str, object] = {"project": here.project, "member": here.member, "here": "compare", "form": form}
    status = 422
    if form.is_valid():
        status = 200
        selection = form.comparison()
        report = compare_project(here.project, selection, reference=form.cleaned_data["reference"])
        sort = form.cleaned_data["sort"] or "kappa"
        table = shown_table(report, sort=sort)
        looks = looks_beside(selection, project=here.project, member=here.member, page="compare")
        basis = basis_words(report.result, selection, looks)
        plots = comparison_plots(report, [shown.row for shown in table.rows], basis=basis)
        if asks_for_plot(request):
            return plot_file(request, plots)
        context |= {
            "report": report,
            "table": table,
            "sort": sort,
            "sorts": [
                (key, words, selection.query(reference=form.cleaned_data["reference"], sort=key))
                for key, words in SORTS.items()
            ],
            "sentences": [
                (shown.row.name, judge_sentence(shown.row.score, reference=report.reference)) for shown in table.rows
            ],
            "pair_sentences": [difference_sentence(pair) for pair in report.result.differences],
            "looks": looks,
            "plots": plots,
        }
    return part_or_page(request, "reports/comparison.html", context, status=status)
