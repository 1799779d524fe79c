"""The list of judges, and the form that makes one or another version of one, for engineers and owners."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from judges.access import judge_of
from judges.forms.judges import NewJudgeForm, SettingsForm
from judges.models import Judge, JudgeVersion, Run
from judges.registry import creatable_types, judge_types, unusable_types
from judges.services.stage_words import stages_in_words
from judges.services.versions import costs_money, create_judge, create_version
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
    known = {version.fingerprint: version for judge in rows for version in judge.versions.all()}
    listed = [
        (
            judge,
            types.get(judge.type),
            any(costs_money(version) for version in judge.versions.all()),
            [(version, stages_in_words(version.config, known)) for version in judge.versions.all()],
        )
        for judge in rows
    ]
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
    if kind.page:
        return redirect(kind.page, slug)
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
    if kind.page:
        return redirect(f"{reverse(kind.page, args=[slug])}?{urlencode({'judge': found.name})}")
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
