"""Tests of a judge: all kinds of one version with the form that starts one, and what came of one of them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from judges.access import run_of, version_of
from judges.forms.probes import ProbeForm
from judges.models import JudgeVersion, Run
from judges.probes import PROBES
from judges.services.probes import forecast_probe, start_probe
from judges.services.runs import RunRefusedError
from judges.services.versions import costs_money
from judges.tasks import announce
from labelling.access import Seat, engineer_seat
from labelling.models import Split
from reports.services.looks import count_looks, note_look
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
        try:
            run = start_probe(version=version, by=seat.member, budget_usd=form.cleaned_data["budget"], **form.chosen())
        except RunRefusedError as error:
            form.add_error(None, str(error))
        else:
            announce(run.pk)
            _looks(seat, version, run)
            return redirect("reports:probe", slug, run.pk)
    context = _probes_context(seat, version, form)
    return render(request, "reports/probes.html", context, status=422 if form.is_bound else 200)


def _probes_context(seat: Seat, version: JudgeVersion, form: ProbeForm) -> dict[str, object]:
    tests = last_probes(version)
    _looks(seat, version, *(test.report.run for test in tests if test.report))
    context = {"project": seat.project, "member": seat.member, "here": "judges", "version": version, "form": form}
    return context | {"tests": tests, "paid": costs_money(version)}


def _looks(seat: Seat, version: JudgeVersion, *runs: Run) -> int:
    """How often test was looked at, this time included where one of these tests was made on it."""
    if any(run.selection.get("split") != Split.DEVELOPMENT for run in runs):
        return note_look(project=seat.project, member=seat.member, page="test of a judge", version=version)
    return count_looks(seat.project)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def probe_forecast(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """What a test would cost; nothing is started."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = ProbeForm(request.POST or request.GET, project=seat.project)
    shown: dict[str, object] = {"forecast": None, "unavailable": ""}
    if form.is_valid():
        try:
            shown["forecast"] = forecast_probe(version=version, **form.chosen())
        except RunRefusedError as error:
            shown["unavailable"] = str(error)
    status = 200 if form.is_valid() else 422
    if request.headers.get("HX-Request"):
        return render(request, "judges/_run_forecast.html", {"form": form, **shown}, status=status)
    return render(request, "reports/probes.html", {**_probes_context(seat, version, form), **shown}, status=status)


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
        "on_test": run.selection.get("split") != Split.DEVELOPMENT,
        "looks": _looks(seat, run.judge_version, run),
        "page": page,
        "cases": shown_cases(report, list(page.object_list)),
    }
    return render(request, "reports/probe.html", context)
