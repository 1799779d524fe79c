"""`manage.py certify PROJECT JUDGE@VERSION GOLDEN`: freeze what a judge version is found to be on a golden set."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from calibration.results import Figure
from judges.services.naming import named_version
from labelling.management.asking import named_project
from labelling.models import GoldenSet
from reports.services.certificates import certificate_of
from reports.services.certifying import issue_certificate
from reports.services.looks import count_looks
from reports.shown.wording import decimal, interval_words


class Command(BaseCommand):
    help = "Issue the certificate of a judge version on the test split of a golden set, and print it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")
        parser.add_argument("judge", help="NAME@VERSION, or NAME for its newest version")
        parser.add_argument("golden", help="name of the golden set; its newest version counts")

    def handle(self, *, project: str, judge: str, golden: str, **_options: Any) -> None:
        found = named_project(project)
        golden_set = GoldenSet.objects.filter(project=found, name=golden).order_by("-version").first()
        if golden_set is None:
            raise CommandError(f"no golden set {golden!r} in {project}: freeze one with freeze_golden")
        try:
            version = named_version(found, judge)
            certificate = issue_certificate(version=version, golden_set=golden_set, by=None)
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{version}: {certificate_of(version).words}. {certificate.guarantee}")
        for name, data in certificate.figures.items():
            figure = Figure(**data)
            between = interval_words(figure)
            rest = f" ({between})" if between else f" ({figure.reason})" if figure.reason else ""
            self.stdout.write(f"  {name:<18}{decimal(figure.value)}{rest}, n = {figure.n}")
        self.stdout.write(f"looks at the test split so far, this one included: {count_looks(found)}")
