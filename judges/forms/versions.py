"""Which versions of a judge to set side by side, and for which claim to show a prompt."""

from collections.abc import Sequence
from typing import Any

from django import forms

from judges.models import JudgeVersion


class TwoVersionsForm(forms.Form):
    """Two versions of one judge; where none are chosen, the last and the one that it was made from."""

    before = forms.TypedChoiceField(label="This version", coerce=int)
    after = forms.TypedChoiceField(label="beside", coerce=int)

    def __init__(self, data: Any = None, *, versions: Sequence[JudgeVersion]) -> None:
        super().__init__(data)
        self.versions = {version.number: version for version in versions}
        words = [(str(one.number), f"v{one.number}" + (f" {one.label}" if one.label else "")) for one in versions]
        for name in ("before", "after"):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = words
        self.pair = self._pair()
        self.initial = {"before": self.pair[0].number, "after": self.pair[1].number} if self.pair else {}

    def _pair(self) -> tuple[JudgeVersion, JudgeVersion] | None:
        if len(self.versions) < 2:
            return None
        last = self.versions[max(self.versions)]
        before = next(
            (one for one in self.versions.values() if one.pk == last.based_on_id),
            self.versions[sorted(self.versions)[-2]],
        )
        return before, last

    def chosen(self) -> tuple[JudgeVersion, JudgeVersion] | None:
        """The two versions; nothing where the judge has but one."""
        if self.pair is None or not self.is_valid():
            return self.pair
        return self.versions[self.cleaned_data["before"]], self.versions[self.cleaned_data["after"]]
