from django import forms

from labelling.golden.freezing import NAME_LIMIT


class FreezeForm(forms.Form):
    """The name of the set to freeze; the number follows from the versions that are there."""

    name = forms.SlugField(
        max_length=NAME_LIMIT,
        help_text="Letters, digits, hyphens and underscores. The same name again makes its next version.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
