"""What stands beside a golden set: where it comes from, and how well its people agree."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from calibration import cells
from calibration.bootstrap import Cells, percentile_figure
from calibration.ceiling import Labels
from calibration.verdicts import VERDICTS
from labelling.models import Project

_CODES = {name: code for code, name in enumerate(VERDICTS)}
NO_PAIRS = "no claim has two labels"


@dataclass(slots=True)
class Tally:
    """Gathers, item by item, what a manifest says of a set."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    bases: Counter[str] = field(default_factory=Counter)
    strata: Counter[str] = field(default_factory=Counter)
    annotators: Counter[str] = field(default_factory=Counter)
    targeted: int = 0
    weights: set[float] = field(default_factory=set)
    counts: list[tuple[int, ...]] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)
    answer: list[int] = field(default_factory=list)
    sides: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, item: Mapping[str, object]) -> None:
        gold, labels, citations = item["gold"], item.get("labels", []), item["citations"]
        assert isinstance(gold, dict)
        assert isinstance(labels, list)
        assert isinstance(citations, list)
        self.verdicts[gold["verdict"], str(item["split"])] += 1
        self.bases[gold["basis"]] += 1
        for citation in citations:
            self.sides[citation["source"]].add(str(item["split"]))
        self.strata[str(item.get("stratum", ""))] += 1
        self.targeted += bool(item["targeted"])
        self.weights.add(float(str(item["weight"])))
        self.annotators.update(label["annotator"] for label in labels)
        said = Counter(label["verdict"] for label in labels)
        if not item["targeted"]:
            self.counts.append(tuple(said[verdict] for verdict in VERDICTS))
            self.answer.append(self.answers.setdefault(str(item["answer"]), len(self.answers)))

    def agreement(self) -> dict[str, object]:
        """Krippendorff's alpha and the kappa of one person against another, with intervals over whole answers.

        Claims that were chosen on purpose are left out: they were not chosen at random.
        """
        counts = np.array(self.counts, dtype=np.int64).reshape(-1, len(VERDICTS))
        labels = Labels(counts)
        shared = labels.enough("individual")
        n = int(shared.sum())
        if n == 0:
            nothing = {"value": None, "low": None, "high": None, "n": 0, "method": "", "reason": NO_PAIRS}
            return {"alpha": nothing, "kappa": dict(nothing)}
        answer = np.array(self.answer, dtype=np.int64)
        counted = Cells(answer)
        everything = np.ones(len(counts), dtype=np.bool_)
        square = (len(VERDICTS), len(VERDICTS))
        for name, by_label in (("alpha", True), ("kappa", False)):
            entry = labels.pairs(everything, alpha=by_label)
            counted.add(name, entry.cell, shape=square, rows=entry.rows, weights=entry.weight, scale=labels.scale)
        drawn = counted.resample()
        behind = len(np.unique(answer[shared]))
        found: dict[str, object] = {}
        for name, statistic in (("alpha", cells.krippendorff_nominal), ("kappa", cells.kappa)):
            value, replicates = drawn.values(name, statistic)
            figure = percentile_figure(value, replicates, n=n, answers=behind, reason="one class only")
            found[name] = figure.to_json()
        return found


def software_version() -> str:
    try:
        return version("touchstone")
    except PackageNotFoundError:
        return "unreleased"


def build_manifest(
    *, project: Project, name: str, number: int, digest: str, created: str, tally: Tally
) -> dict[str, object]:
    """The manifest of a set, as plain JSON values."""
    guide = project.current_guide
    counts = {
        verdict: {split: tally.verdicts[verdict, split] for split in ("development", "test")} for verdict in VERDICTS
    }
    return {
        "name": name,
        "version": number,
        "hash": digest,
        "hash_of": "SHA-256 of the canonical JSON of the items in id order",
        "measures": "faithfulness to the cited source, not truth about the world",
        "project": project.slug,
        "illustrative": project.illustrative,
        "created": created,
        "items": sum(tally.verdicts.values()),
        "counts": counts,
        "splits": {
            "rule": "answers that cite the same source are in one split, unless that ties most of them together",
            "sources": len(tally.sides),
            "sources_in_both": sum(len(sides) > 1 for sides in tally.sides.values()),
        },
        "gold": dict(sorted(tally.bases.items())),
        "consensus_rule": project.consensus_rule,
        "partial_is_unsupported": project.partial_is_unsupported,
        "guide_version": guide.number if guide else None,
        "policy": guide.policy if guide else None,
        "annotators": sorted(tally.annotators),
        "labels": sum(tally.annotators.values()),
        "agreement": tally.agreement(),
        "sampling": {
            "targeted": tally.targeted,
            "strata": dict(sorted(tally.strata.items())),
            "weighted": len(tally.weights) > 1,
        },
        "software": {"name": "touchstone", "version": software_version()},
    }
