"""What kind of answer a request wants, and giving that kind."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; a boosted link or a history restore wants the whole of it."""
    htmx = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def part_or_page(request: HttpRequest, page: str, context: Mapping[str, object], *, status: int) -> HttpResponse:
    """Render the page, or where htmx asks its part: the file of the same name with a leading underscore.

    Caches are told that one address has both.
    """
    folder, name = page.rsplit("/", 1)
    shown = f"{folder}/_{name}" if wants_fragment(request) else page
    response = render(request, shown, dict(context), status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
