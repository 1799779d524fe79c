"""Tokens by which programs post answers: an owner makes one, sees it once, and revokes it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from labelling.access import Seat, owner_seat, within
from reports.forms.tokens import TokenForm
from reports.models import ApiToken
from reports.services.tokens import NewToken, TokenError, make_token, revoke_token


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("new")
def tokens(request: HttpRequest, slug: str) -> HttpResponse:
    """The tokens of the project. A new one is in the response to its making and nowhere else."""
    here = owner_seat(request.user, slug)
    form = TokenForm(request.POST or None)
    if request.method != "POST":
        return _page(request, here, form)
    if form.is_valid():
        try:
            new = make_token(project=here.project, name=form.cleaned_data["name"], by=here.member)
        except TokenError as error:
            form.add_error("name", str(error))
        else:
            return _page(request, here, TokenForm(), new=new)
    return _page(request, here, form, status=422)


@login_required
@require_POST
def token_revoke(request: HttpRequest, slug: str, token_id: int) -> HttpResponse:
    """Put a token out of force; pressed twice is once."""
    here = owner_seat(request.user, slug)
    token = within(ApiToken.objects.filter(project=here.project), pk=token_id)
    if revoke_token(token=token, by=here.member):
        messages.success(request, f"{token.name} is revoked: what uses it is refused from now on.")
    return redirect("reports:tokens", slug=slug)


def _page(
    request: HttpRequest, here: Seat, form: TokenForm, *, new: NewToken | None = None, status: int = 200
) -> HttpResponse:
    rows = ApiToken.objects.filter(project=here.project).select_related("created_by", "revoked_by")
    context = {
        "project": here.project,
        "member": here.member,
        "here": "tokens",
        "tokens": sorted(rows, key=lambda token: token.revoked is not None),
        "form": form,
        "new": new,
        "address": request.build_absolute_uri(reverse("reports:api-check")),
    }
    return render(request, "reports/tokens.html", context, status=status)
