"""Fitting a panel."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judges.access import judge_of
from judges.combined.panel import PANEL
from judges.combined.stages import STAGE_KEYS, Stage
from labelling.access import engineer_seat
from reports.forms.panels import PanelForm
from reports.services.panels import FEWEST, PanelRefusedError, fit_panel, panel_candidates


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def panel_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Fit a panel of versions that have judged development claims; ``?judge=NAME`` starts from the last fit of it."""
    seat = engineer_seat(request.user, slug)
    candidates = panel_candidates(seat.project)
    judge = judge_of(seat, request.GET["judge"]) if "judge" in request.GET else None
    last = judge.versions.order_by("-number").first() if judge is not None and judge.type == PANEL.name else None
    initial: dict[str, object] = {"name": judge.name} if judge else {}
    if last is not None:
        names = {Stage(**{key: one[key] for key in STAGE_KEYS}).fingerprint for one in last.config["members"]}
        initial["members"] = [one.version.pk for one in candidates if one.version.fingerprint in names]
    form = PanelForm(request.POST or None, candidates=candidates, initial=initial)
    if request.method == "POST" and form.is_valid():
        name, members = form.cleaned_data["name"], form.chosen()
        try:
            made = fit_panel(project=seat.project, name=name, members=members, by=seat.member)
        except PanelRefusedError as error:
            form.add_error(None, f"No panel was fitted: {error}.")
        else:
            messages.success(request, f"{made} was fitted on {made.config['fit']['claims']} development claims.")
            return redirect("judges:version", slug, made.judge.name, made.number)
    context = {"project": seat.project, "member": seat.member, "here": "judges", "type": PANEL, "form": form}
    context |= {"last": last, "candidates": candidates, "fewest": FEWEST}
    return render(request, "reports/panel_new.html", context, status=422 if form.is_bound else 200)
