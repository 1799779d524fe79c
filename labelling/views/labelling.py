"""The page on which people label. Every door works as a plain form and, asked for JSON, for the page's script."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from labelling.access import Seat, annotator_seat
from labelling.forms.labels import FormState, LabelForm, SkipForm
from labelling.models import Confidence, Invention, Label, Severity, Skip, Verdict
from labelling.services.items import Item, load_claim, show_item
from labelling.services.labels import SubmissionError, submit_label
from labelling.services.progress import Progress, carried_on, progress_of
from labelling.services.queue import Nothing, next_beyond, take_next
from labelling.services.skips import last_act, skip_claim, withdraw_skip

P = ParamSpec("P")
Door = Callable[Concatenate[HttpRequest, Seat, P], HttpResponse]

HINTS = {
    Verdict.STATED: "the source asserts it",
    Verdict.PARTIAL: "some of it is asserted, the rest is not",
    Verdict.ABSENT: "on the subject or not, it does not say so",
    Verdict.CONTRADICTED: "it says what cannot be true as well",
}


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def for_annotators(view: Door[P]) -> Callable[..., HttpResponse]:
    """Hand the view the annotator's seat. A script that is signed out, or signed in as another, is told so plainly.

    The page names the member that it was made for, so that a label from a tab left open is never saved under the
    name of whoever signed in since.
    """

    @wraps(view)
    def door(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            back = reverse("labelling:label", args=[slug])
            if wants_json(request):
                return JsonResponse({"error": "signed-out", "sign_in": f"{reverse('sign-in')}?next={back}"}, status=401)
            return redirect_to_login(back)
        here = annotator_seat(request.user, slug)
        made_for = request.POST.get("member") or request.headers.get("X-Member")
        if made_for and made_for != str(here.member.pk):
            return _someone_else(request, here)
        return view(request, here, *args, **kwargs)

    return never_cache(door)


@for_annotators
@require_safe
def label(request: HttpRequest, here: Seat) -> HttpResponse:
    """The claim in hand and, waiting behind it in the page, the next one; or why there is none."""
    held = take_next(seat=here)
    items = [show_item(seat=here, cited=load_claim(seat=here, claim_id=pk)) for pk in held.claims]
    return _page(request, here, items, nothing=held.nothing)


@for_annotators
@require_http_methods(["GET", "HEAD", "POST"])
def label_claim(request: HttpRequest, here: Seat, claim_id: int) -> HttpResponse:
    """One claim with what the person said of it before (GET), or a submission for it (POST)."""
    cited = load_claim(seat=here, claim_id=claim_id)
    if request.method != "POST":
        return _page(request, here, [show_item(seat=here, cited=cited, again=True)])
    form = LabelForm(request.POST, sources=[citation.source for citation in cited.citations])
    errors = {name: str(messages[0]) for name, messages in form.errors.items()}
    if not errors:
        try:
            given = form.submission()
            saved = submit_label(seat=here, claim=cited.claim, given=given, citations=cited.citations)
        except SubmissionError as refusal:
            errors = {refusal.field: refusal.message}
        else:
            return _after(request, here, {"claim": claim_id, "verdict": saved.label.verdict, "again": saved.again})
    if wants_json(request):
        return JsonResponse({"errors": errors}, status=422)
    item = show_item(seat=here, cited=cited)
    return _page(request, here, [item], state=FormState.refused(form, item, errors), status=422)


@for_annotators
@require_POST
def label_skip(request: HttpRequest, here: Seat, claim_id: int) -> HttpResponse:
    """Leave a claim, with a reason."""
    cited = load_claim(seat=here, claim_id=claim_id)
    form = SkipForm(request.POST)
    if form.is_valid():
        skip_claim(seat=here, claim=cited.claim, **form.cleaned_data)
        return _after(request, here, {"claim": claim_id, "skipped": True})
    errors = {name: str(messages[0]) for name, messages in form.errors.items()}
    if wants_json(request):
        return JsonResponse({"errors": errors}, status=422)
    state = FormState(errors={"skip": errors.get("reason", "This skip could not be read.")})
    return _page(request, here, [show_item(seat=here, cited=cited)], state=state, status=422)


@for_annotators
@require_POST
def label_undo(request: HttpRequest, here: Seat) -> HttpResponse:
    """Bring the last label or skip back; sent from a claim brought back already, the one before that."""
    before = request.POST.get("before", "")
    act = last_act(seat=here, before=int(before) if before.isascii() and before.isdigit() else None)
    if act is None:
        return JsonResponse({"item": None}) if wants_json(request) else redirect("labelling:label", here.project.slug)
    cited = load_claim(seat=here, claim_id=act.claim_id)
    if act.kind == "skip":
        withdraw_skip(seat=here, claim=cited.claim)
    if wants_json(request):
        return JsonResponse({"item": _fragment(request, here, show_item(seat=here, cited=cited, again=True))})
    return redirect("labelling:label-claim", here.project.slug, act.claim_id)


@for_annotators
@require_safe
def label_next(request: HttpRequest, here: Seat) -> HttpResponse:
    """The claim to prefetch, for a page that names those it has already."""
    return JsonResponse(_next(request, here, progress_of(seat=here)))


@for_annotators
@require_safe
def label_state(request: HttpRequest, here: Seat) -> HttpResponse:
    """Who is signed in, and a fresh token for a page that was left open."""
    return JsonResponse({"member": here.member.pk, "csrf": get_token(request)})


def _someone_else(request: HttpRequest, here: Seat) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": "someone-else"}, status=409)
    return redirect("labelling:label", here.project.slug)


def _after(request: HttpRequest, here: Seat, saved: dict[str, Any]) -> HttpResponse:
    """What follows a saved label or skip: the next claim for the script, the page for a plain form."""
    if not wants_json(request):
        return redirect("labelling:label", here.project.slug)
    progress = carried_on(request.POST.get("progress", ""), labelled="verdict" in saved) or progress_of(seat=here)
    return JsonResponse({"saved": saved, **_next(request, here, progress)})


def _next(request: HttpRequest, here: Seat, progress: Progress) -> dict[str, Any]:
    given = request.POST.getlist("have") or request.GET.getlist("have")
    have = {int(pk) for pk in given if pk.isascii() and pk.isdigit() and len(pk) < 19}
    held = next_beyond(seat=here, have=have)
    found: dict[str, Any] = {"next": None, "nothing": None}
    if held.claims:
        item = show_item(seat=here, cited=load_claim(seat=here, claim_id=held.claims[0]))
        found["next"] = _fragment(request, here, item)
    elif held.nothing is not None:
        found["nothing"] = render_to_string("labelling/_label_nothing.html", _nothing(here, held.nothing), request)
    found["progress"] = render_to_string("labelling/_label_progress.html", {"progress": progress})
    return found


def _nothing(here: Seat, nothing: Nothing | None) -> dict[str, Any]:
    return {"project": here.project, "member": here.member, "nothing": nothing}


def _fragment(request: HttpRequest, here: Seat, item: Item) -> dict[str, Any]:
    context = _item(here, item, FormState.upon(item.before))
    return {"claim": item.claim.pk, "html": render_to_string("labelling/_label_item.html", context, request)}


def _item(here: Seat, item: Item, state: FormState) -> dict[str, Any]:
    return {
        "project": here.project,
        "member": here.member,
        "guide_id": here.guide_id,
        "item": item,
        "state": state,
        "verdicts": [(value, label, HINTS[Verdict(value)]) for value, label in Verdict.choices],
        "inventions": list(zip("qwer", Invention.choices, strict=True)),
        "severities": list(zip("ad", Severity.choices, strict=True)),
        "unsure": Confidence.UNSURE,
        "flags": Label.Flag.choices,
        "reasons": Skip.Reason.choices,
    }


def _page(
    request: HttpRequest,
    here: Seat,
    items: list[Item],
    *,
    nothing: Nothing | None = None,
    state: FormState | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page: the first item on screen, the second one waiting in a template element."""
    shown = [_item(here, item, FormState.upon(item.before)) for item in items]
    if state is not None:
        shown[0]["state"] = state
    context = {**_nothing(here, nothing), "here": "label", "progress": progress_of(seat=here)}
    context |= shown[0] if shown else {}
    context["waiting"] = shown[1] if len(shown) > 1 else None
    return render(request, "labelling/label.html", context, status=status)
