"""One file into one project: read, expand, parse, save in batches, all within one transaction."""

import gc
import json
import pickle
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from django.db import IntegrityError, transaction
from django.utils import timezone

from labelling.importing.delivery import Delivery, Line, LineHandler, Options
from labelling.importing.documents import AnswerLines, ClaimLines, SourceLines
from labelling.importing.expansion import MalformedError, Piece, expand
from labelling.importing.fields import Fields
from labelling.importing.files import Reading, read_records
from labelling.importing.flat import FlatTable
from labelling.importing.mapping import ColumnMap
from labelling.importing.meter import Meter
from labelling.importing.opinions import AdjudicationLines, AnswerLabelLines, LabelLines
from labelling.importing.places import fill_places
from labelling.importing.problems import FileRefusedError, Problem, Problems, Record
from labelling.models import Project
from labelling.services.splits import assign_splits

BATCH_LINES = 4_000
BATCH_CHARACTERS = 8_000_000
ROUNDS = 4

Progress = Callable[[int, float | None], None]


@dataclass(frozen=True, slots=True)
class FileReport:
    """What the import of one file did.

    Attributes
    ----------
    counts : dict
        By type of line, how many were `added`, `unchanged`, `kept` (another title or the like, the known one stays) and `updated`.
    problems : tuple of Problem
        The faults, up to a limit; `problems_total` counts all that were looked at.
    saved : bool
        Whether anything was kept: not in a dry run, and not where a fault stopped the file.
    rejected : int
        Lines that were left out because of `skip_bad`.
    """

    file: str
    counts: dict[str, dict[str, int]]
    problems: tuple[Problem, ...]
    problems_total: int
    saved: bool
    rejected: int
    records: int
    seconds: float
    refused: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.refused) or (self.problems_total > 0 and not self.saved and not self.rejected)

    def to_json(self) -> dict[str, object]:
        return {
            "file": self.file,
            "counts": self.counts,
            "problems": [problem.to_json() for problem in self.problems],
            "problems_total": self.problems_total,
            "saved": self.saved,
            "rejected": self.rejected,
            "records": self.records,
            "seconds": round(self.seconds, 2),
            "refused": self.refused,
        }


def labelling_handlers() -> list[LineHandler]:
    """The handlers of the lines that this app owns, in the order in which lines refer to each other."""
    return [SourceLines(), AnswerLines(), ClaimLines(), LabelLines(), AdjudicationLines(), AnswerLabelLines()]


def import_file(
    *,
    project: Project,
    path: Path,
    name: str,
    handlers: Sequence[LineHandler],
    columns: ColumnMap | None = None,
    reading: Reading | None = None,
    options: Options | None = None,
    rejects: Path | None = None,
    progress: Progress = lambda _records, _share: None,
) -> FileReport:
    """Import one file; with a fault in it nothing changes, unless `options.skip_bad` takes the good lines.

    `name` is what messages call the file. `handlers` has one for each type of line, in the order in which lines refer
    to each other, made anew for this file. The refused lines go to `rejects` when bad lines are skipped; it is written
    only where there are some. `progress` is called with the number of records read so far and
    the share of the file that this is, from 0 to 1, or None where that is not known.
    """
    started = time.monotonic()
    options = options or Options()
    run = _Import(project, path, name, handlers, columns or ColumnMap(), reading or Reading(), options, progress)
    saved, refused = False, ""
    try:
        with _without_cycle_search(), transaction.atomic():
            run.read()
            stopped = run.delivery.problems.total > 0 and not options.skip_bad
            if not stopped:
                assign_splits(project=project, answers=run.delivery.unsettled)
                fill_places(project=project, labelled=run.delivery.labelled)
            saved = not stopped and not options.dry_run
            transaction.set_rollback(not saved)
    except FileRefusedError as fault:
        refused = str(fault)
    except IntegrityError as fault:
        refused = f"{name}: another import or person changed the same rows meanwhile ({fault}); import it again"
    problems = run.named_problems() if not refused else tuple(run.delivery.problems.listed)
    if rejects is not None and run.rejected and options.skip_bad and not refused:
        run.write_rejects(rejects)
    counts = {kind: dict(sorted(count.items())) for kind, count in run.delivery.counts.items()}
    return FileReport(
        file=name,
        counts=counts if saved or options.dry_run else {},
        problems=problems,
        problems_total=run.delivery.problems.total,
        saved=saved,
        rejected=len(run.rejected) if options.skip_bad else 0,
        records=run.records,
        seconds=time.monotonic() - started,
        refused=refused,
    )


