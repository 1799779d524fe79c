"""Trends: a page of plots with filters, and the same figures as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from labelling.access import Seat, engineer_seat
from labelling.views.older import may_be_older
from reports.forms.trends import TrendForm
from reports.plots.files import asks_for_plot, plot_file
from reports.services.looks import looks_beside
from reports.services.trends import TrendReport, report_trends
from reports.shown.trend_files import FORMS, file_name, left_out_words
from reports.shown.trend_table import (
    chance_words,
    few_words,
    flagged_changes,
    measured_words,
    origin_words,
    pair_rows,
    pairs_words,
    trend_legend,
    trend_plots,
    trend_sections,
)
from reports.shown.wording import look_words
from reports.views.asking import part_or_page


def _report(seat: Seat, form: TrendForm) -> tuple[TrendReport, int]:
    """The trends that a valid form asks for, and how often test was looked at, this time included."""
    selection = form.selection()
    report = report_trends(
        seat.project,
        selection,
        by=form.by_what,
        version=form.version,
        origin=form.cleaned_data["origin"],
        now=timezone.now(),
    )
    return report, looks_beside(
        selection, project=seat.project, member=seat.member, page="trends", version=form.version
    )


@login_required
@require_GET
@may_be_older
def trends(request: HttpRequest, slug: str) -> HttpResponse:
    """The trends with their filters; only the part below the filters where htmx asks."""
    here = engineer_seat(request.user, slug)
    form = TrendForm(request.GET, project=here.project)
    context: dict[str, object] = {"project": here.project, "member": here.member, "here": "trends", "form": form}
    if form.is_valid():
        report, looks = _report(here, form)
        if asks_for_plot(request):
            return plot_file(request, trend_plots(report))
        changes = flagged_changes(report)
        context |= {
            "report": report,
            "measured": measured_words(report, look_words(looks)),
            "origin": origin_words(report),
            "sections": trend_sections(report),
            "legend": trend_legend(report),
            "clear": [change for change in changes if change.clear],
            "open": [change for change in changes if not change.clear],
            "mixed": form.mixes_systems,
            "chance": chance_words(report),
            "few": few_words(report),
            "left_out": list(left_out_words(report)),
            "pairs": [(row, form.query_for(row.filters)) for row in pair_rows(report)],
            "pairs_said": pairs_words(report),
            "rows": [
                # Between two releases lie moments, and the report knows days.
                (
                    period,
                    counts,
                    "" if report.by == "release" else form.report_query(period.first_day, period.day_after),
                )
                for period, counts in zip(report.figures.periods, report.figures.counts, strict=True)
            ],
            "query": form.query(),
            "kinds": [(kind, made.words) for kind, made in FORMS.items()],
        }
    return part_or_page(request, "reports/trends.html", context, status=200 if form.is_valid() else 422)


@login_required
@require_GET
def trends_file(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The same figures to keep: JSON or CSV."""
    here = engineer_seat(request.user, slug)
    form = TrendForm(request.GET, project=here.project)
    if kind not in FORMS:
        raise Http404
    if not form.is_valid():
        context = {"project": here.project, "member": here.member, "here": "trends", "form": form}
        return render(request, "reports/trends.html", context, status=422)
    report, looks = _report(here, form)
    response = HttpResponse(FORMS[kind].write(report, looks=looks), content_type=FORMS[kind].content_type)
    response["Content-Disposition"] = f'attachment; filename="{file_name(report, kind)}"'
    return response
