from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from labelling.access import Seat, owner_seat, within
from labelling.forms.adjudications import AdjudicationForm
from labelling.models import Claim
from labelling.services import adjudications as service
from labelling.text.marking import mark_claim

PAGE = 50


def _context(here: Seat, **more: object) -> dict[str, object]:
    return {"project": here.project, "member": here.member, "here": "adjudicate", **more}


@login_required
@require_safe
def adjudicate(request: HttpRequest, slug: str) -> HttpResponse:
    """The queue: claims whose readers differ, or what was settled so far."""
    here = owner_seat(request.user, slug)
    show = request.GET.get("show", "")
    if show == "settled":
        page = Paginator(service.settled(here.project), PAGE).get_page(request.GET.get("page"))
        return render(request, "labelling/adjudicate_settled.html", _context(here, page=page, show=show))
    waiting = list(service.disagreements(here.project, ties_only=show == "ties"))
    page_of_ids = Paginator(waiting, PAGE).get_page(request.GET.get("page"))
    rows = service.queue_rows(list(page_of_ids))
    return render(request, "labelling/adjudicate.html", _context(here, page=page_of_ids, rows=rows, show=show))


@login_required
@require_safe
def adjudicate_unclear(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the guide did not help: what to write into its next version."""
    here = owner_seat(request.user, slug)
    context = _context(
        here,
        page=Paginator(service.unclear(here.project), PAGE).get_page(request.GET.get("page")),
        flagged=service.flagged_unclear(here.project)[:PAGE],
        show="unclear",
    )
    return render(request, "labelling/adjudicate_unclear.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def adjudicate_claim(request: HttpRequest, slug: str, claim_id: int) -> HttpResponse:
    """One claim with what its readers said; a verdict settles it and the next one follows."""
    here = owner_seat(request.user, slug)
    claim = within(Claim.objects.filter(project=here.project).select_related("answer", "project"), pk=claim_id)
    ties = request.GET.get("show") == "ties"
    form = AdjudicationForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        try:
            service.settle(claim=claim, by=here.member, **form.cleaned_data)
        except service.SettledMeanwhileError as error:
            # The next submit is a correction of what now stands, made knowingly.
            form.data = {**request.POST.dict(), "based_on": str(error.standing.revision)}
            form.add_error(
                None, f"Somebody settled this as {error.standing.verdict} in the meantime. Submit to correct."
            )
        else:
            return _on_to_next(request, here, claim, ties_only=ties)
    hearing = service.hear(claim)
    if not hearing.readers and hearing.standing is None:
        raise Http404
    context = _context(
        here,
        hearing=hearing,
        claim=claim,
        form=form or AdjudicationForm.upon(hearing.standing),
        marked=mark_claim(claim.answer.text, claim.text),
        next=service.next_disagreement(here.project, after=claim.pk, ties_only=ties),
        previous=service.previous_disagreement(here.project, before=claim.pk, ties_only=ties),
        query="?show=ties" if ties else "",
    )
    return render(request, "labelling/adjudicate_claim.html", context, status=422 if form is not None else 200)


def _on_to_next(request: HttpRequest, here: Seat, claim: Claim, *, ties_only: bool) -> HttpResponse:
    after = service.next_disagreement(here.project, after=claim.pk, ties_only=ties_only)
    if after is None:
        after = service.next_disagreement(here.project, after=0, ties_only=ties_only)
    query = "?show=ties" if ties_only else ""
    if after is None:
        messages.success(request, "Settled. Nothing more waits here.")
        return redirect(reverse("labelling:adjudicate", args=[here.project.slug]) + query)
    messages.success(request, f"Settled: {claim.external_id}.")
    return redirect(reverse("labelling:adjudicate-claim", args=[here.project.slug, after]) + query)
