"""What commands ask for alike: the project, and options that a form reads. A ``CommandError`` says what is wrong."""

from django.core.management.base import CommandError
from django.forms import BaseForm

from labelling.models import Project

MOST_NAMED = 20


def named_project(slug: str) -> Project:
    """The project of this slug; where there is none, the slugs that there are are named."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        slugs = list(Project.objects.order_by("slug").values_list("slug", flat=True)[: MOST_NAMED + 1])
        there = ", ".join(slugs[:MOST_NAMED]) + (", …" if len(slugs) > MOST_NAMED else "")
        raise CommandError(f"no project {slug!r}; expected one of {there or 'none: there is no project yet'}")
    return project


def check_options(form: BaseForm) -> None:
    """Refuse options that the form refuses, each by its name."""
    if not form.is_valid():
        raise CommandError("\n".join(f"--{name.replace('_', '-')}: {said[0]}" for name, said in form.errors.items()))
