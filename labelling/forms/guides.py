from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.forms.boundfield import BoundField

from labelling.guide.cases import CASES, Case
from labelling.guide.wording import CASES_HEADING, default_prose, effective_switches, guide_text, prose_of, verdict_word
from labelling.models import GuideVersion, Policy, Verdict

PREFIX = "case-"


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A borderline case in the form: its field, and how each policy rules on it by itself."""

    case: Case
    field: BoundField
    strict: str
    inference: str


class GuideForm(forms.Form):
    policy = forms.ChoiceField(choices=Policy.choices, widget=forms.RadioSelect)
    prose = forms.CharField(
        label="Text",
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "true", "dir": "auto"}),
        help_text="Markdown. The borderline cases follow after it, as ruled below.",
        max_length=200_000,
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for case in CASES:
            if case.switchable:
                self.fields[PREFIX + case.key] = forms.ChoiceField(
                    label=case.title, required=False, choices=[("", "As the policy rules"), *Verdict.choices]
                )

    @classmethod
    def for_version(cls, version: GuideVersion | None) -> "GuideForm":
        """A form filled with the version that is being edited, or with the default guide."""
        if version is None:
            return cls(initial={"policy": Policy.STRICT, "prose": default_prose(Policy.STRICT), "based_on": 0})
        initial = {PREFIX + key: verdict for key, verdict in version.cases.items()}
        return cls(
            initial={
                **initial,
                "policy": version.policy,
                "prose": prose_of(version.text),
                "based_on": version.number,
            }
        )

    def clean_prose(self) -> str:
        prose = str(self.cleaned_data["prose"]).replace("\r\n", "\n")
        if CASES_HEADING in prose.splitlines():
            raise forms.ValidationError(
                f"The heading “{CASES_HEADING}” is kept for the cases below. Give this one another name."
            )
        return prose

    def switched(self) -> dict[str, str]:
        """The cases ruled otherwise, case key to verdict."""
        return {
            name.removeprefix(PREFIX): str(value)
            for name, value in self.cleaned_data.items()
            if name.startswith(PREFIX) and value
        }

    def text(self) -> str:
        """The guide as it would be written, for the preview."""
        policy = str(self.cleaned_data["policy"])
        switched = effective_switches(policy, self.switched())
        return guide_text(str(self.cleaned_data["prose"]), policy=policy, switched=switched)

    def case_rows(self) -> Iterator[CaseRow]:
        for case in CASES:
            if case.switchable:
                yield CaseRow(
                    case,
                    self[PREFIX + case.key],
                    verdict_word(case, Policy.STRICT, {}),
                    verdict_word(case, Policy.INFERENCE, {}),
                )
