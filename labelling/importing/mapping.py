"""Whose column is whose: `theirs=ours`, and `found=verdict` for the words in the cells."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from labelling.models import Verdict

CLAIM_KEYS = ("id", "claim", "kind", "severity", "stratum", "weight", "targeted", "start", "end", "citations", "meta")
ANSWER_KEYS = (
    "answer",
    "answer_text",
    "question",
    "system",
    "task_type",
    "model",
    "created",
    "retrieved",
    "should_abstain",
    "split",
)
SOURCE_KEYS = (
    "source_id",
    "source_text",
    "title",
    "collection",
    "version",
    "effective_from",
    "superseded_by",
)
LABEL_KEYS = ("annotator", "verdict", "invention", "confidence", "seconds", "note", "flag", "labels", "annotators")
ADJUDICATION_KEYS = ("adjudication", "adjudicated_by")
FLAT_KEYS = (*CLAIM_KEYS, *ANSWER_KEYS, *SOURCE_KEYS, *LABEL_KEYS, *ADJUDICATION_KEYS)
PREFIXES = ("label:", "judge:", "judge_score:")
LEAVE_OUT = "-"

_GUESSES: dict[str, tuple[str, ...]] = {
    "claim": ("hypothesis", "statement", "sentence", "hyp", "response", "summary", "candidate", "assertion"),
    "source_text": ("source", "premise", "context", "evidence", "knowledge", "passage", "document", "article", "src"),
    "source_id": ("document_id", "doc_id", "table_id", "passage_id"),
    "question": ("query", "prompt", "message"),
    "answer_text": ("output", "generation", "completion"),
    "system": ("model_name", "system_name"),
    "annotator": ("worker_id", "rater", "annotator_id", "worker", "rater_id", "coder"),
    "adjudication": ("label", "gold", "gold_label", "majority_label", "majoritylabel"),
    "collection": ("data_source", "dataset", "corpus"),
}
_VALUE_GUESSES = {
    Verdict.STATED: ("entailment", "supported", "supports", "fully attributable", "yes", "true", "consistent", "e"),
    Verdict.PARTIAL: ("partially_supported", "partially supported", "partial", "generic"),
    Verdict.ABSENT: ("neutral", "nei", "not enough info", "not_supported", "not supported", "not fully attributable"),
    Verdict.CONTRADICTED: ("contradiction", "refuted", "refutes", "contradicts", "contradictory", "c"),
}


class MappingRefusedError(ValueError):
    """A mapping that cannot be meant; the message says what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """How the columns and words of a flat table become ours.

    Attributes
    ----------
    columns : mapping of str to tuple of str
        Their column to our keys; a column named like a key stands for it unless it is mentioned here.
    values : mapping of str to str
        A word in a verdict's cell to a verdict; the empty string means "no label".
    """

    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def keys_of(self, column: str) -> tuple[str, ...]:
        """Our keys of a column; empty where it has none and is kept under `meta`."""
        mapped = self.columns.get(column)
        if mapped is not None:
            return mapped
        return (column,) if is_key(column) and not self.takes(column) else ()

    def takes(self, key: str) -> bool:
        return any(key in keys for keys in self.columns.values())

    def verdict(self, value: object) -> str:
        """The word of a cell as a verdict, or as it stands where nothing is said of it."""
        if value is None:
            return ""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        word = str(value).strip()
        return self.values.get(word, self.values.get(word.lower(), word))


def is_key(name: str) -> bool:
    return name in FLAT_KEYS or any(name.startswith(prefix) and len(name) > len(prefix) for prefix in PREFIXES)


def parse_columns(pairs: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Read `theirs=ours` pairs; `theirs=-` leaves a column out.

    Raises
    ------
    MappingRefusedError
        Where a pair has no `=`, or the key is none of ours.
    """
    columns: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        theirs, sign, ours = pair.rpartition("=")
        theirs, ours = theirs.strip(), ours.strip()
        if not sign or not theirs:
            raise MappingRefusedError(f"--map: found {pair!r}, expected theirs=ours")
        if ours == LEAVE_OUT:
            columns.setdefault(theirs, ())
            continue
        if not is_key(ours):
            raise MappingRefusedError(
                f"--map: found the key {ours!r}, expected one of {', '.join(FLAT_KEYS)}, "
                "label:<annotator>, judge:<name>, judge_score:<name>, or - to leave the column out"
            )
        columns[theirs] = (*columns.get(theirs, ()), ours)
    return columns


def parse_values(pairs: Iterable[str]) -> dict[str, str]:
    """Read `found=verdict` pairs, several separated by commas; a pair with a comma in it stands in double quotes.

    Raises
    ------
    MappingRefusedError
        Where a pair has no `=`, or what follows it is no verdict.
    """
    values: dict[str, str] = {}
    for pair in (part for row in csv.reader(pairs, skipinitialspace=True) for part in row if part.strip()):
        found, sign, verdict = pair.rpartition("=")
        verdict = verdict.strip()
        if not sign or not found.strip():
            raise MappingRefusedError(f"--values: found {pair!r}, expected found=verdict")
        if verdict and verdict not in Verdict.values:
            raise MappingRefusedError(
                f"--values: found the verdict {verdict!r}, expected one of {', '.join(Verdict.values)}, "
                "or nothing for no label"
            )
        values[found.strip()] = verdict
    return values


def guess_columns(header: Sequence[str]) -> dict[str, str]:
    """A proposal for the columns of an unknown table: their column to our key. Never applied without being shown."""
    guess = {column: column for column in header if is_key(column)}
    taken = set(guess.values())
    for key, names in _GUESSES.items():
        if key in taken:
            continue
        for column in header:
            if column not in guess and column.strip().lower() in names:
                guess[column] = key
                taken.add(key)
                break
    return guess


def guess_value(word: str) -> str:
    """A proposal for the verdict that a word stands for; empty where there is none."""
    folded = word.strip().lower()
    if folded in Verdict.values:
        return folded
    return next((verdict.value for verdict, words in _VALUE_GUESSES.items() if folded in words), "")
