"""Which claims a run is over, and which of its judgements to look at."""

from typing import Any

from django import forms

from judges.protocol import Outcome
from judges.services.selection import Selection
from labelling.models import ClaimKind, Project, Split, Verdict


class SelectionForm(forms.Form):
    """The claims of a run: all cited ones, or those of one split, kind, collection."""

    split = forms.ChoiceField(choices=[("", "Development and test"), *Split.choices], required=False)
    kind = forms.ChoiceField(choices=[("", "Every kind"), *ClaimKind.choices], required=False)
    collection = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = project.sources.exclude(collection="").order_by("collection").values_list("collection", flat=True)
        collection = self.fields["collection"]
        if isinstance(collection, forms.ChoiceField):
            collection.choices = [("", "Every collection"), *((name, name) for name in names.distinct())]

    def selection(self) -> Selection:
        return Selection(**self.cleaned_data)


class JudgementsForm(forms.Form):
    """Which judgements of a run to show; anything unknown shows all."""

    outcome = forms.ChoiceField(choices=[("", "Every outcome"), *((o.value, o.value) for o in Outcome)], required=False)
    verdict = forms.ChoiceField(choices=[("", "Every verdict"), *Verdict.choices], required=False)
    earlier = forms.BooleanField(required=False, label="Failures that were tried again")

    def chosen(self) -> dict[str, Any]:
        """What was chosen, as lookups on judgements."""
        given = self.cleaned_data if self.is_valid() else {}
        lookups = {key: given[key] for key in ("outcome", "verdict") if given.get(key)}
        return {"replaced": bool(given.get("earlier")), **lookups}
