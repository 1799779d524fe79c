"""Recompute the hash of an exported golden set, and hold its texts against what its items say of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from labelling.golden.items import answer_hash, hash_of, text_hash
from labelling.importing.files import Reading, read_records
from labelling.importing.problems import FileRefusedError, Problems


@dataclass(frozen=True, slots=True)
class Verification:
    """What a file turned out to be.

    Attributes
    ----------
    hash : str
        Recomputed from its items; empty where they cannot be put in order.
    expected : str
        What the manifest beside it says; empty where there is none.
    faults : tuple of str
        Everything that does not hold; empty where all does.
    """

    hash: str
    expected: str
    items: int
    faults: tuple[str, ...]

    @property
    def sound(self) -> bool:
        return not self.faults


def verify_golden(path: Path, *, manifest: Path | None = None) -> Verification:
    """Verify a golden set from its JSON Lines, CSV or Parquet.

    Raises
    ------
    FileRefusedError
        Where the file cannot be read, or a row of it holds no line.
    """
    problems = Problems()
    sources: dict[str, str] = {}
    answers: dict[str, str] = {}
    items: dict[str, dict[str, object]] = {}
    faults: list[str] = []
    for record in read_records(path, path.name, problems, Reading()):
        line = _line(record.content, record.place)
        name = str(line.get("id"))
        match line.get("type"):
            case "source":
                sources[name] = text_hash(str(line.get("text", "")))
            case "answer":
                answers[name] = answer_hash(str(line.get("question", "")), str(line.get("text", "")))
            case "golden_item":
                if name in items:
                    faults.append(f"{record.place}: the item {name!r} stands twice")
                items[name] = line
            case other:
                faults.append(f"{record.place}: found the type {other!r}, expected source, answer or golden_item")
    faults += [str(problem) for problem in problems.listed]
    faults += [fault for item in items.values() for fault in _text_faults(item, sources, answers)]
    digest = hash_of(items[name] for name in sorted(items))
    expected = _expected(manifest or path.with_name(path.name.rsplit(".", 1)[0] + ".manifest.json"))
    if not items:
        faults.append("there are no items")
    if expected and expected != digest:
        faults.append(f"the hash is {digest}, the manifest says {expected}")
    return Verification(digest, expected, len(items), tuple(faults))


def _line(content: Mapping[str, object] | str, place: str) -> dict[str, object]:
    if isinstance(content, dict):
        if "item" not in content:
            return content
        try:
            line = json.loads(str(content["item"]))
        except ValueError:
            line = None
        if isinstance(line, dict):
            return line
    raise FileRefusedError(f"{place}, item: expected the JSON of a line")


def _text_faults(item: Mapping[str, object], sources: Mapping[str, str], answers: Mapping[str, str]) -> list[str]:
    name, answer, citations = item["id"], str(item.get("answer")), item.get("citations", [])
    faults = []
    if answers.get(answer) != item.get("answer_sha256"):
        faults.append(f"item {name!r}: the answer {answer!r} is not the one that was frozen")
    return faults + [
        f"item {name!r}: the source {citation.get('source')!r} is not the one that was frozen"
        for citation in (citations if isinstance(citations, list) else [])
        if sources.get(citation.get("source")) != citation.get("sha256")
    ]


def _expected(manifest: Path) -> str:
    if not manifest.is_file():
        return ""
    try:
        said = json.loads(manifest.read_text(encoding="utf-8"))
    except ValueError:
        raise FileRefusedError(f"{manifest.name}: expected a JSON object") from None
    return str(said.get("hash", ""))
