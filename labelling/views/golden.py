from typing import Literal, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from labelling.access import Seat, engineer_seat, within
from labelling.forms.golden import FreezeForm
from labelling.golden.difference import diff_golden
from labelling.golden.exporting import (
    CONTENT_TYPES,
    FORMATS,
    file_name,
    golden_chunks,
    manifest_text,
    open_parquet,
)
from labelling.golden.freezing import NothingToFreezeError, freeze_golden
from labelling.golden.summary import summarise
from labelling.models import GoldenSet

SHOWN = 500


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "golden", **more}


def _set(here: Seat, name: str, number: int) -> GoldenSet:
    return within(GoldenSet.objects.filter(project=here.project), name=name, version=number)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def golden(request: HttpRequest, slug: str) -> HttpResponse:
    """The project's golden sets, and the form that freezes the next one."""
    here = engineer_seat(request.user, slug)
    sets = GoldenSet.objects.filter(project=here.project).select_related("created_by").order_by("name", "-version")
    if request.method != "POST":
        form = FreezeForm(initial={"name": sets.values_list("name", flat=True).first() or here.project.slug})
        return render(request, "labelling/golden.html", _context(here, sets=sets, form=form))
    form = FreezeForm(request.POST)
    if form.is_valid():
        try:
            frozen = freeze_golden(project=here.project, name=form.cleaned_data["name"], by=here.member)
        except NothingToFreezeError as fault:
            form.add_error("name", str(fault))
        else:
            kept = frozen.golden_set
            said = f"{kept} is frozen." if frozen.made else f"Nothing has changed since {kept}: it is the same set."
            messages.success(request, said)
            return redirect("labelling:golden-set", slug, kept.name, kept.version)
    return render(request, "labelling/golden.html", _context(here, sets=sets, form=form), status=422)


@login_required
@require_safe
def golden_set(request: HttpRequest, slug: str, name: str, number: int) -> HttpResponse:
    """One version: what is in it, how well its people agree, and its files."""
    here = engineer_seat(request.user, slug)
    kept = _set(here, name, number)
    others = GoldenSet.objects.filter(project=here.project, name=name).exclude(pk=kept.pk).order_by("-version")
    context = _context(here, golden_set=kept, summary=summarise(kept.manifest), others=others, formats=FORMATS)
    return render(request, "labelling/golden_set.html", context)


@login_required
@require_safe
def golden_difference(request: HttpRequest, slug: str, name: str, before: int, number: int) -> HttpResponse:
    """What changed from one version to another."""
    here = engineer_seat(request.user, slug)
    found = diff_golden(_set(here, name, before), _set(here, name, number))
    context = _context(here, name=name, before=before, number=number, difference=found, shown=SHOWN, limit=f":{SHOWN}")
    return render(request, "labelling/golden_difference.html", context)


@login_required
@require_safe
def golden_download(request: HttpRequest, slug: str, name: str, number: int, kind: str) -> HttpResponseBase:
    """The set or its manifest as a file, streamed. Its name is made of the set's own, which is a slug."""
    here = engineer_seat(request.user, slug)
    kept = _set(here, name, number)
    response: HttpResponseBase
    if kind == "manifest.json":
        response = HttpResponse(manifest_text(kept), content_type="application/json")
    elif kind == "parquet":
        response = StreamingHttpResponse(open_parquet(kept), content_type=CONTENT_TYPES[kind])
    elif kind in FORMATS:
        chunks = golden_chunks(kept, cast("Literal['jsonl', 'csv']", kind))
        response = StreamingHttpResponse(chunks, content_type=CONTENT_TYPES[kind])
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="{file_name(kept, kind)}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
