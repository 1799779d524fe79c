"""What an annotator sends: a label or a skip. The same fields with and without a script."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict

from labelling.models import Confidence, Invention, Label, Severity, Skip, Source, Verdict
from labelling.services.items import Before, Item, ShownSpan
from labelling.services.labels import Span, Submission
from labelling.text.marking import find_quote

LONGEST_NOTE = 10_000
MOST_SPANS = 200


class SpansField(forms.Field):
    """Spans as `source:start:end`, one value each."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[Span, ...]:
        spans = []
        for raw in value or []:
            parts = str(raw).split(":")
            if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
                raise forms.ValidationError("A piece of evidence could not be read. Remove it and mark it again.")
            spans.append(Span(*map(int, parts)))
        if len(spans) > MOST_SPANS:
            raise forms.ValidationError(f"At most {MOST_SPANS} pieces of evidence.")
        return tuple(spans)


class LabelForm(forms.Form):
    """One label. `quotes` is for those without a script: words of the source, one quote a line."""

    client_id = forms.UUIDField(error_messages={"required": "Reload the page: the form lost its number."})
    verdict = forms.ChoiceField(
        choices=Verdict.choices,
        error_messages={"required": "Choose a verdict.", "invalid_choice": "Choose one of the four verdicts."},
    )
    invention = forms.ChoiceField(choices=[("", ""), *Invention.choices], required=False)
    severity = forms.ChoiceField(choices=[("", ""), *Severity.choices], required=False)
    confidence = forms.ChoiceField(choices=[("", ""), *Confidence.choices], required=False)
    flag = forms.ChoiceField(choices=[("", ""), *Label.Flag.choices], required=False)
    note = forms.CharField(required=False, max_length=LONGEST_NOTE)
    seconds = forms.FloatField(required=False, min_value=0, max_value=24 * 3600)
    source_opened = forms.NullBooleanField(required=False)
    guide = forms.IntegerField(required=False, min_value=1, max_value=2**62)
    span = SpansField(required=False)
    quotes = forms.CharField(required=False, max_length=100_000)

    def __init__(self, data: QueryDict, *, sources: Iterable[Source]) -> None:
        super().__init__(data)
        self.sources = {source.pk: source for source in sources}

    def clean_quotes(self) -> tuple[Span, ...]:
        """Each quoted line as the one span where it stands; a line that stands nowhere, or twice, is an error."""
        found = []
        for line in self.cleaned_data["quotes"].splitlines():
            if not line.strip():
                continue
            places = [
                Span(source.pk, start, end)
                for source in self.sources.values()
                for start, end in find_quote(source.text, line)
            ]
            if not places:
                raise forms.ValidationError(f"“{line.strip()}” does not stand in the source, word for word.")
            if len(places) > 1:
                raise forms.ValidationError(
                    f"“{line.strip()}” stands in the source {len(places)} times. Quote more words around it."
                )
            found += places
        return tuple(found)

    def submission(self) -> Submission:
        data = self.cleaned_data
        return Submission(
            client_id=data["client_id"],
            verdict=data["verdict"],
            spans=(*data["span"], *data["quotes"]),
            invention=data["invention"],
            severity=data["severity"],
            confidence=data["confidence"],
            note=data["note"],
            flag=data["flag"],
            seconds=data["seconds"],
            source_opened=data["source_opened"],
            guide_id=data["guide"],
        )


class SkipForm(forms.Form):
    reason = forms.ChoiceField(
        choices=Skip.Reason.choices, error_messages={"required": "Say why this claim is skipped."}
    )
    note = forms.CharField(required=False, max_length=LONGEST_NOTE)


@dataclass(frozen=True, slots=True)
class FormState:
    """What the form shows: empty, what the person said before, or what they sent and must mend."""

    verdict: str = ""
    invention: str = ""
    severity: str = ""
    confidence: str = ""
    flag: str = ""
    note: str = ""
    quotes: str = ""
    evidence: tuple[ShownSpan, ...] = ()
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def upon(cls, before: Before | None) -> "FormState":
        if before is None or before.label is None or before.label.withdrawn:
            return cls()
        label = before.label
        return cls(
            verdict=label.verdict,
            invention=label.invention,
            severity=label.severity,
            confidence=label.confidence,
            flag=label.flag,
            note=label.note,
            evidence=before.evidence,
        )

    @classmethod
    def refused(cls, form: LabelForm, item: Item, errors: dict[str, str]) -> "FormState":
        texts = {shown.source.pk: shown for shown in item.sources}
        evidence = []
        for span in form.cleaned_data.get("span") or ():
            shown = texts.get(span.source_id)
            if shown is not None and 0 <= span.start < span.end <= shown.length:
                evidence.append(ShownSpan(span, shown.source.text[span.start : span.end], shown.orders[0]))
        sent = {
            name: str(form.data.get(name, ""))
            for name in ("verdict", "invention", "severity", "confidence", "flag", "note", "quotes")
        }
        return cls(**sent, evidence=tuple(evidence), errors=errors)
