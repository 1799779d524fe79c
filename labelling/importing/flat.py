"""A row of a flat table to the lines that it stands for: one claim, what it cites, and what was said of it."""

import ast
import json
from collections.abc import Iterator, Mapping

from labelling.importing.delimited import FORMAT_MARK
from labelling.importing.expansion import MalformedError, Piece, digest, expand, source_id_of
from labelling.importing.jsonlines import decode_cell, refuse_unstorable
from labelling.importing.mapping import ANSWER_KEYS, CLAIM_KEYS, LABEL_KEYS, SOURCE_KEYS, ColumnMap
from labelling.models import Verdict

LIST_CELL_LIMIT = 100_000
PUBLISHED = "published"
ITEM = "item"
_VERDICT_KEYS = ("verdict", "labels", "adjudication")


def blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def list_cell(key: str, value: object) -> list[object]:
    """A list in a cell, written as JSON or as Python does; a list already is one.

    Raises
    ------
    MalformedError
        Where the cell holds anything else.
    """
    if isinstance(value, list):
        return value
    text = str(value)
    parsed: object = None
    if len(text) <= LIST_CELL_LIMIT:
        try:
            parsed = json.loads(text)
        except ValueError:
            try:
                parsed = ast.literal_eval(text.strip())
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                parsed = None
        except RecursionError:
            parsed = None
    if isinstance(parsed, tuple):
        parsed = list(parsed)
    if not isinstance(parsed, list):
        raise MalformedError(key, value, "a list such as [1, 0, 2]")
    try:
        refuse_unstorable(parsed)
    except ValueError as fault:
        raise MalformedError(key, value, f"a list that can be kept ({fault})") from None
    return parsed


def _line(cell: str) -> Mapping[str, object]:
    """The native line that stands in a cell of an exported table."""
    try:
        line = decode_cell(cell)
    except ValueError as fault:
        raise MalformedError(ITEM, cell, f"the JSON of a line ({fault})") from None
    if not isinstance(line, dict):
        raise MalformedError(ITEM, cell, "the JSON of a line, an object")
    return line


