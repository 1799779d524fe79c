"""Taking answers apart, and the review of what was found, by form."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django import forms

from judges.claude.config import DEFAULT_MODEL, parse_config
from judges.extraction import claude, drafting, rules
from judges.extraction.drafting import DraftClaim, Drafts
from labelling.models import ClaimKind, Severity


class ExtractionForm(forms.Form):
    """Which extractor, over how many answers, and for a paid one with which model and budget."""

    use_required_attribute = False

    extractor = forms.ChoiceField(
        choices=[(rules.NAME, "Rules: at once, at no cost"), (claude.NAME, "Claude: asked for each answer")],
        initial=rules.NAME,
        widget=forms.RadioSelect,
    )
    most = forms.IntegerField(
        label="At most",
        min_value=1,
        required=False,
        help_text="How many answers, the first ones in front; empty for all.",
    )
    model = forms.CharField(label="Model", initial=DEFAULT_MODEL, required=False)
    budget_usd = forms.DecimalField(
        label="Budget in US dollars",
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text="No call is made that could pass it.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("extractor") == claude.NAME:
            cleaned["model"] = cleaned.get("model") or DEFAULT_MODEL
            try:
                parse_config({"model": cleaned["model"]})
            except ValueError as error:
                self.add_error("model", str(error))
            if cleaned.get("budget_usd") is None and not self.errors and "forecast" not in self.data:
                self.add_error("budget_usd", "budget is missing; expected what it may cost at most, in US dollars")
        return cleaned

    @property
    def chosen(self) -> dict[str, Any]:
        """What was chosen, as the services take it."""
        given = self.cleaned_data
        config = {"model": given["model"]} if given["extractor"] == claude.NAME else {}
        return {"extractor": given["extractor"], "config": config, "most": given["most"]}


class DraftClaimForm(forms.Form):
    """One draft claim: its words, kind, severity, and the sources that it cites."""

    text = forms.CharField(label="Claim", required=False, widget=forms.Textarea(attrs={"rows": 2}))
    kind = forms.ChoiceField(choices=ClaimKind.choices)
    severity = forms.ChoiceField(choices=Severity.choices)
    citations = forms.MultipleChoiceField(label="Cites", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, sources: Mapping[str, str], draft: DraftClaim | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.draft = draft
        further = {name: name for name in (draft.citations if draft else ()) if name not in sources}
        citations = self.fields["citations"]
        if isinstance(citations, forms.MultipleChoiceField):
            citations.choices = list({**sources, **further}.items())
        if draft is not None:
            given = {name: getattr(draft, name) for name in ("text", "kind", "severity")}
            self.initial = {**given, "citations": list(draft.citations)}

    def changed(self) -> DraftClaim:
        """The draft as it was written; line breaks stay, since they say where to split."""
        assert self.draft is not None
        given = self.cleaned_data
        cited = tuple(given["citations"])
        same = set(cited) == set(self.draft.citations)
        text = "\n".join(" ".join(line.split()) for line in given["text"].splitlines() if line.strip())
        return replace(
            self.draft,
            text=text,
            kind=given["kind"],
            severity=given["severity"],
            citations=self.draft.citations if same else cited,
        )


class NewClaimForm(DraftClaimForm):
    """A claim that the extractor did not find; left blank, none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {"kind": ClaimKind.RELATION.value, "severity": Severity.MINOR.value}
        for name in ("kind", "severity"):
            self.fields[name].required = False


class ReviewForm:
    """All draft claims of an answer at once, so that no step loses what was written into another row."""

    def __init__(self, drafts: Drafts, sources: Mapping[str, str], data: Mapping[str, Any] | None = None) -> None:
        self.drafts = drafts
        self.rows = [
            DraftClaimForm(data, sources=sources, draft=draft, prefix=f"c{draft.key}")
            if not draft.dropped
            else DraftClaimForm(sources=sources, draft=draft, prefix=f"c{draft.key}")
            for draft in drafts
        ]
        self.new = NewClaimForm(data, sources=sources, prefix="new")

    def is_valid(self) -> bool:
        """Whether every row that stands can be read."""
        # Every row is looked at, so that all faults show at once.
        valid = [row.is_valid() for row in (*self.rows, self.new) if row.is_bound]
        return all(valid)

    def claims(self, *, whole: bool) -> Drafts:
        """The drafts as they were written, with the new one where there is one; in one line each where ``whole``."""
        found = tuple(row.changed() if row.is_bound else row.draft for row in self.rows if row.draft is not None)
        new = self.new.cleaned_data
        if new["text"].strip():
            found = drafting.add(
                found,
                text=new["text"],
                kind=new["kind"] or ClaimKind.RELATION.value,
                severity=new["severity"] or Severity.MINOR.value,
                citations=new["citations"],
            )
        return tuple(replace(claim, text=" ".join(claim.text.split())) for claim in found) if whole else found
