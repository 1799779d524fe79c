from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from labelling.services.home import my_projects


@never_cache
@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Every project in which the person has a role, with what waits for them there."""
    return render(request, "labelling/home.html", {"places": my_projects(user_id=request.user.pk or 0)})
