"""Input for a certificate: the golden set to measure on."""

from __future__ import annotations

from typing import Any

from django import forms

from labelling.models import GoldenSet, Project


class CertificateForm(forms.Form):
    """The newest version of each golden set: on an older one a certificate would be stale at once."""

    golden_set = forms.ChoiceField(error_messages={"invalid_choice": "Choose a golden set that this project has."})

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = GoldenSet.objects.filter(project=project).order_by("name", "version").defer("manifest")
        self._newest = {row.name: row for row in rows.select_related("guide_version")}
        field = self.fields["golden_set"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, str(row)) for name, row in self._newest.items()]

    @property
    def chosen(self) -> GoldenSet:
        """The set chosen; only after `is_valid`."""
        return self._newest[self.cleaned_data["golden_set"]]
