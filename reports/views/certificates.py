"""Certificates issued from a judge's page, and the looks at the test split that have been taken."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judges.access import version_of
from labelling.access import engineer_seat
from reports.forms.certificates import CertificateForm
from reports.models import Look
from reports.services.certifying import CertificateRefusedError, issue_certificate
from reports.shown.certificate_card import certificate_context

PAGE_SIZE = 50


@login_required
@require_POST
def certificate_issue(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """Freeze what the version is found to be on a golden set."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = CertificateForm(request.POST, project=seat.project)
    if form.is_valid():
        try:
            issued = issue_certificate(version=version, golden_set=form.chosen, by=seat.member)
        except CertificateRefusedError as error:
            form.add_error("golden_set", str(error))
        else:
            messages.success(request, f"{version} is certified on {issued.golden_set}.")
            return redirect("reports:judge", slug, version.judge.name, version.number)
    context = {"project": seat.project, "member": seat.member, "here": "compare", "version": version}
    context |= certificate_context(seat.project, version, form=form)
    return render(request, "reports/certificate_refused.html", context, status=422)


@login_required
@require_safe
def looks(request: HttpRequest, slug: str) -> HttpResponse:
    """Who looked at figures of the test split, when, and of which judge version; newest first."""
    seat = engineer_seat(request.user, slug)
    rows = Look.objects.filter(project=seat.project).select_related("member", "judge_version__judge").order_by("-id")
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"project": seat.project, "member": seat.member, "here": "compare", "page": page}
    return render(request, "reports/looks.html", context)
