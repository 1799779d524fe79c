"""`manage.py check_answers FILE`: run the checks over a stream of answers, without a database."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from judges.checks import JUDGE_TYPES
from judges.stream import LONGEST_LINE, build_checks, check_lines, rarely_collecting


class Command(BaseCommand):
    help = (
        "Check answers, one JSON object a line with its sources, and print one line of flags for each. "
        "Needs no database; ends with 2 where a line was bad."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="JSON Lines in UTF-8; - reads standard input")
        parser.add_argument(
            "--checks", metavar="NAMES", default="", help="some of " + ",".join(kind.name for kind in JUDGE_TYPES)
        )
        parser.add_argument("--config", metavar="FILE", type=Path, help="JSON object: settings by the name of a check")

    def handle(self, *, file: str, checks: str, config: Path | None, **_options: Any) -> None:
        names = [name.strip() for name in checks.split(",") if name.strip()]
        try:
            chosen = build_checks(names, _read_config(config) if config else {})
        except ValueError as error:
            raise CommandError(str(error)) from error
        bad = 0
        try:
            with _open(file) as lines, rarely_collecting():
                for line in check_lines(_limited(lines), chosen):
                    self.stdout.write(line.text)
                    bad += line.bad
                    if file == "-":
                        # Whoever feeds a pipe waits for the answer to each line.
                        self.stdout.flush()
        except BrokenPipeError:
            # The reader has had enough; Python would complain once more while it closes the pipe.
            sys.stdout = None
            return
        if bad:
            raise SystemExit(2)


def _open(file: str) -> BinaryIO:
    if file == "-":
        return sys.stdin.buffer
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error


def _limited(lines: BinaryIO) -> Iterator[bytes]:
    """Yield lines, of a longer one than is allowed just so much that this can be told."""
    while line := lines.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = lines.readline(LONGEST_LINE + 1)
            if len(line) <= LONGEST_LINE:
                break


def _read_config(path: Path) -> dict[str, object]:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise CommandError(f"{path}: {error}; expected a JSON object") from error
    if not isinstance(data, dict):
        raise CommandError(
            f"{path} holds {type(data).__name__}; expected an object with settings by the name of a check"
        )
    return data
