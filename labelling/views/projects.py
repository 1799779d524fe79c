from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from labelling.access import owner_seat, seat
from labelling.forms.projects import NewProjectForm, SettingsForm
from labelling.models import Role
from labelling.services.overview import project_overview
from labelling.services.projects import change_settings, create_project
from labelling.views.older import may_be_older


@login_required
@require_safe
@may_be_older
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """What is in the project and what to do next; annotators go straight to their work."""
    here = seat(request.user, slug)
    if here.member.role == Role.ANNOTATOR:
        return redirect("labelling:label", slug=slug)
    context = {"project": here.project, "member": here.member, "here": "project"}
    return render(request, "labelling/project.html", {**context, "overview": project_overview(here.project)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def project_create(request: HttpRequest) -> HttpResponse:
    """A form for staff; whoever makes a project owns it."""
    if request.user.pk is None or not request.user.is_staff:
        raise Http404
    form = NewProjectForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        new = create_project(owner=request.user, **form.cleaned_data)
        messages.success(request, f"{new.name} is there, with its guide. Bring in answers next.")
        return redirect("labelling:project", slug=new.slug)
    return render(request, "labelling/project_create.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    here = owner_seat(request.user, slug)
    name = here.project.name  # the form writes into the project before it is known to be valid
    form = SettingsForm(request.POST or None, instance=here.project)
    if request.method == "POST" and form.is_valid():
        change_settings(project=here.project, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("labelling:settings", slug=slug)
    here.project.name = name
    context = {"project": here.project, "member": here.member, "here": "settings", "form": form}
    return render(request, "labelling/settings.html", context, status=422 if form.errors else 200)
