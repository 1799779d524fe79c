"""The page that shows what a version is given of a claim, word for word."""

import json

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judges.access import version_of
from judges.registry import judge_types
from judges.services.prompts import shown_prompt
from labelling.access import engineer_seat


@login_required
@require_safe
def prompt(request: HttpRequest, slug: str, judge: str, number: int) -> HttpResponse:
    """The prompt for a claim that is chosen by its id; nothing is asked."""
    here = engineer_seat(request.user, slug)
    found = version_of(here, judge, number)
    kind = judge_types().get(found.judge.type)
    if kind is None or kind.preview is None:
        raise Http404
    wanted = request.GET.get("claim", "").strip()
    shown = shown_prompt(version=found, claim_name=wanted)
    preview = shown.preview if shown else None
    context = {
        "project": here.project,
        "member": here.member,
        "here": "judges",
        "version": found,
        "judge": found.judge,
        "wanted": wanted,
        "shown": shown,
        "preview": preview,
        "parameters": _as_json(preview.parameters) if preview and preview.request else "",
        "request_body": _as_json(dict(preview.request)) if preview and preview.request else "",
    }
    return render(request, "judges/prompt.html", context)


def _as_json(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)
