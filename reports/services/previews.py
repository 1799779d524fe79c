"""What an uploaded file looks like before it is read as a whole, and how it is to be read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from labelling.importing.expansion import MalformedError
from labelling.importing.files import Reading, format_of, read_records
from labelling.importing.flat import blank, list_cell
from labelling.importing.mapping import LEAVE_OUT, ColumnMap, guess_columns, guess_value
from labelling.importing.problems import FileRefusedError, Problems
from labelling.models import Verdict
from reports.models import ImportJob
from reports.services.upload_files import data_path

FIRST_ROWS = 5
LOOKED_AT = 5_000
WORDS = 40


@dataclass(frozen=True, slots=True)
class Column:
    """One column of an uploaded table: its name, the key chosen for it, and its first cells."""

    position: int
    name: str
    key: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """One word found where verdicts stand, and the verdict chosen for it."""

    position: int
    word: str
    verdict: str
    count: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file looks like before it is read as a whole.

    Attributes
    ----------
    kinds : tuple of (str, int)
        Types of native lines among the first, most frequent first; empty for a table.
    columns, words : tuple
        Of a flat table.
    refused : str
        Why it cannot be read; everything else is then empty.
    """

    format: str = ""
    kinds: tuple[tuple[str, int], ...] = ()
    columns: tuple[Column, ...] = ()
    words: tuple[Word, ...] = ()
    refused: str = ""

    @property
    def flat(self) -> bool:
        return bool(self.columns)


def preview(job: ImportJob) -> Preview:
    """Look at the beginning of the file, with the columns and words as chosen so far, else as guessed."""
    reading = Reading(str(job.choices.get("encoding", "")))
    try:
        kind = format_of(data_path(job), encoding=reading.encoding)
        found = list(islice(read_records(data_path(job), job.name, Problems(), reading), LOOKED_AT))
    except FileRefusedError as fault:
        return Preview(refused=str(fault))
    rows = [record.content for record in found if isinstance(record.content, dict)]
    if not rows:
        return Preview(format=kind, refused=f"{job.name}: there is no readable line in it")
    if "type" in rows[0]:
        kinds = Counter(str(row.get("type", "no type")) for row in rows)
        return Preview(format=kind, kinds=tuple(kinds.most_common()))
    header = list(rows[0])
    chosen = job.choices.get("columns")
    keys = dict(chosen) if isinstance(chosen, dict) else guess_columns(header)
    columns = tuple(
        Column(place, name, keys.get(name, ""), tuple(_short(row.get(name)) for row in rows[:FIRST_ROWS]))
        for place, name in enumerate(header)
    )
    return Preview(format=kind, columns=columns, words=_words(rows, keys, job.choices.get("values")))


def _short(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return text if len(text) <= 160 else text[:159] + "…"


def _words(rows: Sequence[Mapping[str, object]], keys: Mapping[str, str], chosen: object) -> tuple[Word, ...]:
    said = chosen if isinstance(chosen, dict) else {}
    counts: Counter[str] = Counter()
    for column, key in keys.items():
        if key in ("verdict", "adjudication", "labels") or key.startswith(("label:", "judge:")):
            for row in rows:
                cell = row.get(column)
                if blank(cell):
                    continue
                try:
                    cells = list_cell(key, cell) if key == "labels" else [cell]
                except MalformedError:
                    continue
                counts.update(str(one).strip() for one in cells if not blank(one))
    ordered = [entry for entry in counts.most_common() if entry[0] not in Verdict.values][:WORDS]
    return tuple(Word(n, word, said.get(word, guess_value(word)), count) for n, (word, count) in enumerate(ordered))


def column_map(job: ImportJob) -> ColumnMap:
    """The columns and words chosen for a job, as the import takes them."""
    columns = job.choices.get("columns")
    values = job.choices.get("values")
    chosen = columns if isinstance(columns, dict) else {}
    pairs: dict[str, tuple[str, ...]] = {}
    for name, key in chosen.items():
        if key == LEAVE_OUT:
            pairs[name] = ()
        elif key and key != name:
            pairs[name] = (key,)
    return ColumnMap(pairs, dict(values) if isinstance(values, dict) else {})
