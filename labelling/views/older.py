"""Pages that may show figures of a moment ago, and say of when they are."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse

from labelling.keeping import older_figures

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def may_be_older(view: View[P]) -> View[P]:
    """Let figures that take long to make be older; the page says so by `_older.html`, from `request.older`.

    What is saved as a file is never older: it would not say so for long.
    """

    @wraps(view)
    def inner(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with older_figures(allowed="plot" not in request.GET) as lag:
            request.older = lag  # type: ignore[attr-defined]
            return view(request, *args, **kwargs)

    return inner
