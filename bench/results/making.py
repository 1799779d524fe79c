"""All sets in turn, and what the document has to say of the call as a whole."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from django.utils import timezone

from bench.results.decomposition import Decomposition, decompose
from bench.results.judging import NO_MODEL, Say, SetResult, judge_set
from bench.results.sampling import draw_sample, find_set
from bench.results.sets import SETS, ClaimSet
from judges.entailment.revisions import folder_revision

REPOSITORY = Path(__file__).resolve().parents[2]
MOST = 1_000
"""Claims of a set, where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Results:
    """What was found, and what was not there to be found.

    Attributes
    ----------
    missing : tuple of ClaimSet
        Asked for, but not in the folder.
    model, revision : str
        Name and hash of the model's folder; without one the first says so and the second is empty.
    """

    sets: tuple[SetResult, ...]
    decompositions: dict[str, Decomposition]
    missing: tuple[ClaimSet, ...]
    model: str
    revision: str
    software: str
    most: int
    made: date


def make_results(
    data: Path,
    *,
    model: str,
    most: int = MOST,
    scratch: Path,
    only: Sequence[str] | None = None,
    say: Say = lambda _line: None,
) -> Results:
    """Judge the sets that are in the folder, one at a time.

    Raises
    ------
    ValueError
        Where a set is asked for that is not known.
    """
    known = [about.name for about in SETS]
    for name in only or ():
        if name not in known:
            raise ValueError(f"sets: found {name!r}, expected some of {', '.join(known)}")
    results, decompositions, missing = [], {}, []
    for about in SETS:
        if only and about.name not in only:
            continue
        path = find_set(data, about.name)
        if path is None:
            missing.append(about)
            say(f"{about.name}: not in the folder")
            continue
        sample = draw_sample(path, most=most)
        say(f"{about.name}: {sample.claims:,} of {sample.claims_there:,} claims")
        found = judge_set(about, sample, model=model, scratch=scratch, say=say)
        results.append(found)
        both = decompose(found)
        if both is not None:
            decompositions[about.name] = both
    return Results(
        sets=tuple(results),
        decompositions=decompositions,
        missing=tuple(missing),
        model=Path(model).name if model else NO_MODEL,
        revision=folder_revision(Path(model)) if model else "",
        software=_software(),
        most=most,
        made=timezone.localdate(),
    )


def _software() -> str:
    """What judged: the version of this repository, and of the packages that run a model where they are there."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = [f"{name} {version(name)}" for name in ("torch", "transformers") if find_spec(name)]
    return ", ".join([f"Touchstone {project['version']}", *packages])
