"""`fit_panel PROJECT NAME MEMBER…`: fit a panel on development labels."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judges.models import JudgeVersion
from labelling.management.asking import named_project
from labelling.models import Project
from reports.services.panels import PanelRefusedError, fit_panel


class Command(BaseCommand):
    help = "Fit a panel of judges on the development labels of a project, and keep it as a judge version."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("name", help="name of the panel; a new fit of a panel that is there is a new version of it")
        parser.add_argument("members", nargs="+", metavar="MEMBER", help="a judge, in its newest version or as JUDGE:N")

    def handle(self, *, project: str, name: str, members: list[str], **_options: Any) -> None:
        found = named_project(project)
        try:
            made = fit_panel(project=found, name=name, members=[_version(found, one) for one in members], by=None)
        except PanelRefusedError as error:
            raise CommandError(str(error)) from error
        fit = made.config["fit"]
        self.stdout.write(
            f"{made}: fitted on {fit['claims']:,} development claims of {fit['answers']:,} answers "
            f"({fit['unsupported']:,} unsupported), threshold {made.config['threshold']:.3f}, "
            f"kappa {fit['kappa_held_out']:.3f} on answers held out of the fit"
        )


def _version(project: Project, text: str) -> JudgeVersion:
    name, _, number = text.partition(":")
    rows = JudgeVersion.objects.filter(judge__project=project, judge__name=name).select_related("judge")
    if number:
        rows = rows.filter(number=int(number) if number.isdecimal() else 0)
    found = rows.order_by("-number").first()
    if found is None:
        every = JudgeVersion.objects.filter(judge__project=project).select_related("judge")
        known = ", ".join(f"{one.judge.name}:{one.number}" for one in every) or "none: no judge is set up yet"
        raise CommandError(f"no judge version {text!r} in {project.slug}; expected one of {known}")
    return found
