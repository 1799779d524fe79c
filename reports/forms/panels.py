"""A panel by form: its name and its members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from judges.models import JudgeVersion
from reports.services.panels import Candidate


class PanelForm(forms.Form):
    """Which versions are to be weighed."""

    name = forms.SlugField(
        max_length=100, initial="panel", help_text="Letters, digits, hyphens: it stands in addresses and exports."
    )
    members = forms.TypedMultipleChoiceField(
        coerce=int, widget=forms.CheckboxSelectMultiple(attrs={"class": "checks"}), help_text="At least two."
    )

    def __init__(self, *args: Any, candidates: Sequence[Candidate], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._versions = {one.version.pk: one.version for one in candidates}
        members = self.fields["members"]
        assert isinstance(members, forms.ChoiceField)
        members.choices = [
            (one.version.pk, f"{one.version}: {one.version.judge.type}, {one.judged:,} development claims judged")
            for one in candidates
        ]

    def chosen(self) -> list[JudgeVersion]:
        """The versions chosen, in the order of the list; only after `is_valid`."""
        chosen = set(self.cleaned_data["members"])
        return [version for key, version in self._versions.items() if key in chosen]
