"""The card that chooses a threshold, as the page of a judge and its own address show it."""

from __future__ import annotations

from urllib.parse import parse_qsl

from django.http import QueryDict

from judges.models import JudgeVersion
from labelling.models import Project, Split
from reports.forms.choosing import TermsForm
from reports.selection import Selection
from reports.services.choosing import Terms, choose_thresholds, chosen_record, record_sentence
from reports.services.four_way import choose_three
from reports.shown.confusion import plain_rows


def choosing_context(
    project: Project, version: JudgeVersion, selection: Selection, given: QueryDict
) -> dict[str, object]:
    """What the card shows: the form with its terms, and the threshold of each way where the terms are any."""
    if selection.split != Split.DEVELOPMENT:
        return {"ways": None}
    form = TermsForm(given if any(name in given for name in TermsForm.base_fields) else None)
    terms = form.terms() if form.is_valid() else None if form.is_bound else Terms()
    record, three = chosen_record(version), choose_three(project, version, selection)
    return {
        "terms_form": form,
        "terms": terms,
        "ways": [] if terms is None else choose_thresholds(project, version, selection, terms),
        "may_choose": "threshold" in version.config,
        "chosen_before": None if record is None else record_sentence(record),
        "three": three,
        "three_matrices": []
        if three is None
        else [
            ("This version", plain_rows(three.before.confusion)),
            ("With the three chosen", plain_rows(three.after.confusion)),
        ],
        "kept": parse_qsl(selection.query()),
        "selection": selection,
    }
