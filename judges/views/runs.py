"""Pages of runs: the list, one run as it goes, and what it said of each claim."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from judges.access import run_of
from judges.forms.runs import JudgementsForm, ResumeForm
from judges.models import Run
from judges.protocol import ANSWERED
from judges.services.dry_runs import dry_run_results
from judges.services.paying import Spending, spending_by_run, spending_of
from judges.services.progress import progress_of
from judges.services.runs import RunRefusedError, resume_run, retry_failures, stop_run
from judges.services.selection import Selection
from judges.services.versions import costs_money
from judges.tasks import announce
from labelling.access import Seat, engineer_seat

PAGE = 50


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "runs", **more}


@login_required
@require_safe
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """All runs of the project, the newest first."""
    here = engineer_seat(request.user, slug)
    rows = Run.objects.filter(project=here.project).select_related("judge_version__judge", "created_by")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    counts = Run.objects.filter(id__in=[run.pk for run in page]).annotate(
        done=Count("judgements", filter=Q(judgements__replaced=False)),
        usable=Count("judgements", filter=Q(judgements__replaced=False, judgements__outcome__in=ANSWERED)),
    )
    done = {run: (done, done - usable) for run, done, usable in counts.order_by().values_list("id", "done", "usable")}
    spent = spending_by_run(list(Run.objects.filter(project=here.project)))
    rows_shown = [(run, *done.get(run.pk, (0, 0)), spent[run.pk]) for run in page]
    context = _context(here, page=page, rows=rows_shown, spent=Spending.together(spent.values()))
    return render(request, "judges/runs.html", context)


def _run_context(here: Seat, run: Run, *, refused: str = "", form: ResumeForm | None = None) -> dict[str, object]:
    progress = progress_of(run)
    active = run.state == Run.State.ACTIVE
    return _context(
        here,
        run=run,
        progress=progress,
        spending=progress.spending,
        paid=costs_money(run.judge_version) or progress.spending != Spending(budget=run.budget_usd),
        form=form or _resume_form(run, progress.spending),
        dry_claims=dry_run_results(run) if run.probe == Run.Probe.DRY_RUN else (),
        selection=next((one for one in ("imported", "posted") if one in run.selection), None)
        or Selection.from_data(run.selection),
        active=active,
        poll=active or progress.working,
        refused=refused,
    )


@login_required
@never_cache
@require_safe
def run(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    """One run as it goes."""
    here = engineer_seat(request.user, slug)
    return render(request, "judges/run.html", _run_context(here, run_of(here, run_id)))


@login_required
@never_cache
@require_safe
def run_progress(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    """The part of the run's page that changes; it asks for itself again only while there is something to wait for."""
    here = engineer_seat(request.user, slug)
    return render(request, "judges/_run_progress.html", _run_context(here, run_of(here, run_id)))


@login_required
@require_POST
@vary_on_headers("HX-Request")
def run_stop(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    return _act(request, slug, run_id, stop_run)


@login_required
@require_POST
@vary_on_headers("HX-Request")
def run_resume(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    """Let it go on, with another budget where one is given."""
    found = run_of(engineer_seat(request.user, slug), run_id)
    form = _resume_form(found, spending_of(found), request.POST)
    if not form.is_valid():
        return _refused(request, slug, found, form)
    return _act(request, slug, run_id, partial(resume_run, budget_usd=form.cleaned_data["budget"]))


def _resume_form(run: Run, spending: Spending, data: QueryDict | None = None) -> ResumeForm:
    return ResumeForm(data, spent=spending.at_most, now=run.budget_usd)


def _refused(request: HttpRequest, slug: str, run: Run, form: ResumeForm) -> HttpResponse:
    template = "judges/_run_progress.html" if request.headers.get("HX-Request") else "judges/run.html"
    return render(request, template, _run_context(engineer_seat(request.user, slug), run, form=form), status=422)


@login_required
@require_POST
@vary_on_headers("HX-Request")
def run_retry(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    return _act(request, slug, run_id, retry_failures)


def _act(request: HttpRequest, slug: str, run_id: int, act: Callable[[Run], int]) -> HttpResponse:
    """Do it to the run, wake the workers where it runs now, and show where it stands."""
    here = engineer_seat(request.user, slug)
    found = run_of(here, run_id)
    refused = ""
    try:
        if act(found) and found.state == Run.State.ACTIVE:
            announce(found.pk)
    except RunRefusedError as error:
        refused = str(error)
    if request.headers.get("HX-Request"):
        return render(request, "judges/_run_progress.html", _run_context(here, found, refused=refused))
    if refused:
        messages.error(request, refused)
    return redirect("judges:run", slug, run_id)


@login_required
@require_safe
def judgements(request: HttpRequest, slug: str, run_id: int) -> HttpResponse:
    """What the run said of each claim, by outcome and verdict."""
    here = engineer_seat(request.user, slug)
    found = run_of(here, run_id)
    form = JudgementsForm(request.GET)
    rows = found.judgements.filter(**form.chosen()).select_related("claim", "cached_from").order_by("claim_id", "id")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    kept = urlencode({key: value for key, value in request.GET.items() if key in form.fields and value})
    return render(request, "judges/judgements.html", _context(here, run=found, form=form, page=page, kept=kept))
