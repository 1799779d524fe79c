"""More labels: how many it takes, the plans that queue them, and what came of one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judges.models import JudgeVersion
from labelling.access import Seat, engineer_seat, within
from labelling.models import SamplingPlan
from labelling.services.sampling import PlanRefusedError, next_number, queue_plan, undo_plan
from reports.forms.plans import FiguresForm, PlanForm, WidthForm
from reports.selection import BOTH_SPLITS, Selection
from reports.services.looks import looks_beside
from reports.services.planning import LabelsNeeded, labels_needed, split_of
from reports.services.plans import plan_figures, plans_of, progress_of
from reports.services.sampling import draw_words


def _context(seat: Seat, **more: object) -> dict[str, object]:
    return {"project": seat.project, "member": seat.member, "here": "project", **more}


def _looks(seat: Seat, split: str, version: JudgeVersion | None) -> int:
    return looks_beside(Selection(split=split), project=seat.project, member=seat.member, page="plans", version=version)


def _plan_of(seat: Seat, number: int) -> SamplingPlan:
    return within(seat.project.plans.select_related("by", "project"), number=number)


@login_required
@never_cache
@require_safe
def more_labels(request: HttpRequest, slug: str) -> HttpResponse:
    """The words alone, for the project's page: development, and the usual width."""
    seat = engineer_seat(request.user, slug)
    return render(request, "reports/_more_labels.html", _context(seat, need=labels_needed(seat.project, Selection())))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plans(request: HttpRequest, slug: str) -> HttpResponse:
    """How many more labels it takes, the form that queues claims, and all plans so far."""
    seat = engineer_seat(request.user, slug)
    form = PlanForm(request.POST, project=seat.project) if request.method == "POST" else None
    if form is not None and form.is_valid():
        try:
            plan = _queue(seat, form)
        except PlanRefusedError as error:
            form.add_error(None, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        else:
            messages.success(request, f"Plan {plan.number} is queued: annotators get its claims next.")
            return redirect("reports:plan", slug, plan.number)
    width = WidthForm(request.GET, project=seat.project)
    context = _context(seat, width=width, plans=plans_of(seat.project))
    if width.is_valid():
        need = labels_needed(seat.project, width.selection(), half_width=width.half_width, version=width.version)
        context |= {"need": need, "looks": _looks(seat, need.selection.split, need.version)}
        context["form"] = form or PlanForm(initial=_proposed(seat, need), project=seat.project)
    status = 422 if form is not None or not width.is_valid() else 200
    return render(request, "reports/plans.html", context, status=status)


def _queue(seat: Seat, form: PlanForm) -> SamplingPlan:
    given = {name: form.cleaned_data[name] for name in ("number", "random", "split", "labels", "seed")}
    return queue_plan(project=seat.project, by=seat.member, groups=form.groups(), **given)


def _proposed(seat: Seat, need: LabelsNeeded) -> dict[str, object]:
    number = next_number(seat.project)
    return {
        "number": number,
        "random": need.suggested,
        "labels": seat.project.overlap,
        "split": split_of(need.selection),
        "seed": number,
        "within": PlanForm.base_fields["within"].initial,
    }


@login_required
@never_cache
@require_safe
def plan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One plan: how its claims were drawn, how far they are labelled, and its weighted figures."""
    seat = engineer_seat(request.user, slug)
    here = _plan_of(seat, number)
    form = FiguresForm(request.GET, plan=here)
    draws = [{"words": draw_words(draw), **draw} for draw in here.draws]
    context = _context(seat, plan=here, progress=progress_of(here), draws=draws, form=form)
    if form.is_valid() and here.undone is None:
        version, split = form.version, form.chosen_split
        context["figures"] = plan_figures(here, version, split)
        context["looks"] = _looks(seat, split, version)
        context["both"] = BOTH_SPLITS
    return render(request, "reports/plan.html", context, status=200 if form.is_valid() else 422)


@login_required
@require_POST
def plan_undo(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a plan back, as long as nothing of it is labelled."""
    seat = engineer_seat(request.user, slug)
    here = _plan_of(seat, number)
    try:
        undo_plan(here)
    except PlanRefusedError as error:
        messages.error(request, f"Plan {here.number} was not undone: {error}.")
    else:
        messages.success(request, f"Plan {here.number} is undone: its claims wait in the usual order again.")
    return redirect("reports:plan", slug, here.number)