@contextmanager
def _without_cycle_search() -> Iterator[None]:
    """Millions of small short-lived values, none in a cycle: looking for cycles among them is a quarter of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Import:
    """The state of one file's import."""

    def __init__(
        self,
        project: Project,
        path: Path,
        name: str,
        handlers: Sequence[LineHandler],
        columns: ColumnMap,
        reading: Reading,
        options: Options,
        progress: Progress,
    ) -> None:
        self._path, self._name, self._reading, self._progress = path, name, reading, progress
        self._columns = columns
        self._handlers = {handler.kind: handler for handler in handlers}
        self.records = 0
        self._meter = Meter()
        self.rejected: dict[int, tuple[Record, list[Problem]]] = {}
        self.delivery = Delivery(project, options, Problems(), timezone.now(), on_problem=self._reject)

    def _reject(self, record: Record, problem: Problem) -> None:
        if self.delivery.options.skip_bad or len(self.rejected) < self.delivery.problems.limit:
            self.rejected.setdefault(record.line, (record, []))[1].append(problem)

    def read(self) -> None:
        """Read the whole file and save its lines, those that refer forward at the end."""
        table = FlatTable(self._columns)
        batch: dict[str, list[Line]] = defaultdict(list)
        lines = characters = 0
        with tempfile.TemporaryFile() as spool:
            for record in self._records():
                pieces = self._parsed(record, table)
                for piece in pieces:
                    batch[piece.kind].append(piece)
                lines += len(pieces)
                characters += _size(record)
                if lines >= BATCH_LINES or characters >= BATCH_CHARACTERS:
                    self._flush(batch, spool)
                    lines = characters = 0
                    self._progress(self.records, self._meter.share())
                if self._hopeless:
                    return
            self._flush(batch, spool)
            self._settle(spool)
        self._progress(self.records, 1.0)

    @property
    def _hopeless(self) -> bool:
        return self.delivery.problems.full and not self.delivery.options.skip_bad

    def _records(self) -> Iterator[Record]:
        problems = self.delivery.problems
        before = problems.total
        first = True
        for record in read_records(self._path, self._name, problems, self._reading, meter=self._meter):
            self.records += 1
            if problems.total > before:
                for problem in problems.listed[-(problems.total - before) :] if len(problems.listed) else ():
                    if problem.line == record.line:
                        self._reject(record, problem)
                self.rejected.setdefault(record.line, (record, []))
            if first and isinstance(record.content, dict):
                first = False
                self._check_columns(record.content)
            if isinstance(record.content, dict):
                yield record
            before = problems.total

    def _check_columns(self, content: dict[str, object]) -> None:
        if "type" in content:
            return
        missing = [column for column in self._columns.columns if column not in content]
        if missing:
            raise FileRefusedError(
                f"--map: found the column {missing[0]!r}, expected one of {', '.join(repr(name) for name in content)}"
            )

    def _parsed(self, record: Record, table: FlatTable) -> list[Line]:
        """The lines of a record, all of them or, where one has a fault, none."""
        before = self.delivery.problems.total
        parsed: list[Line] = []
        try:
            for piece in _pieces(record, table):
                handler = self._handlers.get(piece.kind)
                if handler is None:
                    self.delivery.problem(record, "type", piece.kind, "one of " + ", ".join(self._handlers))
                    continue
                fields = Fields(piece.data)
                value = handler.parse(fields)
                for fault in fields.faults:
                    self.delivery.problem(record, fault.key, fault.found, fault.expected)
                parsed.append(Line(record, piece.kind, value))
        except MalformedError as malformed:
            self.delivery.problem(record, *malformed.fault)
        return parsed if self.delivery.problems.total == before else []

    def _flush(self, batch: dict[str, list[Line]], spool: IO[bytes]) -> None:
        for kind, handler in self._handlers.items():
            lines = batch.pop(kind, None)
            if lines:
                waiting = handler.write(lines, self.delivery)
                if waiting:
                    pickle.dump(waiting, spool)

    def _settle(self, spool: IO[bytes]) -> None:
        """Try the lines that waited for something further down, until nothing more can be saved."""
        waiting = _unspooled(spool)
        for _ in range(ROUNDS):
            still: dict[str, list[Line]] = defaultdict(list)
            moved = False
            for lines in waiting:
                by_kind: dict[str, list[Line]] = defaultdict(list)
                for line in lines:
                    by_kind[line.kind].append(line)
                for kind in self._handlers:
                    if kind in by_kind:
                        left = self._handlers[kind].write(by_kind[kind], self.delivery)
                        still[kind] += left
                        moved = moved or len(left) < len(by_kind[kind])
            waiting = iter([still[kind] for kind in self._handlers if still[kind]])
            if not moved:
                break
        for lines in waiting:
            for line in lines:
                self.delivery.problem(line.record, *self._handlers[line.kind].waiting_for(line))
                if self._hopeless:
                    return

    def named_problems(self) -> tuple[Problem, ...]:
        """The problems, with each conflict naming the line that the known text came from."""
        wanted = {(conflict.kind, conflict.identifier) for conflict in self.delivery.conflicts}
        if not wanted:
            return tuple(self.delivery.problems.listed)
        lines: dict[tuple[str, str], int] = {}
        table = FlatTable(self._columns)
        for record in read_records(self._path, self._name, Problems(), self._reading):
            if isinstance(record.content, dict) and len(lines) < len(wanted):
                try:
                    for piece in _pieces(record, table):
                        key = (piece.kind, str(piece.data.get("id", "")).strip())
                        if key in wanted:
                            lines.setdefault(key, record.line)
                except MalformedError:
                    continue
        named: dict[Problem, Problem] = {}
        for problem, kind, identifier in self.delivery.conflicts:
            first = lines.get((kind, identifier), problem.line)
            where = f"on {problem.unit} {first}" if first < problem.line else "already in the project"
            expected = f"what is known under the id {identifier!r}, {where} (--update, or its box on the import page, takes the new one)"
            named[problem] = replace(problem, expected=expected)
        for line, (record, problems) in self.rejected.items():
            self.rejected[line] = (record, [named.get(problem, problem) for problem in problems])
        return tuple(named.get(problem, problem) for problem in self.delivery.problems.listed)

    def write_rejects(self, path: Path) -> None:
        with path.open("w", encoding="utf-8", errors="backslashreplace") as out:
            for line in sorted(self.rejected):
                record, problems = self.rejected[line]
                entry = {"line": line, "errors": [str(problem) for problem in problems], "content": record.content}
                out.write(json.dumps(entry, ensure_ascii=True, default=str) + "\n")


def _pieces(record: Record, table: FlatTable) -> Iterator[Piece]:
    content = record.content
    assert isinstance(content, dict)
    if record.unit == "line" and "type" in content and "item" not in content:
        return expand(content)
    return table.expand(content)


def _size(record: Record) -> int:
    """About how much text a record holds: what is long is the text of a source or of an answer."""
    content = record.content
    if not isinstance(content, dict):
        return 0
    texts = (content.get("text"), content.get("source_text"), content.get("item"))
    return sum(len(text) for text in texts if isinstance(text, str))


def _unspooled(spool: IO[bytes]) -> Iterator[list[Line]]:
    spool.seek(0)
    while True:
        try:
            # Written a moment ago by this process into a nameless file of its own.
            yield pickle.load(spool)  # noqa: S301
        except EOFError:
            return
