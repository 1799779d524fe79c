"""A sample of a set: whole answers, drawn with a seed, with all that belongs to them."""

import gzip
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = 20_240_229
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """The lines of the answers that were drawn, in the order of the file.

    Attributes
    ----------
    claims, answers : int
        In the sample.
    claims_there : int
        In the whole set.
    several : int
        Answers of the sample with two claims or more.
    with_text : int
        Answers of the sample whose own text is there.
    """

    rows: tuple[Row, ...]
    claims: int
    answers: int
    claims_there: int
    several: int
    with_text: int

    def write(self, path: Path) -> None:
        """Write the lines as a file to import."""
        path.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows), encoding="utf-8", newline="\n"
        )


def find_set(folder: Path, name: str) -> Path | None:
    """Give the file of a set in a folder, packed or not; None where neither is there."""
    return next((path for end in ("jsonl.gz", "jsonl") if (path := folder / f"{name}.{end}").is_file()), None)


def draw_sample(path: Path, *, most: int, seed: int = SEED) -> Sample:
    """Draw answers in random order until the next one would bring more than ``most`` claims."""
    rows = _read(path)
    claims = [row for row in rows if row["type"] == "claim"]
    sizes = Counter(row["answer"] for row in claims)
    order = list(sizes)
    random.Random(f"{seed} {path.name.split('.')[0]}").shuffle(order)
    kept: set[str] = set()
    count = 0
    for answer in order:
        if count + sizes[answer] > most:
            break
        kept.add(answer)
        count += sizes[answer]
    ids = {row["id"] for row in claims if row["answer"] in kept}
    cited = {one["source"] for row in claims if row["id"] in ids for one in _citations(row)}
    wanted = {"source": cited, "answer": kept, "claim": ids}
    lines = tuple(
        row for row in rows if (row["id"] in wanted[row["type"]] if row["type"] in wanted else row.get("claim") in ids)
    )
    answers = [row for row in lines if row["type"] == "answer"]
    return Sample(
        rows=lines,
        claims=count,
        answers=len(kept),
        claims_there=len(claims),
        several=sum(sizes[answer] > 1 for answer in kept),
        with_text=sum(bool(str(row.get("text") or "").strip()) for row in answers),
    )


def _read(path: Path) -> list[Row]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode("utf-8").splitlines() if line.strip()]


def _citations(claim: Row) -> list[Row]:
    return claim.get("citations") or ([claim["citation"]] if claim.get("citation") else [])
