"""Judges against each other: paired differences, cost against recall, and the claims on which two differ."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from calibration.sentences import difference_sentence
from judges.models import JudgeVersion
from labelling.access import engineer_seat
from labelling.models import Project
from labelling.views.older import may_be_older
from reports.forms.differences import DifferencesForm
from reports.plots.basis import basis_words
from reports.plots.files import asks_for_plot, plot_file
from reports.plots.frontier import Point, frontier_plot
from reports.selection import Selection
from reports.services.differences import (
    RIGHT,
    DifferencesReport,
    compare_judges,
    differing_claims,
    shown_differences,
)
from reports.services.looks import looks_beside

PAGE_SIZE = 20
MOST_SAID = 3
"""Pairs that are spoken of in sentences; the table has them all."""


@login_required
@require_GET
@may_be_older
def differences(request: HttpRequest, slug: str) -> HttpResponse:
    """All pairs of judges, those with one of them, or two of them with the claims on which they differ."""
    seat = engineer_seat(request.user, slug)
    project = seat.project
    form = DifferencesForm(request.GET, project=project)
    context: dict[str, object] = {"project": project, "member": seat.member, "here": "compare", "form": form}
    if not form.is_valid():
        return render(request, "reports/differences.html", context, status=422)
    selection, first, second = form.comparison(), form.version("first"), form.version("second")
    report = compare_judges(project, selection, first=first, second=second)
    looks = looks_beside(selection, project=project, member=seat.member, page="differences")
    spent = form.cleaned_data["spent"] or ("usd" if report.any_paid else "seconds")
    plot = frontier_plot(
        _points(report, spent), spent=spent, basis=basis_words(report.comparison.result, selection, looks)
    )
    if asks_for_plot(request):
        return plot_file(request, [plot])
    context |= {
        "report": report,
        "result": report.comparison.result,
        "selection": selection,
        "looks": looks,
        "plot_shown": plot,
        "spending": report.spending(spent),
        "spent": spent,
        "first": first,
        "second": second,
        "query": selection.query(),
        "sentences": _sentences(report),
    }
    if first is not None and second is not None:
        context |= _claims(request, project, selection, first, second, form.cleaned_data["right"])
    return render(request, "reports/differences.html", context)


def _sentences(report: DifferencesReport) -> list[str]:
    """A sentence on recall and one on kappa for each pair; none where they would be more than a page."""
    if len(report.pairs) > MOST_SAID:
        return []
    pairs = [pair.difference for pair in report.pairs]
    return [difference_sentence(pair, measure=measure) for pair in pairs for measure in ("recall", "kappa_four")]


def _points(report: DifferencesReport, spent: str) -> list[Point]:
    return [Point(one.row.name, one.spent, one.recall, one.best) for one in report.spending(spent)]


def _claims(
    request: HttpRequest, project: Project, selection: Selection, first: JudgeVersion, second: JudgeVersion, right: str
) -> dict[str, object]:
    """One page of the claims on which the two differ, and how many there are by who was right."""
    by_who = differing_claims(project, selection, first, second)
    ids = sorted(claim for who, claims in by_who.items() if right in ("", who) for claim in claims.tolist())
    page = Paginator(ids, PAGE_SIZE).get_page(request.GET.get("page"))
    pair = {"first": str(first.pk), "second": str(second.pk)}
    counts = {who: len(by_who[who]) for who in RIGHT}
    return {
        "page": page,
        "claims": shown_differences(project, selection, first, second, list(page.object_list)),
        "right": right,
        "ways": [
            (who, count, selection.query(**pair, right=who))
            for who, count in (("", sum(counts.values())), *counts.items())
        ],
        "page_query": selection.query(**pair, right=right),
    }
