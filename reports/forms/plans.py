"""Input for plans: how narrow an interval, and which claims to draw."""

from __future__ import annotations

from typing import Any

from django import forms

from judges.models import JudgeVersion
from labelling.models import ClaimKind, Project, SamplingPlan, Severity, Split
from labelling.services.sampling import LARGEST_SEED, Group
from reports.forms.selection import SelectionForm
from reports.selection import BOTH_SPLITS, Selection
from reports.services.comparison import judged_versions
from reports.services.planning import HALF_WIDTH
from reports.services.sampling import alike, name_of, near_threshold, where_judges_disagree

MOST_CLAIMS = 100_000
MOST_LABELS = 10
WITHIN = 0.1


class _Judged:
    """The versions of a project that judged something, by name."""

    def __init__(self, project: Project) -> None:
        self.versions = {name_of(version): version for version in judged_versions(project)}

    def choices(self) -> list[tuple[str, str]]:
        return [(name, str(version)) for name, version in self.versions.items()]


class WidthForm(forms.Form):
    """Whose recall, in which split, and how narrow its interval is to be. Every field may be left out."""

    judge = forms.ChoiceField(required=False, label="Recall of")
    split = forms.ChoiceField(required=False, choices=[*Split.choices, (BOTH_SPLITS, "Both")])
    points = forms.IntegerField(
        required=False,
        label="Width, ± points",
        min_value=1,
        max_value=30,
        widget=forms.NumberInput(attrs={"placeholder": round(100 * HALF_WIDTH)}),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._judged = _Judged(project)
        _offer(self, "judge", [("", "The judge that catches most"), *self._judged.choices()])

    def selection(self) -> Selection:
        """The split chosen, as a selection; only after `is_valid`."""
        return Selection(split=self.cleaned_data["split"] or Selection().split)

    @property
    def version(self) -> JudgeVersion | None:
        """The version chosen; only after `is_valid`."""
        return self._judged.versions.get(self.cleaned_data["judge"])

    @property
    def half_width(self) -> float:
        """Half of the width wanted, as a share; only after `is_valid`."""
        return (self.cleaned_data["points"] or round(100 * HALF_WIDTH)) / 100


class FiguresForm(forms.Form):
    """Whose figures over a plan, and in which split."""

    judge = forms.ChoiceField(required=False, label="Judge")
    split = forms.ChoiceField(required=False, choices=[*Split.choices, (BOTH_SPLITS, "Both")])

    def __init__(self, *args: Any, plan: SamplingPlan, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._judged, self._plan = _Judged(plan.project), plan
        first = self._judged.versions.get(self._first)
        _offer(self, "judge", [("", str(first or "None so far")), *self._judged.choices()])
        if plan.split:
            _offer(self, "split", [(plan.split, Split(plan.split).label)])

    @property
    def _first(self) -> str:
        """A judge that the plan's claims were drawn for, else the first there is."""
        named = [name for draw in self._plan.groups for name in draw.get("versions", ())]
        return next((name for name in [*named, *self._judged.versions] if name in self._judged.versions), "")

    @property
    def version(self) -> JudgeVersion | None:
        """The version chosen, else the first one; only after `is_valid`."""
        return self._judged.versions.get(self.cleaned_data["judge"] or self._first)

    @property
    def chosen_split(self) -> str:
        """The split chosen, else the one that nobody has to hold back from; only after `is_valid`."""
        return str(self.cleaned_data["split"] or self._plan.split or Selection().split)


class PlanForm(SelectionForm):
    """Claims to queue: at random, and more from groups that are worth a closer look."""

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    random = forms.IntegerField(label="Random claims", min_value=1, max_value=MOST_CLAIMS)
    labels = forms.IntegerField(label="Labels for each", min_value=1, max_value=MOST_LABELS)
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=LARGEST_SEED, initial=1)
    disagree = forms.IntegerField(required=False, label="Judges disagree", min_value=0, max_value=MOST_CLAIMS)
    judges = forms.MultipleChoiceField(required=False, label="Judges", widget=forms.CheckboxSelectMultiple)
    near = forms.IntegerField(required=False, label="Near a threshold", min_value=0, max_value=MOST_CLAIMS)
    judge = forms.ChoiceField(required=False, label="Judge")
    within = forms.FloatField(
        required=False,
        label="Within",
        min_value=0.0,
        max_value=1.0,
        initial=WITHIN,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )
    rare = forms.IntegerField(required=False, label="A rare kind", min_value=0, max_value=MOST_CLAIMS)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        self._project, self._judged = project, _Judged(project)
        choices = self._judged.choices()
        _offer(self, "judges", choices)
        _offer(self, "judge", [("", "Choose one"), *choices])
        _offer(self, "split", [("", "Development and test"), *Split.choices])
        _offer(self, "kind", [("", "Any"), *ClaimKind.choices])
        _offer(self, "severity", [("", "Any"), *Severity.choices])

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("disagree") and len(given.get("judges") or ()) < 2 and "judges" not in self.errors:
            self.add_error("judges", "Choose two judges or more.")
        if given.get("near") and not given.get("judge") and "judge" not in self.errors:
            self.add_error("judge", "Choose a judge.")
        if given.get("rare") and not any(self._filters(given).values()):
            self.add_error("rare", "Choose a kind, a severity, a collection or a system.")
        return given

    @staticmethod
    def _filters(given: dict[str, Any]) -> dict[str, str]:
        return {name: given.get(name) or "" for name in ("kind", "collection", "system", "severity")}

    def groups(self) -> list[Group]:
        """The groups to draw more from; only after `is_valid`."""
        given, versions = self.cleaned_data, self._judged.versions
        found = []
        if given["disagree"]:
            chosen = [versions[name] for name in given["judges"]]
            found.append(where_judges_disagree(self._project, chosen, given["disagree"]))
        if given["near"]:
            within = WITHIN if given["within"] is None else given["within"]
            found.append(near_threshold(self._project, versions[given["judge"]], given["near"], within=within))
        if given["rare"]:
            found.append(alike(self._project, given["rare"], **self._filters(given)))
        return found


def _offer(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
