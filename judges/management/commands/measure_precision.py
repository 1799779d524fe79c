"""`manage.py measure_precision PROJECT VERSION`: whether an entailment model gives the same verdicts in bfloat16."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from calibration.intervals import wilson
from judges.entailment.agreement import measure_agreement
from judges.entailment.config import LEAST_AGREEMENT, parse_config
from judges.entailment.judge import NAME
from judges.entailment.labels import ModelRefusedError
from judges.entailment.loading import MissingExtraError
from judges.services.forecasts import spread
from judges.services.inputs import claim_inputs, reads_whole_answers
from judges.services.naming import named_version
from judges.services.selection import Selection
from labelling.management.asking import named_project

CLAIMS = 1_000


class Command(BaseCommand):
    help = (
        "Judge claims of a project with an entailment model in float32 and in bfloat16, keep nothing, and say how many "
        "verdicts are the same: what the setting precision_agreement asks for."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="slug of the project")
        parser.add_argument("version", help="an entailment judge or a version of one, such as nli@2")
        parser.add_argument("--claims", type=int, default=CLAIMS, metavar="N", help=f"at most (default {CLAIMS:,})")

    def handle(self, *, project: str, version: str, claims: int, **_options: Any) -> None:
        found = named_project(project)
        if claims < 1:
            raise CommandError(f"--claims is {claims}; expected at least 1")
        try:
            judge = named_version(found, version)
            if judge.judge.type != NAME:
                raise CommandError(f"{judge} is of the type {judge.judge.type}; expected an entailment judge")
            ids = spread(list(Selection().claims(found).values_list("id", flat=True)), claims)
            asked = claim_inputs(ids, whole_answers=reads_whole_answers(judge))
            agreement = measure_agreement(parse_config(judge.config), asked)
        except (ValueError, ModelRefusedError, MissingExtraError) as error:
            raise CommandError(str(error)) from error
        if agreement.value is None:
            raise CommandError(f"nothing to compare: {agreement.reason}")
        share = wilson(agreement.same, agreement.n)
        self.stdout.write(
            f"{agreement.same:,} of {agreement.n:,} verdicts of {judge} are the same in bfloat16: {agreement.value:.2%} "
            f"({share.low:.2%} to {share.high:.2%}); the largest change of a score is {agreement.largest_shift:.3f}."
        )
        self.stdout.write(
            f"Enough: make a version with precision bfloat16 and precision_agreement {_rounded_down(agreement.value)}."
            if agreement.enough
            else f"Not enough: {LEAST_AGREEMENT:.1%} are needed, so float32 stays."
        )


def _rounded_down(share: float) -> float:
    return int(share * 10_000) / 10_000
