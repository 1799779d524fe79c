from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from labelling.access import Seat, owner_seat, seat, within
from labelling.forms.guides import GuideForm
from labelling.guide.rendering import render_markdown
from labelling.models import GuideVersion
from labelling.services.guides import GuideMovedOnError, guide_difference, version_history, write_guide_version


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "guide", **more}


def _html(version: GuideVersion | None) -> str:
    return render_markdown(version.text) if version is not None else ""


@login_required
@require_safe
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    """The current guide, for everybody in the project."""
    here = seat(request.user, slug)
    version = here.project.current_guide
    return render(request, "labelling/guide.html", _context(here, version=version, html=_html(version)))


@login_required
@require_safe
def guide_panel(request: HttpRequest, slug: str) -> HttpResponse:
    """The current guide alone, to be shown beside a claim."""
    here = seat(request.user, slug)
    version = here.project.current_guide
    return render(request, "labelling/_guide_panel.html", _context(here, version=version, html=_html(version)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def guide_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Write the next version. The preview button shows it on the same page without writing it."""
    here = owner_seat(request.user, slug)
    if request.method != "POST":
        current = here.project.current_guide
        title = f"Version {current.number}, as it is now" if current is not None else ""
        context = _context(here, form=GuideForm.for_version(current), html=_html(current), preview_title=title)
        return render(request, "labelling/guide_edit.html", context)
    form = GuideForm(request.POST)
    valid = form.is_valid()
    if valid and "preview" in request.POST:
        return render(
            request, "labelling/guide_edit.html", _context(here, form=form, html=render_markdown(form.text()))
        )
    if valid:
        data = form.cleaned_data
        try:
            version = write_guide_version(
                project=here.project,
                policy=data["policy"],
                prose=data["prose"],
                cases=form.switched(),
                based_on=data["based_on"],
            )
        except GuideMovedOnError as error:
            form.add_error(None, f"Version {error.number} was written while you edited. Compare before you save again.")
        else:
            messages.success(request, f"This is version {version.number}. Labels from now on remember it.")
            return redirect("labelling:guide", slug=slug)
    current = here.project.current_guide
    return render(request, "labelling/guide_edit.html", _context(here, form=form, current=current), status=422)


@login_required
@require_POST
def guide_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The guide as it would look, as a fragment for the page of the form."""
    here = owner_seat(request.user, slug)
    form = GuideForm(request.POST)
    html = render_markdown(form.text()) if form.is_valid() else ""
    context = _context(here, form=form, html=html)
    return render(request, "labelling/_guide_preview.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def guide_versions(request: HttpRequest, slug: str) -> HttpResponse:
    here = seat(request.user, slug)
    return render(request, "labelling/guide_versions.html", _context(here, rows=version_history(here.project)))


@login_required
@require_safe
def guide_version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One version as it was, and what it changed."""
    here = seat(request.user, slug)
    version = within(here.project.guide_versions.all(), number=number)
    before = here.project.guide_versions.filter(number__lt=number).order_by("-number").first()
    lines = guide_difference(before.text, version.text) if before is not None else []
    context = _context(here, version=version, before=before, lines=lines, html=_html(version))
    return render(request, "labelling/guide_version.html", context)
