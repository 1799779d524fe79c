"""A judge, or a new version of one, by form: a field for every setting of its type."""

from collections.abc import Mapping
from typing import Any

from django import forms

from judges.protocol import JudgeType
from labelling.models import Policy

SETTING = "setting_"


class SettingsForm(forms.Form):
    """The settings of one judge type and the policy, each setting as a field made from its default."""

    policy = forms.ChoiceField(choices=Policy.choices, help_text="People and judges are to be given the same one.")

    def __init__(
        self, *args: Any, judge_type: JudgeType[Any], config: Mapping[str, object] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.judge_type = judge_type
        self.defaults = judge_type.default_config()
        for key, default in self.defaults.items():
            self.fields[SETTING + key] = _field(key, default, initial=(config or {}).get(key, default))
        self.order_fields(["name", *(SETTING + key for key in self.defaults), "policy"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            config = {key: cleaned[SETTING + key] for key in self.defaults}
            try:
                cleaned["config"] = self.judge_type.complete_config(config)
            except ValueError as error:
                self.add_error(self._named_in(str(error)), str(error))
        return cleaned

    def _named_in(self, message: str) -> str | None:
        """The field of the setting that an error of the judge type names first, where it names one."""
        words = message.replace("'", " ").split()
        return next((SETTING + word for word in words if word in self.defaults), None)


class NewJudgeForm(SettingsForm):
    """A judge that is not there yet: its name besides its settings."""

    name = forms.SlugField(max_length=100, help_text="Letters, digits, hyphens: it stands in addresses and exports.")


def _field(key: str, default: object, *, initial: object) -> forms.Field:
    label = key.replace("_", " ").capitalize()
    if isinstance(default, bool):
        return forms.BooleanField(label=label, initial=initial, required=False)
    if isinstance(default, int):
        return forms.IntegerField(label=label, initial=initial)
    if isinstance(default, float):
        return forms.FloatField(label=label, initial=initial, widget=forms.NumberInput(attrs={"step": "any"}))
    if isinstance(default, str):
        widget = forms.Textarea(attrs={"rows": 8}) if "\n" in default else None
        return forms.CharField(label=label, initial=initial, required=False, strip=False, widget=widget)
    return forms.JSONField(label=label, initial=initial, required=False, help_text="JSON.")
