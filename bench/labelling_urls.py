"""The product's addresses and a trivial view: the session, the user, and one row by its key."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path

from labelling.models import Claim


def baseline(request: HttpRequest, claim_id: int) -> HttpResponse:
    text = Claim.objects.values_list("text", flat=True).get(pk=claim_id)
    return JsonResponse({"user": request.user.pk, "text": text})


urlpatterns = [path("bench/baseline/<int:claim_id>/", baseline), path("", include("config.urls"))]
