import pytest
from django import forms
from django.core.management.base import CommandError

from labelling.management.asking import MOST_NAMED, check_options, named_project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


class AskedForm(forms.Form):
    task_type = forms.CharField()


def test_a_command_names_the_projects_that_there_are() -> None:
    with pytest.raises(CommandError, match=r"^no project 'nowhere'; expected one of none: there is no project yet$"):
        named_project("nowhere")
    project, other = make_project(slug="b"), make_project(slug="a")
    assert named_project("b") == project
    with pytest.raises(CommandError, match=f"^no project 'B'; expected one of {other.slug}, {project.slug}$"):
        named_project("B")


def test_of_very_many_projects_a_command_names_the_first() -> None:
    for number in range(MOST_NAMED + 1):
        make_project(slug=f"p{number:02}")
    with pytest.raises(CommandError, match=r"p00, .*, p19, …$"):
        named_project("nowhere")


def test_an_option_is_refused_by_the_name_it_has_on_the_command_line() -> None:
    check_options(AskedForm({"task_type": "returns"}))
    with pytest.raises(CommandError, match=r"^--task-type: This field is required"):
        check_options(AskedForm({}))
