"""Pages that take answers without claims to claims: in line for an extractor, reviewed by a person, accepted."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect

from judges.access import draft_of
from judges.extraction.drafting import DraftRefusedError, Drafts, standing
from judges.extraction.marking import pieces
from judges.extraction.registry import ready_extractors
from judges.forms.extraction import ExtractionForm, ReviewForm
from judges.models import AnswerDraft
from judges.services import drafts, extraction_lists
from judges.services.extraction_figures import extractor_figures
from judges.services.extraction_jobs import (
    ExtractionForecast,
    ExtractionRefusedError,
    forecast_extraction,
    start_extraction,
    stop_extraction,
)
from judges.tasks import announce_extraction
from labelling.access import Seat, engineer_seat

PAGE = 25
SHOWN = ("review", "without", "reviewed")


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "extraction", **more}


def _list_page(
    request: HttpRequest,
    here: Seat,
    form: ExtractionForm,
    *,
    forecast: ExtractionForecast | None = None,
    status: int = 200,
) -> HttpResponse:
    now = extraction_lists.extraction_standing(here.project)
    show = request.GET.get("show", "")
    if show not in SHOWN:
        show = "review" if now.to_review or not now.without else "without"
    lists = {
        "review": extraction_lists.to_review,
        "without": extraction_lists.still_without,
        "reviewed": extraction_lists.reviewed,
    }
    page = Paginator(lists[show](here.project), PAGE).get_page(request.GET.get("page"))
    failures = extraction_lists.failures_of([row.pk for row in page]) if show == "without" else {}
    context = _context(
        here,
        now=now,
        show=show,
        page=page,
        rows=[(row, failures.get(row.pk)) for row in page],
        kept=f"show={show}",
        form=form,
        forecast=forecast,
        extractors=ready_extractors(),
        figures=extractor_figures(here.project),
    )
    return render(request, "judges/extraction.html", context, status=status)


@login_required
@never_cache
@require_safe
def extraction(request: HttpRequest, slug: str) -> HttpResponse:
    """Answers without claims, drafts to review, and what came of those that were reviewed."""
    return _list_page(request, engineer_seat(request.user, slug), ExtractionForm())


@login_required
@require_POST
def extraction_start(request: HttpRequest, slug: str) -> HttpResponse:
    """Put answers in line for an extractor, or say what that would cost."""
    here = engineer_seat(request.user, slug)
    form = ExtractionForm(request.POST)
    if form.is_valid():
        try:
            if "forecast" in request.POST:
                return _list_page(
                    request, here, form, forecast=forecast_extraction(project=here.project, **form.chosen)
                )
            budget = form.cleaned_data["budget_usd"]
            job = start_extraction(project=here.project, by=here.member, budget_usd=budget, **form.chosen)
        except ExtractionRefusedError as error:
            form.add_error(None, str(error))
        else:
            announce_extraction(job.pk)
            return redirect("judges:extraction", slug)
    return _list_page(request, here, form, status=422)


@login_required
@never_cache
@require_safe
def extraction_progress(request: HttpRequest, slug: str) -> HttpResponse:
    """How far the answers in line are; asks for itself again only while there is something to wait for."""
    here = engineer_seat(request.user, slug)
    context = _context(here, now=extraction_lists.extraction_standing(here.project), asked=True)
    return render(request, "judges/_extraction_progress.html", context)


@login_required
@require_POST
@vary_on_headers("HX-Request")
def extraction_stop(request: HttpRequest, slug: str) -> HttpResponse:
    """Take out of the line what nobody has begun."""
    here = engineer_seat(request.user, slug)
    stop_extraction(here.project)
    if request.headers.get("HX-Request"):
        context = _context(here, now=extraction_lists.extraction_standing(here.project), asked=True)
        return render(request, "judges/_extraction_progress.html", context)
    return redirect("judges:extraction", slug)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("HX-Request")
def draft(request: HttpRequest, slug: str, draft_id: int) -> HttpResponse:
    """The draft claims of one answer beside the answer and its sources; every button sends all of them."""
    here = engineer_seat(request.user, slug)
    found = draft_of(here, draft_id)
    if request.method != "POST":
        return _draft_page(request, here, found)
    action, _, key = request.POST.get("action", "save").partition("-")
    pointing, form, have = drafts.pointing_of(found), None, _number(request.POST.get("have"))
    try:
        form = ReviewForm(drafts.standing_of(found, pointing, number=have).claims, pointing.names, request.POST)
        if not form.is_valid():
            return _draft_page(request, here, found, form=form, number=have, status=422)
        written = form.claims(whole=action != "split")
        now = drafts.review_draft(
            draft=found, have=have, claims=written, action=action, key=_number(key), by=here.member
        )
        form = None  # what was written is kept from here on
        if action == "accept":
            drafts.accept_draft(draft=found, have=now.number, by=here.member)
            return _accepted(request, here, found)
    except drafts.StaleDraftError as error:
        return _draft_page(request, here, found, refused=str(error), status=422)
    except DraftRefusedError as error:
        return _draft_page(request, here, found, form=form, number=have, refused=str(error), status=422)
    if request.headers.get("HX-Request"):
        return _draft_page(request, here, found, focus=_focus(action, _number(key), now.claims))
    return redirect("judges:draft", slug, draft_id)


def _accepted(request: HttpRequest, here: Seat, found: AnswerDraft) -> HttpResponse:
    """On to the next draft, or back to the list."""
    following = extraction_lists.next_to_review(found)
    where = [here.project.slug, following.pk] if following else [here.project.slug]
    url = reverse("judges:draft" if following else "judges:extraction", args=where)
    return HttpResponseClientRedirect(url) if request.headers.get("HX-Request") else redirect(url)


def _draft_page(
    request: HttpRequest,
    here: Seat,
    found: AnswerDraft,
    *,
    form: ReviewForm | None = None,
    number: int = 0,
    refused: str = "",
    focus: int = 0,
    status: int = 200,
) -> HttpResponse:
    """The page, or with htmx the part of it that changes, as it stands now or as it was written."""
    pointing = drafts.pointing_of(found)
    now = drafts.standing_of(found, pointing)
    shown = form.drafts if form else now.claims
    places = {claim.key: place for place, claim in enumerate(standing(shown), 1)}
    form = form or ReviewForm(shown, pointing.names)
    context = _context(
        here,
        draft=found,
        answer=found.answer,
        pointing=pointing,
        pieces=pieces(found.answer.text, shown),
        form=form,
        rows=[(row, places.get(row.draft.key) if row.draft else None) for row in form.rows],
        last=max(places.values(), default=0),
        number=number if form.new.is_bound else now.number,
        undo=drafts.can_undo(found, now),
        open=found.state == AnswerDraft.State.DRAFTED,
        taken=found.state != AnswerDraft.State.ACCEPTED and found.answer.claims.exists(),
        refused=refused,
        focus=focus,
        left=extraction_lists.to_review(here.project).count(),
    )
    part = bool(request.headers.get("HX-Request"))
    template = "judges/_draft_claims.html" if part else "judges/draft.html"
    return render(request, template, {**context, "part": part}, status=status)


@login_required
@require_POST
def draft_set_aside(request: HttpRequest, slug: str, draft_id: int) -> HttpResponse:
    """Lay the drafts aside, so that the answer can be taken apart anew."""
    here = engineer_seat(request.user, slug)
    found = draft_of(here, draft_id)
    if drafts.set_aside_draft(draft=found):
        messages.success(request, f"{found.answer.external_id} is among the answers without claims again.")
    return redirect("judges:extraction", slug)


def _number(text: str | None) -> int:
    """A whole number out of a request; 0 for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _focus(action: str, key: int, after: Drafts) -> int:
    """The draft that the person goes on with: the one that the step was about, or the one behind it once it is gone."""
    order = [claim.key for claim in after]
    left = [claim.key for claim in standing(after)]
    if action == "save":
        return left[-1] if left else 0
    behind = order[order.index(key) :] if key in order else []
    return next((one for one in behind if one in left), 0)
