"""Input for choosing a threshold: what it is chosen for, and the choice that is saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms

from reports.forms.selection import ThresholdForm
from reports.models import ChosenThreshold
from reports.services.choosing import Terms

LEAST, MOST = 0.5, 0.999
DEAREST = 1e6


class TermsForm(forms.Form):
    """What a threshold is chosen for; what is left out has its default."""

    target = forms.FloatField(required=False, min_value=LEAST, max_value=MOST, label="Recall to reach")
    level = forms.FloatField(required=False, min_value=LEAST, max_value=MOST, label="Confidence of the promise")
    miss = forms.FloatField(required=False, min_value=0.0, max_value=DEAREST, label="Cost of a miss")
    false_flag = forms.FloatField(required=False, min_value=0.0, max_value=DEAREST, label="Cost of a false alarm")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.initial = f"{getattr(Terms(), name):g}"
            field.widget.attrs["step"] = "any"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self._given(cleaned, "miss") == 0 and self._given(cleaned, "false_flag") == 0:
            self.add_error("miss", "Both costs are 0; expected at least one above 0.")
        return cleaned

    def terms(self) -> Terms:
        """The terms as a value; only after `is_valid`."""
        return replace(Terms(), **{name: self._given(self.cleaned_data, name) for name in self.fields})

    @staticmethod
    def _given(cleaned: dict[str, Any], name: str) -> float:
        value = cleaned.get(name)
        return float(getattr(Terms(), name) if value is None else value)


class ThreeForm(ThresholdForm):
    """The three thresholds of an entailment judge that were seen."""

    contradiction_threshold = forms.FloatField(min_value=0.0, max_value=1.0)
    partial_threshold = forms.FloatField(min_value=0.0, max_value=1.0)


class ChoiceForm(ThresholdForm):
    """One of the ways of choosing, with the threshold that was seen."""

    way = forms.ChoiceField(choices=ChosenThreshold.Way.choices)
