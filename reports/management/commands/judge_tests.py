"""`manage.py judge_tests PROJECT JUDGE`: what came of the last test of each kind."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calibration.results import Figure
from judges.models import JudgeVersion
from reports.services.probes import ProbeReport, last_probes
from reports.shown.wording import count_words, interval_words, percent


class Command(BaseCommand):
    help = "Show the figures of the last tests of a judge; `run_judge PROJECT JUDGE --probe KIND` starts one."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # `--version` is the judge's here, not Django's.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("judge", help="name of the judge")
        parser.add_argument("--version", dest="number", type=int, metavar="N", help="default: the last version")

    def handle(self, *, project: str, judge: str, number: int | None, **_: Any) -> None:
        rows = JudgeVersion.objects.filter(judge__project__slug=project, judge__name=judge).order_by("-number")
        version = (rows if number is None else rows.filter(number=number)).select_related("judge__project").first()
        if version is None:
            there = ", ".join(str(one) for one in rows) or "none"
            raise CommandError(f"no such version of {judge!r} in {project!r}; there: {there}")
        self.stdout.write(str(version))
        for last in last_probes(version):
            if last.report is None:
                self.stdout.write(f"  {last.probe}: no data ({last.refusal or 'never tested in this way'})")
            else:
                self._show(last.report)

    def _show(self, report: ProbeReport) -> None:
        run, what = report.run, report.words.figure
        self.stdout.write(f"  {run.probe}: {_said(report.share.clustered)} {what} (run {run.pk}, seed {run.seed})")
        for one in report.kinds:
            self.stdout.write(f"    {one.kind}: {_said(one.share.clustered)}")
        if report.without:
            ended = ", ".join(f"{count_words(n)} {outcome}" for outcome, n in report.without)
            self.stdout.write(f"    without a verdict: {ended}")


def _said(figure: Figure) -> str:
    if figure.value is None:
        return f"no data ({figure.reason})"
    interval = interval_words(figure, "percent") or figure.reason
    return f"{percent(figure.value)} ({interval}), {figure.k} of {figure.n}"
