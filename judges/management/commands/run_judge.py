"""`manage.py run_judge PROJECT JUDGE`: start a run, and watch it if asked to."""

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from judges.models import Judge, JudgeVersion, Run
from judges.probes import PROBES
from judges.registry import creatable_types
from judges.services import chunks
from judges.services.dry_runs import Choice, dry_run_results, start_dry_run
from judges.services.forecasts import RunForecast, forecast_run
from judges.services.probes import CLAIMS, forecast_probe, start_probe
from judges.services.progress import Progress, progress_of
from judges.services.runs import RunRefusedError, start_run
from judges.services.selection import Selection
from judges.services.versions import JudgeUnavailableError, create_judge, create_version, renewed
from judges.tasks import announce
from labelling.management.asking import named_project
from labelling.models import ClaimKind, Policy, Project, Split

PATIENCE_SECONDS = 8.0


class Command(BaseCommand):
    help = "Run a judge over the claims of a project."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # `--version` is the judge's here, not Django's.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("judge", help="name of the judge; made where --type is given and it is not there yet")
        parser.add_argument("--version", dest="number", type=int, metavar="N", help="default: the last version")
        parser.add_argument("--type", choices=list(creatable_types()), help="type of a judge that is not there yet")
        parser.add_argument("--config", help="settings as JSON; makes a version with them where there is none")
        parser.add_argument("--policy", choices=Policy.values, help="default: the policy of the project's guide")
        parser.add_argument("--split", choices=Split.values, default="")
        parser.add_argument("--kind", choices=ClaimKind.values, default="")
        parser.add_argument("--collection", default="")
        parser.add_argument("--probe", choices=list(PROBES), help="test the judge on altered inputs instead of judging")
        parser.add_argument(
            "--claims", type=int, default=CLAIMS, metavar="N", help="with --probe: claims in the sample"
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="with --probe: what is drawn and changed follows from it"
        )
        parser.add_argument("--budget", type=_budget, metavar="DOLLARS", help="stop before it would cost more")
        parser.add_argument("--forecast", action="store_true", help="say what it would cost, and start nothing")
        parser.add_argument(
            "--dry-run", action="store_true", help="ask about five claims of the development split; counts for nothing"
        )
        parser.add_argument(
            "--claim", action="append", default=[], metavar="ID", help="with --dry-run: ask about this one; repeatable"
        )
        parser.add_argument("--wait", action="store_true", help="show progress and end with the outcomes")
        parser.add_argument("--here", action="store_true", help="do the work in this process, without a worker")

    def handle(self, *, project: str, judge: str, **options: Any) -> None:
        found = named_project(project)
        try:
            with transaction.atomic():  # no judge without a version is left where its settings are refused
                version = _version(found, judge, options)
            selection = Selection(split=options["split"], kind=options["kind"], collection=options["collection"])
            asked: dict[str, Any] = {"version": version, "selection": selection}
            if options["probe"]:
                asked |= {key: options[key] for key in ("probe", "claims", "seed")}
            if options["forecast"]:
                self._forecast(forecast_probe(**asked) if options["probe"] else forecast_run(**asked))
                return
            if options["dry_run"]:
                run = start_dry_run(version=version, by=None, choice=Choice(named=tuple(options["claim"])))
            else:
                start = start_probe if options["probe"] else start_run
                run = start(**asked, by=None, budget_usd=options["budget"])
        except (ValueError, RunRefusedError, JudgeUnavailableError) as error:
            raise CommandError(str(error)) from error
        chosen = Selection.from_data(run.selection)
        self.stdout.write(f"run {run.pk} of {version}: {run.claims_total:,} claims ({chosen})")
        if options["here"]:
            while chunks.work_on_run(run.pk, seconds=1.0):
                self._show(progress_of(run))
            self._end(run)
            return
        announce(run.pk)
        if options["wait"]:
            self._watch(run)
            self._end(run)

    def _forecast(self, forecast: RunForecast) -> None:
        known = f", {forecast.asked_before:,} of them judged before" if forecast.asked_before else ""
        self.stdout.write(f"{forecast.claims:,} claims{known}. {forecast.note}")
        if forecast.about is not None and forecast.at_most is not None:
            rough = " (from a sample)" if forecast.rough else ""
            self.stdout.write(f"about ${forecast.about:,.4f}, at most ${forecast.at_most:,.4f}{rough}")

    def _watch(self, run: Run) -> None:
        begun = time.monotonic()
        told = False
        while True:
            run.refresh_from_db(fields=["state"])
            progress = progress_of(run)
            self._show(progress)
            if run.state != Run.State.ACTIVE:
                return
            if progress.working or progress.done:
                begun = time.monotonic()
            elif not told and time.monotonic() - begun > PATIENCE_SECONDS:
                told = True
                self.stderr.write(
                    f"no worker has taken up run {run.pk}; start one with: celery -A config worker\n"
                    f"(or end this and use --here to do the work in this process)"
                )
            time.sleep(0.2)

    def _show(self, progress: Progress) -> None:
        if not sys.stdout.isatty():
            return
        left = f", {progress.seconds_left:,.0f} s left" if progress.seconds_left else ""
        self.stdout.write(f"\r{progress.done:,} of {progress.total:,}{left}   ", ending="")
        self.stdout.flush()

    def _end(self, run: Run) -> None:
        run.refresh_from_db()
        progress = progress_of(run)
        if sys.stdout.isatty():
            self.stdout.write("")
        for result in dry_run_results(run) if run.probe == Run.Probe.DRY_RUN else ():
            if result.judgement:
                said = result.judgement.verdict or result.judgement.outcome
                self.stdout.write(f"  {said}: {result.claim.text[:160]}\n    {result.judgement.reason[:160]}")
        for one in progress.outcomes:
            self.stdout.write(f"  {one.outcome}: {one.count:,}")
            for reason, count in one.reasons:
                self.stdout.write(f"    {count:,} × {reason[:160]}")
        self.stdout.write(f"  from earlier runs: {progress.cached:,}, cost: ${progress.cost_usd:,.4f}")
        if run.over_budget:
            raise CommandError(
                f"run {run.pk} stopped at {progress.done:,} claims: a further call could pass its budget of "
                f"${run.budget_usd:,.4f}"
            )
        if run.state != Run.State.FINISHED:
            raise CommandError(f"run {run.pk} is {run.get_state_display().lower()} at {progress.done:,} claims")
        if progress.every_call_failed:
            raise CommandError(f"run {run.pk} has finished, and every call failed")


