"""Input for the groundedness report: which answers, which judge, whose verdicts."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms

from judges.models import JudgeVersion
from labelling.models import Answer, Project
from reports.forms.selection import SelectionForm
from reports.selection import Selection
from reports.services.comparison import judged_versions
from reports.services.groundedness import JUDGE, PEOPLE


class GroundednessForm(SelectionForm):
    """The filters of the report. Every field may be left out."""

    task_type = forms.ChoiceField(required=False, label="Task type")
    judge = forms.ChoiceField(required=False, label="Judge")
    origin = forms.ChoiceField(
        required=False,
        label="Tables and claims from",
        choices=[("", "People, else the judge"), (PEOPLE, "People"), (JUDGE, "The judge")],
    )
    since = forms.DateField(required=False, label="From", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="Before", widget=forms.DateInput(attrs={"type": "date"}))
    field_order: tuple[str, ...] = (
        "system",
        "task_type",
        "collection",
        "split",
        "judge",
        "origin",
        "since",
        "until",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        for name in ("kind", "severity"):
            del self.fields[name]  # figures of whole answers need all their claims
        task_types = Answer.objects.filter(project=project).values_list("task_type", flat=True)
        self._offer("task_type", set(task_types.order_by().distinct()))
        self.versions = {f"{version.judge.name}@{version.number}": version for version in judged_versions(project)}
        field = self.fields["judge"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "None"), *((name, str(version)) for name, version in reversed(self.versions.items()))]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("origin") == JUDGE and "judge" in given and not given["judge"]:
            self.add_error("origin", "Choose a judge first.")
        since, until = given.get("since"), given.get("until")
        if since and until and since >= until:
            self.add_error("until", f"Expected a day after {since.isoformat()}.")
        return given

    def selection(self, **more: str) -> Selection:
        given = {name: self.cleaned_data.get(name, "") for name in ("collection", "system", "task_type")}
        days = {name: day.isoformat() for name in ("since", "until") if (day := self.cleaned_data[name])}
        return Selection(split=self.cleaned_data["split"] or Selection().split, **given, **days, **more)

    def query(self) -> str:
        """What was chosen as a query string; only after `is_valid`."""
        return self.query_for({})

    def query_for(self, filters: dict[str, str]) -> str:
        """What was chosen, with other filters, as a query string; only after `is_valid`."""
        return urlencode({name: value for name, value in (self.cleaned_data | filters).items() if value})

    @property
    def version(self) -> JudgeVersion | None:
        """The judge version chosen; only after `is_valid`."""
        return self.versions.get(self.cleaned_data["judge"])
