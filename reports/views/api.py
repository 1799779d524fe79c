"""``POST /api/v1/check``: for programs, with a token and without a session."""

import logging
import re

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from reports.api.answering import answer_request
from reports.api.openapi import document
from reports.api.reading import read_request
from reports.api.refusing import RefusedError
from reports.models import ApiToken
from reports.services.tokens import admit, token_of

logger = logging.getLogger(__name__)
_BEARER = re.compile(r"Bearer +([!-~]+)", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,15}")


@csrf_exempt
@never_cache
def check(request: HttpRequest) -> JsonResponse:
    """Check one answer. What is wrong is said in the order: method, token, rate, size and type, body."""
    try:
        return JsonResponse(_answered(request))
    except RefusedError as refused:
        return JsonResponse(refused.as_data(), status=refused.status, headers=refused.headers)
    except OperationalError as error:  # above all SQLite, while an import holds it
        logger.warning("a posted answer was not taken: %s", error)
        busy = RefusedError(503, "the database is busy; post it again", headers={"Retry-After": "5"})
        return JsonResponse(busy.as_data(), status=503, headers=busy.headers)


def _answered(request: HttpRequest) -> dict[str, object]:
    if request.method != "POST":
        raise RefusedError(405, f"found {request.method}, expected POST", headers={"Allow": "POST"})
    token = _token(request)
    posted = read_request(_body(request))
    return answer_request(project=token.project, posted=posted, by=token.created_by)


@require_safe
def openapi(_request: HttpRequest) -> JsonResponse:
    """The contract as an OpenAPI file; it says nothing of any project."""
    return JsonResponse(document())


def _token(request: HttpRequest) -> ApiToken:
    """Whose request it is, counted against the rate."""
    given = _BEARER.fullmatch(request.headers.get("Authorization", "").strip())
    token = token_of(given[1]) if given else None
    if token is None:
        why = "this token is not in force" if given else "expected the header Authorization: Bearer TOKEN"
        raise RefusedError(401, why, headers={"WWW-Authenticate": 'Bearer realm="touchstone"'})
    if wait := admit(token):
        most = settings.API_CALLS_PER_MINUTE
        raise RefusedError(429, f"expected at most {most} requests a minute", headers={"Retry-After": str(wait)})
    return token


def _body(request: HttpRequest) -> bytes:
    """The body, not read where it is too large or no JSON."""
    most = settings.API_MAX_BYTES
    length = request.META.get("CONTENT_LENGTH") or ""
    if not _LENGTH.fullmatch(length):
        raise RefusedError(411, "expected the header Content-Length")
    if int(length) > most:
        raise RefusedError(413, f"found {int(length):,} bytes, expected at most {most:,}")
    if request.content_type != "application/json" or request.headers.get("Content-Encoding", "identity") != "identity":
        raise RefusedError(415, "expected Content-Type: application/json, not packed")
    return request.read(most)
