"""Setting up a cascade, and another version of one."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judges.access import judge_of
from judges.combined.cascade import CASCADE
from judges.forms.cascades import CascadeForm, stage_forms
from judges.services.stages import create_cascade, stage_versions
from labelling.access import engineer_seat
from labelling.models import Policy


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cascade_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A cascade of versions that the project has; ``?judge=NAME`` fills the rows as the last version of it has them."""
    here = engineer_seat(request.user, slug)
    versions = stage_versions(here.project)
    judge = judge_of(here, request.GET["judge"]) if "judge" in request.GET else None
    last = judge.versions.order_by("-number").first() if judge is not None and judge.type == CASCADE.name else None
    guide = here.project.current_guide
    policy = last.policy if last else guide.policy if guide else Policy.STRICT
    form = CascadeForm(request.POST or None, initial={"name": judge.name if judge else "cascade", "policy": policy})
    rows = stage_forms(request.POST or None, versions=versions, last=last)
    if request.method == "POST" and form.is_valid() and rows.is_valid():
        given = {"name": form.cleaned_data["name"], "policy": form.cleaned_data["policy"]}
        try:
            made = create_cascade(project=here.project, stages=rows.stages(), by=here.member, based_on=last, **given)
        except ValueError as error:
            form.add_error(None, str(error))
        else:
            return redirect("judges:version", slug, made.judge.name, made.number)
    context = {"project": here.project, "member": here.member, "here": "judges", "type": CASCADE}
    context |= {"form": form, "rows": rows, "last": last, "versions": versions}
    return render(request, "judges/cascade_new.html", context, status=422 if form.is_bound else 200)
