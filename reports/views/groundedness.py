"""The groundedness report: a page with filters, and the same report as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from labelling.access import Seat, engineer_seat
from labelling.views.older import may_be_older
from reports.forms.groundedness import GroundednessForm
from reports.plots.files import asks_for_plot, plot_file
from reports.services.failing_claims import failing_claims
from reports.services.groundedness import GroundednessReport, report_groundedness
from reports.services.looks import looks_beside
from reports.shown.groundedness_files import FORMS, file_name
from reports.shown.groundedness_plots import groundedness_plots
from reports.shown.groundedness_table import headline, shown_sections
from reports.shown.wording import look_words
from reports.views.asking import part_or_page

PAGE_SIZE = 20


def _report(seat: Seat, form: GroundednessForm) -> tuple[GroundednessReport, int]:
    """The report that a valid form asks for, and how often test was looked at, this time included."""
    selection = form.selection()
    report = report_groundedness(seat.project, selection, version=form.version, origin=form.cleaned_data["origin"])
    return report, looks_beside(
        selection, project=seat.project, member=seat.member, page="report", version=form.version
    )


@login_required
@require_GET
@may_be_older
def groundedness(request: HttpRequest, slug: str) -> HttpResponse:
    """The report with its filters; only the part below the filters where htmx asks."""
    here = engineer_seat(request.user, slug)
    form = GroundednessForm(request.GET, project=here.project)
    context: dict[str, object] = {"project": here.project, "member": here.member, "here": "report", "form": form}
    if form.is_valid():
        report, looks = _report(here, form)
        plots = groundedness_plots(report, looks=look_words(looks))
        if asks_for_plot(request):
            return plot_file(request, plots)
        page = Paginator(report.figures.failing.in_order(), PAGE_SIZE).get_page(request.GET.get("page"))
        context |= {
            "report": report,
            "looks": looks,
            "plots": plots,
            "sections": shown_sections(report.figures),
            "headline": headline(report.figures),
            "page": page,
            "claims": failing_claims(report, [int(claim_id) for claim_id in page.object_list]),
            "query": form.query(),
            "kinds": [(kind, made.words) for kind, made in FORMS.items()],
        }
    return part_or_page(request, "reports/groundedness.html", context, status=200 if form.is_valid() else 422)


@login_required
@require_GET
def groundedness_file(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The same report to keep: one HTML file, JSON, or Markdown."""
    here = engineer_seat(request.user, slug)
    form = GroundednessForm(request.GET, project=here.project)
    if kind not in FORMS:
        raise Http404
    if not form.is_valid():
        context = {"project": here.project, "member": here.member, "here": "report", "form": form}
        return render(request, "reports/groundedness.html", context, status=422)
    report, looks = _report(here, form)
    response = HttpResponse(FORMS[kind].write(report, looks=looks), content_type=FORMS[kind].content_type)
    response["Content-Disposition"] = f'attachment; filename="{file_name(report, kind)}"'
    return response