class FlatTable:
    """Expands the rows of one table; it remembers which claims it has seen, so that each row names its own.

    A claim without an id is named by its content. In a table with one row for each person (`annotator`), rows of
    equal content are one claim; elsewhere they are several, numbered in order.
    """

    def __init__(self, columns: ColumnMap) -> None:
        self._map = columns
        self._keys: dict[str, tuple[str, ...]] = {}
        self._seen: dict[str, int] = {}

    def expand(self, row: Mapping[str, object]) -> Iterator[Piece]:
        """Yield the pieces of a row, each after what it refers to.

        Raises
        ------
        MalformedError
            Where there is neither a claim nor an answer, or a list's cell holds none.
        """
        if ITEM in row and isinstance(row[ITEM], str) and ("type" in row or row.get("format") == FORMAT_MARK):
            yield from expand(_line(str(row[ITEM])))
            return
        cells, extra = self._sorted(row)
        source = self._source(cells)
        if source is not None:
            yield Piece("source", source)
        yield from self._claim(cells, extra)

    def _sorted(self, row: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
        cells: dict[str, object] = {}
        extra: dict[str, object] = {}
        for column, value in row.items():
            keys = self._keys.get(column)
            if keys is None:
                keys = self._keys[column] = self._map.keys_of(column)
            if blank(value):
                continue
            if not keys and column not in self._map.columns:
                extra[column] = value
            for key in keys:
                cells[key] = self._cell(key, value)
        return cells, extra

    def _cell(self, key: str, value: object) -> object:
        if key in ("labels", "annotators", "retrieved", "citations"):
            value = list_cell(key, value)
            return [self._verdict(key, entry) for entry in value] if key == "labels" else value
        if key == "source_text" and isinstance(value, list):
            return "\n".join(str(part) for part in value)
        if key == "meta" and isinstance(value, str) and value.startswith("{"):
            try:
                return decode_cell(value)
            except ValueError as fault:
                raise MalformedError(key, value, f"a JSON object ({fault})") from None
        if key in _VERDICT_KEYS or key.startswith(("label:", "judge:")):
            return self._verdict(key, value)
        return value

    def _verdict(self, key: str, value: object) -> str:
        verdict = self._map.verdict(value)
        if verdict and verdict not in Verdict.values:
            raise MalformedError(
                key,
                value,
                f"one of {', '.join(Verdict.values)} (map it with --values, for example {str(value).strip()!r}=absent, or on the import page)",
            )
        return verdict

    def _source(self, cells: dict[str, object]) -> dict[str, object] | None:
        text = cells.get("source_text")
        if text is not None and not isinstance(text, str):
            raise MalformedError("source_text", text, "text")
        if "source_id" in cells:
            cells["source_id"] = str(cells["source_id"]).strip()
        if text is None:
            return None
        cells.setdefault("source_id", source_id_of(text))
        names = {"source_id": "id", "source_text": "text"}
        return {names.get(key, key): cells[key] for key in SOURCE_KEYS if key in cells}

    def _claim(self, cells: dict[str, object], extra: dict[str, object]) -> Iterator[Piece]:
        if "claim" not in cells and "answer_text" not in cells:
            raise MalformedError(
                "claim", None, "a claim in every row (name its column with --map theirs=claim, or on the import page)"
            )
        claim_id = self._claim_id(cells)
        answer_id = self._answer_id(cells, claim_id)
        answer = {key: cells[key] for key in ANSWER_KEYS if key in cells and key not in ("answer", "answer_text")}
        yield Piece("answer", {**answer, "id": answer_id, "text": cells.get("answer_text", cells.get("claim"))})
        if "claim" not in cells:
            return
        long_form = "annotator" in cells or "verdict" in cells
        claim = {key: cells[key] for key in CLAIM_KEYS if key in cells and key not in ("claim", "start", "end")}
        claim.update({"id": claim_id, "answer": answer_id, "text": cells["claim"]})
        if "source_id" in cells and "citations" not in cells:
            span: dict[str, object] = {key: cells[key] for key in ("start", "end") if key in cells}
            claim["citation"] = span | {"source": cells["source_id"]}
        yield Piece("claim", claim if long_form else {**extra, **claim})
        yield from self._labels(cells, claim_id, extra if long_form else {})
        yield from self._judgements(cells, claim_id)

    def _claim_id(self, cells: Mapping[str, object]) -> str:
        if "id" in cells:
            return str(cells["id"]).strip()
        content = [
            cells.get(key) for key in ("source_id", "start", "end", "question", "answer_text", "system", "claim")
        ]
        name = digest("claim", cells.get("answer"), *content)
        if "annotator" in cells:
            return f"claim-{name}"
        count = self._seen[name] = self._seen.get(name, 0) + 1
        return f"claim-{name}" if count == 1 else f"claim-{name}-{count}"

    def _answer_id(self, cells: Mapping[str, object], claim_id: str) -> str:
        if "answer" in cells:
            return str(cells["answer"]).strip()
        if "answer_text" in cells:
            return "answer-" + digest("answer", *(cells.get(key) for key in ("system", "question", "answer_text")))
        return claim_id

    def _labels(self, cells: Mapping[str, object], claim_id: str, extra: dict[str, object]) -> Iterator[Piece]:
        if cells.get("verdict"):
            label = {key: cells[key] for key in LABEL_KEYS if key in cells and key not in ("labels", "annotators")}
            yield Piece("label", {**extra, "annotator": "annotator-1", **label, "claim": claim_id})
        labels = cells.get("labels")
        if isinstance(labels, list):
            people = cells.get("annotators")
            names = people if isinstance(people, list) else [f"annotator-{n}" for n in range(1, len(labels) + 1)]
            if len(names) != len(labels):
                raise MalformedError("annotators", f"{len(names)} names", f"{len(labels)}, as many as there are labels")
            for name, verdict in zip(names, labels, strict=True):
                if verdict:
                    yield Piece("label", {"claim": claim_id, "annotator": name, "verdict": verdict})
        for key, verdict in cells.items():
            if key.startswith("label:") and verdict:
                yield Piece(
                    "label", {"claim": claim_id, "annotator": key.removeprefix("label:").strip(), "verdict": verdict}
                )
        if cells.get("adjudication"):
            by = cells.get("adjudicated_by", PUBLISHED)
            yield Piece("adjudication", {"claim": claim_id, "by": by, "verdict": cells["adjudication"]})

    def _judgements(self, cells: Mapping[str, object], claim_id: str) -> Iterator[Piece]:
        for key, verdict in cells.items():
            if key.startswith("judge:"):
                name = key.removeprefix("judge:").strip()
                judgement: dict[str, object] = {"judge": name, "claim": claim_id}
                if verdict:
                    judgement["verdict"] = verdict
                else:
                    judgement["outcome"] = "no-opinion"
                if f"judge_score:{name}" in cells:
                    judgement["score"] = cells[f"judge_score:{name}"]
                yield Piece("judgement", judgement)
            elif key.startswith("judge_score:") and f"judge:{key.removeprefix('judge_score:')}" not in cells:
                raise MalformedError(key, verdict, f"a verdict beside it, in judge:{key.removeprefix('judge_score:')}")
