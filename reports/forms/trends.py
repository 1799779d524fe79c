"""Input for trends and releases."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from labelling.models import Answer, Project
from reports.forms.groundedness import GroundednessForm
from reports.models import Release
from reports.selection import filter_value, stored_value
from reports.services.groundedness import JUDGE, PEOPLE
from reports.services.periods import By
from reports.services.trends import PREDICTION_POWERED, ROGAN_GLADEN

YEARS = range(1970, 3000)
"""Of a release; others are slips of the keyboard."""


class TrendForm(GroundednessForm):
    """The filters of the trends. Every field may be left out."""

    by = forms.ChoiceField(
        required=False, label="By", choices=[("week", "Week"), ("month", "Month"), ("release", "Release")]
    )
    origin = forms.ChoiceField(
        required=False,
        label="Verdicts of",
        choices=[
            ("", "People, else the judge"),
            (PEOPLE, "People"),
            (JUDGE, "The judge, raw"),
            (PREDICTION_POWERED, "Corrected, prediction-powered"),
            (ROGAN_GLADEN, "Corrected, Rogan–Gladen"),
        ],
    )
    field_order = ("system", "task_type", "by", "split", "judge", "origin", "since", "until")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        del self.fields["collection"]  # coverage would have nothing to speak of

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if given.get("origin") not in (None, "", PEOPLE, JUDGE) and "judge" in given and not given["judge"]:
            self.add_error("origin", "Choose a judge first.")
        if given.get("by") == "release" and "system" in given and not given["system"]:
            self.add_error("system", "Choose a system: each has its own releases.")
        return given

    @property
    def mixes_systems(self) -> bool:
        """Whether answers of several systems are taken together; only after `is_valid`."""
        field = self.fields["system"]
        assert isinstance(field, forms.ChoiceField)
        return (
            not self.cleaned_data["system"] and len(list(cast(Iterable[object], field.choices))) > 2
        )  # any, and more than one

    def report_query(self, since: str, until: str) -> str:
        """The report of the same answers, of some days; only after `is_valid`."""
        origin = self.cleaned_data["origin"]
        theirs = {"by": "", "since": since, "until": until, "origin": origin if origin in (PEOPLE, JUDGE) else ""}
        return self.query_for(theirs)

    @property
    def by_what(self) -> By:
        return cast(By, self.cleaned_data["by"] or "week")


class MomentField(forms.DateTimeField):
    """A moment as browsers and pipelines write it; UTC where it names no zone."""

    default_error_messages = {"invalid": "Expected a time like 2026-05-31T14:00."}
    widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S")

    def to_python(self, value: Any) -> dt.datetime | None:
        if value in self.empty_values or isinstance(value, dt.datetime):
            return super().to_python(value)
        return moment(str(value))


def moment(text: str) -> dt.datetime:
    """Read a moment to the second, in UTC where it names no zone.

    Raises
    ------
    ValidationError
        Where it is none.
    """
    refused = ValidationError(MomentField.default_error_messages["invalid"], code="invalid")
    try:
        found = dt.datetime.fromisoformat(text.strip()).replace(microsecond=0)
        found = found.replace(tzinfo=dt.UTC) if found.tzinfo is None else found.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        raise refused from None
    if found.year not in YEARS:
        raise refused
    return found


class ReleaseForm(forms.Form):
    """A release: which system, what it is called, when it went out."""

    system = forms.ChoiceField()
    name = forms.CharField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}))
    at = MomentField(label="Went out (UTC)")
    note = forms.CharField(required=False, max_length=2_000, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = set(Answer.objects.filter(project=project).order_by().values_list("system", flat=True).distinct())
        known |= set(Release.objects.filter(project=project).order_by().values_list("system", flat=True).distinct())
        field = self.fields["system"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (filter_value(name), name or "Not given") for name in sorted(known, key=lambda one: (not one, one))
        ]

    @classmethod
    def of(cls, release: Release, *, project: Project) -> ReleaseForm:
        """A form filled with a release."""
        there = {"system": filter_value(release.system), "name": release.name, "at": release.at, "note": release.note}
        return cls(initial=there, project=project)

    def given(self) -> dict[str, Any]:
        """What was given, as the services take it; only after `is_valid`."""
        return self.cleaned_data | {"system": stored_value(self.cleaned_data["system"])}
