from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator

from labelling.models import Role

ROLE_HELP = "Annotators label and see no judge; engineers and owners see judges and figures and do not label."


class AccountField(forms.CharField):
    """The sign-in name of an account that exists; its value is the account."""

    def clean(self, value: object) -> User:
        name = super().clean(value)
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None:
            raise forms.ValidationError(f"There is no account named {name}.")
        return user


class PlaceForm(forms.Form):
    """What both ways into a project ask for."""

    role = forms.ChoiceField(choices=Role.choices, help_text=ROLE_HELP)
    pseudonym = forms.CharField(
        max_length=100,
        required=False,
        help_text="What exports show in place of the name. Left empty, the next free one.",
    )


class AddMemberForm(PlaceForm):
    account = AccountField(label="Sign-in name", max_length=150)
    field_order = ["account", "role", "pseudonym"]


class NewAccountForm(PlaceForm):
    username = forms.CharField(label="Sign-in name", max_length=150, validators=[UnicodeUsernameValidator()])
    field_order = ["username", "role", "pseudonym"]


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices)
    not_blind = forms.BooleanField(required=False)


class AttachForm(forms.Form):
    account = AccountField(label="Sign-in name", max_length=150)
