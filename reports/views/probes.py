"""Tests of a judge: all kinds of one version with the form that starts one, and what came of one of them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from judges.access import run_of, version_of
from judges.forms.probes import ProbeForm
from judges.probes import PROBES
from judges.services.probes import start_probe
from judges.services.runs import RunRefusedError
from judges.services.versions import costs_money
from judges.tasks import announce
from labelling.access import engineer_seat
from reports.services.probes import last_probes, report_probe, shown_cases

PAGE_SIZE = 20


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def probes(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The tests of one version; the form on it starts one, and twice in a row starts one."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = ProbeForm(request.POST if request.method == "POST" else None, project=seat.project)
    if request.method == "POST" and form.is_valid():
        given = {key: form.cleaned_data[key] for key in ("probe", "claims", "seed")}
        try:
            run = start_probe(
                version=version,
                selection=form.selection(),
                by=seat.member,
                budget_usd=form.cleaned_data["budget"],
                **given,
            )
        except RunRefusedError as error:
            form.add_error(None, str(error))
        else:
            announce(run.pk)
            return redirect("reports:probe", slug, run.pk)
    context = {"project": seat.project, "member": seat.member, "here": "judges", "version": version, "form": form}
    context |= {"tests": last_probes(version), "paid": costs_money(version)}
    return render(request, "reports/probes.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_safe
def probe(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    """What came of one test: its figures, and the claims behind them."""
    seat = engineer_seat(request.user, slug)
    run = run_of(seat, run_id)
    if run.probe not in PROBES:
        raise Http404
    report = report_probe(run)
    page = Paginator(report.cases, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "project": seat.project,
        "member": seat.member,
        "here": "runs",
        "run": run,
        "report": report,
        "page": page,
        "cases": shown_cases(report, list(page.object_list)),
    }
    return render(request, "reports/probe.html", context)
