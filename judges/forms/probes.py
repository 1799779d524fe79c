"""A test of a judge to be started: which, over what sample of which claims, and what it may cost."""

from typing import Any

from django import forms

from judges.forms.runs import StartForm
from judges.models import Run
from judges.probes import PROBES
from judges.services.probes import CLAIMS, LARGEST_SEED, MOST_CLAIMS
from labelling.models import Split


class ProbeForm(StartForm):
    """The kind of test and the sample, besides what every run asks for."""

    probe = forms.ChoiceField(label="Test", choices=[(name, Run.Probe(name).label) for name in PROBES])
    claims = forms.IntegerField(label="Claims", initial=CLAIMS, min_value=1, max_value=MOST_CLAIMS)
    seed = forms.IntegerField(label="Seed", initial=1, min_value=0, max_value=LARGEST_SEED)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["split"].initial = Split.DEVELOPMENT
        self.order_fields(["probe", "claims", "seed"])

    def chosen(self) -> dict[str, Any]:
        """What starting a test and reckoning its cost both take; only after `is_valid`."""
        given = {key: self.cleaned_data[key] for key in ("probe", "claims", "seed")}
        return {**given, "selection": self.selection()}
