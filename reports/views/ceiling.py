"""The human ceiling: what people reach, for engineers and owners; who disagrees with whom, for owners alone."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from labelling.access import Seat, engineer_seat, owner_seat
from labelling.views.older import may_be_older
from reports.forms.ceiling import CeilingForm, PairForm
from reports.plots.basis import basis_words
from reports.plots.files import asks_for_plot, plot_file
from reports.selection import Selection
from reports.services.ceiling import report_ceiling
from reports.services.looks import looks_beside
from reports.services.people import differing_claims, report_people, shown_differences
from reports.shown.ceiling_page import (
    ceiling_plots,
    differed_on,
    figure_rows,
    first_words,
    group_lines,
    judge_lines,
    period_lines,
)
from reports.views.asking import part_or_page

PAGE, PAGE_SIZE = "ceiling", 20


def _looks(seat: Seat, selection: Selection) -> int:
    return looks_beside(selection, project=seat.project, member=seat.member, page=PAGE)


@login_required
@require_GET
@may_be_older
def ceiling(request: HttpRequest, slug: str) -> HttpResponse:
    """The ceiling with its filters; only the part below the filters where htmx asks, and its plots as files."""
    here = engineer_seat(request.user, slug)
    form = CeilingForm(request.GET, project=here.project)
    context: dict[str, object] = {"project": here.project, "member": here.member, "here": PAGE, "form": form}
    if form.is_valid():
        selection = form.selection()
        report = report_ceiling(here.project, selection, by=form.cleaned_data["by"] or "month")
        looks = _looks(here, selection)
        plots = ceiling_plots(report, basis=basis_words(report.comparison.result, selection, looks))
        if asks_for_plot(request):
            return plot_file(request, plots.values())
        context |= {
            "report": report,
            "looks": looks,
            "said": first_words(report),
            "rows": figure_rows(report),
            "judges": judge_lines(report),
            "apart": differed_on(report),
            "groupings": [
                (
                    grouping,
                    [(line, form.query(**{grouping.name: line.row.value})) for line in group_lines(report, grouping)],
                )
                for grouping in report.figures.groupings
            ],
            "periods": period_lines(report.figures.periods),
            "guides": period_lines(report.figures.guides),
            "over_time": plots.get("over-time"),
            "by_guide": plots.get("by-guide"),
            "query": form.query(),
        }
    return part_or_page(request, "reports/ceiling.html", context, status=200 if form.is_valid() else 422)


@login_required
@require_GET
def ceiling_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Who disagrees with whom: every two people who share claims enough, by name, for owners."""
    here = owner_seat(request.user, slug)
    form = CeilingForm(request.GET, project=here.project)
    context: dict[str, object] = {"project": here.project, "member": here.member, "here": PAGE, "form": form}
    if form.is_valid():
        selection = form.selection()
        report = report_people(here.project, selection)
        context |= {"report": report, "matrix": report.matrix(), "looks": _looks(here, selection)}
        context["query"] = form.query()
    return render(request, "reports/ceiling_people.html", context, status=200 if form.is_valid() else 422)


@login_required
@require_GET
def ceiling_pair(request: HttpRequest, slug: str, first: int, second: int) -> HttpResponse:
    """The claims on which two people differ."""
    here = owner_seat(request.user, slug)
    form = PairForm(request.GET, project=here.project)
    context: dict[str, object] = {"project": here.project, "member": here.member, "here": PAGE, "form": form}
    if not form.is_valid():
        return render(request, "reports/ceiling_pair.html", context, status=422)
    selection, given = form.selection(), form.cleaned_data
    found = differing_claims(here.project, selection, first, second, said=given["said"], other=given["other"])
    if found is None:
        raise Http404
    one, two, claims = found
    page = Paginator(claims, PAGE_SIZE).get_page(request.GET.get("page"))
    context |= {"first": one, "second": two, "page": page, "claims": shown_differences(list(page.object_list))}
    context |= {"selection": selection, "looks": _looks(here, selection), "query": form.query()}
    context |= {"said": given["said"], "other": given["other"], "whole": form.query(said="", other="")}
    return render(request, "reports/ceiling_pair.html", context)
