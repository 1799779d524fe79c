"""`manage.py conformance`: every worked example, computed, beside what it should be."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calibration.conformance import Check, Value, check_examples
from calibration.results import as_json


class Command(BaseCommand):
    help = "Compute every worked example and print it beside the expected value; exit 1 if any is off."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="a list of objects instead of a table")

    def handle(self, *_args: Any, **options: Any) -> None:
        table = json.loads(files("calibration").joinpath("reference.json").read_text(encoding="utf-8"))
        checks = check_examples(table["examples"])
        off = [check for check in checks if not check.within]
        if options["json"]:
            self.stdout.write(json.dumps(as_json(checks), indent=2, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write("\n".join(_lines(checks)))
        if off:
            raise CommandError(f"{len(off)} of {len(checks)} off: {', '.join(check.name for check in off)}")
        self.stderr.write(f"All {len(checks)} within tolerance.")


def _lines(checks: tuple[Check, ...]) -> list[str]:
    wide = max(len(check.name) for check in checks)
    head = f"{'example':<{wide}}  {'expected':>14}  {'computed':>14}  {'difference':>11}  {'tolerance':>9}       origin"
    lines = [head]
    for check in checks:
        apart = "" if check.difference is None else f"{check.difference:+.1e}"
        lines.append(
            f"{check.name:<{wide}}  {_written(check.expected):>14}  {_written(check.computed):>14}  {apart:>11}  "
            f"{check.tolerance:>9.1e}  {'ok ' if check.within else 'OFF'}  {check.origin}"
        )
    return lines


def _written(value: Value) -> str:
    if value is None:
        return "undefined"
    return value if isinstance(value, str) else f"{value:.8g}"
