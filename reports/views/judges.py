"""One judge version: where it is wrong, what other thresholds would do, and the claims behind each cell."""

from __future__ import annotations

from urllib.parse import parse_qsl

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET, require_POST

from calibration.sentences import judge_sentence
from judges.access import version_of
from judges.models import JudgeVersion
from judges.tasks import announce
from labelling.access import Seat, engineer_seat
from labelling.views.older import may_be_older
from reports.forms.selection import NO_VERDICT, CellForm, SelectionForm, ThresholdForm
from reports.plots.basis import basis_words
from reports.plots.files import asks_for_plot, plot_file
from reports.selection import Selection
from reports.services.cells import shown_claims
from reports.services.looks import looks_beside
from reports.services.thresholds import JudgeReport, cell_claims, figures_at, report_judge, save_threshold
from reports.shown.certificate_card import certificate_context
from reports.shown.choosing_card import choosing_context
from reports.shown.confusion import matrix_context
from reports.shown.reliability_card import reliability_card
from reports.shown.threshold_card import ThresholdCard, threshold_card
from reports.views.asking import wants_fragment

PAGE_SIZE = 20


def _looks(seat: Seat, selection: Selection, page: str, version: JudgeVersion) -> int:
    return looks_beside(selection, project=seat.project, member=seat.member, page=page, version=version)


def _context(seat: Seat, version: JudgeVersion, **more: object) -> dict[str, object]:
    return {"project": seat.project, "member": seat.member, "here": "compare", "version": version, **more}


@login_required
@require_GET
@may_be_older
def judge(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The page of one version; only the threshold card where htmx asks for another threshold."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = SelectionForm(request.GET, project=seat.project)
    if not form.is_valid():
        return render(request, "reports/judge.html", _context(seat, version, form=form), status=422)
    selection = form.selection()
    report = report_judge(seat.project, version, selection)
    context = _context(seat, version, form=form, report=report, selection=selection)
    looks = context["looks"] = _looks(seat, selection, "judge", version)
    threshold = ThresholdForm(request.GET) if "threshold" in request.GET else None
    basis = basis_words(report.comparison.result, selection, looks)
    card = _card(report, threshold, basis=basis)
    if asks_for_plot(request):
        reliability = reliability_card(report, basis=basis)
        return plot_file(request, [*([card.plot] if card else []), *([reliability[1]] if reliability else [])])
    context |= {"threshold_form": threshold, "card": card, "kept": parse_qsl(selection.query())}
    if wants_fragment(request):
        name = "reports/_threshold.html"
    else:
        name = "reports/judge.html"
        context |= matrix_context(report) | certificate_context(seat.project, version)
        context |= choosing_context(seat.project, version, selection, request.GET)
        context["reliability"] = reliability_card(report, basis=basis)
        context["sentence"] = judge_sentence(report.row.score, reference=report.comparison.reference)
    response = render(request, name, context, status=422 if threshold is not None and threshold.errors else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _card(report: JudgeReport, form: ThresholdForm | None, *, basis: str) -> ThresholdCard | None:
    """The card at the threshold asked for, or at the version's own where none or nonsense was asked for."""
    wanted = form.cleaned_data["threshold"] if form is not None and form.is_valid() else report.threshold
    at = figures_at(report, wanted)
    return None if at is None else threshold_card(report, at, basis=basis)


@login_required
@require_POST
def threshold_save(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """Make a threshold a new version of the judge and let it run."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = ThresholdForm(request.POST)
    if not form.is_valid():
        return render(
            request, "reports/threshold_refused.html", _context(seat, version, threshold_form=form), status=422
        )
    try:
        made, run = save_threshold(version=version, threshold=form.cleaned_data["threshold"], by=seat.member)
    except ValueError as error:
        form.add_error("threshold", str(error))
        return render(
            request, "reports/threshold_refused.html", _context(seat, version, threshold_form=form), status=422
        )
    if run is None:
        messages.info(request, f"{made} has this threshold.")
    else:
        announce(run.pk)
        messages.success(request, f"Saved as {made}. Its run has started: the figures come in as it judges.")
    return redirect("reports:judge", slug, made.judge.name, made.number)


@login_required
@require_GET
def cell(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The claims behind one cell of the confusion matrix."""
    seat = engineer_seat(request.user, slug)
    version = version_of(seat, judge, number)
    form = CellForm(request.GET, project=seat.project)
    if not form.is_valid():
        return render(request, "reports/cell.html", _context(seat, version, form=form), status=422)
    selection = form.selection()
    gold, verdict = form.cleaned_data["gold"], form.cleaned_data["verdict"]
    ids = cell_claims(seat.project, version, selection, gold=gold, verdict="" if verdict == NO_VERDICT else verdict)
    page = Paginator(ids.tolist(), PAGE_SIZE).get_page(request.GET.get("page"))
    context = _context(
        seat,
        version,
        form=form,
        selection=selection,
        gold=gold,
        verdict=verdict,
        page=page,
        claims=shown_claims(version, list(page.object_list)),
        query=selection.query(gold=gold, verdict=verdict),
        looks=_looks(seat, selection, "cell", version),
    )
    return render(request, "reports/cell.html", context)
