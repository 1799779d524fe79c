from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from labelling.access import Seat, engineer_seat, within
from labelling.models import Verdict
from reports.forms.importing import KEY_GROUPS, PREFIX_WORDS, ChoicesForm, UploadForm, read_choices
from reports.models import ImportJob
from reports.services.previews import Preview, preview
from reports.services.upload_files import progress_of, rejects_path
from reports.services.uploads import keep_choices, overdue, revive, start_import, store_upload
from reports.tasks import announce

RECENT = 20
BUSY = (ImportJob.State.QUEUED, ImportJob.State.RUNNING)
WITHOUT_FILE = (ImportJob.State.DONE, ImportJob.State.REMOVED)


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "import", **more}


def _job(here: Seat, token: UUID) -> ImportJob:
    return within(ImportJob.objects.filter(project=here.project), token=token)


def _progress(job: ImportJob) -> dict[str, object]:
    return {"job": job, "busy": job.state in BUSY, "reached": progress_of(job), "rejects": rejects_path(job).exists()}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest, slug: str) -> HttpResponse:
    """Upload a file; the ones that were uploaded lately."""
    here = engineer_seat(request.user, slug)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        job = store_upload(project=here.project, member=here.member, file=form.cleaned_data["file"])
        return redirect("reports:import-job", slug, job.token)
    jobs = ImportJob.objects.filter(project=here.project).select_related("member")[:RECENT]
    status = 422 if request.method == "POST" else 200
    return render(request, "reports/imports.html", _context(here, form=form, jobs=jobs), status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_job(request: HttpRequest, slug: str, token: UUID) -> HttpResponse:
    """How the file is to be read, what a check of it says, and the import itself."""
    here = engineer_seat(request.user, slug)
    job = _job(here, token)
    shown = Preview() if job.state in WITHOUT_FILE else preview(job)
    form = ChoicesForm(request.POST if request.method == "POST" else None, initial=job.choices)
    status = 200
    if request.method == "POST" and form.is_valid():
        columns, values = read_choices(request.POST.dict(), shown)
        choices = {**form.cleaned_data, "columns": columns, "values": values}
        if "look" in request.POST:
            keep_choices(job=job, choices=choices)
        elif start_import(job=job, choices=choices, dry_run="import" not in request.POST):
            announce(job.pk)
        return redirect("reports:import-job", slug, token)
    if request.method == "POST":
        status = 422
    context = _context(
        here,
        form=form,
        shown=shown,
        key_groups=KEY_GROUPS,
        prefixes=PREFIX_WORDS,
        verdicts=Verdict.values,
        **_progress(job),
    )
    return render(request, "reports/import_job.html", context, status=status)


@login_required
@require_safe
@vary_on_headers("HX-Request")
def import_progress(request: HttpRequest, slug: str, token: UUID) -> HttpResponse:
    """How far the worker is; what came of it once it is done. Asks for itself again only while it is not."""
    here = engineer_seat(request.user, slug)
    job = _job(here, token)
    if revive(job) or overdue(job):
        announce(job.pk)
    response = render(request, "reports/_import_progress.html", _context(here, **_progress(job)))
    if job.state not in BUSY and request.headers.get("HX-Request") == "true":
        # The form above needs its buttons back, so the whole page is asked for once.
        response["HX-Refresh"] = "true"
    return response


@login_required
@require_safe
def import_rejects(request: HttpRequest, slug: str, token: UUID) -> HttpResponseBase:
    """The lines that were left out, each with what is wrong with it."""
    here = engineer_seat(request.user, slug)
    path = rejects_path(_job(here, token))
    if not path.exists():
        raise Http404
    return FileResponse(
        path.open("rb"), as_attachment=True, filename="rejects.jsonl", content_type="application/x-ndjson"
    )