def _version(project: Project, name: str, options: dict[str, Any]) -> JudgeVersion:
    """The version that the options ask for."""
    judge = Judge.objects.filter(project=project, name=name).first()
    if judge is None and options["type"] is None:
        names = ", ".join(Judge.objects.filter(project=project).values_list("name", flat=True)) or "none yet"
        raise CommandError(f"no judge {name!r} in {project.slug}; there: {names}. Make one with --type")
    if judge is None or options["type"]:
        judge = create_judge(project=project, name=name, type_name=options["type"])
    guide = project.current_guide
    if options["number"] is not None:
        found = judge.versions.filter(number=options["number"]).first()
        if found is None:
            numbers = ", ".join(str(one) for one in judge.versions.values_list("number", flat=True)) or "none"
            raise CommandError(f"{name} has no version {options['number']}; expected one of {numbers}")
        return found
    last = judge.versions.order_by("-number").first()
    if last is not None and options["config"] is None and options["policy"] is None:
        return renewed(version=last, by=None)
    return create_version(
        judge=judge,
        config=_config(options["config"]) if options["config"] is not None else (last.config if last else {}),
        policy=options["policy"] or (last.policy if last else guide.policy if guide else Policy.STRICT),
        by=None,
        based_on=last,
    )


def _budget(text: str) -> Decimal:
    try:
        return Decimal(text.removeprefix("$"))
    except InvalidOperation:
        raise ArgumentTypeError(f"{text!r} is no amount; expected US dollars such as 2.50") from None


def _config(text: str) -> dict[str, object]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise CommandError(f"--config is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise CommandError(f'--config is {text!r}; expected a JSON object such as {{"threshold": 0.6}}')
    return data
