"""A judge, or a new version of one, by form: a field for every setting of its type."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.forms import BoundField

from judges.forms.settings import EntriesField, setting_field
from judges.protocol import JudgeType
from labelling.models import Policy

SETTING = "setting_"
_WORD = re.compile(r"\w+")


@dataclass
class FieldGroup:
    """Fields that stand under one heading; the heading may be empty."""

    heading: str
    fields: list[tuple[BoundField, Mapping[str, str]]] = field(default_factory=list)


class SettingsForm(forms.Form):
    """The settings of one judge type and the policy, each setting as a field made from its default."""

    policy = forms.ChoiceField(choices=Policy.choices, help_text="People and judges are to be given the same one.")

    def __init__(
        self, *args: Any, judge_type: JudgeType[Any], config: Mapping[str, object] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.judge_type = judge_type
        self.defaults = judge_type.default_config()
        keys = [key for key in judge_type.settings if key in self.defaults]
        self.keys = [*keys, *(key for key in self.defaults if key not in keys)]
        for key in self.keys:
            default = self.defaults[key]
            given = (config or {}).get(key, default)
            self.fields[SETTING + key] = setting_field(key, default, judge_type.settings.get(key), initial=given)
        self.order_fields(["name", *(SETTING + key for key in self.keys), "policy"])

    def groups(self) -> Iterator[FieldGroup]:
        """The fields under their headings, each with the variables that it may name."""
        group = FieldGroup("", [(self[name], {}) for name in ("name",) if name in self.fields])
        for key in self.keys:
            said = self.judge_type.settings.get(key)
            heading = said.group if said else ""
            if heading != group.heading:
                if group.fields:
                    yield group
                group = FieldGroup(heading)
            group.fields.append((self[SETTING + key], said.variables if said else {}))
        if group.heading and group.fields:
            yield group
            group = FieldGroup("")
        group.fields.append((self["policy"], {}))
        yield group

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            config = {key: cleaned[SETTING + key] for key in self.defaults}
            try:
                cleaned["config"] = self.judge_type.complete_config(config)
            except ValueError as error:
                self._say(str(error))
        return cleaned

    def _say(self, message: str) -> None:
        """Put an error of the judge type beside the field of the setting that it is about."""
        name = self._named_in(message)
        found = self.fields[name] if name else None
        if name and isinstance(found, EntriesField):
            message = found.with_line(message, name.removeprefix(SETTING))
        self.add_error(name, message)

    def _named_in(self, message: str) -> str | None:
        """The field of the setting that an error of the judge type names first, where it names one."""
        return next((SETTING + word for word in _WORD.findall(message) if word in self.defaults), None)


class NewJudgeForm(SettingsForm):
    """A judge that is not there yet: its name besides its settings."""

    name = forms.SlugField(max_length=100, help_text="Letters, digits, hyphens: it stands in addresses and exports.")
