"""Pages of judge versions: what one is, what a run of it costs, and how two of them differ."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from judges.access import judge_of, version_of
from judges.combined.features import NAMES as FEATURES
from judges.combined.stages import stages_in
from judges.external import TYPE_NAME as EXTERNAL
from judges.forms.dry_runs import DryRunForm
from judges.forms.runs import StartForm
from judges.forms.versions import TwoVersionsForm
from judges.models import JudgeVersion
from judges.registry import UnknownJudgeTypeError, creatable_types, judge_type
from judges.services.describing import setting_pairs, setting_values
from judges.services.dry_runs import CLAIMS, dry_run_claims, forecast_dry_run, start_dry_run
from judges.services.forecasts import forecast_run
from judges.services.runs import RunRefusedError, start_run
from judges.services.stage_words import known_stages, stages_in_words
from judges.services.version_costs import version_costs
from judges.services.versions import JudgeUnavailableError, build, costs_money, in_batches, is_current, renewed
from judges.tasks import announce
from labelling.access import Seat, engineer_seat


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "judges", **more}


@login_required
@require_safe
def version(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """One version: its settings, its fingerprint, its runs, and the form that starts one."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    return render(request, "judges/version.html", version_context(here, found))


def version_context(here: Seat, found: JudgeVersion, form: StartForm | None = None) -> dict[str, object]:
    """What the page of a version shows."""
    try:
        kind = judge_type(found.judge.type)
    except UnknownJudgeTypeError:
        kind = None
    current = kind is not None and is_current(found)
    stages = known_stages(here.project, [found.config])
    imported = found.judge.type == EXTERNAL
    return _context(
        here,
        version=found,
        judge=found.judge,
        type=kind,
        paid=costs_money(found),
        values=[one for one in setting_values(kind, found.config, stages) if one.key not in ("stages", "members")],
        made_of=stages_in_words(found.config, stages),
        features=FEATURES if "coefficients" in found.config else (),
        needs=kind.needs(found.config) if kind else (),
        current=current,
        problem=_problem(found) if current else "",
        runnable=kind is not None and (not imported or bool(found.config.get("base"))),
        asks=current and not imported,
        previewable=current and kind is not None and kind.preview is not None,
        creatable=found.judge.type in creatable_types(),
        several=found.judge.versions.count() > 1,
        runs=found.runs.order_by("-id")[:20],
        form=form or StartForm(project=here.project),
    )


def _problem(found: JudgeVersion) -> str:
    """Why a version of today's code cannot judge here, where it cannot."""
    try:
        build(found)
    except JudgeUnavailableError as error:
        return str(error)
    return ""


@login_required
@require_POST
def run_start(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """Start a run of the version over the chosen claims; twice in a row starts one."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    form = StartForm(request.POST, project=here.project)
    if form.is_valid():
        budget = form.cleaned_data["budget"]
        try:
            run = start_run(version=found, selection=form.selection(), by=here.member, budget_usd=budget)
        except RunRefusedError as error:
            form.add_error(None, str(error))
        else:
            announce(run.pk)
            return redirect("judges:run", slug, run.pk)
    return render(request, "judges/version.html", version_context(here, found, form), status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def run_forecast(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """What a run over the chosen claims would cost; nothing is started."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    form = StartForm(request.POST or request.GET, project=here.project)
    shown: dict[str, object] = {"forecast": None, "unavailable": ""}
    if form.is_valid():
        try:
            shown["forecast"] = forecast_run(version=found, selection=form.selection())
        except JudgeUnavailableError as error:
            shown["unavailable"] = str(error)
    status = 200 if form.is_valid() else 422
    if request.headers.get("HX-Request"):
        return render(request, "judges/_run_forecast.html", _context(here, form=form, **shown), status=status)
    return render(request, "judges/version.html", {**version_context(here, found, form), **shown}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def dry_run(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The claims that a dry run asks about and what that costs at most; the button on it starts one."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    form = DryRunForm(request.POST or request.GET)
    choice, refused = form.choice(), ""
    if request.method == "POST":
        try:
            run = start_dry_run(version=found, by=here.member, choice=choice)
        except RunRefusedError as error:
            refused = str(error)
        else:
            announce(run.pk)
            return redirect("judges:run", slug, run.pk)
    claims, forecast = [], None
    try:
        claims = dry_run_claims(found, choice)
        forecast = forecast_dry_run(found, claims)
    except (ValueError, JudgeUnavailableError) as error:
        refused = str(error)
    context = _context(here, version=found, judge=found.judge, claims=claims, forecast=forecast, refused=refused)
    context |= {"form": form, "choice": choice, "made_of": bool(stages_in(found.config))}
    context |= {"in_batches": in_batches(found), "more": len(claims) == CLAIMS}
    return render(request, "judges/dry_run.html", context, status=422 if refused and request.method == "POST" else 200)


@login_required
@require_safe
def versions(request: HttpRequest, slug: str, judge: str) -> HttpResponse:
    """Two versions of a judge side by side, with what differs between them."""
    here = engineer_seat(request.user, slug)
    found = judge_of(here, judge)
    rows = list(found.versions.select_related("created_by", "based_on__judge", "judge").order_by("number"))
    form = TwoVersionsForm(request.GET or None, versions=rows)
    pair = form.chosen()
    try:
        kind = judge_type(found.type)
    except UnknownJudgeTypeError:
        kind = None
    settings = setting_pairs(kind, *pair) if pair else []
    costs = version_costs(pair or ())
    columns = [(one, costs[one.pk]) for one in pair or ()]
    context = _context(here, judge=found, form=form, columns=columns, settings=settings, type=kind)
    return render(request, "judges/versions.html", context)


@login_required
@require_POST
def version_renew(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The same settings under today's code, as a version of their own."""
    here = engineer_seat(request.user, slug)
    old = version_of(here, judge, number)
    try:
        fresh = renewed(version=old, by=here.member)
    except ValueError as error:  # its type is gone, or no longer takes its settings
        messages.error(request, f"{old} cannot be made anew: {error}.")
        return redirect("judges:version", slug, judge, number)
    messages.success(request, f"{fresh} has the same settings, judged by today's code.")
    return redirect("judges:version", slug, judge, fresh.number)
