"""Choosing a threshold on development: what each way leads to, and the one that becomes a version."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from judges.access import version_of
from judges.models import JudgeVersion, Run
from judges.tasks import announce
from labelling.access import Seat, engineer_seat
from reports.forms.choosing import ChoiceForm, TermsForm, ThreeForm
from reports.forms.selection import SelectionForm, ThresholdForm
from reports.services.choosing import save_choice, save_three
from reports.shown.choosing_card import choosing_context


@login_required
@require_GET
def choosing(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The card alone, for other terms; without htmx the page of the judge has it."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = SelectionForm(request.GET, project=seat.project)
    if not form.is_valid():
        return _refused(request, seat, version, form, TermsForm())
    context: dict[str, object] = {"project": seat.project, "version": version}
    context |= choosing_context(seat.project, version, form.selection(), request.GET)
    return render(request, "reports/_choosing.html", context, status=422 if context.get("terms", "") is None else 200)


@login_required
@require_POST
def choice_save(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """Make the threshold that a way leads to a new version, with what was promised of it."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form, filters, terms = (
        ChoiceForm(request.POST),
        SelectionForm(request.POST, project=seat.project),
        TermsForm(request.POST),
    )
    if not (form.is_valid() and filters.is_valid() and terms.is_valid()):
        return _refused(request, seat, version, form, filters, terms)
    return _saved(
        request,
        seat,
        version,
        form,
        partial(
            save_choice,
            version=version,
            selection=filters.selection(),
            terms=terms.terms(),
            way=form.cleaned_data["way"],
            threshold=form.cleaned_data["threshold"],
            by=seat.member,
        ),
    )


@login_required
@require_POST
def three_save(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """Make the three thresholds that were chosen together a new version."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form, filters = ThreeForm(request.POST), SelectionForm(request.POST, project=seat.project)
    if not (form.is_valid() and filters.is_valid()):
        return _refused(request, seat, version, form, filters)
    save = partial(
        save_three, version=version, selection=filters.selection(), thresholds=form.cleaned_data, by=seat.member
    )
    return _saved(request, seat, version, form, save)


def _saved(
    request: HttpRequest,
    seat: Seat,
    version: JudgeVersion,
    form: ThresholdForm,
    save: Callable[[], tuple[JudgeVersion, Run | None]],
) -> HttpResponse:
    try:
        made, run = save()
    except ValueError as error:
        form.add_error("threshold", str(error))
        return _refused(request, seat, version, form)
    if run is None:
        messages.info(request, f"{made} has this threshold; how it was chosen is kept with it.")
    else:
        announce(run.pk)
        messages.success(request, f"Saved as {made}, with how it was chosen. Its run has started.")
    return redirect("reports:judge", seat.project.slug, made.judge.name, made.number)


def _refused(
    request: HttpRequest, seat: Seat, version: JudgeVersion, *given: ThresholdForm | SelectionForm | TermsForm
) -> HttpResponse:
    context = {"project": seat.project, "member": seat.member, "here": "compare", "version": version}
    context["errors"] = [f"{bound.label}: {error}" for form in given for bound in form for error in bound.errors]
    return render(request, "reports/threshold_refused.html", context, status=422)
