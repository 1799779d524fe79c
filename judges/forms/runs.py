"""Which claims a run is over, what it may cost, and which of its judgements to look at."""

from decimal import Decimal
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
        return Selection(**{key: self.cleaned_data[key] for key in ("split", "kind", "collection")})


def _budget_field(help_text: str) -> forms.DecimalField:
    return forms.DecimalField(
        label="Budget in dollars",
        required=False,
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=6,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "inputmode": "decimal"}),
    )


class StartForm(SelectionForm):
    """A run to be started: its claims, and what it may cost."""

    budget = _budget_field("It stops before a call that could make it cost more. Empty: any amount.")


class ResumeForm(forms.Form):
    """A stopped run that is to go on, with another budget where one is given."""

    budget = _budget_field("Empty: it has none, and stays without one.")

    def __init__(self, *args: Any, spent: Decimal, now: Decimal | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.spent = spent
        if now is not None:  # emptied by mistake, a field must not lift the limit
            self.initial["budget"] = f"{now.normalize():f}"
            self.fields["budget"].help_text = f"Empty: it stays at ${now.normalize():f}."

    def clean_budget(self) -> Decimal | None:
        budget: Decimal | None = self.cleaned_data["budget"]
        if budget is not None and budget < self.spent:
            raise forms.ValidationError(
                f"budget is ${budget:,.4f}; up to ${self.spent:,.4f} are spent already, so expected no less than that"
            )
        return budget


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
