"""Pages of judges and their versions, for engineers and owners."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judges.access import judge_of, version_of
from judges.external import TYPE_NAME as EXTERNAL
from judges.forms.judges import NewJudgeForm, SettingsForm
from judges.forms.runs import SelectionForm
from judges.models import Judge, JudgeVersion, Run
from judges.registry import UnknownJudgeTypeError, creatable_types, judge_type, judge_types, unusable_types
from judges.services.runs import RunRefusedError, start_run
from judges.services.versions import create_judge, create_version, is_current, renewed
from judges.tasks import announce
from labelling.access import Seat, engineer_seat
from labelling.models import Policy


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "judges", **more}


@login_required
@require_safe
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """Every judge of the project with its versions, what it cannot do, and its last run."""
    here = engineer_seat(request.user, slug)
    versions = JudgeVersion.objects.order_by("-number").prefetch_related(
        Prefetch("runs", queryset=Run.objects.plain().order_by("-id"))
    )
    rows = Judge.objects.filter(project=here.project).prefetch_related(Prefetch("versions", queryset=versions))
    types = judge_types()
    listed = [(judge, types.get(judge.type)) for judge in rows]
    context = _context(here, judges=listed, types=creatable_types().values(), unusable=unusable_types())
    return render(request, "judges/judges.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def judge_new(request: HttpRequest, slug: str, type_name: str) -> HttpResponse:
    """Set up a judge of one type: its name, its settings, its policy."""
    here = engineer_seat(request.user, slug)
    kind = creatable_types().get(type_name)
    if kind is None:
        raise Http404
    guide = here.project.current_guide
    initial = {"name": kind.name, "policy": guide.policy if guide else Policy.STRICT}
    form = NewJudgeForm(request.POST or None, judge_type=kind, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            judge = create_judge(project=here.project, name=form.cleaned_data["name"], type_name=kind.name)
        except ValueError as error:
            form.add_error("name", str(error))
        else:
            return _made(here, judge, form)
    status = 422 if form.is_bound else 200
    context = _context(here, form=form, type=kind, needs=kind.needs(kind.default_config()))
    return render(request, "judges/judge_new.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def version_new(request: HttpRequest, slug: str, judge: str) -> HttpResponse:
    """Other settings for a judge: a new version, since a version never changes."""
    here = engineer_seat(request.user, slug)
    found = judge_of(here, judge)
    kind = creatable_types().get(found.type)
    if kind is None:
        raise Http404
    last = found.versions.order_by("-number").first()
    form = SettingsForm(
        request.POST or None,
        judge_type=kind,
        config=last.config if last else None,
        initial={"policy": last.policy if last else Policy.STRICT},
    )
    if request.method == "POST" and form.is_valid():
        return _made(here, found, form, based_on=last)
    status = 422 if form.is_bound else 200
    needs = kind.needs(last.config if last else kind.default_config())
    context = _context(here, form=form, type=kind, judge=found, last=last, needs=needs)
    return render(request, "judges/judge_new.html", context, status=status)


def _made(here: Seat, judge: Judge, form: SettingsForm, *, based_on: JudgeVersion | None = None) -> HttpResponse:
    version = create_version(
        judge=judge,
        config=form.cleaned_data["config"],
        policy=form.cleaned_data["policy"],
        by=here.member,
        based_on=based_on,
    )
    return redirect("judges:version", here.project.slug, judge.name, version.number)


@login_required
@require_safe
def version(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """One version: its settings, its fingerprint, its runs, and the form that starts one."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    return render(request, "judges/version.html", _version_context(here, found))


def _version_context(here: Seat, found: JudgeVersion, form: SelectionForm | None = None) -> dict[str, object]:
    try:
        kind = judge_type(found.judge.type)
    except UnknownJudgeTypeError:
        kind = None
    return _context(
        here,
        version=found,
        judge=found.judge,
        type=kind,
        current=kind is not None and is_current(found),
        runnable=kind is not None and (found.judge.type != EXTERNAL or bool(found.config.get("base"))),
        creatable=found.judge.type in creatable_types(),
        runs=found.runs.order_by("-id")[:20],
        form=form or SelectionForm(project=here.project),
    )


@login_required
@require_POST
def run_start(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """Start a run of the version over the chosen claims; twice in a row starts one."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    form = SelectionForm(request.POST, project=here.project)
    if form.is_valid():
        try:
            run = start_run(version=found, selection=form.selection(), by=here.member)
        except RunRefusedError as error:
            form.add_error(None, str(error))
        else:
            announce(run.pk)
            return redirect("judges:run", slug, run.pk)
    return render(request, "judges/version.html", _version_context(here, found, form), status=422)


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
