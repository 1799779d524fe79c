from typing import TYPE_CHECKING

from django import forms

from labelling.models import Policy, Project

if TYPE_CHECKING:  # the class takes no parameters while running
    ProjectForm = forms.ModelForm[Project]
else:
    ProjectForm = forms.ModelForm


class NewProjectForm(ProjectForm):
    policy = forms.ChoiceField(
        choices=Policy.choices,
        initial=Policy.STRICT,
        widget=forms.RadioSelect,
        help_text="Decides which default guide the project starts with. Owners can change it later.",
    )

    class Meta:
        model = Project
        fields = ["name", "slug", "description"]
        labels = {"slug": "Short name"}
        help_texts = {"slug": "Part of every address of the project: letters, digits, hyphens. It stays as it is."}
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}


class SettingsForm(ProjectForm):
    class Meta:
        model = Project
        fields = [
            "name",
            "description",
            "overlap",
            "consensus_rule",
            "partial_is_unsupported",
            "ask_invention",
            "ask_severity",
            "lease_minutes",
        ]
        labels = {
            "overlap": "Labels for each claim",
            "consensus_rule": "Consensus",
            "partial_is_unsupported": "Partial counts as unsupported",
            "ask_invention": "Ask for the kind of invention",
            "ask_severity": "Ask how severe the claim is",
            "lease_minutes": "Minutes a claim is kept for the person who has it",
        }
        help_texts = {
            "overlap": "1 to 10. Raising it opens places for more labels; lowering it closes those beyond it. "
            "Labels that are there stay and count; one that somebody is making then is kept and does not.",
            "consensus_rule": "",
            "partial_is_unsupported": "Every figure says which rule was used.",
            "ask_invention": "Asked where the verdict is not “stated”.",
            "ask_severity": "",
            "lease_minutes": "After that, another person may be handed it.",
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3}), "consensus_rule": forms.RadioSelect}
