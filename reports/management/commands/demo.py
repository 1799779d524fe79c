"""`manage.py demo`: from an empty folder to a table of judges beside people, then a site to look round in."""

import io
import signal
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from judges.entailment.config import parse_config
from judges.entailment.loading import extra_installed, why_not_here
from judges.models import Run
from judges.services.extraction_figures import extraction_line
from judges.services.runs import start_run
from judges.services.selection import Selection
from judges.services.versions import create_judge, create_version
from judges.tasks import announce
from labelling.models import GoldenSet, Policy, Project
from reports.demo.processes import DidNotStartError, Processes, free_port
from reports.demo.seed import ACCOUNTS, JUDGES, SLUG, seed_demo

HOST = "127.0.0.1"
GOLDEN = "demo"
_NO_EXTRA = "`make demo-nli` installs torch and transformers"


class Command(BaseCommand):
    help = "Seed the demo project, run its judges through a worker, print the table, and serve until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-serve", action="store_true", help="end after the table")
        parser.add_argument("--port", type=int, default=8000, help="the first port to try (8000)")
        parser.add_argument(
            "--nli-model",
            default="",
            help="local folder or hub model of the entailment judge, where torch is installed",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "the demo has known passwords: it runs with TOUCHSTONE_DEMO=1 only (`make demo` sets it)"
            )
        began = time.monotonic()
        # A terminated demo stops what it started, as Ctrl-C does.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        # Said in so many words: what a shell starts in the background inherits a Ctrl-C that is ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        call_command("migrate", verbosity=0)
        made = seed_demo()
        try:
            with Processes(settings.VAR_DIR / "log") as processes:
                processes.start("worker", ["celery", "-A", "config", "worker", "--loglevel", "WARNING"])
                serve = not options["no_serve"]
                port = self._start_web(processes, port=options["port"]) if serve else 0
                self._run_judges(processes, nli_model=options["nli_model"])
                self._show(began=began, made=made)
                if serve:
                    self._serve(processes, port=port)
        except DidNotStartError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stdout.write("\nstopped")

    def _start_web(self, processes: Processes, *, port: int) -> int:
        chosen = free_port(port, host=HOST)
        if chosen != port:
            self.stdout.write(f"port {port} is busy; taking {chosen}")
        processes.start(
            "web", ["gunicorn", "config.wsgi", "--bind", f"{HOST}:{chosen}", "--workers", "2", "--threads", "4"]
        )
        return chosen

    def _run_judges(self, processes: Processes, *, nli_model: str) -> None:
        """Announce a run for each judge that has none yet, and wait while the worker does what is unfinished."""
        project = Project.objects.get(slug=SLUG)
        configs: dict[str, dict[str, object]] = {name: {} for name in JUDGES}
        entailment: dict[str, object] = {"model": nli_model} if nli_model else {}
        missing = why_not_here(parse_config(entailment)) if extra_installed() else _NO_EXTRA
        if missing:
            self.stdout.write(f"entailment is not among the judges: {missing}")
        else:
            configs["entailment"] = entailment
        versions = []
        for name, config in configs.items():
            judge = create_judge(project=project, name=name, type_name=name)
            version = create_version(judge=judge, config=config, policy=Policy.STRICT, by=None)
            if not version.runs.plain().exists():
                announce(start_run(version=version, selection=Selection(), by=None).pk)
            versions.append(version)
        while Run.objects.filter(judge_version__in=versions, state=Run.State.ACTIVE).exists():
            processes.check()
            time.sleep(0.1)

    def _show(self, *, began: float, made: bool) -> None:
        call_command("compare", SLUG, stdout=self.stdout)
        self.stdout.write(f"\n{extraction_line(Project.objects.get(slug=SLUG))}")
        if not GoldenSet.objects.filter(project__slug=SLUG, name=GOLDEN).exists():
            call_command("freeze_golden", SLUG, GOLDEN, stdout=io.StringIO())
        written = io.StringIO()
        call_command("export_golden", SLUG, GOLDEN, output=settings.VAR_DIR / "golden", stdout=written)
        self.stdout.write(f"\ngolden set  {written.getvalue().strip()}")
        state = "made and judged" if made else "as you left it"
        self.stdout.write(f"the demo project is {state} ({time.monotonic() - began:.1f} s)")

    def _serve(self, processes: Processes, *, port: int) -> None:
        processes.wait_for_port(HOST, port)
        self.stdout.write(f"\nopen        http://{HOST}:{port}/")
        for account in ACCOUNTS:
            self.stdout.write(f"sign in as  {account.name:<10} password  {account.password}")
        self.stdout.write("Ctrl-C stops everything")
        self.stdout.flush()
        while True:
            processes.check()
            time.sleep(0.5)
