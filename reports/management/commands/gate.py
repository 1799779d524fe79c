"""`manage.py gate PROJECT --judge J@V --system S`: may this release go out? The exit code says it."""

from __future__ import annotations

import datetime as dt
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from judges.services.naming import named_version
from labelling.models import Project
from reports.gate.deciding import Exit
from reports.gate.reading import read_rules
from reports.gate.written import FILES, gate_text
from reports.selection import BOTH_SPLITS, Selection
from reports.services.gate import GateReport, run_gate


class Command(BaseCommand):
    help = (
        "Hold the answers of a system against rules, by a judge with a current certificate. "
        "Exit code 0: every rule holds. 1: a rule is broken. 2: could not run. 3: no current certificate."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--judge", required=True, metavar="JUDGE@VERSION", help="JUDGE alone is its newest version")
        parser.add_argument("--system", default="", help="only answers of this system; all without it")
        parser.add_argument("--task-type", default="", help="only answers of this task type")
        parser.add_argument(
            "--since", type=dt.date.fromisoformat, metavar="DAY", help="only answers made on or after it"
        )
        parser.add_argument("--until", type=dt.date.fromisoformat, metavar="DAY", help="only answers made before it")
        parser.add_argument("--config", type=Path, metavar="FILE", help="the rules, as TOML; see docs/gate.md")
        for name in FILES:
            parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"write what came of it as {name}")

    def handle(self, *, project: str, **options: Any) -> None:
        files = {name: options[name] for name in FILES if options[name]}
        try:
            report = self._run(project, **options)
        except (ValueError, OSError) as error:  # each says in words what was found and what was expected
            self.stderr.write(f"could not run: {error}")
            for name, path in files.items():
                path.write_text(FILES[name][1](project, str(error)), encoding="utf-8")
            sys.exit(Exit.COULD_NOT_RUN)
        self.stdout.write(gate_text(report))
        for name, path in files.items():
            path.write_text(FILES[name][0](report), encoding="utf-8")
        if report.exit is not Exit.PASSED:
            sys.exit(report.exit)

    def _run(self, name: str, **options: Any) -> GateReport:
        rules = read_rules(options["config"])
        project = Project.objects.filter(slug=name).first()
        if project is None:
            raise ValueError(f"no project {name!r}")
        since, until = options["since"], options["until"]
        return run_gate(
            project=project,
            version=named_version(project, options["judge"]),
            selection=Selection(
                split=BOTH_SPLITS,
                system=options["system"],
                task_type=options["task_type"],
                since=since.isoformat() if since else "",
                until=until.isoformat() if until else "",
            ),
            rules=rules,
        )
