"""`plan_labels PROJECT --random N`: how many more labels it takes, and a plan that puts claims in front of the queue."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labelling.management.asking import check_options, named_project
from labelling.models import Project, SamplingPlan
from labelling.services.sampling import PlanRefusedError, next_number, queue_plan
from reports.forms.plans import WITHIN, PlanForm, WidthForm
from reports.management.looking import say_looks
from reports.services.planning import labels_needed
from reports.services.plans import progress_of
from reports.services.sampling import draw_words

DRAWN = ("random", "labels", "seed", "disagree", "judges", "near", "judge", "within", "rare", "kind", "severity")
FROM = ("split", "collection", "system")


class Command(BaseCommand):
    help = (
        "Say how many more random claims narrow recall and the human ceiling; with --random, queue claims. "
        "Judges are named as JUDGE@VERSION."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("--random", help="queue so many claims drawn at random")
        parser.add_argument("--labels", help="labels for each claim; the project's overlap by default")
        parser.add_argument(
            "--seed", help="the same seed over the same claims draws the same; the plan's number by default"
        )
        parser.add_argument("--split", default="", help="development or test: draw from it alone, and reckon for it")
        parser.add_argument("--points", default="", help="width of the interval wanted, ± points; 5 by default")
        parser.add_argument("--disagree", help="and so many on which the judges of --judges disagree")
        parser.add_argument("--judges", nargs="+", default=[], metavar="JUDGE", help="two judges or more")
        parser.add_argument("--near", help="and so many whose score is near the threshold of --judge")
        parser.add_argument("--judge", default="", help="of --near; without --random, whose recall it is about")
        parser.add_argument("--within", default=str(WITHIN), help=f"how far from the threshold; {WITHIN} by default")
        parser.add_argument(
            "--rare", help="and so many of those with the --kind, --severity, --collection, --system given"
        )
        for name in ("kind", "severity", "collection", "system"):
            parser.add_argument(f"--{name}", default="")

    def handle(self, *_args: Any, **options: Any) -> None:
        project = named_project(options["project"])
        if options["random"] is None:
            self._say(project, options)
        else:
            self._report(_queue(project, options))

    def _say(self, project: Project, options: dict[str, Any]) -> None:
        form = WidthForm({name: options[name] for name in ("judge", "split", "points")}, project=project)
        check_options(form)
        selection = form.selection()
        say_looks(self.stderr, selection, project=project)
        need = labels_needed(project, selection, half_width=form.half_width, version=form.version)
        self.stdout.write(need.recall_sentence + (f" ({need.version})" if need.version else ""))
        self.stdout.write(need.ceiling_sentence)
        self.stdout.write(need.promise_sentence)
        self.stdout.write(f"{need.left:,} claims are left to draw from.")

    def _report(self, plan: SamplingPlan) -> None:
        progress = progress_of(plan)
        self.stdout.write(
            f"Plan {plan.number}: {progress.claims:,} of {plan.frame:,} claims queued, seed {plan.seed}, "
            f"labels for each: {plan.labels}; {progress.only_for_groups:,} targeted."
        )
        for draw in plan.draws:
            self.stdout.write(f"  {draw['taken']:,} of {draw['of']:,}: {draw_words(draw)}")


def _queue(project: Project, options: dict[str, Any]) -> SamplingPlan:
    number = next_number(project)
    given = {name: options[name] for name in (*DRAWN, *FROM) if options[name] is not None}
    form = PlanForm({"labels": project.overlap, "seed": number, **given, "number": number}, project=project)
    check_options(form)
    chosen = {name: form.cleaned_data[name] for name in ("number", "random", "split", "labels", "seed")}
    try:
        return queue_plan(project=project, by=None, groups=form.groups(), **chosen)
    except PlanRefusedError as error:
        raise CommandError(str(error)) from error
