"""A cascade by form: its stages in order, each a version of the project, with what sends a claim on."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms

from judges.combined.cascade import KINDS
from judges.combined.stages import STAGE_KEYS, Stage
from judges.models import JudgeVersion
from judges.services.stages import ChosenStage
from labelling.models import ClaimKind, Policy

ROWS = 4


class CascadeForm(forms.Form):
    """The name and the policy; the stages are a form set beside it."""

    name = forms.SlugField(max_length=100, help_text="Letters, digits, hyphens: it stands in addresses and exports.")
    policy = forms.ChoiceField(choices=Policy.choices, help_text="People and judges are to be given the same one.")


class StageForm(forms.Form):
    """One stage; a row without a judge is passed over."""

    version = forms.TypedChoiceField(label="Judge", required=False, coerce=int, empty_value=None)
    low = forms.FloatField(
        label="Goes on from",
        required=False,
        widget=forms.NumberInput(attrs={"step": "any", "min": 0, "max": 1}),
    )
    high = forms.FloatField(
        label="to", required=False, widget=forms.NumberInput(attrs={"step": "any", "min": 0, "max": 1})
    )
    kinds = forms.MultipleChoiceField(
        label="Only claims of the kind",
        required=False,
        choices=[(kind, ClaimKind(kind).label) for kind in KINDS],
        widget=forms.CheckboxSelectMultiple(attrs={"class": "checks"}),
    )

    def __init__(self, *args: Any, versions: Sequence[JudgeVersion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._versions = {version.pk: version for version in versions}
        chosen = self.fields["version"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [("", "none"), *((version.pk, f"{version} ({version.policy})") for version in versions)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        low, high = cleaned.get("low"), cleaned.get("high")
        if (low is None) != (high is None):
            self.add_error("high" if high is None else "low", "A band has two ends: give both, or neither.")
        elif low is not None and high is not None and not 0 <= low <= high <= 1:
            self.add_error("high", f"The band is {low:g} to {high:g}; expected numbers from 0 to 1, the lower first.")
        if not cleaned.get("version") and (low is not None or high is not None or cleaned.get("kinds")):
            self.add_error("version", "A band or a kind is given, and no judge: choose one, or empty the row.")
        return cleaned

    def stage(self) -> ChosenStage | None:
        """The stage, where there is one; only after `is_valid`."""
        version = self._versions.get(self.cleaned_data.get("version") or 0)
        if version is None:
            return None
        low, high = self.cleaned_data["low"], self.cleaned_data["high"]
        band = None if low is None or high is None else (low, high)
        return ChosenStage(version=version, band=band, kinds=tuple(self.cleaned_data["kinds"]))


if TYPE_CHECKING:
    _Rows = forms.BaseFormSet[StageForm]
else:  # generic for the type checker alone
    _Rows = forms.BaseFormSet


class _Stages(_Rows):
    def clean(self) -> None:
        if any(self.errors):
            return
        stages = self.stages()
        if len(stages) < 2:
            raise forms.ValidationError(f"{len(stages)} of the rows name a judge; a cascade has at least two stages.")
        if stages[-1].band is not None:
            raise forms.ValidationError("The last stage has a band, and no stage follows it: empty the band.")

    def stages(self) -> list[ChosenStage]:
        return [stage for form in self.forms if (stage := form.stage()) is not None]


StageFormSet = forms.formset_factory(StageForm, formset=_Stages, extra=0, max_num=10, absolute_max=10)


def stage_forms(
    data: Mapping[str, Any] | None, *, versions: Sequence[JudgeVersion], last: JudgeVersion | None = None
) -> _Stages:
    """The rows, filled as a version has them where there is one, with empty ones behind."""
    initial = _initial(last, versions) if last is not None else []
    initial += [{} for _ in range(max(1, ROWS - len(initial)))]
    rows = StageFormSet(data, initial=initial, form_kwargs={"versions": versions}, prefix="stages")
    assert isinstance(rows, _Stages)
    return rows


def _initial(last: JudgeVersion, versions: Sequence[JudgeVersion]) -> list[dict[str, Any]]:
    """The stages of a version as rows; a stage whose version is no longer there leaves its row without a judge."""
    there = {one.fingerprint: one.pk for one in versions}
    rows = []
    for stage in last.config["stages"]:
        low, high = stage["band"] or (None, None)
        name = Stage(**{key: stage[key] for key in STAGE_KEYS}).fingerprint
        rows.append({"version": there.get(name), "low": low, "high": high, "kinds": stage["kinds"]})
    return rows
