"""`manage.py thresholds PROJECT JUDGE@VERSION`: the threshold of each way of choosing, and one saved as a version."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calibration.results import Figure
from judges.models import JudgeVersion
from judges.services.naming import named_version
from judges.tasks import announce
from labelling.management.asking import check_options, named_project
from reports.forms.choosing import TermsForm
from reports.models import ChosenThreshold
from reports.selection import Selection
from reports.services.choosing import Chosen, Terms, choose_thresholds, save_choice
from reports.shown.wording import decimal, interval_words, percent

TERMS = ("target", "level", "miss", "false_flag")


class Command(BaseCommand):
    help = "Choose a threshold of a judge on the development split: by kappa, a recall reached or promised, or cost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("judge", help="NAME@VERSION, or NAME for its newest version")
        given = Terms()
        parser.add_argument("--target", default="", help=f"recall on unsupported claims to reach ({given.target:g})")
        parser.add_argument("--level", default="", help=f"confidence of the promise ({given.level:g})")
        parser.add_argument("--miss", default="", help=f"cost of a miss ({given.miss:g})")
        parser.add_argument("--false-flag", default="", help=f"cost of a false alarm ({given.false_flag:g})")
        parser.add_argument("--json", action="store_true", help="as JSON, with every figure whole")
        ways = [way for way in ChosenThreshold.Way.values if way != ChosenThreshold.Way.FOUR_WAY]
        parser.add_argument("--save", choices=ways, help="make what this way leads to a version, and let it run")

    def handle(self, *, project: str, judge: str, **options: Any) -> None:
        found = named_project(project)
        form = TermsForm({name: options[name] for name in TERMS})
        check_options(form)
        try:
            version = named_version(found, judge)
            ways = choose_thresholds(found, version, Selection(), form.terms())
            self._write(ways, as_json=options["json"])
            for way in ways:
                if way.way == options["save"]:
                    self._save(version, way, form.terms())
        except ValueError as error:
            raise CommandError(str(error)) from error

    def _save(self, version: JudgeVersion, way: Chosen, terms: Terms) -> None:
        if way.choice.threshold is None or way.beyond:
            raise CommandError(f"nothing saved. {way.sentence}")
        threshold = way.choice.threshold
        made, run = save_choice(
            version=version, selection=Selection(), terms=terms, way=way.way, threshold=threshold, by=None
        )
        if run is not None:
            announce(run.pk)
        started = "its run has started" if run is not None else "it has a run already, or none can be started"
        self.stderr.write(f"saved as {made}, with how it was chosen; {started}")

    def _write(self, ways: tuple[Chosen, ...], *, as_json: bool) -> None:
        if as_json:
            plain = [
                {**way.choice.to_json(), "says": way.sentence, "at": None if way.at is None else way.at.to_json()}
                for way in ways
            ]
            self.stdout.write(json.dumps(plain, indent=2, ensure_ascii=False))
            return
        for way in ways:
            self.stdout.write(f"{way.way}: {way.sentence}")
            if way.at is not None:
                self.stdout.write(f"  threshold   {'none' if way.beyond else repr(way.choice.threshold)}")
                self.stdout.write(f"  recall      {_said(way.at.recall)}")
                self.stdout.write(f"  precision   {_said(way.at.precision)}")
                self.stdout.write(f"  flagged     {_said(way.at.share_flagged, unit='percent')}")


def _said(figure: Figure, unit: str = "decimal") -> str:
    write = percent if unit == "percent" else decimal
    between = interval_words(figure, unit) or figure.reason
    of = f"n = {figure.n}" if figure.k is None else f"{figure.k} of {figure.n}"
    return f"{write(figure.value)} ({between}), {of}"
