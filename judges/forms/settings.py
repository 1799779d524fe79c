"""A form field for each setting of a judge type: made from its default, worded by what the type says of it."""

import json
import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from judges.entry_lines import Keys, read_entry_lines, written_entries
from judges.setting import Setting


def setting_field(key: str, default: object, said: Setting | None, *, initial: object) -> forms.Field:
    """The field of one setting; without words of its type it is called by its key."""
    said = said or Setting(label=key.replace("_", " ").capitalize())
    common: dict[str, Any] = {"label": said.label, "help_text": said.help, "initial": initial}
    if said.choices is not None:
        return _choice(said, default, common)
    if isinstance(default, bool):
        return forms.BooleanField(required=False, **common)
    if (written := _written(said, common)) is not None:
        return written
    number = isinstance(default, int | float) or (default is None and (said.low is not None or said.high is not None))
    if number:
        return _number(said, default, common)
    if isinstance(default, str):
        long = said.written == "long" or "\n" in default
        widget = forms.Textarea(attrs={"rows": 18, "class": "prompt", "spellcheck": "true"}) if long else None
        return forms.CharField(required=False, strip=False, widget=widget, **common)
    common["help_text"] = said.help or "JSON."
    return forms.JSONField(required=False, encoder=None, widget=forms.Textarea(attrs={"rows": 6}), **common)


def _written(said: Setting, common: dict[str, Any]) -> forms.Field | None:
    """The field of a setting that is written in a way of its own."""
    if said.written == "amount":
        return AmountField(**common)
    if said.written == "numbers":
        return NumbersField(**common)
    if said.written == "lines":
        return LinesField(required=False, widget=forms.Textarea(attrs={"rows": 4}), **common)
    if said.written == "entries":
        rows = forms.Textarea(attrs={"rows": 6, "class": "prompt entries", "spellcheck": "false"})
        return EntriesField(keys=said.entries, required=False, widget=rows, **common)
    return None


def _number(said: Setting, default: object, common: dict[str, Any]) -> forms.Field:
    bounds = {key: value for key, value in (("min", said.low), ("max", said.high)) if value is not None}
    attrs = {key: f"{value:g}" if value < 1_000 else f"{value:.0f}" for key, value in bounds.items()}
    # Bounds are the browser's to show; that a value lies outside them is the parser's to say, in its words.
    if isinstance(default, int):
        return forms.IntegerField(widget=forms.NumberInput(attrs=attrs), **common)
    attrs["step"] = "any"
    return forms.FloatField(required=default is not None, widget=forms.NumberInput(attrs=attrs), **common)


def _choice(said: Setting, default: object, common: dict[str, Any]) -> forms.Field:
    choices = list(said.choices()) if said.choices else []
    if isinstance(default, list):
        return forms.MultipleChoiceField(
            required=False, choices=choices, widget=forms.CheckboxSelectMultiple(attrs={"class": "checks"}), **common
        )
    if said.others:
        return OpenChoiceField(choices=choices, **common)
    if common["initial"] not in dict(choices):  # what a version was made with may be gone by now
        choices.append((str(common["initial"]), str(common["initial"]) or "none"))
    return forms.ChoiceField(required=False, choices=choices, **common)


class _OpenChoice(forms.MultiWidget):
    """A list to choose from, and a text for whatever is not on it."""

    use_fieldset = True

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        self.known = [value for value, _ in choices]
        named = forms.TextInput(
            attrs={"placeholder": "another, by its name", "aria-label": "Another, by its name", "spellcheck": "false"}
        )
        if not choices:
            super().__init__({"named": named})
            return
        listed = forms.Select(choices=[*choices, ("", "another:")], attrs={"aria-label": "One of those known here"})
        super().__init__({"listed": listed, "named": named})

    def decompress(self, value: Any) -> list[str]:
        text = str(value or "")
        if not self.known:
            return [text]
        return [text, ""] if text in self.known else ["", text]


class OpenChoiceField(forms.MultiValueField):
    """One of the known values, or another one; a text that is given goes before the list."""

    def __init__(self, *, choices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        widget = _OpenChoice(choices)
        fields = [forms.CharField(required=False) for _ in widget.widgets]
        super().__init__(fields, require_all_fields=False, required=False, widget=widget, **kwargs)

    def compress(self, data_list: list[str]) -> str:
        return next((text for text in reversed(data_list) if text), "")


class NumbersField(forms.CharField):
    """Whole numbers between commas."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(one) for one in value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        parts = [part.strip() for part in str(value or "").split(",") if part.strip()]
        try:
            return [int(part) for part in parts]
        except ValueError:
            raise ValidationError(f"{value!r} is no list of whole numbers; expected such as 1, 3") from None


class LinesField(forms.CharField):
    """Texts, one a line; empty lines are passed over."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(str(one) for one in value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]


class EntriesField(forms.CharField):
    """Entries, one a line, each part by its name; ``lines`` holds the line of each once they were read."""

    def __init__(self, *, keys: Keys, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.keys = keys
        self.lines: list[int] = []

    def prepare_value(self, value: Any) -> Any:
        return written_entries(value, self.keys) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        try:
            read = list(read_entry_lines(str(value or ""), self.keys))
        except ValueError as error:
            raise ValidationError(str(error)) from None
        self.lines = [line for line, _ in read]
        return [entry for _, entry in read]

    def with_line(self, message: str, key: str) -> str:
        """An error that names an entry by its place, with the line that it stands in."""
        found = re.match(rf"{re.escape(key)}\[(\d+)\]", message)
        return f"line {self.lines[int(found[1])]}: {message}" if found and int(found[1]) < len(self.lines) else message


class AmountField(forms.CharField):
    """A number, or a share such as 2%, kept as it is written."""

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip() or "0"
        try:
            number = json.loads(text)
        except ValueError:
            return text
        return number if isinstance(number, int | float) and not isinstance(number, bool) else text
