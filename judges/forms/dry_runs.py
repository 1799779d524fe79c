"""Which claims a dry run asks about: the spread ones, others, or some by their ids."""

from typing import Any

from django import forms

from judges.forms.settings import LinesField
from judges.services.dry_runs import CLAIMS, Choice

_MOST_OTHERS = 100_000


class DryRunForm(forms.Form):
    """Ids of claims, one a line; without any, the number of the evenly spread ones."""

    named = LinesField(
        label="Claims of your own choice",
        required=False,
        help_text=f"Up to {CLAIMS} ids, one a line, of cited claims of the development split.",
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "dir": "auto"}),
    )
    others = forms.IntegerField(required=False, min_value=0, max_value=_MOST_OTHERS, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    def choice(self) -> Choice:
        """The choice; the first spread ones where nothing that makes sense was given."""
        given = self.cleaned_data if self.is_valid() else {}
        return Choice(named=tuple(given.get("named") or ()), others=given.get("others") or 0)
