import uuid

from django import forms

from labelling.models import Adjudication, Verdict


class AdjudicationForm(forms.Form):
    verdict = forms.ChoiceField(
        choices=Verdict.choices, widget=forms.RadioSelect, error_messages={"required": "Choose a verdict."}
    )
    reason = forms.ChoiceField(
        choices=Adjudication.Reason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Say why: choose a reason."},
    )
    note = forms.CharField(
        required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 1, "dir": "auto"}), strip=True
    )
    client_id = forms.UUIDField(widget=forms.HiddenInput)
    based_on = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    @classmethod
    def upon(cls, standing: Adjudication | None) -> "AdjudicationForm":
        """A fresh form, filled with what stands where the claim was settled before."""
        if standing is None:
            return cls(initial={"client_id": uuid.uuid4(), "based_on": 0})
        return cls(
            initial={
                "client_id": uuid.uuid4(),
                "based_on": standing.revision,
                "verdict": standing.verdict,
                "reason": standing.reason,
                "note": standing.note,
            }
        )
