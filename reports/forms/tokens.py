"""Input for a token: what it is for."""

from django import forms


class TokenForm(forms.Form):
    """The name of a new token."""

    name = forms.CharField(
        max_length=100, help_text="What uses it, so that you know which one to revoke: “staging pipeline”."
    )
