"""Input for judges against each other: which pairs, what they spend, and who was right."""

from __future__ import annotations

from typing import Any

from django import forms

from judges.models import JudgeVersion
from labelling.models import Project
from reports.forms.selection import ComparisonForm
from reports.services.comparison import judged_versions
from reports.services.differences import RIGHT


class DifferencesForm(ComparisonForm):
    """The filters of the comparison, and one or two of the versions that have judged."""

    first = forms.ChoiceField(required=False, label="Judge")
    second = forms.ChoiceField(required=False, label="Against")
    spent = forms.ChoiceField(
        required=False,
        label="Spending",
        choices=[("", "Money, where any is spent"), ("usd", "Money"), ("seconds", "Time")],
    )
    right = forms.ChoiceField(
        required=False, widget=forms.HiddenInput, choices=[("", ""), *((who, who) for who in RIGHT)]
    )

    field_order = ["first", "second", "split", "collection", "kind", "severity", "system", "versions", "spent"]

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        for name in ("reference", "sort"):
            del self.fields[name]
        self._versions = {str(version.pk): version for version in judged_versions(project)}
        offered = [(key, str(version)) for key, version in self._versions.items()]
        for name, every in (("first", "Every judge"), ("second", "Every other")):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", every), *offered]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("first") and cleaned.get("first") == cleaned.get("second"):
            self.add_error("second", "It is the same version twice; expected two.")
        return cleaned

    def version(self, name: str) -> JudgeVersion | None:
        """The version chosen as `first` or `second`, None for every one; only after `is_valid`."""
        return self._versions.get(self.cleaned_data[name])
