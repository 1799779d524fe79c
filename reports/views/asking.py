"""What kind of answer a request wants."""

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page; a boosted link or a history restore wants the whole of it."""
    htmx = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.boosted and not htmx.history_restore_request
