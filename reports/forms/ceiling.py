"""Input for the ceiling page: which claims, and how time is cut."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms

from labelling.models import Verdict
from reports.forms.selection import SelectionForm
from reports.selection import Selection

_DAY = forms.DateInput(attrs={"type": "date"})


class CeilingForm(SelectionForm):
    """The filters of the page. Every field may be left out."""

    since = forms.DateField(required=False, label="Answers since", widget=_DAY)
    until = forms.DateField(required=False, label="Before", widget=_DAY)
    by = forms.ChoiceField(required=False, label="Over time by", choices=[("", "Month"), ("week", "Week")])

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("since") and given.get("until") and given["since"] >= given["until"]:
            self.add_error("until", "Choose a day after the first one.")
        return given

    def selection(self, **more: str) -> Selection:
        days = {name: day.isoformat() for name in ("since", "until") if (day := self.cleaned_data[name])}
        return super().selection(**days, **more)

    def query(self, **more: str) -> str:
        """What was chosen as a query string, with some of it replaced; only after `is_valid`."""
        return urlencode({name: value for name, value in (self.cleaned_data | more).items() if value})


class PairForm(CeilingForm):
    """The same filters, and one difference: what the first said, and what the second."""

    said = forms.ChoiceField(required=False, choices=Verdict.choices)
    other = forms.ChoiceField(required=False, choices=Verdict.choices)
