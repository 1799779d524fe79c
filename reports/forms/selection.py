"""Input from people: filters, places in a table, thresholds."""

from __future__ import annotations

from typing import Any

from django import forms

from labelling.models import Answer, ClaimKind, Project, Severity, Source, Split, Verdict
from reports.selection import BOTH_SPLITS, UNSET, Selection, filter_value

SORTS = {
    "kappa": "kappa, best first",
    "recall": "recall, best first",
    "precision": "precision, best first",
    "cost": "cost, cheapest first",
    "name": "name",
}
NO_VERDICT = "none"


class SelectionForm(forms.Form):
    """Which claims the figures are about. Every field may be left out."""

    split = forms.ChoiceField(
        required=False,
        choices=[*Split.choices, (BOTH_SPLITS, "Both")],
    )
    collection = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(
        required=False, label="Claim kind", choices=[("", "Any"), *ClaimKind.choices, (UNSET, "Not given")]
    )
    severity = forms.ChoiceField(required=False, choices=[("", "Any"), *Severity.choices, (UNSET, "Not given")])
    system = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        collections = Source.objects.filter(project=project).values_list("collection", flat=True)
        systems = Answer.objects.filter(project=project).values_list("system", flat=True)
        self._offer("collection", set(collections.order_by().distinct()))
        self._offer("system", set(systems.order_by().distinct()))

    def _offer(self, name: str, values: set[str]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        given = [(filter_value(value), value) for value in sorted(values - {""})]
        unset = [(UNSET, "Not given")] if "" in values else []
        field.choices = [("", "Any"), *given, *unset]

    def selection(self, **more: str) -> Selection:
        """The filters as a value; only after `is_valid`."""
        given = {name: self.cleaned_data[name] for name in ("collection", "kind", "severity", "system")}
        return Selection(split=self.cleaned_data["split"] or Split.DEVELOPMENT, **given, **more)


class ComparisonForm(SelectionForm):
    """The filters of the comparison, what it is measured against, and its order."""

    versions = forms.ChoiceField(
        required=False, label="Judge versions", choices=[("latest", "Newest of each"), ("all", "All")]
    )
    reference = forms.ChoiceField(
        required=False,
        label="Beside people",
        choices=[
            ("", "Best there is"),
            ("consensus", "Against the others’ consensus"),
            ("individual", "Against each other person"),
        ],
    )
    sort = forms.ChoiceField(required=False, choices=list(SORTS.items()))

    def comparison(self) -> Selection:
        return self.selection(versions=self.cleaned_data["versions"] or "latest")


class CellForm(SelectionForm):
    """One cell of the confusion matrix: gold in the row, the judge's verdict in the column."""

    gold = forms.ChoiceField(choices=Verdict.choices)
    verdict = forms.ChoiceField(choices=[*Verdict.choices, (NO_VERDICT, "No verdict")])


class ThresholdForm(forms.Form):
    """A threshold on the support score: below it, a claim counts as not supported."""

    threshold = forms.FloatField(min_value=0.0, max_value=1.0)
