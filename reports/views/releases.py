"""Releases of systems: listed, added, mended, removed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from labelling.access import engineer_seat, within
from labelling.models import Answer
from reports.forms.trends import ReleaseForm
from reports.services.releases import ReleaseRefusedError, change_release, note_release, releases_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def releases(request: HttpRequest, slug: str) -> HttpResponse:
    """The releases of all systems, and a form for one more."""
    here = engineer_seat(request.user, slug)
    asked = {"system": request.GET.get("system")}
    form = ReleaseForm(request.POST or None, project=here.project, initial=asked)
    if form.is_valid():
        try:
            made = note_release(project=here.project, by=here.member, **form.given())
        except ReleaseRefusedError as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, f"Release {made} is kept.")
            return redirect("reports:releases", slug)
    known = set(Answer.objects.filter(project=here.project).order_by().values_list("system", flat=True).distinct())
    rows = [(release, release.system in known) for release in releases_of(here.project).select_related("member")]
    context = {"project": here.project, "member": here.member, "here": "trends", "form": form, "rows": rows[::-1]}
    return render(request, "reports/releases.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def release(request: HttpRequest, slug: str, release_id: int) -> HttpResponse:
    """One release, to be mended."""
    here = engineer_seat(request.user, slug)
    found = within(releases_of(here.project), pk=release_id)
    named = str(found)
    form = (
        ReleaseForm(request.POST, project=here.project)
        if request.method == "POST"
        else ReleaseForm.of(found, project=here.project)
    )
    if form.is_valid():
        try:
            change_release(found, **form.given())
        except ReleaseRefusedError as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, f"Release {found} is kept.")
            return redirect("reports:releases", slug)
    context = {"project": here.project, "member": here.member, "here": "trends", "form": form}
    context |= {"release": found, "named": named}
    return render(request, "reports/release.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def release_remove(request: HttpRequest, slug: str, release_id: int) -> HttpResponse:
    """Remove a release: its line goes, no figure does."""
    here = engineer_seat(request.user, slug)
    found = within(releases_of(here.project), pk=release_id)
    found.delete()
    messages.success(request, f"Release {found} is removed.")
    return redirect("reports:releases", slug)
